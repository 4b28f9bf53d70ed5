package viewer

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skinlab/render/ui"
	"skinlab/render/viewer/loader"
	"skinlab/render/viewer/palette"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// paletteEntries lists what the palette finds: the commands that there are now, and what they may be about.
func (a *app) paletteEntries() []palette.Entry {
	return slices.Concat(a.commandEntries(), a.fitEntries(), a.settingEntries(), a.clipEntries(), a.sceneEntries(),
		a.fileEntries(), a.jointEntries())
}

// commandEntries lists the commands, one for each of their keys.
func (a *app) commandEntries() (entries []palette.Entry) {
	for i := range a.lists.commands {
		c := &a.lists.commands[i]
		if c.there != nil && !c.there(a) {
			continue
		}
		parts := c.parts
		if parts == nil {
			parts = []ui.KeyHelp{{Keys: c.caps, Does: c.does}}
		}
		for which, p := range parts {
			e := palette.Entry{Name: p.Does, Group: c.group, Keys: p.Keys, Does: p.Does + ".", Run: func() { c.run(a, which) }}
			if c.isOn != nil && c.isOn(a) {
				e.Group, e.Does = c.group+", on", "Turns off: "+p.Does+"."
			} else if c.isOn != nil {
				e.Does = "Turns on: " + p.Does + "."
			}
			entries = append(entries, e)
		}
	}
	return entries
}

// fitEntries lists the fits of the model; a number is that of the bones.
func (a *app) fitEntries() (entries []palette.Entry) {
	for _, f := range a.fit.Offers() {
		var with func(number float64) palette.Entry
		with = func(number float64) palette.Entry {
			e := palette.Entry{Name: "Fit " + strings.ToLower(f.Title), Group: "Fits", With: with,
				Run: func() { a.state.Tab = state.TabFit; a.fit.BeginWith(f.Name, number) }}
			what := f.Title
			if f.Most > 0 && (number > 0 || f.Least > 0) { // no number means as many as the fit finds
				number = math.Round(min(max(number, f.Least), f.Most))
				what = strconv.Itoa(int(number)) + " " + f.Nouns
				e.Name = "Fit " + what
				if title := strings.ToLower(f.Title); !strings.Contains(what, title) {
					e.Name += ", " + title
				}
			} else if f.Most == 0 {
				e.With = nil
			}
			e.Does = "Fits " + what + " and shows them."
			return e
		}
		entries = append(entries, with(f.Count))
	}
	return entries
}

// settingEntries lists settings that have no key.
func (a *app) settingEntries() (entries []palette.Entry) {
	add := func(name, does string, run func()) {
		entries = append(entries, palette.Entry{Name: name, Group: "Settings", Does: does, Run: run})
	}
	if !a.models.Bare() {
		for _, m := range skinning.Methods() {
			add("Reference "+m.Short(), "Compares all methods with "+m.Title()+".", func() { a.state.ChooseReference(m) })
		}
		add("Reference Delta Mush", "Compares all methods with Delta Mush.", func() { a.state.ChooseReference(state.DeltaMush) })
		if m, _ := a.models.ExampleModel(); m != nil {
			add("Reference examples", "Compares all methods with the shapes of the clip.",
				func() { a.state.ChooseReference(state.Examples) })
		}
	}
	for k, name := range state.UnitLabels {
		add("Distances in "+name, "Shows distances in "+name+".", func() { a.state.Unit = state.Unit(k) })
	}
	for k, c := range a.environments {
		add("Light: "+c.Name, c.Does, func() { a.state.Environment = uint8(k) })
	}
	for v := range state.SkinViews {
		add("Skin: "+v.String(), "Colours the skin by this.", func() { a.state.StepSkin(int(v) - int(a.state.Skin)) })
	}
	var speed func(x float64) palette.Entry
	speed = func(x float64) palette.Entry {
		x = min(max(x, state.SlowestSpeed), state.FastestSpeed)
		return palette.Entry{Name: fmt.Sprintf("Speed %g×", x), Group: "Settings", With: speed,
			Does: fmt.Sprintf("Plays the clip at %g times its own speed.", x), Run: func() { a.state.SetSpeed(x) }}
	}
	return append(entries, speed(1))
}

func (a *app) clipEntries() (entries []palette.Entry) {
	for i, name := range a.models.File.ClipNames {
		group := "Clip"
		if i >= a.models.File.Own {
			group = "Stress clip"
		}
		entries = append(entries, palette.Entry{Name: name, Group: group, Does: "Plays the clip " + name + ".",
			Run: func() {
				a.models.SetClip(i)
				a.state.Playing = true
			}})
	}
	return entries
}

// sceneEntries lists the scenes of a file that has several.
func (a *app) sceneEntries() (entries []palette.Entry) {
	m := a.models.File.Model
	for i, name := range m.Scenes {
		if len(m.Scenes) > 1 && i != m.Scene {
			name = skinning.Named(name, "Scene", i)
			entries = append(entries, palette.Entry{Name: name, Group: "Scene", Does: "Shows the scene " + name + " of this file.",
				Run: func() { a.loader.LoadScene(i) }})
		}
	}
	return entries
}

func (a *app) fileEntries() (entries []palette.Entry) {
	for _, path := range a.prefs.Settings.Recent {
		entries = append(entries, palette.Entry{Name: filepath.Base(path), Group: "Recent file", Does: "Opens " + path + ".",
			Run: func() { a.loader.Load(loader.Request{Path: path}) }})
	}
	for _, name := range a.opt.BuiltIn {
		entries = append(entries, palette.Entry{Name: name, Group: "Built-in model", Does: "Opens the built-in model " + name + ".",
			Run: func() { a.loader.Load(loader.Request{Path: name}) }})
	}
	return entries
}

func (a *app) jointEntries() (entries []palette.Entry) {
	for i, b := range a.models.File.Bones.Bones {
		entries = append(entries, palette.Entry{Name: b.Name, Group: "Joint", Does: "Picks the joint " + b.Name + ".",
			Run: func() { a.pose.Pick(i) }})
	}
	return entries
}
