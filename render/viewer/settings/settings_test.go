package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// custom is unlike the defaults in every field.
func custom() Settings {
	return Settings{
		Choices: Choices{
			Window: Window{Width: 1001, Height: 702, X: -30, Y: 44, Placed: true, Maximised: true}, Zoom: 1.21, LeftWidth: 301,
			RightWidth: 402,
			Panels:     false, Tab: "fit", Layout: "four", LightTheme: true, Background: 2, Environment: 1, Grid: false, Clay: true,
			Loop:  false,
			Units: "percent", Folder: abs("out"),
		},
		Recent: []string{abs("b.glb"), abs("a.gltf")},
	}
}

// abs returns an absolute path on any system.
func abs(name string) string {
	path, err := filepath.Abs(filepath.Join(string(filepath.Separator), "models", name))
	if err != nil {
		panic(err)
	}
	return path
}

func TestSettingsComeBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "not", "yet", "settings.json")
	if s, err := Load(path); err != nil || !reflect.DeepEqual(s, Default()) {
		t.Errorf("without a file: %+v, %v; expected the defaults and no error", s, err)
	}
	want := custom()
	for i := range reflect.TypeFor[Choices]().NumField() {
		if f := reflect.ValueOf(want.Choices).Field(i); f.Equal(reflect.ValueOf(Default().Choices).Field(i)) {
			t.Errorf("field %s is like the default: the test would not see it lost", reflect.TypeFor[Choices]().Field(i).Name)
		}
	}
	if err := want.Save(path); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	if err != nil || !reflect.DeepEqual(got.Choices, want.Choices) || !reflect.DeepEqual(got.Recent, want.Recent) {
		t.Errorf("%+v, %v\nexpected %+v", got, err, want)
	}
	if text, err := os.ReadFile(path); err != nil || os.WriteFile(path, append([]byte("\uFEFF"), text...), 0o600) != nil {
		t.Fatal(err)
	}
	got, err = Load(path)
	if err != nil || !reflect.DeepEqual(got.Choices, want.Choices) {
		t.Errorf("behind a byte order mark: %+v, %v", got, err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); err != nil || len(left) > 0 {
		t.Errorf("%v is left behind (%v)", left, err)
	}
	for range 2 { // the second time there is nothing to remove
		if err := Reset(path); err != nil {
			t.Error(err)
		}
	}
	if s, err := Load(path); err != nil || !reflect.DeepEqual(s, Default()) {
		t.Errorf("after Reset: %+v, %v; expected the defaults", s, err)
	}
}

func TestWhatANewerProgramWroteIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	text := `{"version": 9, "zoom": 2, "dreams": {"of": ["electric", "sheep"]}}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err != nil || s.Zoom != 2 || !s.Grid {
		t.Fatalf("%+v, %v; expected a zoom of 2 and defaults", s, err)
	}
	s.Zoom = 1.5
	if err := s.Save(path); err != nil {
		t.Fatal(err)
	}
	var raw struct {
		Version int
		Zoom    float64
		Dreams  struct{ Of []string }
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &raw)
	}
	if err != nil || raw.Version != version || raw.Zoom != 1.5 || len(raw.Dreams.Of) != 2 {
		t.Errorf("%s, %v; expected the unknown key, and our version", data, err)
	}
}

func TestGarbageTakesDefaults(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		fails bool
		check func(*Settings) bool
	}{
		"empty":         {"", true, nil},
		"no JSON":       {"\x00\xff{{", true, nil},
		"cut short":     {`{"zoom": 2, "pan`, true, nil},
		"another shape": {`["zoom"]`, true, nil},
		"null":          {`null`, false, nil},
		"one bad field": {`{"zoom": "big", "grid": false, "units": "%"}`, true,
			func(s *Settings) bool { return !s.Grid && s.Units == "%" && s.Zoom == 1 }},
		"bad window": {`{"window": {"width": "wide", "height": 500}, "clay": true}`, true,
			func(s *Settings) bool { return s.Clay && s.Window.Width == 0 }},
		"out of range": {
			`{"zoom": 99, "folder": "out", "layout": "nine", "left_width": -3, ` +
				`"window": {"width": 3, "height": 3, "x": 99999999, "placed": true}}`, false,
			func(s *Settings) bool { return reflect.DeepEqual(s.Choices, Default().Choices) }},
		"huge numbers": {`{"zoom": 1e999}`, true, nil},
		"relative and repeated files": {`{"recent": ["a.glb", "` + filepath.ToSlash(abs("b.glb")) + `", "` +
			filepath.ToSlash(abs("b.glb")) + `"]}`, false,
			func(s *Settings) bool { return len(s.Recent) == 1 }},
	} {
		path := filepath.Join(t.TempDir(), "settings.json")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Load(path)
		if (err != nil) != c.fails {
			t.Errorf("%s: error %v", name, err)
		}
		if c.check == nil {
			c.check = func(s *Settings) bool { return reflect.DeepEqual(s.Choices, Default().Choices) }
		}
		if !c.check(&s) {
			t.Errorf("%s: %+v", name, s)
		}
		if err := s.Save(path); err != nil {
			t.Errorf("%s: saving over it: %v", name, err)
		}
		if _, err := Load(path); err != nil {
			t.Errorf("%s: saved and read again: %v", name, err)
		}
	}
	if s, err := Load(t.TempDir()); err == nil || !reflect.DeepEqual(s, Default()) {
		t.Errorf("a folder: %+v, %v; expected an error and the defaults", s, err)
	}
}

func TestRecentFiles(t *testing.T) {
	var s Settings
	for i := range 2 * mostRecent {
		if !s.addRecent(abs(fmt.Sprint(i))) {
			t.Errorf("file %d is no news", i)
		}
	}
	s.addRecent(abs("12"))
	if s.addRecent(abs("12")) {
		t.Error("the newest file is news a second time")
	}
	if len(s.Recent) != mostRecent || s.Recent[0] != abs("12") || s.Recent[1] != abs("19") {
		t.Errorf("%q, expected %d files, 12 and 19 first", s.Recent, mostRecent)
	}
	before := s.Recent
	s.dropRecent(abs("19"))
	if len(s.Recent) != mostRecent-1 || s.Recent[1] != abs("18") || before[1] != abs("19") {
		t.Errorf("%q after 19 was dropped, and the old list %q", s.Recent, before)
	}
}

func TestSaveReportsWhatItCannotDo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := Default()
	err := s.Save(filepath.Join(file, "settings.json"))
	var pathError *os.PathError
	if !errors.As(err, &pathError) || !strings.HasPrefix(err.Error(), "settings: ") {
		t.Errorf("a folder that is a file: %v", err)
	}
}

// FuzzLoad: any bytes give settings that can be saved and come back the same.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"version": 1, "zoom": 2, "recent": ["/a"], "window": {"width": 800, "height": 600}}`))
	f.Add([]byte(`{"zoom": [], "speed": 1e-400, "tab": null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, _ := parse(data)
		if math.IsNaN(s.Zoom) {
			t.Fatalf("%+v", s)
		}
		path := filepath.Join(t.TempDir(), "settings.json")
		if err := s.Save(path); err != nil {
			t.Fatal(err)
		}
		back, err := Load(path)
		if err != nil || !reflect.DeepEqual(back.Choices, s.Choices) || !reflect.DeepEqual(back.Recent, s.Recent) {
			t.Fatalf("%+v, %v\nexpected %+v", back, err, s)
		}
	})
}
