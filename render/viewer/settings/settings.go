// Package settings keeps the user's settings of skinlab's window between runs, as a JSON file in the user's
// configuration folder. A bad file does not stop the window from opening: a value that cannot be read or makes no sense
// is replaced by its default.
package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skinlab/assets/atomicfile"
	"skinlab/assets/fault"
	"skinlab/assets/textfile"
	"skinlab/render/viewer/state"
)

// version is the version of the file. A field never changes its name or meaning; a new meaning gets a new name. So an
// older program can read the fields that it knows in a newer file, and it keeps the others.
const version = 1

// mostRecent limits the list of recent files.
const mostRecent = 10

// maxSize limits the size of a file that is read, in bytes. The files that Save writes have a few kilobytes.
const maxSize = 1 << 20

// Settings are the values in the file. [Default] returns valid ones.
type Settings struct {
	Choices
	Recent []string // absolute paths, the newest first

	unknown map[string]json.RawMessage // fields of a newer program
}

// Choices are the settings that can be compared with ==.
type Choices struct {
	Window Window `json:"window"`

	Zoom       float64 `json:"zoom"`        // the user's factor on the size of the interface
	LeftWidth  float64 `json:"left_width"`  // of the panels at the sides, design pixels; 0 for the default
	RightWidth float64 `json:"right_width"` //
	Panels     bool    `json:"panels"`      // the panels are shown
	Tab        string  `json:"tab"`         // page of the right panel

	Layout string `json:"layout"`

	LightTheme bool  `json:"light_theme"`
	Background uint8 `json:"background"` // of the pictures, as package picture numbers them

	Environment uint8 `json:"environment"` // what lights materials, as package environment lists it

	Grid   bool   `json:"grid"`
	Clay   bool   `json:"clay"`
	Loop   bool   `json:"loop"`
	Units  string `json:"units"`  // of errors; empty for the default
	Folder string `json:"folder"` // of files that are written; empty for that of the model's file
}

// Window is the last place of the window while it was neither maximised nor minimised, in the window system's units.
type Window struct {
	Width     int  `json:"width"` // 0 for the default
	Height    int  `json:"height"`
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Placed    bool `json:"placed"` // X and Y are known
	Maximised bool `json:"maximised"`
}

// Default returns the settings of a window that is opened for the first time.
func Default() Settings {
	return Settings{Choices: Choices{
		Zoom: 1, Panels: true, Layout: state.One.String(), Grid: true, Loop: true,
	}}
}

type file struct {
	Version int `json:"version"`
	Choices
	Recent []string `json:"recent"`
}

// Path returns skinlab/settings.json in the user's configuration folder, or an error if there is none.
func Path() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("settings: %w", err)
	}
	return filepath.Join(dir, "skinlab", "settings.json"), nil
}

// Load reads settings. With an error, which says what could not be read, the settings are still usable: unreadable
// values have their defaults. A missing file is no error.
func Load(path string) (Settings, error) {
	data, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	if err != nil {
		return Default(), fault.OnFile("settings: "+path, err)
	}
	s, err := parse(data)
	if err != nil {
		return s, fmt.Errorf("settings: %s: %w", path, err)
	}
	return s, nil
}

func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSize { // reading a pipe might never end
		return nil, errors.New("not a file of settings")
	}
	return os.ReadFile(path)
}

func parse(data []byte) (Settings, error) {
	s, data := Default(), textfile.TrimMark(data)
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return s, err
	}
	f := file{Choices: s.Choices}
	// A field with a value of the wrong type keeps its default, and the other fields are still read. The error is about
	// the first such field.
	err := json.Unmarshal(data, &f)
	s.Choices, s.Recent = f.Choices, f.Recent
	s.unknown = raw
	for _, known := range knownKeys() {
		maps.DeleteFunc(s.unknown, func(key string, _ json.RawMessage) bool { return strings.EqualFold(key, known) })
	}
	s.sanitize()
	return s, err
}

// knownKeys returns the top-level keys of a file that this program writes.
func knownKeys() []string {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(encode(file{}), &keys); err != nil {
		panic(err) // it was encoded just now
	}
	return slices.Collect(maps.Keys(keys))
}

// The range of each number.
const (
	leastZoom, mostZoom   = 0.5, 3
	mostPanel             = 4000
	leastWindow, mostSide = 200, 1 << 15
)

// sanitize replaces values that make no sense by their defaults.
func (s *Settings) sanitize() {
	d := Default()
	within := func(x *float64, lo, hi, otherwise float64) {
		if !(*x >= lo && *x <= hi) {
			*x = otherwise
		}
	}
	within(&s.Zoom, leastZoom, mostZoom, d.Zoom)
	within(&s.LeftWidth, 0, mostPanel, d.LeftWidth)
	within(&s.RightWidth, 0, mostPanel, d.RightWidth)
	if _, ok := state.ParseLayout(s.Layout); !ok {
		s.Layout = d.Layout
	}
	if !filepath.IsAbs(s.Folder) {
		s.Folder = d.Folder
	}
	w := &s.Window
	if w.Width < leastWindow || w.Height < leastWindow || w.Width > mostSide || w.Height > mostSide {
		w.Width, w.Height = 0, 0
	}
	if math.Abs(float64(w.X)) > mostSide || math.Abs(float64(w.Y)) > mostSide {
		w.X, w.Y, w.Placed = 0, 0, false
	}
	var recent []string
	for _, r := range s.Recent {
		if filepath.IsAbs(r) && !slices.Contains(recent, r) && len(recent) < mostRecent {
			recent = append(recent, r)
		}
	}
	s.Recent = recent
}

// Save writes the settings completely or not at all. It makes their folder if necessary.
func (s *Settings) Save(path string) error {
	all := maps.Clone(s.unknown)
	if all == nil {
		all = map[string]json.RawMessage{}
	}
	recent := s.Recent
	if recent == nil {
		recent = []string{}
	}
	if err := json.Unmarshal(encode(file{version, s.Choices, recent}), &all); err != nil {
		panic(err) // it was encoded just now
	}
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	if err := replace(path, append(data, '\n')); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	return nil
}

func encode(f file) []byte {
	var out bytes.Buffer
	if err := json.NewEncoder(&out).Encode(f); err != nil {
		panic(err) // sanitize and the window keep its numbers finite
	}
	return out.Bytes()
}

// replace writes a file. It makes its folder if necessary.
func replace(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fault.OnFile(path, err)
	}
	return atomicfile.Write(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// Reset removes the file, so the next window opens with defaults. A missing file is no error.
func Reset(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.OnFile("settings: "+path, err)
	}
	return nil
}

// addRecent adds a file at the front of the recent files and reports whether the list has changed.
func (s *Settings) addRecent(path string) bool {
	path, err := filepath.Abs(path)
	if err != nil || len(s.Recent) > 0 && s.Recent[0] == path {
		return false
	}
	rest := slices.DeleteFunc(slices.Clone(s.Recent), func(r string) bool { return r == path })
	s.Recent = append([]string{path}, rest[:min(len(rest), mostRecent-1)]...)
	return true
}

func (s *Settings) dropRecent(path string) {
	s.Recent = slices.DeleteFunc(slices.Clone(s.Recent), func(r string) bool { return r == path })
}
