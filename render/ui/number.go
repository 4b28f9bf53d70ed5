package ui

// #include "cimgui.h"
//
// extern bool igDragScalar(const char *label, int type, void *value, float speed, const void *least, const void *most,
// 	const char *format, int flags);
// extern bool igTempInputIsActive(unsigned id);
// extern unsigned igGetItemID(void);
// extern void igPushStyleColor_U32(int index, ImU32);
// extern void igPopStyleColor(int);
//
// // skNumber is a number that is dragged or typed; both are of the library, so the value passes through memory of
// // C's kind.
// typedef struct { double value; bool changed, begun, held, ended, typing; } skNumber;
//
// static inline void skDrag(skNumber *n, int id, float x, float y, float w, float pad, float speed,
// 	const char *format, ImFont *font,
// 	float size, ImU32 fill, ImU32 over) {
// 	enum { DOUBLE = 9, FRAME_PADDING = 11, FRAME_BG = 7, NO_ROUND = 1 << 6 };
// 	igSetCursorScreenPos((ImVec2){x, y});
// 	igSetNextItemWidth(w);
// 	igPushFont(font, size);
// 	igPushStyleVar_Vec2(FRAME_PADDING, (ImVec2){pad, pad});
// 	igPushStyleColor_U32(FRAME_BG, fill);
// 	igPushStyleColor_U32(FRAME_BG + 1, over);
// 	igPushStyleColor_U32(FRAME_BG + 2, over);
// 	igPushID_Int(id);
// 	n->changed = igDragScalar("##number", DOUBLE, &n->value, speed, NULL, NULL, format, NO_ROUND);
// 	n->begun = igIsItemActivated();
// 	n->held = igIsItemActive();
// 	n->ended = igIsItemDeactivated();
// 	n->typing = n->held && igTempInputIsActive(igGetItemID());
// 	igPopID();
// 	igPopStyleColor(3);
// 	igPopStyleVar(1);
// 	igPopFont();
// }
import "C"

import (
	"math"
	"unsafe"

	"github.com/AllenDang/cimgui-go/imgui"
)

// numberState is what passes between Go and the library, kept so that no frame allocates it.
type numberState struct{ c C.skNumber }

// Number is what became of a number that a person drags or types.
type Number struct {
	Value   float64
	Changed bool // it differs from what was given
	Begun   bool // in this frame
	Held    bool // dragged or typed
}

// numberFormats are zero-terminated: C reads them directly.
var numberFormats = [...]string{"%.0f\x00", "%.1f\x00", "%.2f\x00", "%.3f\x00", "%.4f\x00"}

// Number draws a number that is dragged sideways by so much a logical pixel, or typed after a click. A bar of ink at
// its left says which of several it is. A value that is not finite is not taken.
func (c *Context) Number(id int, r Rect, value, perPixel float64, decimals int, ink Color) Number {
	c.Place(id, r)
	n := &c.number.c
	n.value = C.double(value)
	size := c.size(Body)
	pad := max(round((r.H-size)/2), 0)
	format := (*C.char)(unsafe.Pointer(unsafe.StringData(numberFormats[min(max(decimals, 0), len(numberFormats)-1)])))
	C.skDrag(n, C.int(id), C.float(r.X), C.float(r.Y), C.float(r.W), C.float(pad), C.float(perPixel), format,
		c.fonts[Body.font], C.float(size), C.ImU32(ColorWidget), C.ImU32(ColorHover))
	c.Fill(Rect{r.X, r.Y, c.Px(3), r.H}, ink, c.Px(2))
	out := Number{Value: float64(n.value), Changed: bool(n.changed), Begun: bool(n.begun), Held: bool(n.held)}
	if bool(n.typing) {
		c.typing = true
		c.Outline(r, ColorAccent, c.Px(4))
	} else if out.Held || bool(C.igIsItemHovered(0)) {
		C.igSetMouseCursor(C.int(imgui.MouseCursorResizeEW))
	}
	if math.IsNaN(out.Value) || math.IsInf(out.Value, 0) {
		out.Value, out.Changed = value, false
	}
	return out
}
