package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skinlab/assets"
	"skinlab/command/flags"
	"skinlab/internal/gltftest"
)

// A character plays the clips of another file by one flag, and says which joints follow.
func TestMotionOfAnotherFile(t *testing.T) {
	slow(t)
	gltftest.SharedModels(t)
	dir := t.TempDir()
	walk, knight := filepath.Join(models, "bvh", "cmu_02_01_walk.bvh"), filepath.Join(models, "Knight.glb")
	path := filepath.Join(dir, "map.json")
	out, errs, code := skinlab(t, "info", knight, "--motion", walk, "--write-map", path, "--json")
	if code != 0 || !strings.Contains(errs, "20 of 41 joints of Knight.glb follow cmu_02_01_walk.bvh: 7 by similar name") ||
		!strings.Contains(errs, "followed by none") {
		t.Errorf("exit %d: %s", code, errs)
	}
	var info struct {
		Clips  []struct{ Name string }
		Motion flags.MotionReport
	}
	if err := json.Unmarshal([]byte(out), &info); err != nil {
		t.Fatal(err)
	}
	if n := len(info.Clips); n != 77 || info.Clips[n-1].Name != "cmu_02_01_walk" || len(info.Motion.Joints) != 20 {
		t.Errorf("%d clips, %d joints", n, len(info.Motion.Joints))
	}
	if _, errs, code := skinlab(t, "info", knight, "--motion", walk, "--write-map", path); code != exitData ||
		!strings.Contains(errs, "map.json") {
		t.Errorf("a map is written over another: exit %d: %s", code, errs)
	}
	posed := func(name string, args ...string) string {
		t.Helper()
		file := filepath.Join(dir, name+".obj")
		if _, errs, code := skinlab(t, append([]string{"deform", knight, "-o", file}, args...)...); code != 0 {
			t.Fatalf("%v: exit %d: %s", args, code, errs)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	rest, moved := posed("rest"), posed("moved", "--motion", walk, "--time", "1")
	if rest == moved || posed("named", "--motion", walk+":cmu_02_01_walk", "--clip", "cmu_02_01_walk", "--time", "1") != moved ||
		posed("mapped", "--motion", walk, "--motion-map", path, "--time", "1") != moved {
		t.Error("the motion, its clip by name and by the map that was written are not one pose")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	edited := filepath.Join(dir, "edited.json")
	text = []byte(strings.Replace(string(text), `"follows":"LeftArm"`, `"follows":""`, 1))
	if err := os.WriteFile(edited, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if posed("edited", "--motion", walk, "--motion-map", edited, "--time", "1") == moved {
		t.Error("an edited map changes nothing")
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"info", knight, "--motion-map", path}, exitUsage, "are for --motion"},
		{[]string{"info", knight, "--motion", walk + ":run"}, exitUsage, `clip "run": not one of`},
		{[]string{"info", knight, "--motion", filepath.Join(dir, "none.bvh")}, exitData, "none.bvh: no such file"},
		{[]string{"info", "demo:box", "--motion", walk}, exitData, "no joint of the character follows the motion: --write-map"},
		{[]string{"info", knight, "--motion", walk, "--motion-map", knight}, exitData, "not a map of joints"},
	} {
		if _, errs, code := skinlab(t, c.args...); code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit %d, expected %d: %s", c.args, code, c.code, errs)
		}
	}
}

// The file of a fit has the motion that it was made with, behind the file's own clips.
func TestFitKeepsMotion(t *testing.T) {
	slow(t)
	gltftest.SharedModels(t)
	out := filepath.Join(t.TempDir(), "fitted.glb")
	args := []string{"fit", "blend-bones", "demo:figure", "--bones", "2", "--operator", "dqs", "--motion",
		filepath.Join(models, "bvh", "cmu_02_01_walk.bvh"), "--train", "cmu_02_01_walk:4", "-o", out, "--force"}
	if _, errs, code := skinlab(t, args...); code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	source, human := filepath.Join(models, "CesiumMan.glb"), filepath.Join(models, "human_male.glb")
	second := filepath.Join(t.TempDir(), "second.glb")
	args = []string{"fit", "half-way", source, "--operator", "dqs", "--motion", human + ":walk", "-o", second, "--force"}
	if _, errs, code := skinlab(t, args...); code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for path, want := range map[string]string{out: "cmu_02_01_walk", second: "walk"} {
		m, err := assets.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if c := m.Clips[len(m.Clips)-1]; c.Name != want || c.Seconds < 2.8 {
			t.Errorf("%s: the last clip is %q of %g s", path, c.Name, c.Seconds)
		}
	}
}
