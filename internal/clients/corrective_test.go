package clients_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/internal/clients"
	"skinlab/internal/longtest"
	"skinlab/skinning"
	"skinlab/skinning/deltamush"
	"skinlab/skinning/geom"
)

// TestCorrectiveSmooth measures Delta Mush beside Blender's Corrective Smooth (simple, original coordinates as its rest)
// with the same options and linear shapes. Both smooth alike. Blender puts the detail back in a frame for each corner
// of a face and takes the mean, Delta Mush here in the best rotation of a point's neighbours. So the two are not the
// same: their distance is at most a tenth of what either moves the skin, by RMS.
func TestCorrectiveSmooth(t *testing.T) {
	longtest.Only(t)
	if err := clients.Blender().Ready(t.Context(), scripts); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct{ name, clip string }{{"demo:arm", "flex"}, {"human_male.glb", "exercise"}} {
		t.Run(c.name, func(t *testing.T) {
			m := assetstest.Open(t, c.name)
			clip, err := m.ClipIndex(c.clip)
			if err != nil {
				t.Fatal(err)
			}
			m.Skin.Morphs = nil
			f := skinning.NewFrame(m, nil)
			pose := m.NewPose()
			m.SamplePose(pose, clip, 0.6*m.Clips[clip].Seconds)
			f.SetPose(pose)
			o := deltamush.Default()
			mush, linear := deltamush.New(m, o).Positions(f), f.Positions(skinning.LBS)
			smoothed := correctiveSmooth(t, m, linear, o)
			apart, moved, most := 0.0, 0.0, 0.0
			for v := range mush {
				apart += mush[v].Sub(smoothed[v]).LenSqr()
				moved += mush[v].Sub(linear[v]).LenSqr()
				most = max(most, mush[v].Sub(smoothed[v]).Len())
			}
			apart, moved = math.Sqrt(apart/float64(len(mush))), math.Sqrt(moved/float64(len(mush)))
			t.Logf("%.3f mm RMS from Corrective Smooth, %.2f mm at most; Delta Mush moves linear blending by %.3f mm RMS",
				1e3*apart, 1e3*most, 1e3*moved)
			if !(apart < moved/10) {
				t.Errorf("%g m from Corrective Smooth, Delta Mush moves linear blending by %g m", apart, moved)
			}
		})
	}
}

// correctiveSmooth returns what Blender makes of a posed skin, one position per vertex.
func correctiveSmooth(t *testing.T, m *skinning.Model, posed []mgl64.Vec3, o deltamush.Options) []mgl64.Vec3 {
	t.Helper()
	points := map[[3]float32]int{}
	var point []int
	query := struct {
		Rest       []mgl64.Vec3 `json:"rest"`
		Posed      []mgl64.Vec3 `json:"posed"`
		Triangles  [][3]int     `json:"triangles"`
		Iterations int          `json:"iterations"`
		Step       float64      `json:"step"`
		Pin        bool         `json:"pin"`
	}{Iterations: o.Iterations, Step: o.Step, Pin: o.PinBorders}
	for v, p := range m.Skin.Positions {
		k, ok := points[p]
		if !ok {
			k = len(points)
			points[p] = k
			query.Rest, query.Posed = append(query.Rest, geom.Vec64(p)), append(query.Posed, posed[v])
		}
		point = append(point, k)
	}
	for _, tri := range m.Skin.Triangles {
		if a, b, c := point[tri[0]], point[tri[1]], point[tri[2]]; a != b && b != c && c != a {
			query.Triangles = append(query.Triangles, [3]int{a, b, c})
		}
	}
	in, out := filepath.Join(t.TempDir(), "in.json"), filepath.Join(t.TempDir(), "out.json")
	data, err := json.Marshal(query)
	if err == nil {
		err = os.WriteFile(in, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := exec.CommandContext(t.Context(), "blender", "-b", "--factory-startup", "--python-exit-code", "1", "-P",
		filepath.Join(scripts, "corrective.py"), "--", in, out).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, text[max(0, len(text)-2000):])
	}
	var at, all []mgl64.Vec3
	if data, err = os.ReadFile(out); err == nil {
		err = json.Unmarshal(data, &at)
	}
	if err != nil || len(at) != len(query.Rest) {
		t.Fatalf("%d points of %d: %v", len(at), len(query.Rest), err)
	}
	for _, k := range point {
		all = append(all, at[k])
	}
	return all
}
