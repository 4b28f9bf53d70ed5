// Package input takes the mouse and the keys of the window: the mouse turns and moves the camera, or goes to the
// interface; a key goes to whatever has the keyboard, else it is a command.
package input

import (
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/files"
	"skinlab/render/viewer/palette"
	"skinlab/render/viewer/saver"
	"skinlab/render/viewer/skeleton"
	"skinlab/render/viewer/view"
	"skinlab/render/viewer/window"
)

// Input hands what the mouse and the keys do to the parts of the window.
type Input struct {
	Desk     *desk.Desk
	Window   *window.Window
	View     *view.View
	Skeleton *skeleton.Overlay
	Saver    *saver.Saver
	Palette  *palette.Palette
	Path     *files.PathField
	Host     Host

	pressed press
	drag    drag
	button  glfw.MouseButton // of the drag
}

// Host is what input needs of the window.
type Host interface {
	Press(k glfw.Key, mods glfw.ModifierKey, repeat bool) // runs the command of a key
	PressOver(k glfw.Key, mods glfw.ModifierKey) bool     // does what a key means to the open help or menu alone
	Click(x, y float32)                                   // picks what is at a place of the picture
	Drop(paths []string)                                  // loads files that are dropped on the window
}

// drag is the effect of a mouse button that is held over the picture.
type drag int

const (
	dragNone drag = iota
	dragOrbit
	dragPan
	dragGizmo // the gizmo has the mouse or is being asked whether it wants it
)

// Drags reports whether a button is held over the picture, and Gizmo whether the gizmo has it.
func (n *Input) Drags() bool { return n.drag != dragNone }
func (n *Input) Gizmo() bool { return n.drag == dragGizmo }

func (n *Input) Release() { n.drag = dragNone }

// LeaveGizmo gives the picture a press that the gizmo does not want.
func (n *Input) LeaveGizmo() {
	if n.drag == dragGizmo {
		n.Desk.UI.MouseButton(0, false, false)
		n.drag = dragOrbit
	}
}

// Listen connects the window's callbacks. They run inside PollEvents and WaitEvents, on the main goroutine.
func (n *Input) Listen() {
	w := n.Window
	w.SetSizeCallback(func(_ *glfw.Window, width, height int) {
		w.Width, w.Height = float32(width), float32(height)
		w.TrackPlace()
		n.Desk.Wake()
	})
	w.SetPosCallback(func(*glfw.Window, int, int) { w.TrackPlace() })
	w.SetMaximizeCallback(func(*glfw.Window, bool) { w.TrackPlace() })
	w.SetFramebufferSizeCallback(func(_ *glfw.Window, width, height int) {
		w.PixelsX, w.PixelsY = width, height
		n.Desk.Wake()
	})
	w.SetContentScaleCallback(func(_ *glfw.Window, x, _ float32) {
		w.ContentX = x
		n.Desk.Wake()
	})
	w.SetRefreshCallback(func(*glfw.Window) { n.Desk.Wake() })
	w.SetFocusCallback(func(_ *glfw.Window, focused bool) {
		n.Desk.UI.Focus(focused)
		if !focused {
			n.LeaveGizmo()
			n.Release()
		}
		n.Desk.Wake()
	})
	w.SetCursorEnterCallback(func(_ *glfw.Window, entered bool) {
		if !entered && n.drag == dragNone {
			n.Desk.UI.MouseLeft()
		}
		n.Desk.Wake()
	})
	w.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) { n.MouseMoved(float32(x), float32(y)) })
	w.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, action glfw.Action, mods glfw.ModifierKey) {
		n.MouseButton(b, action == glfw.Press, mods)
	})
	w.SetScrollCallback(func(_ *glfw.Window, x, y float64) { n.mouseWheel(float32(x), float32(y)) })
	w.SetKeyCallback(func(_ *glfw.Window, k glfw.Key, scancode int, action glfw.Action, mods glfw.ModifierKey) {
		n.Key(k, scancode, action, mods)
	})
	w.SetCharCallback(func(_ *glfw.Window, r rune) {
		if n.Desk.UI.TakesText() {
			n.Desk.UI.Character(r)
			n.Desk.Wake()
		}
	})
	w.SetDropCallback(func(_ *glfw.Window, paths []string) { n.Host.Drop(paths) })
	w.SetCloseCallback(func(*glfw.Window) { n.Desk.Wake() })
	w.TrackPlace()
}

