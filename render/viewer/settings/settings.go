// Package settings keeps what a person has set in skinlab's window from one run to the next: a JSON file in the user's
// configuration folder. Nothing in that file can keep the window from opening: what cannot be read, or makes no sense,
// takes its default.
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
	"skinlab/render/viewer/state"
)

// Version is that of the file. A field keeps its name and meaning for ever; a new meaning takes a new name, so an older
// program reads a newer file as far as it knows it, and keeps the rest.
const Version = 1

// MostRecent bounds the list of recent files.
const MostRecent = 10

// maxSize bounds what is read, in bytes: the file that Save writes has a few kilobytes.
const maxSize = 1 << 20

// Settings are what is kept. [Default] gives sound ones.
type Settings struct {
	Choices
	Recent []string // files, absolute, the newest first

	unknown map[string]json.RawMessage // what a newer program wrote
}

// Choices is the part that compares with ==.
type Choices struct {
	Window Window `json:"window"`

	Zoom       float64 `json:"zoom"`        // the person's factor on the size of the interface
	LeftWidth  float64 `json:"left_width"`  // of the panels at the sides, design pixels; 0 for the default
	RightWidth float64 `json:"right_width"` //
	Panels     bool    `json:"panels"`      // they are seen
	Tab        string  `json:"tab"`         // the page at the right

	Layout  string  `json:"layout"`
	Divider float64 `json:"divider"`

	Grid  bool    `json:"grid"`
	Clay  bool    `json:"clay"`
	Loop  bool    `json:"loop"`
	Speed float64 `json:"speed"`
	Units string  `json:"units"` // of errors; empty for the default
}

// Window is where the window was, in the window system's units, when it was last neither maximised nor minimised.
type Window struct {
	Width     int  `json:"width"` // 0 for the default
	Height    int  `json:"height"`
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Placed    bool `json:"placed"` // X and Y are known
	Maximised bool `json:"maximised"`
}

// Default returns what a window opens with that has no settings.
func Default() Settings {
	return Settings{Choices: Choices{
		Zoom: 1, Panels: true, Layout: state.One.String(), Divider: 0.5, Grid: true, Loop: true, Speed: 1,
	}}
}

// file is how Settings stand in the file.
type file struct {
	Version int `json:"version"`
	Choices
	Recent []string `json:"recent"`
}

// Path returns where settings are kept: skinlab/settings.json in the user's configuration folder. An error says that
// there is no such folder.
func Path() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("settings: %w", err)
	}
	return filepath.Join(dir, "skinlab", "settings.json"), nil
}

// Load reads settings. They are usable also with an error, which says what could not be read: all that could is in
// them, and defaults are in the place of the rest. No file at all is no error.
func Load(path string) (Settings, error) {
	data, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	if err != nil {
		return Default(), fmt.Errorf("settings: %w", err)
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
	if !info.Mode().IsRegular() || info.Size() > maxSize { // a pipe would wait for ever
		return nil, fmt.Errorf("%s is not a file of settings", path)
	}
	return os.ReadFile(path)
}

func parse(data []byte) (Settings, error) {
	s := Default()
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return s, err
	}
	f := file{Choices: s.Choices}
	// A field of another type than ours is left as it is, and the others are read all the same; the first such is the
	// error.
	err := json.Unmarshal(data, &f)
	s.Choices, s.Recent = f.Choices, f.Recent
	s.unknown = raw
	for _, known := range knownKeys() {
		maps.DeleteFunc(s.unknown, func(key string, _ json.RawMessage) bool { return strings.EqualFold(key, known) })
	}
	s.tame()
	return s, err
}

// knownKeys returns the keys at the top of a file that this program writes.
func knownKeys() []string {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(encode(file{}), &keys); err != nil {
		panic(err) // it has just been encoded
	}
	return slices.Collect(maps.Keys(keys))
}

// The range of each number.
const (
	leastZoom, mostZoom   = 0.5, 3
	mostPanel             = 4000
	leastWindow, mostSide = 200, 1 << 15
)

// tame gives fields that make no sense their defaults.
func (s *Settings) tame() {
	d := Default()
	within := func(x *float64, lo, hi, otherwise float64) {
		if !(*x >= lo && *x <= hi) {
			*x = otherwise
		}
	}
	within(&s.Zoom, leastZoom, mostZoom, d.Zoom)
	within(&s.LeftWidth, 0, mostPanel, d.LeftWidth)
	within(&s.RightWidth, 0, mostPanel, d.RightWidth)
	within(&s.Divider, 0, 1, d.Divider)
	within(&s.Speed, state.SlowestSpeed, state.FastestSpeed, d.Speed)
	if _, ok := state.ParseLayout(s.Layout); !ok {
		s.Layout = d.Layout
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
		if filepath.IsAbs(r) && !slices.Contains(recent, r) && len(recent) < MostRecent {
			recent = append(recent, r)
		}
	}
	s.Recent = recent
}

// Save writes settings whole or not at all, and makes their folder.
func (s *Settings) Save(path string) error {
	all := maps.Clone(s.unknown)
	if all == nil {
		all = map[string]json.RawMessage{}
	}
	recent := s.Recent
	if recent == nil {
		recent = []string{}
	}
	if err := json.Unmarshal(encode(file{Version, s.Choices, recent}), &all); err != nil {
		panic(err) // it has just been encoded
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
		panic(err) // its numbers are finite: tame and the window see to that
	}
	return out.Bytes()
}

// replace writes a file, and its folder where there is none.
func replace(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// Reset removes the file: the next window opens with defaults. No file is no error.
func Reset(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("settings: %w", err)
	}
	return nil
}

// AddRecent puts a file in front of the recent ones. It reports whether the list has changed.
func (s *Settings) AddRecent(path string) bool {
	path, err := filepath.Abs(path)
	if err != nil || len(s.Recent) > 0 && s.Recent[0] == path {
		return false
	}
	rest := slices.DeleteFunc(slices.Clone(s.Recent), func(r string) bool { return r == path })
	s.Recent = append([]string{path}, rest[:min(len(rest), MostRecent-1)]...)
	return true
}

// DropRecent takes a file out of the recent ones.
func (s *Settings) DropRecent(path string) {
	s.Recent = slices.DeleteFunc(slices.Clone(s.Recent), func(r string) bool { return r == path })
}
