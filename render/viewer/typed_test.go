package viewer

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/assets"
	"skinlab/fit"
	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/caption"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/menu"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/pages/errorpage"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/helperpage"
	"skinlab/render/viewer/pages/modelpage"
	"skinlab/render/viewer/pages/posepage"
	"skinlab/render/viewer/pages/timing"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/transport"
	"skinlab/render/viewer/view"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// TestNumbersAreTypedOnSliders types numbers in the place of sliders of every kind, in a window whose frames and clock
// the test makes: nothing depends on how fast they are drawn.
func TestNumbersAreTypedOnSliders(t *testing.T) {
	t.Parallel()
	var faults []string
	out := runChild(t, startScreen(t, "1280x1500"), "-child", "type", "-child.model", "demo:leg")
	if err := json.Unmarshal([]byte(out), &faults); err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
}

// typist uses a window's sliders.
type typist struct {
	*app
	faults []string
	panel  ui.Panel
	item   int
}

// frames lays out frames, without pictures, a hundredth of a second apart.
func (w *typist) frames(n int) {
	for range n {
		w.state.Tick(0)
		w.runInterface(0.01, time.Now())
		w.ui.End()
		w.collect()
	}
}

// on aims at a slider.
func (w *typist) on(p ui.Panel, item int) {
	w.panel, w.item = p, item
	w.frames(2)
	for _, at := range w.ui.Placed() {
		if at.Panel == p && at.Item == item {
			w.input.MouseMoved(at.Rect.X+0.8*at.Rect.W, at.Rect.Y+at.Rect.H/2)
			w.frames(2)
			return
		}
	}
	w.fault("item %d of panel %d is not there", item, p)
}

// click presses and releases the left button, in a frame each.
func (w *typist) click(mods glfw.ModifierKey) {
	w.input.MouseButton(glfw.MouseButtonLeft, true, mods)
	w.frames(1)
	w.input.MouseButton(glfw.MouseButtonLeft, false, mods)
	w.frames(1)
}

// enter types a text and then a key.
func (w *typist) enter(text string, last glfw.Key) {
	for w.desk.Wake(); w.loop.framesLeft > 1 && !w.ui.Typing(); w.loop.framesLeft-- { // no more than an event draws
		w.frames(1)
	}
	if !w.ui.Typing() {
		w.fault("item %d: no field is open to type %q", w.item, text)
		return
	}
	for _, r := range text {
		w.ui.Character(r)
	}
	w.frames(len(text) + 1)
	if last != glfw.KeyUnknown {
		w.input.Key(last, 0, glfw.Press, 0)
		w.frames(3)
	}
}

