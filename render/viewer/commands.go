package viewer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// command is an action and its keys, in the only table that knows keys: help and palette are made from it.
type command struct {
	group      string
	caps, does string // texts of the help; no caps where it has no key
	keys       []glfw.Key
	parts      []ui.KeyHelp // what each of its keys does, where they differ
	control    bool
	repeats    bool              // it runs again and again while the key is held
	there      func(a *app) bool // whether the palette lists it; nil: always
	isOn       func(a *app) bool // of a switch; nil for others
	run        func(a *app, which int)
}

// commands lists every command, in the order of the help.
func commands() []command {
	setLayout := func(l state.Layout) func(a *app) { return func(a *app) { a.state.SetLayout(l) } }
	return slices.Concat(
		withSkin(group("Methods", methodCommands()...)),
		withSkin(group("Methods",
			on(models.FitKey, "The fitted model, where there is one", func(a *app) { a.models.SetMethod(state.Fitted) }),
			on("R", "Next reference", func(a *app) { a.models.NextReference() }),
			on("Shift V", "Go to the worst pose", func(a *app) { a.distances.ToWorst() }),
		)),
		group("Pictures",
			on("7", "One picture", setLayout(state.One)),
			on("8", "Two under a divider", setLayout(state.Split)),
			on("9", "Two side by side", setLayout(state.Two)),
			on("0", "Four", setLayout(state.Four)),
			on("X", "Compare under a divider, and back", func(a *app) { a.state.ToggleSplit() }),
			on("S", "Swap with the next picture", func(a *app) { a.state.Swap() }),
			on("N", "Work on the next picture",
				func(a *app) { a.state.Activate((a.state.Active + 1) % a.state.Layout.Panes()) }),
		),
		group("Playback",
			on("Space", "Play or pause", func(a *app) { a.state.TogglePlay() }),
			on(",", "One frame back", func(a *app) { a.state.Step(-1) }).or(glfw.KeyLeft).held(),
			on(".", "One frame forward", func(a *app) { a.state.Step(1) }).or(glfw.KeyRight).held(),
			on("Shift Home", "To the start of what is played", func(a *app) { a.state.ToStart() }).
				or(glfw.KeyLeft|withShift),
			among("[ ]", "Play from here, and up to here", func(a *app, which int) {
				[...]func(*state.State, float64){(*state.State).SetFrom, (*state.State).SetTo}[which](&a.state, a.state.Time)
			}).each("Play from here", "Play up to here"),
			on("\\", "Play the whole clip", func(a *app) { a.state.ClearRange() }),
			among("PgUp PgDn", "Previous and next clip", func(a *app, which int) { a.nextClip(2*which - 1) }).held().
				each("Previous clip", "Next clip"),
			toggle("L", "Loop", func(s *state.State) *bool { return &s.Loop }),
		),
		group("Camera",
			on("Home", "Frame all, over the clip", (*app).frameAll),
			on("F", "Frame the picked vertex or joint", (*app).frameFocus),
			toggle("Shift F", "Follow the model where it goes", func(s *state.State) *bool { return &s.Follow }).says(
				"The camera follows the model", "The camera stays"),
			looks("Num1 Num3 Num7", "From the front, the right, the top", picture.FromFront, picture.FromRight, picture.FromTop).
				each("From the front", "From the right", "From the top"),
			looks("Ctrl Num1 Num3 Num7", "From the back, the left, below", picture.FromBack, picture.FromLeft,
				picture.FromBottom).each("From the back", "From the left", "From below"),
			on("Num5", "Without perspective, and with it", func(a *app) { a.view.ToggleOrtho() }),
		),
		group("Display",
			toggle("C", "Clay material", func(s *state.State) *bool { return &s.Clay }),
			toggle("W", "Wireframe", func(s *state.State) *bool { return &s.Wireframe }),
			toggle("G", "Ground grid", func(s *state.State) *bool { return &s.Grid }),
			on("Z", "Next background: dark, grey, light", func(a *app) {
				a.state.Background = (a.state.Background + 1) % uint8(picture.Backgrounds)
			}),
			toggle("Shift Z", "Light theme of the interface", func(s *state.State) *bool { return &s.Light }),
			on("E", "Heat map of the distance", func(a *app) { a.state.SetHeat(!a.state.Heat) }),
			on("Shift E", "Contour lines of the heat map", func(a *app) {
				a.state.Contours = !a.state.Contours || !a.state.Heat
				a.state.SetHeat(true)
			}),
			on("K", "Skeleton", func(a *app) { a.state.ToggleSkeleton() }),
			on("Shift K", "Names of its joints", func(a *app) { a.state.ToggleNames() }),
			on("D", "The skin: weights, influences, normals", func(a *app) { a.state.StepSkin(1) }),
			toggle("Shift G", "Ghost of the rest pose", func(s *state.State) *bool { return &s.Ghost }),
			toggle("Shift H", "Words and legends over the pictures", func(s *state.State) *bool { return &s.Cards }),
			toggle("Shift N", "Vertex normals", func(s *state.State) *bool { return &s.NormalLines }),
			on("Y", "Where vertices are posed: next way", func(a *app) { a.times.NextWay() }),
		),
		group("Pages", pageCommands()...),
		group("Posing",
			on("A", "Turn about own or world axes", func(a *app) { a.state.WorldAxes = !a.state.WorldAxes }),
			on("M", "Mirror the pose", func(a *app) { a.pose.MirrorPose() }),
			on("Del", "Reset the picked joint", func(a *app) { a.pose.ResetBone() }),
			on("Ctrl Del", "Reset all joints", func(a *app) { a.pose.ResetAll() }),
			command{does: "Copy the left side of the pose to the right", run: func(a *app, _ int) { a.pose.CopySide(true) }},
			command{does: "Copy the right side of the pose to the left", run: func(a *app, _ int) { a.pose.CopySide(false) }},
		),
		group("Fits",
			toggle("J", "Show the added bones", func(s *state.State) *bool { return &s.Bones }),
			on("P", "Paint their influence on the skin", func(a *app) { a.state.SetPaint(!a.state.Paint) }),
			on("Shift P", "Next paint of proxy bones", func(a *app) {
				if a.models.Fitted() != nil && a.models.Fitted().Linear != nil { // the paint has more than one view
					a.state.NextPaint()
				}
			}),
		),
		group("Files",
			on("Ctrl O", "Open a file", func(a *app) { a.loader.AskOpen() }),
			on("F5", "Reload the file", func(a *app) { a.loader.Reload() }),
			on("F12", "Save a picture of the window", func(a *app) { a.shot = shot{wanted: true} }),
			on("Shift F12", "Save it without the interface", func(a *app) { a.shot = shot{wanted: true, plain: true} }),
			on("F10", "Menu: recent files, built-in models", (*app).keyMenu),
		),
		group("Files", menuCommands()...),
		group("Window",
			on("Ctrl Z", "Undo: poses, settings, fits, files", func(a *app) { a.past.Undo(true) }).held(),
			on("Ctrl Shift Z", "Redo it", func(a *app) { a.past.Undo(false) }).or(glfw.KeyY).held(),
			on("Ctrl P", "Find a command, a clip, a file, a joint, a fit", func(a *app) { a.palette.Open(a.paletteEntries()) }),
			toggle("H", "These keys", func(s *state.State) *bool { return &s.Help }).or(glfw.KeyF1),
			on("Tab", "Hide or show the panels", func(a *app) { a.state.Panels = !a.state.Panels }),
			on("F6", "The keyboard to the next panel: arrows, Enter", (*app).focusNext),
			among("Ctrl + -", "Larger or smaller interface", (*app).zoomInterface).
				or(glfw.KeyKPAdd).or(glfw.KeyKPSubtract).held().each("Larger interface", "Smaller interface"),
			on("Ctrl 0", "Interface as large as at first", func(a *app) { a.layout.zoom = 1 }).or(glfw.KeyKP0),
			on("Esc", "Close this, cancel, let a vertex or joint go", (*app).escape),
			on("Ctrl Q", "Quit", func(a *app) { a.win.SetShouldClose(true) }),
		),
	)
}

