package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/assets/gltf/export"
	"skinlab/assets/obj"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/remodel"
)

// writeShape writes a shape of a model's skin as an OBJ file.
func writeShape(t *testing.T, path string, m *skinning.Model, positions []mgl64.Vec3) {
	t.Helper()
	f, err := os.Create(path)
	if err == nil {
		err = obj.Write(f, positions, make([]mgl64.Vec3, len(positions)), m.Skin.Triangles)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFitDecompose: the frames that a file's morph targets show, the same as OBJ files for the same mesh, and these for
// a base that is an OBJ file itself, are one sequence with one answer. Files of shapes are refused by their names.
func TestFitDecompose(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	folder := t.TempDir()
	data, err := export.Encode(gltftest.Morphing(6))
	if err != nil {
		t.Fatal(err)
	}
	base, frames := filepath.Join(folder, "morphing.glb"), filepath.Join(folder, "frames")
	if err := os.WriteFile(base, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(frames, 0o755); err != nil {
		t.Fatal(err)
	}
	m, err := assets.Open(base)
	if err != nil {
		t.Fatal(err)
	}
	_, stderr, code := skinlab(t, "fit", "decompose", "demo:tube", "--teach", "dqs", "--clip", "stress:twist", "-o",
		filepath.Join(folder, "stress.glb"))
	if code != exitUsage || !strings.Contains(stderr, "files have no stress clips") {
		t.Errorf("a stress clip for a file: exit %d, %s", code, stderr)
	}
	bound := remodel.BindRigid(m)
	f, pose := skinning.NewFrame(bound, nil), bound.NewPose()
	for k, at := range m.Clips[0].KeyTimes() {
		bound.SamplePose(pose, 0, at)
		f.SetPose(pose)
		writeShape(t, filepath.Join(frames, fmt.Sprintf("frame%d.obj", k)), bound, f.Positions(skinning.LBS))
	}
	var rest []mgl64.Vec3
	for _, p := range bound.Skin.Positions {
		rest = append(rest, geom.Vec64(p))
	}
	mesh := filepath.Join(folder, "mesh.obj")
	writeShape(t, mesh, bound, rest)

	out := filepath.Join(folder, "out.glb")
	morphs := object(t, "fit", "decompose", base, "--bones", "4", "-o", out)
	if morphs["added_bones"] != 4.0 || morphs["frames"] != 6.0 || morphs["operator"] != "examples" ||
		!(morphs["rms_units"].(float64) < 0.05) || len(morphs["clips"].([]any)) > 0 { // it has no weights to compare with
		t.Errorf("report %v", morphs)
	}
	again, err := assets.Open(out)
	if err != nil || len(again.Skin.Positions) != len(rest) || again.Clips[0].Name != "bend" {
		t.Errorf("the output: %v", err)
	}
	for _, source := range []string{base, mesh} {
		files := object(t, "fit", "decompose", source, "--bones", "4", "--targets", frames, "--fps", "12", "-o", out,
			"--force")
		if a, b := files["rms_units"].(float64), morphs["rms_units"].(float64); !(abs(a-b) <= 0.02*b) {
			t.Errorf("%s: RMS %g of files, %g of morph targets", filepath.Base(source), a, b)
		}
		again, err := assets.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		last := again.Clips[len(again.Clips)-1]
		if last.Name != "sequence" || !(abs(last.Seconds-5./12) <= 1e-6) || len(again.Skin.Positions) != len(rest) {
			t.Errorf("%s: clip %q of %g s", filepath.Base(source), last.Name, last.Seconds)
		}
	}
	bad := filepath.Join(frames, "frame9.obj")
	writeShape(t, bad, &skinning.Model{}, rest[:70])
	for want, args := range map[string][]string{
		bad + ": 70 vertices": {base, "--targets", frames},
		"no clip shows shapes by morph targets: give --targets DIR":                                     {mesh},
		"no clip shows shapes by morph targets: give --teach METHOD, or --targets DIR with --clip CLIP": {"demo:tube"},
		"tube: clip \"train\" shows no shapes by morph targets: give --teach METHOD":                    {"demo:tube", "--clip", "train"},
		"give --clip":       {"demo:bar", "--targets", frames},
		"not for sequences": {base, "--train", "bend"},
		"no joint \"hip\"":  {"demo:bar", "--free", "hip"},
		"--bones is from 1": {base, "--bones", "0"},
		"no such file":      {base, "--targets", folder + "/nothing"},
	} {
		_, stderr, code := skinlab(t, append([]string{"fit", "decompose"}, args...)...)
		if code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit %d, expected %q: %s", args, code, want, stderr)
		}
	}
}

// TestStillBones: in poses of no clip of a decomposition's file, commands say that its bones have no motion there.
func TestStillBones(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tube.glb")
	object(t, "fit", "decompose", "demo:tube", "--teach", "dqs", "--bones", "2", "--rounds", "1", "--force", "-o", path)
	const want = "The fitted bones of tube.glb move in its own clips alone"
	obj := filepath.Join(t.TempDir(), "tube.obj")
	for _, c := range []struct {
		args  []string
		still bool
	}{
		{[]string{"sweep", "demo:tube", "--joint", "1", "--step", "90", "--methods", "lbs," + path}, true},
		{[]string{"sweep", path, "--joint", "1", "--step", "90", "--methods", "lbs"}, true},
		{[]string{"compare", "demo:tube", "--clip", "stress:twist", "--frames", "2", "--methods", path}, true},
		{[]string{"compare", path, "--frames", "2", "--methods", "lbs"}, false},
		{[]string{"deform", path, "--clip", "stress:twist", "--time", "0.5", "--force", "-o", obj}, true},
		{[]string{"deform", path, "--time", "0.5", "--force", "-o", obj}, false},
	} {
		stdout, stderr, code := skinlab(t, c.args...)
		if n := strings.Count(stdout+stderr, want); code != 0 || (n == 1) != c.still || n > 1 {
			t.Errorf("%v: exit %d, said %d times:\n%s%s", c.args, code, n, stdout, stderr)
		}
	}
}
