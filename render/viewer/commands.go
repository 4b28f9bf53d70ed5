package viewer

import (
	"slices"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/ui"
	"skinlab/render/viewer/pages/timing"
	"skinlab/render/viewer/state"
)

// command is what keys do. The table of commands is the only place that knows keys: the help is made from it.
type command struct {
	caps, does string // as the help shows them
	keys       []glfw.Key
	control    bool
	repeats    bool // while the key is held
	run        func(a *app, which int)
}

// commands lists every key, in the order of the help.
func commands() []command {
	return slices.Concat(methodCommands(), []command{
		{fitKey, "Blend bones or enveloping, where fitted", []glfw.Key{glfw.Key6, glfw.KeyKP6}, false, false,
			func(a *app, _ int) { a.setMethod(blendBones) }},
		{"7", "One picture", []glfw.Key{glfw.Key7, glfw.KeyKP7}, false, false,
			func(a *app, _ int) { a.state.SetLayout(state.One) }},
		{"8", "Two under a divider", []glfw.Key{glfw.Key8, glfw.KeyKP8}, false, false,
			func(a *app, _ int) { a.state.SetLayout(state.Split) }},
		{"9", "Two side by side", []glfw.Key{glfw.Key9, glfw.KeyKP9}, false, false,
			func(a *app, _ int) { a.state.SetLayout(state.Two) }},
		{"0", "Four", []glfw.Key{glfw.Key0, glfw.KeyKP0}, false, false,
			func(a *app, _ int) { a.state.SetLayout(state.Four) }},
		{"X", "Compare under a divider, and back", []glfw.Key{glfw.KeyX}, false, false,
			func(a *app, _ int) { a.state.ToggleSplit() }},
		{"S", "Swap with the next picture", []glfw.Key{glfw.KeyS}, false, false,
			func(a *app, _ int) { a.state.Swap() }},
		{"N", "Work on the next picture", []glfw.Key{glfw.KeyN}, false, false,
			func(a *app, _ int) { a.state.Activate((a.state.Active + 1) % a.state.Layout.Panes()) }},
		{"Space", "Play or pause", []glfw.Key{glfw.KeySpace}, false, false,
			func(a *app, _ int) { a.state.TogglePlay() }},
		{",", "One frame back", []glfw.Key{glfw.KeyComma, glfw.KeyLeft}, false, true,
			func(a *app, _ int) { a.state.Step(-1) }},
		{".", "One frame forward", []glfw.Key{glfw.KeyPeriod, glfw.KeyRight}, false, true,
			func(a *app, _ int) { a.state.Step(1) }},
		{"Home", "To the start of what is played", []glfw.Key{glfw.KeyHome}, false, false,
			func(a *app, _ int) { a.state.ToStart() }},
		{"[ ]", "Play from here, and up to here", []glfw.Key{glfw.KeyLeftBracket, glfw.KeyRightBracket}, false, false,
			func(a *app, which int) { a.setRangeEnd(which) }},
		{"\\", "Play the whole clip", []glfw.Key{glfw.KeyBackslash}, false, false,
			func(a *app, _ int) { a.state.ClearRange() }},
		{"PgUp PgDn", "Previous and next clip", []glfw.Key{glfw.KeyPageUp, glfw.KeyPageDown}, false, true,
			func(a *app, which int) { a.nextClip(2*which - 1) }},
		{"L", "Loop", []glfw.Key{glfw.KeyL}, false, false, func(a *app, _ int) { a.state.Loop = !a.state.Loop }},
		{"F", "Frame the whole model", []glfw.Key{glfw.KeyF}, false, false, func(a *app, _ int) { a.frameAll() }},
		{"C", "Clay material", []glfw.Key{glfw.KeyC}, false, false, func(a *app, _ int) { a.state.Clay = !a.state.Clay }},
		{"W", "Wireframe", []glfw.Key{glfw.KeyW}, false, false,
			func(a *app, _ int) { a.state.Wireframe = !a.state.Wireframe }},
		{"G", "Ground grid", []glfw.Key{glfw.KeyG}, false, false, func(a *app, _ int) { a.state.Grid = !a.state.Grid }},
		{"B", "Fit blend bones or enveloping", []glfw.Key{glfw.KeyB}, false, false,
			func(a *app, _ int) { a.state.ToggleTab(state.TabFit) }},
		{"J", "Show the added bones", []glfw.Key{glfw.KeyJ}, false, false,
			func(a *app, _ int) { a.state.Bones = !a.state.Bones }},
		{"P", "Paint their influence on the skin", []glfw.Key{glfw.KeyP}, false, false,
			func(a *app, _ int) { a.state.Paint = !a.state.Paint }},
		{"Shift P", "Paint groups, key gradients, turning", []glfw.Key{glfw.KeyP | withShift}, false, false,
			func(a *app, _ int) { a.nextPaint() }},
		{"E", "Heat map of the distance to the reference", []glfw.Key{glfw.KeyE}, false, false,
			func(a *app, _ int) { a.state.Heat = !a.state.Heat }},
		{"R", "Next reference", []glfw.Key{glfw.KeyR}, false, false,
			func(a *app, _ int) { a.state.NextReference() }},
	}, pageCommands(), []command{
		{"Y", "Skin in the shader, by compute, by feedback", []glfw.Key{glfw.KeyY}, false, false,
			func(a *app, _ int) { pageOf[*timing.Page](a).NextWay() }},
		{"Tab", "Hide or show the panels", []glfw.Key{glfw.KeyTab}, false, false,
			func(a *app, _ int) { a.state.Panels = !a.state.Panels }},
		{"Ctrl + -", "Larger or smaller interface", []glfw.Key{glfw.KeyEqual, glfw.KeyKPAdd, glfw.KeyMinus,
			glfw.KeyKPSubtract}, true, true, func(a *app, which int) { a.zoomInterface(1 - 2*(which/2)) }},
		{"F12", "Save a picture of the window", []glfw.Key{glfw.KeyF12}, false, false,
			func(a *app, _ int) { a.shot = shot{wanted: true} }},
		{"Shift F12", "And without the interface", []glfw.Key{glfw.KeyF12 | withShift}, false, false,
			func(a *app, _ int) { a.shot = shot{wanted: true, plain: true} }},
		{"Ctrl O", "Open a file", []glfw.Key{glfw.KeyO}, true, false, func(a *app, _ int) { a.askOpen() }},
		{"F10", "Menu: recent files, built-in models", []glfw.Key{glfw.KeyF10}, false, false,
			func(a *app, _ int) { a.toggleMenu() }},
		{"F5", "Load the file again", []glfw.Key{glfw.KeyF5}, false, false, func(a *app, _ int) { a.reload() }},
		{"H", "These keys", []glfw.Key{glfw.KeyH, glfw.KeyF1}, false, false,
			func(a *app, _ int) { a.state.Help = !a.state.Help }},
		{"Esc", "Close this, cancel, let a vertex go", []glfw.Key{glfw.KeyEscape}, false, false,
			func(a *app, _ int) { a.escape() }},
		{"Ctrl Q", "Quit", []glfw.Key{glfw.KeyQ}, true, false, func(a *app, _ int) { a.win.SetShouldClose(true) }},
	}, poseCommands())
}

