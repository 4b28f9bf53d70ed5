package command

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// The file must hold what the float64 reference computes: to 1e-9 m, the digits that are written.
func TestDeformWritesTheReference(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	clip, err := m.ClipIndex("writhe")
	if err != nil {
		t.Fatal(err)
	}
	pose, frame := m.NewPose(), skinning.NewFrame(m, nil)
	m.SamplePose(pose, clip, 0.7)
	frame.SetPose(pose)
	for _, method := range skinning.Methods() {
		path := filepath.Join(t.TempDir(), "posed.obj")
		object(t, "deform", "demo:tube", "--method", method.String(), "--clip", "writhe", "--time", "0.7", "-o", path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, v, vn := frame.Reference(method), 0, 0
		for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
			var x, y, z float64
			if n, _ := fmt.Sscanf(lines.Text(), "v %g %g %g", &x, &y, &z); n == 3 {
				p := want.Positions[v]
				if d := max(abs(x-p[0]), abs(y-p[1]), abs(z-p[2])); !(d <= 1e-9) {
					t.Fatalf("%v: vertex %d is off by %g m", method, v, d)
				}
				v++
			} else if n, _ := fmt.Sscanf(lines.Text(), "vn %g %g %g", &x, &y, &z); n == 3 {
				vn++
			}
		}
		if v != 1380 || vn != 1380 {
			t.Errorf("%v: %d positions and %d normals, want 1380", method, v, vn)
		}
	}
}

// pointsOf reads the positions of an OBJ file.
func pointsOf(t *testing.T, path string) (points []mgl64.Vec3) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var p mgl64.Vec3
		if n, _ := fmt.Sscanf(lines.Text(), "v %g %g %g", &p[0], &p[1], &p[2]); n == 3 {
			points = append(points, p)
		}
	}
	return points
}

// mostApart returns the largest distance between two skins.
func mostApart(t *testing.T, a, b []mgl64.Vec3) (most float64) {
	t.Helper()
	if len(a) != len(b) || len(a) == 0 {
		t.Fatalf("%d and %d vertices", len(a), len(b))
	}
	for v := range a {
		most = max(most, a[v].Sub(b[v]).Len())
	}
	return most
}

