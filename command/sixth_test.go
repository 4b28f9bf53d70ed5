//go:build sixthmethod

package command

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/gltf/export"
	"skinlab/assets/shapefile"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

func init() { buildFlags = []string{"-tags", "sixthmethod"} }

// sixth is the method that the build tag adds: lbs where a file has no input of it.
func sixth(t *testing.T) string {
	t.Helper()
	all := skinning.Methods()
	name := all[len(all)-1].String()
	if name != "sixth" {
		t.Fatalf("the last method is %q", name)
	}
	return name
}

// Help and completion of every command that takes methods name the sixth behind all others.
func TestSixthMethodIsOffered(t *testing.T) {
	name := sixth(t)
	before := skinning.Method(len(skinning.Methods()) - 2).String()
	for command, flag := range map[string]string{"view": "method", "deform": "method", "render": "method",
		"compare": "methods", "sweep": "methods", "bench": "methods", "fit blend-bones": "operator",
		"fit enveloping": "teach"} {
		if help, _, _ := skinlab(t, append(strings.Fields(command), "--help")...); !strings.Contains(help, before+" "+name) &&
			!strings.Contains(help, before+", "+name) {
			t.Errorf("%s --help does not name %s:\n%s", command, name, help)
		}
		if words, _, _ := skinlab(t, append(append([]string{"__complete"}, strings.Fields(command)...), "--"+flag,
			"")...); !strings.Contains(words, name+"\n") {
			t.Errorf("%s --%s completes to %q", command, flag, words)
		}
	}
	if _, stderr, code := skinlab(t, "deform", "demo:box", "--method", "nope", "-o", "-"); code != 2 ||
		!strings.Contains(stderr, before+", "+name) {
		t.Errorf("a method that is none: exit %d, %s", code, stderr)
	}
}

// Every command that poses does the same by the sixth method as by lbs, and lists it by itself.
func TestSixthMethodPoses(t *testing.T) {
	name, dir := sixth(t), t.TempDir()
	for _, c := range []struct {
		ending string
		args   []string
	}{
		{".obj", []string{"deform", "demo:box", "--clip", "twist", "--time", "1"}},
		{".png", []string{"render", "demo:box", "--clip", "twist", "--time", "1", "--size", "96x64"}},
	} {
		var files [2]string
		for i, method := range []string{"lbs", name} {
			path := filepath.Join(dir, method+c.ending)
			_, stderr, code := skinlab(t, append(c.args, "--method", method, "-o", path)...)
			if strings.Contains(stderr, "no headless OpenGL context") {
				t.Skip("this machine has no EGL: ", stderr)
			}
			data, err := os.ReadFile(path)
			if code != 0 || err != nil {
				t.Fatalf("%v by %s: exit %d: %s", c.args, method, code, stderr)
			}
			files[i] = strings.ReplaceAll(string(data), method, "")
		}
		if files[0] != files[1] {
			t.Errorf("%v: %s makes another file than lbs", c.args, name)
		}
	}
	for _, c := range []struct {
		rows, key string // what holds the rows, and what is the same in them
		args      []string
	}{
		{"rows", "rms", []string{"compare", "demo:box", "--clip", "twist", "--frames", "3"}},
		{"rows", "vertices", []string{"bench", "demo:box", "--device", "all", "--sizes", "500"}},
		{"curves", "rms", []string{"sweep", "demo:box", "--joint", "1", "--step", "60"}},
	} {
		found := map[string][]string{}
		for _, r := range object(t, c.args...)[c.rows].([]any) {
			row := r.(map[string]any)
			method := row["method"].(string)
			found[method] = append(found[method], fmt.Sprint(row[c.key]))
		}
		if len(found[name]) == 0 || len(found[name]) != len(found["lbs"]) {
			t.Errorf("%v: %d rows of %s and %d of lbs", c.args, len(found[name]), name, len(found["lbs"]))
			continue
		}
		for i, value := range found[name] {
			if value != found["lbs"][i] {
				t.Errorf("%v: %s %v by %s and %v by lbs", c.args, c.key, value, name, found["lbs"][i])
			}
		}
	}
}

// A fit imitates the sixth method, and its file says by which method its bones are driven and is driven so when it is
// loaded: the fit is as good on the whole clip as where it was trained, within 0.01 % of the joints' motion.
func TestSixthMethodIsFitted(t *testing.T) {
	name, path := sixth(t), filepath.Join(t.TempDir(), "fitted.glb")
	o := object(t, "fit", "blend-bones", "demo:box", "--operator", name, "--bones", "1", "--train", "twist:4", "-o", path)
	if o["operator"] != name || !(o["ee"].(float64) <= 0.01) {
		t.Errorf("fitted to %v with EE %v", o["operator"], o["ee"])
	}
	o = object(t, "compare", "demo:box", "--reference", name, "--methods", path, "--clip", "twist", "--frames", "5")
	for _, r := range o["rows"].([]any) {
		if ee := r.(map[string]any)["ee"].(float64); !(ee <= 0.01) {
			t.Errorf("EE of the file is %g %%", ee)
		}
	}
}

// A file's numbers for the sixth method are told by info, pose vertices in deform, and stay in a fitted file.
func TestSixthMethodsInput(t *testing.T) {
	name, dir := sixth(t), t.TempDir()
	m := *assetstest.Open(t, "demo:box")
	shift := skinning.InputData{Input: &skinning.Shift}
	for range m.Skin.Positions {
		shift.Values = append(shift.Values, 0.25, 0, 0)
	}
	m.Skin.SetInput(shift)
	data, err := export.Encode(&m)
	if err != nil {
		t.Fatal(err)
	}
	from, to := filepath.Join(dir, "box.glb"), filepath.Join(dir, "fitted.glb")
	if err := os.WriteFile(from, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, _, _ := skinlab(t, "info", from); !strings.Contains(out, "shift       3 numbers a vertex: made for "+name) {
		t.Error(out)
	}
	object(t, "fit", "blend-bones", from, "--operator", "dqs", "--bones", "1", "--train", "twist:4", "-o", to)
	if got := assetstest.Open(t, to).Skin.Input(&skinning.Shift); got == nil || !slices.Equal(got.Values, shift.Values) {
		t.Errorf("the fitted file has %v", got)
	}
	var at [2]mgl64.Vec3
	for i, method := range []string{"lbs", name} {
		posed := filepath.Join(dir, method+".obj")
		if _, stderr, code := skinlab(t, "deform", from, "--method", method, "-o", posed); code != 0 {
			t.Fatal(stderr)
		}
		shape, err := shapefile.Read(posed)
		if err != nil {
			t.Fatal(err)
		}
		at[i] = shape.Positions[0]
	}
	if d := at[1].Sub(at[0]); !(d.Sub(mgl64.Vec3{0.25}).Len() <= 1e-5) { // metres, float32
		t.Errorf("the input shifts a vertex at rest by %v", d)
	}
}
