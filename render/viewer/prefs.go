package viewer

import (
	"slices"
	"sync"
	"time"

	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/settings"
	"skinlab/render/viewer/state"
)

// prefs writes the window's settings to a file.
type prefs struct {
	path   string // "" if settings are not kept
	all    settings.Settings
	fresh  settings.Choices // latest settings, not yet written
	since  time.Time        // time of their last change
	recent bool             // the list of recent files has changed

	writing  sync.WaitGroup
	mu       sync.Mutex // lets one goroutine write at a time
	reported bool       // the user knows that settings cannot be kept
}

// quietPrefs is the time for which settings must stay the same before they are written. Otherwise a drag would write
// them for every pixel.
const quietPrefs = 2 * time.Second

// applySettings applies the settings of the last window. The options of the command line come after it.
func (a *app) applySettings() {
	a.prefs.path, a.prefs.all = a.opt.SettingsPath, settings.Default()
	if a.opt.Settings != nil {
		a.prefs.all = *a.opt.Settings
	}
	a.applyChoices(&a.prefs.all.Choices)
}

func (a *app) applyChoices(c *settings.Choices) {
	s := &a.state
	a.layout.zoom = min(max(float32(c.Zoom), leastZoom), mostZoom)
	a.layout.left, a.layout.right = float32(c.LeftWidth), float32(c.RightWidth)
	s.Panels, s.Grid, s.Loop = c.Panels, c.Grid, c.Loop
	s.SetDivider(c.Divider)
	s.SetSpeed(c.Speed)
	for _, u := range [...]state.Unit{state.Millimetres, state.OfSize} {
		if u.String() == c.Units {
			s.Unit = u
		}
	}
	if slices.Contains(Pages(), c.Tab) {
		s.Tab = state.Tab(c.Tab)
	}
}

// choices returns the current settings. It allocates nothing.
func (a *app) choices() settings.Choices {
	s := &a.state
	return settings.Choices{
		Window: a.win.Place, Zoom: float64(a.layout.zoom), LeftWidth: float64(a.layout.left),
		RightWidth: float64(a.layout.right), Panels: s.Panels,
		Tab: string(s.Tab), Layout: s.Layout.String(), Divider: s.Divider, Grid: s.Grid, Clay: s.Clay, Loop: s.Loop,
		Speed: s.Speed,
		Units: s.Unit.String(),
	}
}

// keepSettings writes changed settings once they have not changed for a while.
func (a *app) keepSettings(now time.Time) {
	p := &a.prefs
	if p.path == "" {
		return
	}
	c := a.choices()
	if c != p.fresh {
		p.fresh, p.since = c, now
	}
	if (c != p.all.Choices || p.recent) && now.Sub(p.since) >= quietPrefs {
		a.writeSettings()
	}
}

// writeSettings writes the current settings on a goroutine of its own.
func (a *app) writeSettings() {
	p := &a.prefs
	p.all.Choices, p.recent = a.choices(), false
	all, path := p.all, p.path
	p.writing.Go(func() {
		p.mu.Lock()
		err := all.Save(path)
		p.mu.Unlock()
		if err != nil {
			a.desk.Later(func() {
				if !p.reported {
					p.reported = true
					a.notes.Complain("Settings are not kept", err)
				}
			})
		}
	})
}

// closeSettings writes settings that have not been written and waits until they are.
func (a *app) closeSettings() {
	p := &a.prefs
	if p.path != "" && a.win != nil && a.win.Window != nil && a.shown != nil &&
		(a.choices() != p.all.Choices || p.recent) {
		a.writeSettings()
	}
	p.writing.Wait()
}

// resetSettings restores the defaults and forgets the recent files.
func (a *app) resetSettings() {
	place := a.win.Place
	a.prefs.all = settings.Default()
	a.prefs.all.Window = place
	a.applyChoices(&a.prefs.all.Choices)
	a.state.Clay, a.state.Tab, a.state.Unit = false, state.TabModel, state.Millimetres
	a.state.SetLayout(state.One)
	a.prefs.recent = true
	a.notes.Notify("Settings", "Everything is as in a new window", desk.NoticeTime)
}

// remember adds an opened file at the front of the recent files.
func (a *app) remember(path string) {
	if !a.builtIn(path) && path != "" && a.prefs.all.AddRecent(path) {
		a.prefs.recent = true
		a.prefs.since = time.Now()
	}
}