func group(name string, commands ...command) []command {
	for i := range commands {
		commands[i].group = name
	}
	return commands
}

// withSkin lists commands in the palette where a file has a skin.
func withSkin(commands []command) []command {
	for i := range commands {
		commands[i].there = func(a *app) bool { return !a.models.Bare() }
	}
	return commands
}

func methodCommands() []command {
	all := skinning.Methods()
	plain := min(models.DigitMethods, len(all))
	commands := []command{digitCommand(all[:plain], false)}
	if more := all[plain:]; len(more) > 0 {
		commands = append(commands, digitCommand(more[:min(len(more), 9)], true))
	}
	return commands
}

func methodKeys() string {
	var caps []string
	for _, c := range methodCommands() {
		caps = append(caps, c.caps)
	}
	return strings.Join(caps, " and ")
}

// digitCommand is a command that chooses among methods by the digits from 1 on.
func digitCommand(among []skinning.Method, control bool) command {
	c := command{caps: models.MethodKey(among[0]), control: control,
		does: skinning.ListMethods(among, skinning.Method.Short, ", ", ", ")}
	if n := len(among); n > 1 {
		c.caps += " to " + strconv.Itoa(n)
	}
	for i := range among {
		c.keys = append(c.keys, glfw.Key1+glfw.Key(i))
	}
	for _, m := range among {
		c.parts = append(c.parts, ui.KeyHelp{Keys: models.MethodKey(m), Does: m.Title() + ", " + m.Short()})
	}
	c.run = func(a *app, which int) { a.models.SetMethod(among[which]) }
	return c
}