// poseCommands are the keys of the skeleton and of posing.
func poseCommands() []command {
	return []command{
		{"O", "Pose joints", []glfw.Key{glfw.KeyO}, false, false,
			func(a *app, _ int) { a.state.ToggleTab(state.TabPose) }},
		{"K", "Skeleton", []glfw.Key{glfw.KeyK}, false, false,
			func(a *app, _ int) { a.state.ToggleSkeleton() }},
		{"Shift K", "Names of its joints", []glfw.Key{glfw.KeyK | withShift}, false, false,
			func(a *app, _ int) { a.state.ToggleNames() }},
		{"D", "The skin: weights, influences, normals", []glfw.Key{glfw.KeyD}, false, false,
			func(a *app, _ int) { a.state.StepSkin(1) }},
		{"Shift G", "Ghost of the rest pose", []glfw.Key{glfw.KeyG | withShift}, false, false,
			func(a *app, _ int) { a.state.Ghost = !a.state.Ghost }},
		{"Shift N", "Vertex normals", []glfw.Key{glfw.KeyN | withShift}, false, false,
			func(a *app, _ int) { a.state.NormalLines = !a.state.NormalLines }},
		{"A", "Turn about own or world axes", []glfw.Key{glfw.KeyA}, false, false,
			func(a *app, _ int) { a.state.WorldAxes = !a.state.WorldAxes }},
		{"M", "Mirror the pose", []glfw.Key{glfw.KeyM}, false, false, func(a *app, _ int) { a.mirrorPose() }},
		{"Del", "Reset the picked joint", []glfw.Key{glfw.KeyDelete}, false, false, func(a *app, _ int) { a.resetBone() }},
		{"Ctrl Del", "Reset all joints", []glfw.Key{glfw.KeyDelete}, true, false, func(a *app, _ int) { a.resetPose() }},
		{"Ctrl Z", "Undo posing", []glfw.Key{glfw.KeyZ}, true, true, func(a *app, _ int) { a.undoPose(true) }},
		{"Ctrl Shift Z", "Redo posing", []glfw.Key{glfw.KeyZ | withShift, glfw.KeyY}, true, true,
			func(a *app, _ int) { a.undoPose(false) }},
	}
}

