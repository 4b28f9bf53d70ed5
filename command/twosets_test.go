package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"skinlab/assets/gltf/export"
	"skinlab/assets/shapefile"
	"skinlab/fit/methods"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// TestTwoWeightSets: every command takes a file with a second weight set, and deform poses by it.
func TestTwoWeightSets(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m := assetstest.Open(t, "demo:arm")
	twist, n := &skinning.Influences{}, len(m.Skin.Positions)
	for v := range n {
		twist.Append(m.Skin.Of(nil, (v+n/5)%n), 0)
	}
	m.Skin.SetSecond(skinning.TwistSwing, twist)
	data, err := export.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, posed := filepath.Join(dir, "arm.glb"), filepath.Join(dir, "posed.obj")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	first := methods.All()[0]

	var info skinning.Description
	if err := json.Unmarshal(runWith(t, first, "info", file, "--json"), &info); err != nil || len(info.Inputs) != 1 ||
		!(info.Inputs[0].Influences.Mean > 1) {
		t.Errorf("info: %+v, %v", info, err)
	}
	if text := runWith(t, first, "info", file); !bytes.Contains(text, []byte("made for twist-swing")) {
		t.Errorf("info: %s", text)
	}

	runWith(t, first, "deform", file, "--method", "twist-swing", "--clip", "0", "--time", "0.7", "-o", posed)
	got, err := shapefile.Read(posed)
	if err != nil {
		t.Fatal(err)
	}
	pose := m.NewPose()
	m.SamplePose(pose, 0, 0.7)
	off := func(m *skinning.Model) (most float64) {
		f := skinning.NewFrame(m, nil)
		f.SetPose(pose)
		for v, p := range f.Positions(skinning.TwistSwing) {
			most = max(most, p.Sub(got.Positions[v]).Len()/m.Diagonal())
		}
		return most
	}
	one := *m
	one.Skin.SetSecond(skinning.TwistSwing, nil)
	// Float32, and the rounding of inverse bind matrices.
	if both, single := off(m), off(&one); !(both <= 1e-5) || !(single > 1e-3) {
		t.Errorf("deform is %.2g of the diagonal off the reference by both sets, expected 1e-5; %.2g off that by one", both,
			single)
	}

	var compared struct {
		Rows []struct{ RMS float64 }
	}
	text := runWith(t, first, "compare", file, "--frames", "3", "--reference", "twist-swing", "--methods", "lbs,twist-swing",
		"--json")
	if err := json.Unmarshal(text, &compared); err != nil || len(compared.Rows) != 2 || !(compared.Rows[0].RMS > 1e-4) ||
		!(compared.Rows[1].RMS < 1e-6) {
		t.Errorf("compare: %v: %s", err, text)
	}
}