func pageCommands() (commands []command) {
	for _, row := range pageTable() {
		show := func(a *app) {
			if row.there == nil || row.there(a) {
				a.state.ToggleTab(row.Tab)
			}
		}
		c := command{does: row.Does, run: func(a *app, _ int) { show(a) }}
		if row.Key != 0 {
			c = on(string(row.Key), row.Does, show)
		}
		c.there = row.there
		commands = append(commands, c)
	}
	return commands
}

// menuCommands are the lines of the menu that have no key.
func menuCommands() (commands []command) {
	for _, l := range menuLines() {
		if !strings.Contains(l.tip, "\t") {
			commands = append(commands, command{does: strings.TrimSuffix(l.label, "…"), there: l.there,
				run: func(a *app, _ int) { l.run(a) }})
		}
	}
	return commands
}

func helpGroups(commands []command) (groups []ui.KeyGroup) {
	for i := range commands {
		c := &commands[i]
		if n := len(groups); n == 0 || groups[n-1].Title != c.group {
			groups = append(groups, ui.KeyGroup{Title: c.group})
		}
		if c.caps != "" {
			lines := &groups[len(groups)-1].Lines
			*lines = append(*lines, ui.KeyHelp{Keys: c.caps, Does: c.does})
		}
	}
	return append(groups, ui.KeyGroup{Title: "Mouse", Lines: mouseHelp})
}

// among is a command of several keys. The words of caps name them, as in the help; the words Ctrl and Shift apply to
// the keys after them. Run gets the index of the pressed key.
func among(caps, does string, run func(a *app, which int)) command {
	c := command{caps: caps, does: does, run: run}
	var shift glfw.Key
	for word := range strings.FieldsSeq(caps) {
		k, named := namedKeys[word]
		switch {
		case word == "Ctrl":
			c.control = true
		case word == "Shift":
			shift = withShift
		case named:
			c.keys = append(c.keys, k|shift)
		default: // GLFW's codes of these keys are their characters
			c.keys = append(c.keys, glfw.Key(word[0])|shift)
		}
	}
	return c
}

// on is a command of one key.
func on(caps, does string, run func(a *app)) command {
	return among(caps, does, func(a *app, _ int) { run(a) })
}

// looks is a command that looks from one of several directions, as [picture.AxisDirection] numbers them.
func looks(caps, does string, from ...int) command {
	return among(caps, does, func(a *app, which int) { a.view.Look(picture.AxisDirection(from[which])) })
}

// toggle is a command that turns a switch of the state on and off.
func toggle(caps, does string, which func(s *state.State) *bool) command {
	c := on(caps, does, func(a *app) {
		on := which(&a.state)
		*on = !*on
	})
	c.isOn = func(a *app) bool { return *which(&a.state) }
	return c
}

// says has a switch say what it has done, where nothing in the window shows it.
func (c command) says(on, off string) command {
	run := c.run
	c.run = func(a *app, which int) {
		run(a, which)
		title := off
		if c.isOn(a) {
			title = on
		}
		a.desk.Notify(title, c.caps+" turns this on and off.", desk.NoticeTime)
	}
	return c
}

func (c command) or(k glfw.Key) command {
	c.keys = append(c.keys, k)
	return c
}

// each says what each of the keys does, in the order of the words of the caps.
func (c command) each(does ...string) command {
	var modifiers string
	for word := range strings.FieldsSeq(c.caps) {
		if word == "Ctrl" || word == "Shift" {
			modifiers += word + " "
		} else {
			c.parts = append(c.parts, ui.KeyHelp{Keys: modifiers + word, Does: does[len(c.parts)]})
		}
	}
	return c
}

func (c command) held() command {
	c.repeats = true
	return c
}

// namedKeys are the keys that the help names by a word or by another character than GLFW's code.
var namedKeys = map[string]glfw.Key{
	"Space": glfw.KeySpace, "Home": glfw.KeyHome, "PgUp": glfw.KeyPageUp, "PgDn": glfw.KeyPageDown, "Tab": glfw.KeyTab,
	"Esc": glfw.KeyEscape, "Del": glfw.KeyDelete, "F5": glfw.KeyF5, "F6": glfw.KeyF6, "F10": glfw.KeyF10, "F12": glfw.KeyF12,
	"+": glfw.KeyEqual, "Num1": glfw.KeyKP1, "Num3": glfw.KeyKP3, "Num5": glfw.KeyKP5, "Num7": glfw.KeyKP7,
}

