package viewer

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/internal/longtest"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/view"
	"skinlab/skinning"
)

// TestEveryItemIsExplainedAndNoTextIsCut walks through every page in every situation of a window, in a small window and
// in one of a 4K monitor.
func TestEveryItemIsExplainedAndNoTextIsCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		model, screen string
		scale         float32 // logical pixels per design pixel
	}{{"demo:arm", "1280x720", 1}, {"demo:figure", "1280x720", 1}, {"demo:arm", "3840x2160", 2}} {
		t.Run(c.model+" "+c.screen, func(t *testing.T) {
			if c.model != "demo:arm" || c.scale != 1 {
				longtest.Only(t)
			}
			out := runChild(t, startScreen(t, c.screen), "-child", "walk", "-child.model", c.model, "-child.size", c.screen)
			var w walked
			if err := json.Unmarshal([]byte(out), &w); err != nil {
				t.Fatal(err)
			}
			for _, fault := range w.Faults {
				t.Error(fault)
			}
			if w.Screen != c.screen || w.Scale != c.scale {
				t.Errorf("a window of %s at scale %g, expected %g", w.Screen, w.Scale, c.scale)
			}
			if w.Items < 3000 || w.Texts < 10000 { // the walk went round
				t.Errorf("%d items and %d texts seen in %d frames", w.Items, w.Texts, w.Frames)
			}
		})
	}
}

// isTerm matches texts with numbers that only the glossary explains.
var isTerm = regexp.MustCompile(`^((Clip )?(EE|RMS)\b|Q [0-9]|Volume at|median$|quartiles$|ns/vertex$|palette µs$)`)

// walked is what walkChild prints.
type walked struct {
	Faults               []string
	Frames, Items, Texts int
	Screen               string
	Scale                float32
}

// walkChild goes through all situations and pages and looks for items without a tip, and for texts that are cut or that
// lie over others.
func walkChild() error {
	opt, err := childOptions()
	if err != nil {
		return err
	}
	opt.Fit = &updatedFits{}
	a, err := newApp(context.Background(), opt)
	if err != nil {
		return err
	}
	defer a.delete()
	w := walker{app: a, seen: map[string]bool{}}
	a.times.Expert, a.layout.more = true, true
	for _, s := range situations(a) {
		if s.name == "minimised" || s.name == "restored" {
			continue
		}
		s.prepare()
		page := a.state.Tab
		for i := range a.tabs {
			if t := &a.tabs[i]; t.offered(a) {
				a.state.Tab = t.Tab
				w.look(fmt.Sprintf("%s, page %s", s.name, t.Title))
			}
		}
		a.state.Tab = page
		w.look(s.name)
	}
	a.input.Release() // none is explained while the mouse drags
	a.toggleMenu()
	w.hover("a line of the menu", func(i ui.RecordedItem) bool { return i.Panel == desk.PanelMenu })
	a.menu.Close()
	w.hover("a number over the picture", func(i ui.RecordedItem) bool { return i.Panel == desk.PanelCaption })
	w.beyond()
	if a.ui.Scale() == 1 {
		w.narrow()
		w.large()
	}
	w.Screen, w.Scale = fmt.Sprintf("%.0fx%.0f", a.win.Width, a.win.Height), a.ui.Scale()
	return json.NewEncoder(os.Stdout).Encode(&w.walked)
}

// walker looks at frames of a window.
type walker struct {
	*app
	walked
	record ui.Record
	seen   map[string]bool // faults, each told once
}

// dull looks for texts with too little contrast in a theme.
func (w *walker) dull(where string, theme ui.Theme) {
	for _, t := range w.record.Texts {
		least := float64(ui.TextContrast)
		if t.Ink == ui.ColorDim || t.Ink == ui.ColorFaint {
			least = ui.StrokeContrast
		}
		if !(t.Contrast >= least) {
			w.fault(fmt.Sprint("contrast", theme, t.Ink, t.Panel), "%s: %q has a contrast of %.2f in theme %d, expected %g",
				where, t.Text, t.Contrast, theme, least)
		}
	}
}