// MouseMoved takes a place of the mouse, logical pixels.
func (n *Input) MouseMoved(x, y float32) {
	dx, dy := x-n.View.MouseX, y-n.View.MouseY
	n.View.MouseX, n.View.MouseY = x, y
	n.Desk.Wake()
	fromX, fromY, slack := x-n.pressed.x, y-n.pressed.y, n.Desk.UI.Px(clickSlack)
	n.pressed.moved = n.pressed.moved || fromX*fromX+fromY*fromY > slack*slack
	switch n.drag {
	case dragOrbit:
		// The turn depends on the distance of the hand, not on the number of pixels.
		n.View.Camera.Orbit(dx/n.Desk.UI.Scale(), dy/n.Desk.UI.Scale())
		return
	case dragPan:
		n.View.Camera.Pan(dx, dy, n.View.Pane(0).Whole.H)
		n.View.Leave()
		return
	}
	n.Desk.UI.MouseMoved(x, y)
}

func (n *Input) MouseButton(b glfw.MouseButton, down bool, mods glfw.ModifierKey) {
	n.Desk.Wake()
	index := int(b) // GLFW numbers them as the interface does: left, right, middle
	if b > glfw.MouseButtonMiddle {
		return
	}
	if !down {
		if n.drag != dragNone && b == n.button {
			was := n.drag
			n.drag = dragNone
			if was == dragGizmo {
				n.Desk.UI.MouseButton(index, false, false)
			}
			n.Desk.UI.MouseMoved(n.View.MouseX, n.View.MouseY)
			if b == glfw.MouseButtonLeft && was != dragPan && !n.pressed.moved && !n.Skeleton.Gizmo.Over {
				n.Host.Click(n.View.MouseX, n.View.MouseY)
			}
			return
		}
		n.Desk.UI.MouseButton(index, false, false)
		return
	}
	if n.drag != dragNone {
		return // only one drag at a time
	}
	if n.Desk.UI.Busy() || n.Desk.UI.Covers(n.View.MouseX, n.View.MouseY) {
		n.Desk.UI.MouseButton(index, true, mods&(glfw.ModControl|glfw.ModSuper) != 0)
		return
	}
	n.Desk.UI.StopTyping()
	n.Desk.State.Activate(n.View.PaneAt(n.View.MouseX, n.View.MouseY))
	n.button = b
	n.pressed = press{x: n.View.MouseX, y: n.View.MouseY}
	if b == glfw.MouseButtonLeft && n.Skeleton.Press(n.View.MouseX, n.View.MouseY) {
		n.drag = dragGizmo
		n.Desk.UI.MouseButton(index, true, false)
		return
	}
	if b == glfw.MouseButtonLeft && mods&glfw.ModShift == 0 {
		n.drag = dragOrbit
	} else {
		n.drag = dragPan
	}
}

func (n *Input) mouseWheel(x, y float32) {
	n.Desk.Wake()
	if n.Desk.UI.Covers(n.View.MouseX, n.View.MouseY) {
		n.Desk.UI.MouseWheel(x, y)
		return
	}
	n.View.Zoom(y)
}

// clickSlack is how far the mouse may move between press and release of a click, and not a drag, design pixels.
const clickSlack = 4

// press is the place where a button was pressed over the picture.
type press struct {
	x, y  float32
	moved bool // too far for a click
}

func (n *Input) Key(k glfw.Key, scancode int, action glfw.Action, mods glfw.ModifierKey) {
	if action == glfw.Release {
		return
	}
	n.Desk.Wake()
	n.Desk.UI.KeyPressed()
	k = layoutKey(k, glfw.GetKeyName(k, scancode))
	if n.Saver.Asked() != "" {
		n.answer(k, mods, action == glfw.Repeat)
		return
	}
	if n.Palette.Shown() {
		if n.Palette.Key(k) || n.edit(k, mods) {
			return
		}
		if mods&(glfw.ModControl|glfw.ModSuper) != 0 { // function keys leave it open
			n.Palette.Close()
			if k == glfw.KeyP {
				return
			}
		}
	}
	if n.Path.Shown() {
		if !n.Path.Key(k) {
			n.edit(k, mods)
		}
		return
	}
	if n.Host.PressOver(k, mods) {
		return
	}
	if n.Desk.UI.TakesText() && n.edit(k, mods) || n.walk(k, mods) {
		return
	}
	n.Host.Press(k, mods, action == glfw.Repeat)
}

