package ui

// #include "cimgui.h"
import "C"

import (
	"math"
	"unsafe"

	"github.com/AllenDang/cimgui-go/imgui"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"
)

// Color is sRGB with straight alpha, in the byte order of ImGui: 0xAABBGGRR.
type Color uint32

// rgb returns the opaque colour 0xRRGGBB.
func rgb(hex uint32) Color {
	return Color(0xff000000 | hex&0xff<<16 | hex&0xff00 | hex>>16&0xff)
}

// RGB returns an opaque colour of sRGB values.
func RGB(r, g, b uint8) Color { return Color(0xff000000 | uint32(b)<<16 | uint32(g)<<8 | uint32(r)) }

// Alpha returns the colour with opacity a, 0 to 1.
func (k Color) Alpha(a float32) Color {
	return k&0x00ffffff | Color(uint32(a*255+0.5)<<24)
}

// mix blends a share of another colour into k. The alpha of k stays.
func (k Color) mix(other Color, share float32) Color {
	out := k & 0xff000000
	for shift := 0; shift < 24; shift += 8 {
		a, b := float32(k>>shift&0xff), float32(other>>shift&0xff)
		out |= Color(a+(b-a)*share+0.5) << shift
	}
	return out
}

// The colours of the interface: neutral greys, which do not shift the eye's white point, one accent colour and two
// signal colours. [Context.SetTheme] sets all of them at once, so nothing keeps a copy from frame to frame.
var (
	ColorPanel, ColorEdge, ColorInset, ColorWidget, ColorHover, ColorHeld Color
	ColorText, ColorDim, ColorFaint                                       Color
	ColorAccent, ColorDeep, ColorDeepHover                                Color // the latter two are backgrounds
	ColorWarning, ColorError                                              Color
)

// The colours of marks over pictures, in every theme: the picture's background is a choice of its own. Light marks
// have dark edges, which keep them visible on both.
var (
	ColorWhite  = rgb(0xffffff)
	ColorBlack  = rgb(0x121417)
	ColorPicked = rgb(0x5aa9f7)
)

type Theme int

const (
	DarkTheme Theme = iota
	LightTheme
	Themes // their number
)

// palette lists the colours, each in every theme.
var palette = [...]struct {
	color *Color
	in    [Themes]Color
}{
	{&ColorPanel, [Themes]Color{rgb(0x191b1f).Alpha(0.96), rgb(0xf3f4f6).Alpha(0.96)}},
	{&ColorEdge, [Themes]Color{rgb(0x2c2f36), rgb(0xcfd4db)}},
	{&ColorInset, [Themes]Color{rgb(0x121417), rgb(0xffffff)}},
	{&ColorWidget, [Themes]Color{rgb(0x272a31), rgb(0xe2e5ea)}},
	{&ColorHover, [Themes]Color{rgb(0x31353d), rgb(0xd7dbe2)}},
	{&ColorHeld, [Themes]Color{rgb(0x3b404a), rgb(0xc4cad3)}},
	{&ColorText, [Themes]Color{rgb(0xe7e9ec), rgb(0x1b1e23)}},
	{&ColorDim, [Themes]Color{rgb(0xa0a6af), rgb(0x4b515a)}},
	{&ColorFaint, [Themes]Color{rgb(0x868d98), rgb(0x656b75)}},
	{&ColorAccent, [Themes]Color{rgb(0x5aa9f7), rgb(0x1766b8)}},
	{&ColorDeep, [Themes]Color{rgb(0x1d3c5e), rgb(0xc7def7)}},
	{&ColorDeepHover, [Themes]Color{rgb(0x27507d), rgb(0xb0d0f2)}},
	{&ColorWarning, [Themes]Color{rgb(0xe9b650), rgb(0x7a4f00)}},
	{&ColorError, [Themes]Color{rgb(0xf2695e), rgb(0xb3261e)}},
}

// SetTheme gives the interface the colours of a theme, between frames.
func (c *Context) SetTheme(t Theme) {
	if t == c.theme {
		return
	}
	c.theme = t
	for _, k := range &palette {
		*k.color = k.in[t]
	}
	c.applyTheme()
}