// look waits until what the page shows has been measured, and looks at its frame. Nothing is filled in.
func (w *walker) look(where string) {
	a := w.app
	w.record = ui.Record{}
	gl.Enable(gl.RASTERIZER_DISCARD)
	a.ui.SetRecord(&w.record)
	defer a.ui.SetRecord(nil)
	for k := 0; k < 3 || k < 2000 && (a.measuring() || a.findingFont); k++ {
		if k >= 3 {
			time.Sleep(time.Millisecond)
		}
		a.state.Tick(0)
		a.runInterface(0.01, time.Now())
		a.ui.End()
		a.collect()
	}
	w.Frames++
	w.Items += len(w.record.Items)
	w.Texts += len(w.record.Texts)
	for _, i := range w.record.Items {
		text, keys, _ := strings.Cut(i.Tip, "\t")
		switch at := fmt.Sprintf("item %d of panel %d at %v", i.ID, i.Panel, i.Rect); {
		case strings.TrimSpace(text) == "":
			w.fault(fmt.Sprint("tip", i.Panel, i.ID), "%s: %s has no tip", where, at)
		case keys != "" && i.Panel != desk.PanelQuestion && !a.hasKeys(keys):
			w.fault(i.Tip, "%s: %s: the tip %q names keys that do nothing", where, at, i.Tip)
		}
	}
	for theme := range ui.Themes {
		a.state.Light = theme == ui.LightTheme
		a.runInterface(0.01, time.Now())
		a.ui.End()
		w.dull(where, theme)
	}
	a.state.Light = false
	overlaps(&w.record, func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		w.fault(text, "%s: %s", where, text)
	})
	for i, t := range w.record.Texts {
		if t.Panel == desk.PanelHelp && t.Seen.H < t.Rect.H-1 {
			w.fault("help", "%s: the help scrolls: %q at %v is seen at %v", where, t.Text, t.Rect, t.Seen)
		}
		for _, o := range w.record.Texts[:i] {
			if both := t.Seen.Within(o.Seen); t.Panel == o.Panel && both.W > 1 && both.H > 1 {
				w.fault(t.Text+o.Text, "%s: %q at %v lies over %q in panel %d", where, t.Text, t.Rect, o.Text, t.Panel)
			}
		}
		if isTerm.MatchString(t.Text) && !slices.ContainsFunc(w.record.Tips, func(tip ui.RecordedItem) bool {
			both := t.Rect.Within(tip.Rect)
			return tip.Panel == t.Panel && both.W > t.Rect.W/2 && both.H > t.Rect.H/2
		}) {
			w.fault("term "+t.Text, "%s: %q at %v in panel %d is not explained", where, t.Text, t.Rect, t.Panel)
		}
		if t.Cut {
			w.fault(t.Text, "%s: %q at %v in panel %d is cut off", where, t.Text, t.Rect, t.Panel)
		}
	}
}

// beyond looks at the end of the heat map's scale: a plus stands behind its number where the user has ended it below
// the error of the pose, and nowhere else.
func (w *walker) beyond() {
	s := &w.state
	s.SetLayout(state.One)
	s.SetMethod(skinning.LBS)
	s.SetHeat(true)
	s.Playing = false
	s.Seek(s.Seconds / 2)
	for _, top := range []float64{state.LeastHeatTop, state.MostHeatTop, 0} {
		s.SetHeatTop(top)
		w.look("the scale of the heat map")
		ends, plus := 0, 0
		for _, t := range w.record.Texts {
			if t.Panel == desk.PanelLegend {
				ends++
				plus += strings.Count(t.Text, "+")
			}
		}
		if want := top == state.LeastHeatTop; ends < 3 || plus > 1 || (plus == 1) != want {
			w.fault(fmt.Sprint("end", top), "a scale that ends at %g of the size: %d texts in the legend, %d with a plus",
				top, ends, plus)
		}
	}
	s.SetHeat(false)
}

