// Package window opens a GLFW window with a current OpenGL context. It keeps what the window's callbacks last reported
// and the window's place for the next run, and lets other goroutines wake the loop.
package window

import (
	"fmt"
	"runtime"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/ui"
	"skinlab/render/viewer/settings"
)

// Window is the GLFW window with what its callbacks last said. Sizes are kept here because asking GLFW for them each
// frame would allocate.
type Window struct {
	*glfw.Window
	Width, Height    float32 // logical pixels
	PixelsX, PixelsY int     // framebuffer
	ContentX         float32 // the monitor's content scale
	leastScale       float32 // see unscaledMonitor
	cursors          [3]*glfw.Cursor
	cursor           ui.Cursor
	RefreshPerSecond float64
	Place            settings.Window // for the next time
	given            [2]float32      // the size that the caller asked for; zero for none
}

// Sizes of a new window in logical pixels at 96 dpi, and the least to which it can be made.
const (
	defaultWidth, defaultHeight = 1440, 900
	minWidth, minHeight         = 480, 360
)

// Title stands behind the model's name.
const Title = "skinlab"

// Open makes a window with a current OpenGL 4.1 core context, for finding errors where debug is set. A size of 0 takes
// the size of the settings, where they have one. [Start] must have been called.
func Open(width, height int, debug bool, kept *settings.Settings) (*Window, error) {
	glfw.DefaultWindowHints()
	glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
	glfw.WindowHint(glfw.OpenGLForwardCompatible, glfw.True)
	if debug {
		glfw.WindowHint(glfw.OpenGLDebugContext, glfw.True)
	}
	// The renderer multisamples and encodes to sRGB itself, offscreen, so that a window and a headless picture are the
	// same.
	glfw.WindowHint(glfw.Samples, 0)
	glfw.WindowHint(glfw.SRGBCapable, glfw.False)
	glfw.WindowHint(glfw.DepthBits, 0)
	glfw.WindowHint(glfw.StencilBits, 0)
	glfw.WindowHint(glfw.CocoaGraphicsSwitching, glfw.True)
	w := &Window{RefreshPerSecond: 60, leastScale: 0.5}
	if m := glfw.GetPrimaryMonitor(); m != nil {
		w.leastScale = unscaledMonitor(m)
		if v := m.GetVideoMode(); v != nil && v.RefreshRate > 0 {
			w.RefreshPerSecond = float64(v.RefreshRate)
		}
		sized := width > 0 && height > 0
		if kept != nil {
			w.Place = kept.Window
		}
		if sized {
			w.given = [2]float32{float32(width), float32(height)}
		} else if w.Place.Width > 0 {
			_, _, workW, workH := m.GetWorkarea()
			width, height = min(w.Place.Width, max(workW, minWidth)), min(w.Place.Height, max(workH, minHeight))
		} else {
			width, height = fitMonitor(m)
		}
	}
	if width <= 0 || height <= 0 {
		width, height = defaultWidth, defaultHeight
	}
	win, err := createWindow(width, height)
	if err != nil {
		return nil, fmt.Errorf("no window with OpenGL 4.1: %w", err)
	}
	w.Window = win
	if w.Place.Width > 0 && w.given[0] == 0 {
		w.restorePlace(&w.Place)
	}
	win.SetSizeLimits(minWidth, minHeight, glfw.DontCare, glfw.DontCare)
	win.MakeContextCurrent()
	glfw.SwapInterval(1)
	if err := gl.InitWithProcAddrFunc(glfw.GetProcAddress); err != nil {
		win.Destroy()
		return nil, fmt.Errorf("OpenGL 4.1 functions: %w", err)
	}
	lw, lh := win.GetSize()
	w.Width, w.Height = float32(lw), float32(lh)
	w.PixelsX, w.PixelsY = win.GetFramebufferSize()
	w.ContentX, _ = win.GetContentScale()
	w.cursors[ui.CursorHand] = glfw.CreateStandardCursor(glfw.HandCursor)
	w.cursors[ui.CursorResizeX] = glfw.CreateStandardCursor(glfw.HResizeCursor)
	return w, nil
}