// TestExamplesAreApart: in a clip of examples deform shows these, and a method that is named without them, to the digits
// that are written. Compare measures methods without them, whatever the reference is: as of the model without them.
func TestExamplesAreApart(t *testing.T) {
	m := assetstest.Open(t, "demo:arm")
	clip, err := m.ClipIndex(skinning.ExampleClip)
	if err != nil {
		t.Fatal(err)
	}
	plain, times := m.WithoutMorphs(), m.Clips[clip].KeyTimes()
	for flag, of := range map[string]*skinning.Model{"": m, skinning.Examples: m, "lbs": plain} {
		path := filepath.Join(t.TempDir(), "posed.obj")
		args, want := []string{"deform", "demo:arm", "--clip", "examples", "--time", "10", "-o", path}, skinning.Examples
		if flag != "" {
			args, want = append(args, "--method", flag), flag
		}
		if o := object(t, args...); o["method"] != want {
			t.Errorf("%v: method %v, want %s", args, o["method"], want)
		}
		pose, frame := of.NewPose(), skinning.NewFrame(of, nil)
		of.SamplePose(pose, clip, times[10])
		frame.SetPose(pose)
		if d := mostApart(t, pointsOf(t, path), frame.Positions(skinning.LBS)); !(d <= 1e-8) {
			t.Errorf("--method %q is %g m from what it names", flag, d)
		}
	}
	if _, stderr, code := skinlab(t, "deform", "demo:arm", "--clip", "twist", "--method", "examples", "-o",
		filepath.Join(t.TempDir(), "x.obj")); code != 2 {
		t.Errorf("examples of a clip that shows none: exit %d: %s", code, stderr)
	}
	row := object(t, "compare", "demo:arm", "--clip", "examples", "--methods", "lbs", "--frames", "5",
		"--reference", "dqs")["rows"].([]any)[0]
	want, err := compare.Run(t.Context(), plain, compare.Options{Reference: skinning.DQS, Clip: clip, Frames: 5,
		Subjects: compare.Direct(skinning.LBS), ShortestPath: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := row.(map[string]any)["ee"]; got != float64(want[0].EE) {
		t.Errorf("linear blending from dual quaternions: %v %%, of the model without shapes %v %%", got, want[0].EE)
	}
}

// TestDeformOfFit: of a fitted file, --method lbs is the original's linear blending, as in compare, and the fit itself
// is --method fit and the default. Original weights have five digits: 1e-4 m on a tube of 1 m, where the two methods
// are centimetres apart.
func TestDeformOfFit(t *testing.T) {
	dir := t.TempDir()
	fitted := filepath.Join(dir, "fitted.glb")
	object(t, "fit", "blend-bones", "demo:tube", "--bones", "4", "-o", fitted)
	posed := func(model, method string) []mgl64.Vec3 {
		path := filepath.Join(t.TempDir(), "posed.obj")
		args := []string{"deform", model, "--clip", "writhe", "--time", "0.7", "-o", path}
		want := method
		if method != "" {
			args = append(args, "--method", method)
		} else {
			want = "fit"
		}
		if o := object(t, args...); o["method"] != want {
			t.Errorf("%v: method %v, want %s", args, o["method"], want)
		}
		return pointsOf(t, path)
	}
	apart := func(a, b []mgl64.Vec3) float64 { return mostApart(t, a, b) }
	original := posed("demo:tube", "lbs")
	if d := apart(posed(fitted, "lbs"), original); !(d <= 1e-4) {
		t.Errorf("linear blending of the fitted file is %g m from the original's", d)
	}
	fit := posed(fitted, "fit")
	if d := apart(fit, original); !(d > 1e-2) {
		t.Errorf("the fit is %g m from linear blending", d)
	}
	if d := apart(posed(fitted, ""), fit); d != 0 {
		t.Errorf("without --method the skin is %g m from the fit", d)
	}
	out := filepath.Join(dir, "x.obj")
	if _, stderr, code := skinlab(t, "deform", "demo:tube", "--method", "fit", "-o", out); code != 2 {
		t.Errorf("a fit of a file that holds none: exit %d: %s", code, stderr)
	}
}

// TestDeformNormals: --normals surface writes normals that are those of the posed triangles and not the transformed
// ones, within 1e-5 of a normal (nine digits are written); a skin of proxy bones has them by itself.
func TestDeformNormals(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	fitted := filepath.Join(t.TempDir(), "fitted.glb")
	object(t, "fit", "enveloping", "demo:bar", "--proxies", "5", "-o", fitted)
	for _, c := range []struct {
		model, normals string
		surface        bool
	}{{fitted, "auto", true}, {fitted, "transformed", false}, {"demo:bar", "auto", false}, {"demo:bar", "surface", true}} {
		m, err := assets.Open(c.model)
		if err != nil {
			t.Fatal(err)
		}
		clip, err := m.ClipIndex("twist")
		if err != nil {
			t.Fatal(err)
		}
		pose, frame := m.NewPose(), skinning.NewFrame(m, nil)
		m.SamplePose(pose, clip, 0.7)
		frame.SetPose(pose)
		path := filepath.Join(t.TempDir(), "posed.obj")
		object(t, "deform", c.model, "--clip", "twist", "--time", "0.7", "--normals", c.normals, "-o", path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		posed := frame.Reference(skinning.LBS)
		// The oracle adds up cross products by itself; the bar has no seams.
		sums := make([]mgl64.Vec3, len(posed.Positions))
		for _, k := range m.Skin.Triangles {
			a := posed.Positions[k[0]]
			n := posed.Positions[k[1]].Sub(a).Cross(posed.Positions[k[2]].Sub(a))
			for _, v := range k {
				sums[v] = sums[v].Add(n)
			}
		}
		v, off, apart := 0, 0.0, 0.0
		for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
			var n mgl64.Vec3
			if k, _ := fmt.Sscanf(lines.Text(), "vn %g %g %g", &n[0], &n[1], &n[2]); k == 3 {
				surface, transformed := sums[v].Normalize(), posed.Normals[v]
				want := transformed
				if c.surface {
					want = surface
				}
				off, apart = max(off, n.Sub(want).Len()), max(apart, surface.Sub(transformed).Len())
				v++
			}
		}
		if v != 866 || !(off <= 1e-5) || !(apart > 0.1) {
			t.Errorf("%s, %s: %d normals, %g off; both kinds are up to %g apart", filepath.Base(c.model), c.normals, v, off, apart)
		}
	}
	if _, stderr, code := skinlab(t, "deform", "demo:bar", "--normals", "flat", "-o", "x.obj"); code != 2 {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