func (w *typist) fault(format string, args ...any) {
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

// want holds a number to what has been typed: a rounding or two of float64.
func (w *typist) want(what string, got, want float64) {
	if !(math.Abs(got-want) <= 1e-12*max(math.Abs(want), 1)) {
		w.fault("%s: %g, expected %g", what, got, want)
	}
	if w.ui.Typing() {
		w.fault("%s: the field is still open", what)
	}
}

// typeChild goes through the sliders and prints what is wrong.
func typeChild() error {
	opt, err := childOptions()
	if err != nil {
		return err
	}
	opt.Fit = &updatedFits{}
	opt.Width, opt.Height = 1280, 1500 // pages have all their sliders in sight
	a, err := newApp(context.Background(), opt)
	if err != nil {
		return err
	}
	defer a.delete()
	a.ui.KeepPlaces()
	w := &typist{app: a, faults: []string{}}
	s := &a.state
	s.Playing = false

	w.on(desk.PanelBottom, transport.ItemSpeed)
	steps, _ := a.past.UndoSteps()
	w.click(glfw.ModControl)
	w.want("Ctrl click alone", s.Speed, 1)
	w.enter("2.25", glfw.KeyEnter)
	w.want("a speed", s.Speed, 2.25)
	if now, _ := a.past.UndoSteps(); now != steps+1 {
		w.fault("a typed number is %d steps of the history, expected 1", now-steps)
	}
	a.past.Undo(true)
	w.want("undo", s.Speed, 1)
	a.past.Undo(false)
	w.want("redo", s.Speed, 2.25)
	w.click(glfw.ModControl)
	w.enter("0.3", glfw.KeyEscape)
	w.want("Esc", s.Speed, 2.25)
	w.click(glfw.ModControl)
	w.enter("fast", glfw.KeyEnter)
	w.want("no number", s.Speed, 2.25)
	w.frames(100) // a second
	w.click(0)
	w.click(0)
	w.enter("0,5 ×", glfw.KeyKPEnter)
	w.want("a double click", s.Speed, 0.5)
	w.frames(100)
	w.click(0)
	w.frames(100)
	dragged := s.Speed
	w.click(0)
	w.frames(4)
	w.want("two clicks a second apart", s.Speed, dragged)
	w.frames(100)
	w.click(0)
	w.click(0)
	w.enter("9999", glfw.KeyUnknown)
	a.input.MouseMoved(a.view.Rect.X+a.view.Rect.W/2, a.view.Rect.Y+a.view.Rect.H/2)
	w.click(0)
	w.frames(2)
	w.want("too large a number, and a click elsewhere", s.Speed, state.FastestSpeed)
	w.on(desk.PanelBottom, transport.ItemSpeed)
	w.click(glfw.ModControl)
	s.Panels = false // the slider goes
	w.frames(3)
	s.Panels = true
	w.frames(3)
	w.want("a slider that is gone", s.Speed, state.FastestSpeed)

	w.dragTimeline()
	s.Tab = state.TabErrors
	for unit, metres := range map[state.Unit]float64{state.Millimetres: 0.0125, state.OfSize: 0.125 * a.models.File.Diagonal} {
		s.Unit = unit
		w.on(desk.PanelRight, errorpage.ItemHeatTop)
		w.click(glfw.ModControl)
		w.enter("12.5", glfw.KeyEnter)
		w.want("the heat map's top in "+unit.String(), s.HeatTop*a.models.File.Diagonal, metres)
	}
	s.Tab, a.times.Expert = state.TabTiming, true
	w.on(desk.PanelRight, timing.ItemCrowd)
	w.click(glfw.ModControl)
	w.enter("100", glfw.KeyEnter)
	w.want("a crowd", float64(a.crowd.Many), 100)
	a.crowd.Set(1)
	s.Tab = state.TabFit
	w.on(desk.PanelRight, fitpage.ItemSlider)
	w.click(glfw.ModControl)
	w.enter("12.4", glfw.KeyEnter)
	found := false
	for _, t := range w.texts() {
		found = found || t == "12"
	}
	if !found {
		w.fault("the fit's slider has not taken 12: %v", strings.Join(w.texts(), ", "))
	}
	a.fit.Chosen = 0 // it has two sliders
	w.on(desk.PanelRight, fitpage.ItemSlider)
	w.click(glfw.ModControl)
	w.enter("9", glfw.KeyTab)
	w.enter("2.5", glfw.KeyEnter)
	if texts := w.texts(); !slices.Contains(texts, "9") || !slices.Contains(texts, "2.5%") && !slices.Contains(texts, "2.5 %") {
		w.fault("9, Tab and 2.5 in the fit's sliders give %v", strings.Join(texts, ", "))
	}
	s.Tab = state.TabModel
	w.on(desk.PanelRight, modelpage.ItemMorph)
	w.click(glfw.ModControl)
	w.enter("0.333", glfw.KeyEnter)
	w.want("a morph weight", a.models.File.Pose.Morphs[0], 0.333)
	w.typeAtOnce()
	w.undoNumbers()
	w.turnByAxes()
	if err := w.enlarge(); err != nil {
		return err
	}
	w.moveInMenu()
	w.looks()
	if err := w.filterBones(); err != nil {
		return err
	}
	out, err := json.Marshal(w.faults)
	fmt.Println(string(out))
	return err
}

// typeAtOnce clicks in a number and types before any frame has seen the click, as where frames take long. What is typed
// is no command. After a drag, keys are commands.
func (w *typist) typeAtOnce() {
	s, method := &w.state, w.state.Method()
	for k, text := range []string{"0.25", "0.5"} {
		w.on(desk.PanelRight, modelpage.ItemMorph+1)
		w.input.MouseButton(glfw.MouseButtonLeft, true, 0)
		w.frames(k) // the second time a frame sees the press
		w.input.MouseButton(glfw.MouseButtonLeft, false, 0)
		for _, r := range text {
			w.input.Key(glfw.Key(r), 0, glfw.Press, 0) // GLFW's codes of digits and the period are their characters
			if !w.ui.TakesText() {
				w.fault("%q of %q is for no field", r, text)
				break
			}
			w.ui.Character(r)
		}
		w.input.Key(glfw.KeyEnter, 0, glfw.Press, 0)
		w.frames(12)
		want := []float64{0.25, 0.5}[k]
		w.want("a number typed at once", w.models.File.Pose.Morphs[0], want)
		if s.Method() != method {
			w.fault("typing %q shows %v", text, s.Method())
		}
	}
	w.on(desk.PanelRight, modelpage.ItemMorph+1)
	w.input.MouseButton(glfw.MouseButtonLeft, true, 0)
	w.input.MouseMoved(w.view.MouseX-20, w.view.MouseY)
	w.input.MouseButton(glfw.MouseButtonLeft, false, 0)
	if w.ui.TakesText() {
		w.fault("after a drag of a number keys are for a field")
	}
	w.frames(8)
}

// undoNumbers types two angles with Tab between them: each is a step of the history.
func (w *typist) undoNumbers() {
	w.state.Tab = state.TabPose
	w.pose.Pick(0)
	w.on(desk.PanelRight, posepage.ItemNumber)
	w.click(0)
	w.enter("10", glfw.KeyTab)
	w.enter("20", glfw.KeyEnter)
	w.frames(3)
	for _, want := range [][3]float64{{10, 20, 0}, {10, 0, 0}, {}} {
		for k, angle := range w.pose.Angles(0) {
			if got := angle * 180 / math.Pi; !(math.Abs(got-want[k]) <= 1e-6) {
				w.fault("angle %d is %g degrees, expected %g", k, got, want[k])
			}
		}
		w.past.Undo(true)
		w.frames(3)
	}
	w.past.Undo(false)
	w.past.Undo(false)
	w.past.Undo(false)
	w.pose.ResetAll()
	w.frames(3)
}

// dragTimeline drags over half of the timeline between two frames: the mouse comes up where no frame has seen it.
func (w *typist) dragTimeline() {
	line, s := w.player.Timeline, &w.state
	at := func(share float32) { w.input.MouseMoved(line.X+share*line.W, line.Y+0.6*line.H) }
	for _, b := range []glfw.MouseButton{glfw.MouseButtonLeft, glfw.MouseButtonRight} {
		at(0.25)
		w.frames(2)
		w.input.MouseButton(b, true, 0)
		w.frames(2)
		at(0.75)
		w.input.MouseButton(b, false, 0)
		w.frames(4)
	}
	// 2 % of the clip: the track is inset at its ends, and ends of a range are whole frames.
	for _, c := range [...][2]float64{{s.Time, 0.75}, {s.Range.From, 0.25}, {s.Range.To, 0.75}} {
		if !(math.Abs(c[0]-c[1]*s.Seconds) <= 0.02*s.Seconds) {
			w.fault("dragged to %g of a clip of %g s: at %g s", c[1], s.Seconds, c[0])
		}
	}
	s.ClearRange()
}

// turnByAxes clicks on balls of the axes, in windows of two sizes, in which the axes lie over no words.
func (w *typist) turnByAxes() {
	for _, size := range [...][2]int{{640, 480}, {1280, 720}} {
		w.resize(size[0], size[1])
		w.view.Camera.Look(picture.Direction{Yaw: 0.45, Pitch: 0.14})
		for k, from := range []int{picture.FromRight, picture.FromLeft, picture.FromTop, picture.FromFront, picture.FromBack} {
			ball := []int{picture.FromRight, picture.FromRight, picture.FromTop, picture.FromFront, picture.FromFront}[k]
			w.on(desk.PanelAxes, view.ItemAxes+ball)
			w.click(0)
			want := w.view.Camera
			want.Look(picture.AxisDirection(from))
			if w.view.Camera != want {
				w.fault("in a window of %v ball %d leaves the camera at %v, %v", size, ball, w.view.Camera.Yaw, w.view.Camera.Pitch)
			}
		}
		for _, heat := range []bool{false, true} {
			w.state.Heat = heat
			var record ui.Record
			w.ui.SetRecord(&record)
			w.frames(2)
			w.ui.SetRecord(nil)
			overlaps(&record, w.fault)
		}
	}
}

// enlarge makes the interface smaller and then larger over one picture and over four: words leave before they lie on the
// model, and the legend of the heat map and the axes, which do not lie on it either, stay as long as there is room.
func (w *typist) enlarge() error {
	before := w.models.File.Model
	defer func() {
		w.skinLegends()
		w.readMethods()
		w.layout.zoom = 1
		w.state.SetHeat(false)
		w.state.SetLayout(state.One)
		w.Show(models.Prepare(before, 0), 0) // it was shown before
	}()
	for _, name := range []string{"demo:leg", "demo:arm"} {
		m, err := assets.Open(name)
		if err != nil {
			return err
		}
		if err := w.Show(models.Prepare(m, 0), 0); err != nil {
			return err
		}
		w.resize(1280, 800)
		w.frames(2)
		camera := w.view.Camera
		w.state.SetHeat(true)
		w.frames(2)
		if name == "demo:leg" && w.view.Camera != camera { // nothing of it is where the legend comes
			w.fault("%s: with the heat map the camera goes from %v to %v", name, camera, w.view.Camera)
		}
		for k := 0; k < 1000; k++ {
			w.frames(1)
			if _, top := w.distances.HeatScale(); top > 0 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		for _, l := range []state.Layout{state.One, state.Four} {
			w.state.SetLayout(l)
			for _, size := range [...][2]int{{1280, 800}, {1440, 900}, {1000, 900}} {
				w.resize(size[0], size[1])
				w.layout.zoom = 0.6
				for range 17 {
					w.freeModel(m.Skin.Positions, fmt.Sprintf("%s, %d pictures in %v, enlarged %.2f times", name, l.Panes(), size,
						w.layout.zoom))
					w.zoomInterface(0)
				}
			}
		}
	}
	return nil
}

// skinLegends looks at the legends of the skin's views where a model reaches into their corner, and not into the others.
func (w *typist) skinLegends() {
	points := []mgl32.Vec3{{-1, -1, 0}, {-1, 1, 0}, {1, 1, 0}}
	w.state.SetHeat(false)
	w.state.SetLayout(state.One)
	w.resize(1280, 800)
	w.view.Camera.Look(picture.AxisDirection(picture.FromFront))
	for skin := state.SkinWeights; skin < state.SkinViews; skin++ {
		for _, w.layout.zoom = range [...]float32{0.6, 1, 1.6} {
			w.state.Skin = skin
			w.view.Frame(points)
			w.frames(2)
			all := w.ui.Placed()
			k := slices.IndexFunc(all, func(at ui.Placed) bool { return at.Panel == desk.PanelLegend && at.Rect.H > 0 })
			if k < 0 {
				w.fault("%v, enlarged %.2f times: no legend", skin, w.layout.zoom)
				continue
			}
			w.onModel(points, all[k], fmt.Sprintf("%v, enlarged %.2f times", skin, w.layout.zoom))
		}
	}
	w.state.Skin = state.SkinPlain
}

// onModel tells whether something lies on a model, which is a fault.
func (w *typist) onModel(points []mgl32.Vec3, at ui.Placed, when string) bool {
	for i := range w.state.Seen() {
		in := w.view.Projector(w.view.Pane(i))
		for _, p := range points {
			if x, y, ok := in.At(geom.Vec64(p)); ok && at.Rect.Contains(x, y) {
				w.fault("%s: item %d of panel %d at %v lies on the model at %v, %v", when, at.Item, at.Panel, at.Rect, x, y)
				return true
			}
		}
	}
	return false
}

// readMethods reads the names of methods in the list and on the page Error, of a file with examples. The last reference
// of the page, which may be in a second row, can be clicked.
func (w *typist) readMethods() {
	w.state.SetLayout(state.One)
	w.state.Tab = state.TabErrors
	w.models.SetClip(slices.Index(w.models.File.ClipNames, "examples"))
	w.resize(1440, 900)
	for w.layout.zoom = 0.6; w.layout.zoom < 1.5; w.zoomInterface(0) { // both panels are seen
		var record ui.Record
		w.ui.SetRecord(&record)
		w.frames(1)
		w.ui.SetRecord(nil)
		names := map[ui.Panel]int{}
		for _, at := range record.Texts {
			if slices.Contains([]string{"LBS", "SDQS", "COR", "Mush", "Examples"}, at.Text) {
				names[at.Panel]++
				if at.Cut {
					w.fault("enlarged %.2f times, %q of panel %d is cut", w.layout.zoom, at.Text, at.Panel)
				}
			}
		}
		if names[desk.PanelLeft] < 3 || names[desk.PanelRight] < 9 {
			w.fault("enlarged %.2f times, there are names in panels %v", w.layout.zoom, names)
		}
		all := w.models.References()
		for _, k := range []int{len(all) - 1, 1} {
			w.on(desk.PanelRight, errorpage.ItemReference+k)
			w.click(0)
			if w.state.Reference != all[k] {
				w.fault("enlarged %.2f times, reference %d gives %v", w.layout.zoom, k, w.state.Reference)
			}
		}
	}
}

// freeModel checks that no plate, legend or ball of the axes lies on a model, and that they are there where they should.
func (w *typist) freeModel(points []mgl32.Vec3, when string) {
	w.frames(2)
	w.view.Frame(points)
	w.frames(2)
	legend, plates, balls := false, 0, 0
	for _, at := range w.ui.Placed() {
		switch {
		case at.Panel == desk.PanelLegend && at.Item == 0 && at.Rect.H > 0:
			legend = true
		case at.Panel == desk.PanelCaption && at.Item == caption.ItemPlate:
			plates++
		case at.Panel == desk.PanelAxes && at.Item >= view.ItemAxes:
			balls++
		default:
			continue
		}
		if w.onModel(points, at, when) {
			return
		}
	}
	picture := w.view.Pane(0).Seen
	if room := picture.H >= w.ui.Px(120) && picture.W >= w.ui.Px(150); room && (!legend || plates != len(w.state.Seen())) {
		w.fault("%s: pictures %v by %v have %d captions and a legend: %v", when, picture.W, picture.H, plates, legend)
	}
	if room := min(picture.W, picture.H) >= w.ui.Px(300); room != (balls > 0) {
		w.fault("%s: pictures %v by %v have %d balls of axes", when, picture.W, picture.H, balls)
	}
}

// press presses a key and lets the interface obey it.
func (w *typist) press(k glfw.Key, mods glfw.ModifierKey) {
	w.input.Key(k, 0, glfw.Press, mods)
	w.frames(4)
}

// moveInMenu goes round in the menu by the arrow keys.
func (w *typist) moveInMenu() {
	on := func() (item int) {
		var r ui.Rect
		for _, at := range w.ui.Placed() {
			if at.Item == ui.ItemFocus {
				r = at.Rect
			}
		}
		for _, at := range w.ui.Placed() {
			if at.Panel == desk.PanelMenu && at.Item > 0 && at.Rect == r {
				item = at.Item
			}
		}
		return item
	}
	for _, height := range []int{1500, 400} { // in the low window the menu scrolls
		w.resize(1280, height)
		w.press(glfw.KeyF10, 0)
		for _, step := range []struct {
			key  glfw.Key
			want int
		}{{glfw.KeyUp, menu.ItemReset}, {glfw.KeyDown, menu.ItemLine}, {glfw.KeyDown, menu.ItemLine + 1}} {
			w.press(step.key, 0)
			if got := on(); got != step.want {
				w.fault("in a window %d high key %d of the menu goes to item %d, expected %d", height, step.key, got,
					step.want)
			}
		}
		w.press(glfw.KeyF10, 0)
	}
}

// looks changes how the window looks: none of that is a step to undo. The time under the mouse lies over no control.
func (w *typist) looks() {
	w.resize(1280, 800)
	w.frames(2)
	steps, _ := w.past.UndoSteps()
	light := w.state.Light
	w.press(glfw.KeyZ, glfw.ModShift)
	w.press(glfw.KeyZ, 0)
	w.press(glfw.KeyEqual, glfw.ModControl)
	w.press(glfw.KeyEqual, glfw.ModControl)
	if now, _ := w.past.UndoSteps(); w.state.Light == light || w.layout.zoom == 1 || now != steps {
		w.fault("light %v, zoom %g and %d steps to undo, expected another light and zoom and %d steps", w.state.Light,
			w.layout.zoom, now, steps)
	}
	w.press(glfw.Key0, glfw.ModControl)
	if w.layout.zoom != 1 {
		w.fault("Ctrl 0 leaves a zoom of %g", w.layout.zoom)
	}
	for _, share := range []float32{0.02, 0.5, 0.98} {
		line := w.player.Timeline
		w.input.MouseMoved(line.X+share*line.W, line.Y+0.6*line.H)
		w.frames(2)
		var record ui.Record
		w.ui.SetRecord(&record)
		w.frames(1)
		w.ui.SetRecord(nil)
		last := record.Texts[0]
		for _, t := range record.Texts {
			if t.Panel == desk.PanelBottom {
				last = t // the time is drawn over all else
			}
		}
		if !strings.HasSuffix(last.Text, " s") || last.Rect.Y < line.Y {
			w.fault("at %g of the timeline %q stands at %v, expected a time within %v", share, last.Text, last.Rect,
				line)
		}
	}
	w.press(glfw.KeyZ, glfw.ModShift)
}

// resize gives the window a size and waits until it has it.
func (a *app) resize(width, height int) {
	a.win.SetSize(width, height)
	for k := 0; k < 1000 && (int(a.win.Width) != width || int(a.win.Height) != height); k++ {
		glfw.WaitEventsTimeout(0.01)
	}
}

// overlaps tells faults of words over the pictures that the axes lie on.
func overlaps(record *ui.Record, fault func(format string, args ...any)) {
	for _, i := range record.Items {
		for _, t := range record.Texts {
			if both := i.Rect.Within(t.Seen); i.Panel == desk.PanelAxes && both.W > 1 && both.H > 1 &&
				(t.Panel == desk.PanelCaption || t.Panel == desk.PanelLegend) {
				fault("%q at %v lies under the axes at %v", t.Text, t.Rect, i.Rect)
			}
		}
	}
}

// filterBones narrows the list of eight helper bones of the figure to one.
func (w *typist) filterBones() error {
	figure, err := assets.Open("demo:figure")
	if err != nil {
		return err
	}
	if err := w.Show(models.Prepare(figure, 0), 0); err != nil {
		return err
	}
	m, err := sampledHelpers(w.models.File.Model, 8)
	if err != nil {
		return err
	}
	done := fit.Step{Added: 8, Model: of(m)}
	beginFit(w.app, "enveloping", fitpage.Update{Done: true, Progress: fit.Progress{Now: done, History: []fit.Step{done}}})
	w.state.Tab = state.TabHelpers
	rows := func() (rows []int) {
		for _, at := range w.ui.Placed() {
			if k := at.Item - helperpage.ItemBone; at.Panel == desk.PanelRight && k >= 0 && k < 8 {
				rows = append(rows, k)
			}
		}
		return rows
	}
	w.on(desk.PanelRight, helperpage.ItemFilter)
	all := rows()
	w.click(0)
	w.enter(m.Skeleton.Joints[m.Added()[5].Joint].Name, glfw.KeyEnter)
	if one := rows(); len(all) != 8 || !slices.Equal(one, []int{5}) {
		w.fault("helper bones %v, filtered by the sixth's name %v", all, one)
	}
	w.tellEdits()
	w.notify()
	return nil
}

// notify holds a notice to leaving the feet of the models free but for their edges, and the axes, in a window with room for that.
func (w *typist) notify() {
	w.resize(1280, 800)
	w.notes.Notify("Saved", "A file was written, whose name is long enough for a line of a card or two", time.Hour)
	points := w.models.File.Model.Skin.Positions
	low, high := points[0][1], points[0][1]
	for _, p := range points {
		low, high = min(low, p[1]), max(high, p[1])
	}
	for _, l := range []state.Layout{state.One, state.Two, state.Four} {
		w.state.SetLayout(l)
		w.frames(2)
		w.view.Look(picture.Direction{Yaw: 0.45, Pitch: 0.14})
		w.view.Frame(points)
		w.frames(2)
		var card, axes ui.Rect
		for _, at := range w.ui.Placed() {
			switch {
			case at.Panel == desk.PanelMessage && at.Item == 0:
				card = at.Rect
			case at.Panel == desk.PanelAxes && at.Item == 0:
				axes = at.Rect
			}
		}
		if both := card.Within(axes); card.W == 0 || both.W > 0 && both.H > 0 {
			w.fault("layout %v: a notice at %v, the axes at %v", l, card, axes)
		}
		for i := range w.state.Seen() {
			in, feet, covered := w.view.Projector(w.view.Pane(i)), 0, 0
			for _, p := range points {
				if p[1] > low+0.1*(high-low) {
					continue
				}
				feet++
				if x, y, ok := in.At(geom.Vec64(p)); ok && card.Contains(x, y) {
					covered++
				}
			}
			if covered*4 > feet { // the edge of a foot may be behind it
				w.fault("layout %v: a notice at %v lies on %d of %d vertices of the feet", l, card, covered, feet)
			}
		}
	}
}

// tellEdits holds the page of fits to saying that what it shows of the fit is of before an edit.
func (w *typist) tellEdits() {
	w.state.Tab = state.TabFit
	tells := func() (headline, curve bool) {
		w.frames(3)
		for _, text := range w.texts() {
			headline = headline || strings.HasSuffix(text, "before it was edited")
			curve = curve || strings.HasPrefix(text, "Before edits: EE in training, %")
		}
		return headline, curve
	}
	if headline, curve := tells(); headline || curve {
		w.fault("a fit that nobody has edited says so: %v, its curve %v", headline, curve)
	}
	w.fit.WithEdits(func() *rig.HelperBones { return &rig.HelperBones{} })
	if headline, curve := tells(); !headline || !curve {
		w.fault("an edited fit says so in its headline: %v, of its curve: %v", headline, curve)
	}
}

// texts are those of the panel at the right.
func (w *typist) texts() (texts []string) {
	var record ui.Record
	w.ui.SetRecord(&record)
	w.frames(1)
	w.ui.SetRecord(nil)
	for _, t := range record.Texts {
		if t.Panel == desk.PanelRight {
			texts = append(texts, t.Text)
		}
	}
	return texts
}
