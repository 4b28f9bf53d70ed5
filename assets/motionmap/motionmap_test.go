package motionmap_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skinlab/assets/fault"
	"skinlab/assets/motionmap"
	"skinlab/internal/assetstest"
	"skinlab/skinning/retarget"
)

// A map that is written and read says the same of every joint.
func TestWrittenMapIsRead(t *testing.T) {
	character, motion := assetstest.Open(t, "Knight.glb"), assetstest.Open(t, "RobotExpressive.glb") // whose names stand twice
	matches := retarget.NewMatches(character, motion, nil)
	path := filepath.Join(t.TempDir(), "map.json")
	if err := motionmap.Write(path, character, motion, matches); err != nil {
		t.Fatal(err)
	}
	have, err := motionmap.Read(path, character, motion)
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]int{}
	for _, p := range matches.Pairs {
		want[p.Node] = p.Source
	}
	for _, i := range matches.Rest {
		want[i] = -1
	}
	if !maps.Equal(have, want) || len(matches.Pairs) < 10 {
		t.Errorf("read %v, written %v", have, want)
	}
}

// What is wrong with a map is an error that names the file and the line.
func TestMapErrors(t *testing.T) {
	character, motion := assetstest.Open(t, "Knight.glb"), assetstest.Open(t, "human_male.glb")
	head := `{"format": "skinlab motion map", "version": 1, "joints": [`
	for _, c := range []struct{ text, want string }{
		{`{"format": "pose", "version": 1, "joints": []}`, `format is "pose"`},
		{`{"format": "skinlab motion map", "version": 2, "joints": []}`, "version 2"},
		{head + `{"joint": "hips", "follows": 3}]}`, "joints[0].follows"},
		{head + `{"joint": "hips", "follows": "pelvis"}, {"joint": "hed", "follows": ""}]}`,
			`entry 1 of joints: Knight.glb has no joint "hed"; did you mean "head"?`},
		{head + `{"joint": "hips", "follows": "Pelviss"}]}`, `"Pelviss", which human_male.glb does not have; did you mean "pelvis"?`},
		{head + `{"joint": "hips", "follows": ""}, {"joint": "hips", "follows": ""}]}`, "stands there already"},
		{head + `{"joint": "hips"}]}`, "needs a joint and what it follows"},
		{head, "not a map of joints"},
	} {
		path := filepath.Join(t.TempDir(), "map.json")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := motionmap.Read(path, character, motion)
		if !errors.Is(err, fault.ErrMalformed) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, expected %q", c.text, err, c.want)
		}
	}
	if _, err := motionmap.Read(filepath.Join(t.TempDir(), "none.json"), character, motion); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
