package ui

// #include <math.h>
// #include "cimgui.h"
//
// // skBone draws a bone as a kite from its head to its tail, one half in light and one in shade, with a dark edge.
// static inline void skBone(ImDrawList *dl, float x0, float y0, float x1, float y1, float half,
// 	float edge, ImU32 light, ImU32 shade, ImU32 dark) {
// 	float dx = x1 - x0, dy = y1 - y0, length = sqrtf(dx * dx + dy * dy);
// 	if (!(length > 0.5f))
// 		return;
// 	dx /= length;
// 	dy /= length;
// 	if (half > length * 0.16f)
// 		half = length * 0.16f;
// 	for (int pass = 0; pass < 2; pass++) {
// 		float w = half + (pass ? 0 : edge), along = fminf(length * 0.18f, 3 * half), beyond = pass ? 0 : edge;
// 		ImVec2 head = {x0 - dx * beyond, y0 - dy * beyond}, tail = {x1 + dx * beyond, y1 + dy * beyond};
// 		ImVec2 left = {x0 + dx * along - dy * w, y0 + dy * along + dx * w};
// 		ImVec2 right = {x0 + dx * along + dy * w, y0 + dy * along - dx * w};
// 		ImDrawList_AddTriangleFilled(dl, head, left, tail, pass ? light : dark);
// 		ImDrawList_AddTriangleFilled(dl, head, right, tail, pass ? shade : dark);
// 	}
// }
//
// static inline void skJoint(ImDrawList *dl, float x, float y, float radius, float edge, ImU32 ink, ImU32 dark) {
// 	ImDrawList_AddCircleFilled(dl, (ImVec2){x, y}, radius + edge, dark, 0);
// 	ImDrawList_AddCircleFilled(dl, (ImVec2){x, y}, radius, ink, 0);
// }
import "C"

// Bone draws a bone from a joint to the next, over any picture.
func (c *Context) Bone(x0, y0, x1, y1, width float32, k Color) {
	C.skBone(c.dl, C.float(x0), C.float(y0), C.float(x1), C.float(y1), C.float(width/2), C.float(c.Px(1)), C.ImU32(k),
		C.ImU32(k.mix(ColorBlack, 0.35)), C.ImU32(ColorBlack.Alpha(0.55)))
}

func (c *Context) Joint(x, y, radius float32, k Color) {
	C.skJoint(c.dl, C.float(x), C.float(y), C.float(radius), C.float(c.Px(1)), C.ImU32(k), C.ImU32(ColorBlack.Alpha(0.75)))
}

// Plate draws what words over a picture stand on. It hides enough of any picture.
func (c *Context) Plate(r Rect, radius float32) { c.Fill(r, ColorInset.Alpha(0.9), radius) }

// Tag draws a short text on a plate and returns its rectangle. The middle of its left edge is at x, y.
func (c *Context) Tag(x, y float32, ink Color, text string) Rect {
	r := c.TagRect(x, y, text)
	c.Plate(r, c.Px(3))
	c.Text(r.Inset(c.Px(5), 0), Small, ink, Center, text)
	return r
}

func (c *Context) TagRect(x, y float32, text string) Rect {
	h := c.Px(17)
	return Rect{round(x), round(y - h/2), round(c.TextWidth(Small, text)) + c.Px(10), h}
}

// Bead draws a small octahedron, lit from the upper left, with a dark edge that makes it visible over any picture.
func (c *Context) Bead(x, y, radius float32, k Color, lit bool) {
	if lit {
		c.Disc(x, y, radius+c.Px(5), ColorWhite.Alpha(0.35))
	}
	at := point{x, y}
	c.diamond(at, radius+c.Px(2), ColorBlack.Alpha(0.85))
	left, top, right, bottom := point{x - radius, y}, point{x, y - radius}, point{x + radius, y}, point{x, y + radius}
	c.triangle([3]point{left, top, at}, k.mix(ColorWhite, 0.45))
	c.triangle([3]point{top, right, at}, k)
	c.triangle([3]point{left, at, bottom}, k.mix(ColorBlack, 0.15))
	c.triangle([3]point{at, right, bottom}, k.mix(ColorBlack, 0.4))
}