// luminance returns the relative luminance of an opaque colour, 0 to 1 (WCAG 2.2).
func (k Color) luminance() (sum float64) {
	for i, share := range [...]float64{0.2126, 0.7152, 0.0722} {
		v := float64(k>>(8*i)&0xff) / 255
		if v <= 0.04045 {
			sum += share * v / 12.92
		} else {
			sum += share * math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return sum
}

// Contrast returns the contrast ratio of two opaque colours, 1 to 21 (WCAG 2.2).
func Contrast(a, b Color) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// The least contrast of text, and of lines, marks, large and purposely dim text (WCAG 2.2, 1.4.3 and 1.4.11).
const (
	TextContrast   = 4.5
	StrokeContrast = 3
)

// readable returns the colour of data, such as a curve, mixed with that of text until it has a contrast with a surface.
func (k Color) readable(surface Color, least float64) Color {
	out := k
	for share := float32(0.1); share < 1 && Contrast(out, surface) < least; share += 0.1 {
		out = k.mix(ColorText, share)
	}
	return out
}

// typeface indexes Context.fonts.
type typeface int

const (
	fontRegular typeface = iota
	fontMedium
	fontCount
)

type Style struct {
	font typeface
	size float32
}

// The type scale. All digits of a font have the same width, so numbers do not jitter.
var (
	Body    = Style{fontRegular, 14}
	Strong  = Style{fontMedium, 14}
	Small   = Style{fontRegular, 12}
	Label   = Style{fontMedium, 11} // headings of groups, in capitals
	Title   = Style{fontMedium, 17}
	Display = Style{fontMedium, 34}
)

// fontReference is the size in pixels at which the sizes of added fonts are given. No text has this size.
const fontReference = 16

// loadFonts gives ImGui the Go fonts (Bigelow and Holmes, BSD licence), which are embedded in the program. ImGui
// rasterises them at the size and pixel density of each text.
func (c *Context) loadFonts(io *imgui.IO) {
	for i, ttf := range [fontCount][]byte{goregular.TTF, gomedium.TTF} {
		config := imgui.NewFontConfig()
		config.SetSizePixels(fontReference)
		f := io.Fonts().AddFontFromMemoryTTFV(fontMemory(ttf), int32(len(ttf)), 0, config, nil)
		config.Destroy()
		c.fonts[i] = (*C.ImFont)(unsafe.Pointer(f.CData))
	}
}

// fontMemory copies a font for the atlas with ImGui's allocator, by which the atlas frees it.
func fontMemory(ttf []byte) uintptr {
	data := C.igMemAlloc(C.size_t(len(ttf)))
	copy(unsafe.Slice((*byte)(data), len(ttf)), ttf)
	return uintptr(data)
}

// applyTheme sets the style of the few things that ImGui itself draws, such as panels and the scroll bar.
func (c *Context) applyTheme() {
	s := imgui.CurrentStyle()
	s.SetWindowPadding(imgui.Vec2{})
	s.SetWindowRounding(0)
	s.SetWindowBorderSize(0)
	s.SetWindowMinSize(imgui.Vec2{X: 1, Y: 1})
	s.SetChildBorderSize(0)
	s.SetItemSpacing(imgui.Vec2{})
	s.SetFrameRounding(c.Px(4))
	s.SetScrollbarSize(c.Px(10))
	s.SetScrollbarRounding(c.Px(5))
	scaleGizmo(c.scale)
	colors := s.Colors()
	for _, k := range []struct {
		index imgui.Col
		color Color
	}{
		{imgui.ColWindowBg, 0},
		{imgui.ColChildBg, 0},
		{imgui.ColText, ColorText},
		{imgui.ColTextSelectedBg, ColorDeep},
		{imgui.ColFrameBg, ColorInset},
		{imgui.ColFrameBgHovered, ColorInset},
		{imgui.ColFrameBgActive, ColorInset},
		{imgui.ColNavCursor, 0},
		{imgui.ColScrollbarBg, 0},
		{imgui.ColScrollbarGrab, ColorWidget},
		{imgui.ColScrollbarGrabHovered, ColorHover},
		{imgui.ColScrollbarGrabActive, ColorHeld},
	} {
		colors[k.index] = vec4(k.color)
	}
	s.SetColors(&colors)
}

func vec4(k Color) imgui.Vec4 {
	return imgui.Vec4{
		X: float32(k&0xff) / 255, Y: float32(k>>8&0xff) / 255, Z: float32(k>>16&0xff) / 255, W: float32(k>>24) / 255,
	}
}
