package viewer

import (
	"slices"

	"skinlab/render/environment"
	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/settings"
	"skinlab/render/viewer/state"
)

// applySettings applies the settings of the last window. The options of the command line come after it.
func (a *app) applySettings() {
	a.prefs.Path, a.prefs.Settings = a.opt.SettingsPath, settings.Default()
	a.prefs.Later, a.prefs.Complain = a.desk.Later, a.notes.Complain
	if a.opt.Settings != nil {
		a.prefs.Settings = *a.opt.Settings
	}
	a.applyChoices(&a.prefs.Settings.Choices)
}

func (a *app) applyChoices(c *settings.Choices) {
	s := &a.state
	a.layout.zoom = min(max(float32(c.Zoom), leastZoom), mostZoom)
	a.layout.left, a.layout.right = float32(c.LeftWidth), float32(c.RightWidth)
	s.Panels, s.Grid, s.Loop = c.Panels, c.Grid, c.Loop
	s.Light = c.LightTheme
	s.Background = c.Background % uint8(picture.Backgrounds)
	s.Environment = c.Environment % uint8(len(environment.Choices))
	a.saver.Folder = c.Folder
	for _, u := range [...]state.Unit{state.Millimetres, state.OfSize} {
		if u.String() == c.Units {
			s.Unit = u
		}
	}
	if slices.Contains(Pages(), c.Tab) {
		s.Tab = state.Tab(c.Tab)
	}
}

func (a *app) theme() ui.Theme {
	if a.state.Light {
		return ui.LightTheme
	}
	return ui.DarkTheme
}

// choices returns the current settings. It allocates nothing.
func (a *app) choices() settings.Choices {
	s := &a.state
	return settings.Choices{
		Window: a.win.Place, Zoom: float64(a.layout.zoom), LeftWidth: float64(a.layout.left),
		RightWidth: float64(a.layout.right), Panels: s.Panels,
		Tab: string(s.Tab), LightTheme: s.Light, Background: s.Background,
		Environment: s.Environment % uint8(len(environment.Choices)), Layout: s.Layout.String(),
		Grid: s.Grid, Clay: s.Clay, Loop: s.Loop, Units: a.desk.Unit().String(), Folder: a.saver.Folder,
	}
}

// resetSettings restores the defaults and forgets the recent files.
func (a *app) resetSettings() {
	fresh := settings.Default()
	fresh.Window = a.win.Place
	a.prefs.Reset(fresh)
	a.applyChoices(&fresh.Choices)
	a.state.Clay, a.state.Tab, a.state.Unit = false, state.TabModel, state.Millimetres
	a.state.SetLayout(state.One)
	a.notes.Notify("Settings", "Everything is as in a new window", desk.NoticeTime)
}

// The range and step of the user's own factor on the size of the interface.
const (
	leastZoom, mostZoom, zoomFactor = 0.5, 3, 1.1
)

// The least window that holds every page without cut words, design pixels.
const leastWidth, leastHeight = 640, 480

// zoom returns the user's factor as far as the window has room for it. A larger window has it whole again.
func (a *app) zoom() float32 {
	room := min(a.win.Width/leastWidth, a.win.Height/leastHeight) / a.win.UIScale()
	return min(a.layout.zoom, max(room, 1))
}

// zoomInterface makes the interface larger for 0, smaller for 1. On the keypad these are 2 and 3.
func (a *app) zoomInterface(which int) {
	zoom := a.zoom()
	if which%2 == 0 {
		zoom *= zoomFactor
	} else {
		zoom /= zoomFactor
	}
	a.layout.zoom = min(max(zoom, leastZoom), mostZoom)
}

// setEnvironments lists what can light materials, and lights them with what the options say.
func (a *app) setEnvironments() {
	a.environments = slices.Clip(environment.Choices)
	light, name := a.opt.Environment, a.opt.EnvironmentName
	if light == nil {
		return
	}
	at := slices.IndexFunc(a.environments, func(c environment.Choice) bool { return c.Name == name })
	if at < 0 {
		at = len(a.environments)
		a.environments = append(a.environments, environment.Choice{Name: name, Does: "The picture of this file, all round.",
			Light: func() *environment.Light { return light }})
	}
	a.state.Environment = uint8(at)
}

func (a *app) nextEnvironment() {
	a.state.Environment = (a.state.Environment + 1) % uint8(len(a.environments))
	c := &a.environments[a.state.Environment]
	a.notes.Notify("Light of materials: "+c.Name, c.Does, desk.NoticeTime)
}
