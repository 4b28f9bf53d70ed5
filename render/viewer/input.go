package viewer

import (
	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/ui"
	"skinlab/render/viewer/state"
)

// drag is the effect of a mouse button that is held over the picture.
type drag int

const (
	dragNone drag = iota
	dragOrbit
	dragPan
	dragGizmo // the gizmo has the mouse or is being asked whether it wants it
)

// framesAfterInput is the number of frames drawn after an event. The interface sees a press and its release in separate
// frames, and shows their effect in the next.
const framesAfterInput = 4

// wake draws the next few frames.
func (a *app) wake() { a.loop.framesLeft = framesAfterInput }

// listen connects the window's callbacks. They run inside PollEvents and WaitEvents, on the main goroutine.
func (a *app) listen() {
	w := a.win
	w.SetSizeCallback(func(_ *glfw.Window, width, height int) {
		w.Width, w.Height = float32(width), float32(height)
		w.TrackPlace()
		a.wake()
	})
	w.SetPosCallback(func(*glfw.Window, int, int) { w.TrackPlace() })
	w.SetMaximizeCallback(func(*glfw.Window, bool) { w.TrackPlace() })
	w.SetFramebufferSizeCallback(func(_ *glfw.Window, width, height int) {
		w.PixelsX, w.PixelsY = width, height
		a.wake()
	})
	w.SetContentScaleCallback(func(_ *glfw.Window, x, _ float32) {
		w.ContentX = x
		a.wake()
	})
	w.SetRefreshCallback(func(*glfw.Window) { a.wake() })
	w.SetFocusCallback(func(_ *glfw.Window, focused bool) {
		a.ui.Focus(focused)
		if !focused {
			a.leaveGizmo()
			a.mouse.drag = dragNone
		}
		a.wake()
	})
	w.SetCursorEnterCallback(func(_ *glfw.Window, entered bool) {
		if !entered && a.mouse.drag == dragNone {
			a.ui.MouseLeft()
		}
		a.wake()
	})
	w.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) { a.mouseMoved(float32(x), float32(y)) })
	w.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, action glfw.Action, mods glfw.ModifierKey) {
		a.mouseButton(b, action == glfw.Press, mods)
	})
	w.SetScrollCallback(func(_ *glfw.Window, x, y float64) { a.mouseWheel(float32(x), float32(y)) })
	w.SetKeyCallback(func(_ *glfw.Window, k glfw.Key, scancode int, action glfw.Action, mods glfw.ModifierKey) {
		a.key(k, scancode, action, mods)
	})
	w.SetCharCallback(func(_ *glfw.Window, r rune) {
		if a.ui.Typing() {
			a.ui.Character(r)
			a.wake()
		}
	})
	w.SetDropCallback(func(_ *glfw.Window, paths []string) { a.drop(paths) })
	w.SetCloseCallback(func(*glfw.Window) { a.wake() })
	w.TrackPlace()
}

func (a *app) mouseMoved(x, y float32) {
	dx, dy := x-a.view.MouseX, y-a.view.MouseY
	a.view.MouseX, a.view.MouseY = x, y
	a.wake()
	a.movedPress()
	switch a.mouse.drag {
	case dragOrbit:
		// The turn depends on the distance of the hand, not on the number of pixels.
		a.view.Camera.Orbit(dx/a.layout.scale, dy/a.layout.scale)
		return
	case dragPan:
		a.view.Camera.Pan(dx, dy, a.view.Pane(0).Whole.H)
		a.view.Leave()
		return
	}
	a.ui.MouseMoved(x, y)
}

func (a *app) mouseButton(b glfw.MouseButton, down bool, mods glfw.ModifierKey) {
	a.wake()
	index := buttonNumber(b)
	if index < 0 {
		return
	}
	if !down {
		if a.mouse.drag != dragNone && b == a.mouse.button {
			was := a.mouse.drag
			a.mouse.drag = dragNone
			if was == dragGizmo {
				a.ui.MouseButton(index, false, false)
			}
			a.ui.MouseMoved(a.view.MouseX, a.view.MouseY)
			if b == glfw.MouseButtonLeft && was != dragPan && !a.mouse.pressed.moved && !a.skeleton.Gizmo.Over {
				a.click(a.view.MouseX, a.view.MouseY)
			}
			return
		}
		a.ui.MouseButton(index, false, false)
		return
	}
	if a.mouse.drag != dragNone {
		return // only one drag at a time
	}
	if a.ui.Busy() || a.ui.Covers(a.view.MouseX, a.view.MouseY) {
		a.ui.MouseButton(index, true, mods&(glfw.ModControl|glfw.ModSuper) != 0)
		return
	}
	a.ui.StopTyping()
	a.state.Activate(a.view.PaneAt(a.view.MouseX, a.view.MouseY))
	a.mouse.button = b
	a.mouse.pressed = press{x: a.view.MouseX, y: a.view.MouseY}
	if b == glfw.MouseButtonLeft && a.skeleton.Press(a.view.MouseX, a.view.MouseY) {
		a.mouse.drag = dragGizmo
		a.ui.MouseButton(index, true, false)
		return
	}
	if b == glfw.MouseButtonLeft && mods&glfw.ModShift == 0 {
		a.mouse.drag = dragOrbit
	} else {
		a.mouse.drag = dragPan
	}
}