// setRangeEnd starts the range that is played at the playhead, or ends it there.
func (a *app) setRangeEnd(which int) {
	if which == 0 {
		a.state.SetFrom(a.state.Time)
	} else {
		a.state.SetTo(a.state.Time)
	}
}

// mouseHelp are the lines of the help that no key has.
var mouseHelp = []ui.KeyHelp{
	{Keys: "Left click", Does: "Pick a vertex, or a joint that is shown"},
	{Keys: "Left drag", Does: "Orbit"},
	{Keys: "Middle or Shift drag", Does: "Pan"},
	{Keys: "Wheel", Does: "Zoom"},
	{Keys: "Right drag", Does: "On the timeline: play a part in a loop"},
}

// command runs what a key stands for.
func (a *app) command(k glfw.Key, mods glfw.ModifierKey, repeat bool) {
	if mods&glfw.ModAlt != 0 || mods&glfw.ModShift != 0 && a.press(k|withShift, mods, repeat) {
		return
	}
	a.press(k, mods, repeat)
}

// withShift marks a key in the table that stands for something else with Shift. All others mean the same with Shift: on
// many layouts digits need it.
const withShift glfw.Key = 1 << 16

// press runs what a key stands for, and reports whether that is anything.
func (a *app) press(k glfw.Key, mods glfw.ModifierKey, repeat bool) bool {
	control := mods&(glfw.ModControl|glfw.ModSuper) != 0
	for i := range a.lists.commands {
		c := &a.lists.commands[i]
		for which, key := range c.keys {
			if key == k && c.control == control {
				if c.repeats || !repeat {
					c.run(a, which)
				}
				return true
			}
		}
	}
	return false
}

// escape closes one thing at a time, the topmost first, and never the window.
func (a *app) escape() {
	switch {
	case a.state.Help:
		a.state.Escape()
	case a.menu.open:
		a.menu.open = false
	case a.files.path != "":
		a.cancelLoad()
	case a.notes.dismiss():
	case a.state.Vertex >= 0:
		a.ClearVertex()
	}
}

// The range and step of the person's own factor on the size of the interface.
const (
	leastZoom, mostZoom, zoomFactor = 0.5, 3, 1.1
)

func (a *app) zoomInterface(direction int) {
	if direction > 0 {
		a.layout.zoom *= zoomFactor
	} else {
		a.layout.zoom /= zoomFactor
	}
	a.layout.zoom = min(max(a.layout.zoom, leastZoom), mostZoom)
}