// editKeys are the keys that text fields know. Letters need Control.
var editKeys = map[glfw.Key]ui.EditKey{
	glfw.KeyLeft: ui.EditLeft, glfw.KeyRight: ui.EditRight, glfw.KeyHome: ui.EditHome, glfw.KeyEnd: ui.EditEnd,
	glfw.KeyDelete: ui.EditDelete, glfw.KeyBackspace: ui.EditBackspace, glfw.KeyEnter: ui.EditEnter,
	glfw.KeyKPEnter: ui.EditEnter,
	glfw.KeyEscape:  ui.EditEscape, glfw.KeyA: ui.EditAll, glfw.KeyC: ui.EditCopy, glfw.KeyX: ui.EditCut,
	glfw.KeyZ: ui.EditUndo, glfw.KeyTab: ui.EditTab,
}

// walkKeys are the keys that move from item to item and press one.
var walkKeys = map[glfw.Key]ui.EditKey{
	glfw.KeyLeft: ui.EditLeft, glfw.KeyRight: ui.EditRight, glfw.KeyUp: ui.EditUp, glfw.KeyDown: ui.EditDown,
	glfw.KeyEnter: ui.EditEnter, glfw.KeyKPEnter: ui.EditEnter, glfw.KeySpace: ui.EditEnter, glfw.KeyTab: ui.EditTab,
}

// walk passes a key to the items of the panel that has the keyboard, and reports whether it means something there.
func (n *Input) walk(k glfw.Key, mods glfw.ModifierKey) bool {
	e, ok := walkKeys[k]
	if _, focused := n.Desk.UI.Focused(); !focused || !ok || mods&(glfw.ModControl|glfw.ModSuper) != 0 {
		return false
	}
	n.Desk.UI.EditKey(e, false, mods&glfw.ModShift != 0)
	return true
}

// answer passes a key to the open question. Tab and arrows go to its buttons, which Return presses only then: it may be
// the second press of Return in the field of a path. Other keys are those of its answers.
func (n *Input) answer(k glfw.Key, mods glfw.ModifierKey, repeat bool) {
	if k == glfw.KeyTab { // the first answer stands at the right
		k = glfw.KeyLeft
		if mods&glfw.ModShift != 0 {
			k = glfw.KeyRight
		}
	}
	e, walks := walkKeys[k]
	panel, focused := n.Desk.UI.Focused()
	switch focused = focused && panel == desk.PanelQuestion; {
	case !walks:
		n.Saver.Key(k, repeat)
	case focused && (e != ui.EditEnter || !repeat):
		n.walk(k, mods)
	case e != ui.EditEnter:
		n.Desk.UI.FocusPanel(desk.PanelQuestion)
	}
}

// edit passes a key to the text field that has the keyboard. It returns false for keys with Control that have no
// meaning in a field, and for function keys: those are commands.
func (n *Input) edit(k glfw.Key, mods glfw.ModifierKey) bool {
	control := mods&(glfw.ModControl|glfw.ModSuper) != 0
	if control && k == glfw.KeyV {
		for _, r := range n.Window.GetClipboardString() {
			if r >= ' ' {
				n.Desk.UI.Character(r)
			}
		}
		return true
	}
	letter := k >= glfw.KeyA && k <= glfw.KeyZ
	if e, ok := editKeys[k]; ok && (control || !letter) {
		n.Desk.UI.EditKey(e, control, mods&glfw.ModShift != 0)
		return true
	}
	return !control && !(k >= glfw.KeyF1 && k <= glfw.KeyF25)
}

// layoutKey returns the key with a letter, comma or period on the user's keyboard layout. GLFW names keys by their
// position on an American keyboard. Digits keep that position, because French layouts need Shift for them.
func layoutKey(k glfw.Key, name string) glfw.Key {
	if len(name) != 1 {
		return k
	}
	switch c := name[0]; {
	case c >= 'a' && c <= 'z':
		return glfw.KeyA + glfw.Key(c-'a')
	case strings.IndexByte(",.[]\\", c) >= 0:
		return glfw.Key(c) // GLFW's codes of these keys are their characters
	}
	return k
}