// large looks at all pages in small windows, whose interface is as large as it gets.
func (w *walker) large() {
	width, height, zoom := int(w.win.Width), int(w.win.Height), w.layout.zoom
	w.state.Panels = true
	w.state.SetLayout(state.One)
	for _, size := range [...][2]int{{900, 600}, {1280, 720}} {
		w.resize(size[0], size[1])
		for range 20 {
			w.zoomInterface(0)
		}
		for i := range w.tabs {
			if t := &w.tabs[i]; t.offered(w.app) {
				w.state.Tab = t.Tab
				w.look(fmt.Sprintf("large in %v, page %s", size, t.Title))
				if at := w.view.Rect.X; t.Tab != state.TabModel && at < w.ui.Px(leastRight) {
					w.fault("narrow", "a page alone is %g wide, expected %g: its headings have no room", at, w.ui.Px(leastRight))
				}
			}
		}
		large := w.ui.Scale()
		w.zoomInterface(1)
		w.look("a step smaller")
		if at := w.ui.Scale(); !(large > 1.2 && at < large) {
			w.fault("steps", "in %v the largest interface has a scale of %g, and a step smaller %g", size, large, at)
		}
	}
	w.layout.zoom = zoom
	w.resize(width, height)
	w.look("as before")
}

// narrow looks at two pictures in a small window: both cards have the same lines, and the numbers.
func (w *walker) narrow() {
	width, height := int(w.win.Width), int(w.win.Height)
	w.resize(900, 600)
	s := &w.state
	s.Panels = true
	s.SetMethod(skinning.LBS)
	s.ChooseReference(skinning.DQS)
	for _, layout := range []state.Layout{state.Split, state.Two} {
		s.SetLayout(layout)
		w.look("two narrow pictures")
		lines := map[string]int{}
		for _, t := range w.record.Texts {
			if t.Panel == desk.PanelCaption {
				lines[t.Text]++
			}
		}
		for i, p := range s.Seen() {
			words := w.models.Words(p)
			if picture := w.view.Pane(i).Seen; picture.W >= w.ui.Px(view.NarrowWidth) {
				w.fault("width", "a picture of %v is not narrow", picture)
			}
			for _, line := range []string{words.Short, words.Title, words.Cost, "RMS", "reference"} {
				if lines[line] == 0 {
					w.fault("lines", "the cards of two narrow pictures leave out %q: %v", line, lines)
				}
			}
		}
		if lines["Volume"]+lines["Vol., open"] != 2 {
			w.fault("volumes", "the cards of two narrow pictures have other volumes than two: %v", lines)
		}
	}
	w.resize(width, height)
}

// hover rests the mouse on what has a tip, and looks for the tip over all else.
func (w *walker) hover(what string, which func(ui.RecordedItem) bool) {
	w.look(what)
	k := slices.IndexFunc(w.record.Tips, which)
	if k < 0 {
		w.fault(what, "%s has no tip", what)
		return
	}
	at, shown := w.record.Tips[k], false
	w.ui.MouseMoved(at.Rect.X+at.Rect.W/2, at.Rect.Y+at.Rect.H/2)
	for range 2 { // the delay begins at the first frame
		w.look(what)
		time.Sleep(600 * time.Millisecond)
	}
	w.look(what)
	for _, t := range w.record.Texts {
		text, _, _ := strings.Cut(at.Tip, "\t")
		shown = shown || t.Panel == desk.PanelTip && t.Text == text
	}
	if !shown {
		w.fault(what, "%s does not show its tip %q at %v", what, at.Tip, at.Rect)
	}
}

// fault notes a fault, unless one of the same key is known.
func (w *walker) fault(key, format string, args ...any) {
	if !w.seen[key] {
		w.seen[key] = true
		w.Faults = append(w.Faults, fmt.Sprintf(format, args...))
	}
}

// hasKeys reports whether commands have all keys of a tip.
func (a *app) hasKeys(caps string) bool {
	want := among(caps, "", nil)
	for _, k := range want.keys {
		if !slices.ContainsFunc(a.lists.commands, func(c command) bool {
			return c.control == want.control && slices.Contains(c.keys, k)
		}) {
			return false
		}
	}
	return len(want.keys) > 0
}