var mouseHelp = []ui.KeyHelp{
	{Keys: "Left click", Does: "Pick a vertex, or a joint that is shown"},
	{Keys: "Left drag", Does: "Orbit"},
	{Keys: "Middle or Shift drag", Does: "Pan"},
	{Keys: "Wheel", Does: "Zoom to the mouse"},
	{Keys: "Right drag", Does: "On the timeline: play a part in a loop"},
	{Keys: "Double or Ctrl click", Does: "On a slider: type its number"},
}

// PressOver does what a key means to the help or a menu that is open, and reports whether it means nothing else: keys
// move in these, and change nothing behind them.
func (a *app) PressOver(k glfw.Key, mods glfw.ModifierKey) bool {
	switch {
	case mods&(glfw.ModControl|glfw.ModSuper) != 0 || k == glfw.KeyEscape:
		return false
	case a.state.Help:
		return a.pressHelp(k)
	case !a.menu.Shown() && !a.fit.MenuOpen() || k >= glfw.KeyF1 && k <= glfw.KeyF12:
		return false
	}
	switch k {
	case glfw.KeyUp, glfw.KeyDown, glfw.KeyLeft, glfw.KeyRight, glfw.KeyEnter, glfw.KeyKPEnter, glfw.KeySpace, glfw.KeyTab:
		if _, keys := a.ui.Focused(); keys {
			return false // they move in the menu
		}
		a.ui.FocusPanel(desk.PanelMenu) // the mouse has opened it
	}
	return true
}

// pressHelp is PressOver of the help.
func (a *app) pressHelp(k glfw.Key) bool {
	switch k {
	case glfw.KeyH, glfw.KeyF1, glfw.KeyF12:
		return false
	case glfw.KeyDown:
		a.helpBy += 0.1
	case glfw.KeyUp:
		a.helpBy -= 0.1
	case glfw.KeyPageDown, glfw.KeySpace:
		a.helpBy += 0.9
	case glfw.KeyPageUp:
		a.helpBy -= 0.9
	case glfw.KeyEnd:
		a.helpBy += 100 // more than there is
	case glfw.KeyHome:
		a.helpBy -= 100
	}
	return true
}

func (a *app) Press(k glfw.Key, mods glfw.ModifierKey, repeat bool) {
	if mods&glfw.ModAlt != 0 || mods&glfw.ModShift != 0 && a.runKey(k|withShift, mods, repeat) {
		return
	}
	a.runKey(k, mods, repeat)
}

// withShift marks a key that Shift gives another meaning. Others ignore it: many layouts need it for digits.
const withShift glfw.Key = 1 << 16

// runKey runs the command of a key and reports whether there was one.
func (a *app) runKey(k glfw.Key, mods glfw.ModifierKey, repeat bool) bool {
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

// escape closes one thing at a time, the topmost first. It never closes the window.
func (a *app) escape() {
	switch {
	case a.state.Help:
		a.state.Escape()
	case a.menu.Shown():
		a.menu.Close()
	case a.fit.CloseMenu():
	case a.unfocus():
	case a.loader.Loads():
		a.loader.CancelLoad()
	case a.notes.Dismiss():
	case a.state.Vertex >= 0:
		a.distances.ClearVertex()
	case a.state.Joint >= 0:
		a.pose.Pick(-1)
	}
}

// keyMenu opens or closes the menu by a key, which moves in it too.
func (a *app) keyMenu() {
	a.toggleMenu()
	if a.menu.Shown() {
		a.ui.FocusPanel(desk.PanelMenu)
	}
}

// focusNext puts the keyboard on the first item of the next panel.
func (a *app) focusNext() {
	a.state.Panels = true
	order := [...]ui.Panel{desk.PanelRight, desk.PanelBottom, desk.PanelLeft}
	now, _ := a.ui.Focused()
	at := slices.Index(order[:], now)
	for k := 1; k <= len(order); k++ {
		if next := order[(at+k)%len(order)]; a.ui.Draws(next) {
			a.ui.FocusPanel(next)
			return
		}
	}
	a.ui.FocusPanel(desk.PanelLeft) // the panels come back
}

// unfocus takes the keyboard from the items, and reports whether one had it.
func (a *app) unfocus() bool {
	_, ok := a.ui.Focused()
	if ok {
		a.ui.Unfocus()
	}
	return ok
}

// nextClip moves through the clips and wraps around at the ends.
func (a *app) nextClip(by int) {
	n := len(a.models.File.Model.Clips)
	if n == 0 {
		return
	}
	a.models.SetClip((a.state.Clip + by + n) % n)
}