// buttonNumber returns the interface's number of a button: 0 left, 1 right, 2 middle, −1 any other.
func buttonNumber(b glfw.MouseButton) int {
	switch b {
	case glfw.MouseButtonLeft:
		return 0
	case glfw.MouseButtonRight:
		return 1
	case glfw.MouseButtonMiddle:
		return 2
	}
	return -1
}

func (a *app) mouseWheel(x, y float32) {
	a.wake()
	if a.ui.Covers(a.view.MouseX, a.view.MouseY) {
		a.ui.MouseWheel(x, y)
		return
	}
	a.view.Zoom(y)
}

func (a *app) key(k glfw.Key, scancode int, action glfw.Action, mods glfw.ModifierKey) {
	if action == glfw.Release {
		return
	}
	a.wake()
	k = layoutKey(k, glfw.GetKeyName(k, scancode))
	if a.saver.Key(k, action == glfw.Repeat) {
		return
	}
	if a.palette.Shown() {
		if a.palette.Key(k) || a.edit(k, mods) {
			return
		}
		if mods&(glfw.ModControl|glfw.ModSuper) != 0 { // function keys leave it open
			if a.palette.Close(); k == glfw.KeyP {
				return
			}
		}
	}
	if own := a.files.dialogs.Own; own.Shown() {
		if !own.Key(k) {
			a.edit(k, mods)
		}
		return
	}
	if a.ui.Typing() && a.edit(k, mods) {
		return
	}
	a.command(k, mods, action == glfw.Repeat)
}

// editKeys are the keys that text fields know. Letters need Control.
var editKeys = map[glfw.Key]ui.EditKey{
	glfw.KeyLeft: ui.EditLeft, glfw.KeyRight: ui.EditRight, glfw.KeyHome: ui.EditHome, glfw.KeyEnd: ui.EditEnd,
	glfw.KeyDelete: ui.EditDelete, glfw.KeyBackspace: ui.EditBackspace, glfw.KeyEnter: ui.EditEnter,
	glfw.KeyKPEnter: ui.EditEnter,
	glfw.KeyEscape:  ui.EditEscape, glfw.KeyA: ui.EditAll, glfw.KeyC: ui.EditCopy, glfw.KeyX: ui.EditCut,
	glfw.KeyZ: ui.EditUndo,
}

// edit passes a key to the text field that has the keyboard. It returns false for keys with Control that have no
// meaning in a field, and for function keys: those are commands.
func (a *app) edit(k glfw.Key, mods glfw.ModifierKey) bool {
	control := mods&(glfw.ModControl|glfw.ModSuper) != 0
	if control && k == glfw.KeyV {
		for _, r := range a.win.GetClipboardString() {
			if r >= ' ' {
				a.ui.Character(r)
			}
		}
		return true
	}
	letter := k >= glfw.KeyA && k <= glfw.KeyZ
	if e, ok := editKeys[k]; ok && (control || !letter) {
		a.ui.EditKey(e, control, mods&glfw.ModShift != 0)
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
	case c == ',':
		return glfw.KeyComma
	case c == '.':
		return glfw.KeyPeriod
	case c == '[':
		return glfw.KeyLeftBracket
	case c == ']':
		return glfw.KeyRightBracket
	case c == '\\':
		return glfw.KeyBackslash
	}
	return k
}

// clickSlack is how far the mouse may move between press and release of a click, design pixels. If it moves farther, it
// is a drag.
const clickSlack = 4

// press is the place where a button was pressed over the picture.
type press struct {
	x, y  float32
	moved bool // too far for a click
}

// movedPress records whether the mouse has moved too far from the press for a click.
func (a *app) movedPress() {
	dx, dy := a.view.MouseX-a.mouse.pressed.x, a.view.MouseY-a.mouse.pressed.y
	if slack := a.ui.Px(clickSlack); dx*dx+dy*dy > slack*slack {
		a.mouse.pressed.moved = true
	}
}

// click is a press and release of the left button at one place of the picture. It picks the bone or the vertex at that
// place.
func (a *app) click(x, y float32) {
	if a.crowd.On() {
		return
	}
	if a.seesPage(state.TabHelpers) && a.fitted != nil && a.fitted.Hovered >= 0 {
		a.helpers.ChooseJoint(a.fitted.Joints[a.fitted.Hovered])
		return
	}
	if i := a.skeleton.BoneUnder(x, y); i >= 0 {
		a.pose.Pick(i)
		return
	}
	a.pickSkin(x, y)
}