// createWindow asks for the highest version of OpenGL first: some drivers give exactly the version that is asked for,
// and compute stages need 4.3. OpenGL 4.1 is the least, and the highest on macOS.
func createWindow(width, height int) (win *glfw.Window, err error) {
	defer func() { // GLFW's binding panics on errors that it does not expect: of a display without OpenGL, for one
		switch failed := recover().(type) {
		case nil:
		case *glfw.Error:
			err = failed
		default:
			panic(failed)
		}
	}()
	glfw.WindowHint(glfw.ContextVersionMajor, 4)
	for _, minor := range []int{6, 5, 3, 1} {
		glfw.WindowHint(glfw.ContextVersionMinor, minor)
		win, err = glfw.CreateWindow(width, height, Title, nil, nil)
		if err == nil {
			return win, nil
		}
	}
	return nil, err
}

// unscaledMonitor returns the least scale of the interface on a monitor. It is 2 on a monitor of 4K or more that
// reports scale 1, which X reports if Xft.dpi is not set. Text of 14 pixels cannot be read there.
func unscaledMonitor(m *glfw.Monitor) float32 {
	scale, _ := m.GetContentScale()
	if v := m.GetVideoMode(); v != nil && v.Height >= 2000 && scale <= 1 {
		return 2
	}
	return 0.5
}

// fitMonitor returns the default size at the monitor's scale, smaller where the monitor's work area is.
func fitMonitor(m *glfw.Monitor) (width, height int) {
	scale, _ := m.GetContentScale()
	_, _, workW, workH := m.GetWorkarea()
	scale = max(scale, unscaledMonitor(m))
	if runtime.GOOS == "darwin" {
		scale = 1 // sizes are in scaled units there
	}
	width, height = int(defaultWidth*scale), int(defaultHeight*scale)
	if workW > 0 && workH > 0 {
		width, height = min(width, workW*9/10), min(height, workH*9/10)
	}
	return width, height
}

func (w *Window) Delete() {
	if w == nil || w.Window == nil {
		return
	}
	for _, c := range w.cursors {
		if c != nil {
			c.Destroy()
		}
	}
	w.Destroy()
	w.Window = nil
}

// Density returns framebuffer pixels per logical pixel.
func (w *Window) Density() (x, y float32) {
	if w.Width <= 0 || w.Height <= 0 || w.PixelsX <= 0 || w.PixelsY <= 0 {
		return 1, 1
	}
	return float32(w.PixelsX) / w.Width, float32(w.PixelsY) / w.Height
}

// UIScale returns logical pixels per design pixel: the content scale, less what the window system scales by itself.
func (w *Window) UIScale() float32 {
	x, _ := w.Density()
	return max(w.ContentX, w.leastScale) / x
}

// ShowCursor changes the pointer's shape where it is not that already.
func (w *Window) ShowCursor(c ui.Cursor) {
	if c != w.cursor {
		w.cursor = c
		w.SetCursor(w.cursors[c])
	}
}

// TrackPlace remembers where the window is while it is neither maximised nor minimised.
func (w *Window) TrackPlace() {
	if w.given == [2]float32{w.Width, w.Height} {
		return // the command line's, for this time alone
	}
	w.Place.Maximised = w.GetAttrib(glfw.Maximized) == glfw.True
	if w.Place.Maximised || w.GetAttrib(glfw.Iconified) == glfw.True {
		return
	}
	if w.Width > 0 && w.Height > 0 {
		w.Place.Width, w.Place.Height = int(w.Width), int(w.Height)
	}
	w.Place.X, w.Place.Y = w.GetPos()
	w.Place.Placed = true
}

// restorePlace puts the window where it was, where that is still on a monitor.
func (w *Window) restorePlace(p *settings.Window) {
	const seen = 64 // of the window's top edge, in the window system's units: enough to take hold of it
	for _, m := range glfw.GetMonitors() {
		x, y, width, height := m.GetWorkarea()
		if p.Placed && p.X+p.Width >= x+seen && p.X <= x+width-seen && p.Y >= y && p.Y <= y+height-seen {
			w.SetPos(p.X, p.Y)
			break
		}
	}
	if p.Maximised {
		w.Maximize()
	}
}
