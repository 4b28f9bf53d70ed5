package ui

// #include "cimgui.h"
//
// extern float igGetScrollY(void);
// extern void igSetScrollY_Float(float);
//
// static inline void skScrollTo(float top, float bottom, float height) {
// 	float at = igGetScrollY();
// 	if (top < at)
// 		igSetScrollY_Float(top);
// 	else if (bottom > at + height)
// 		igSetScrollY_Float(bottom - height);
// }
import "C"

// ScrollTo moves the scroll area that is open so that the part from top to bottom of its content, in pixels from the
// content's top, is seen in its height.
func (c *Context) ScrollTo(top, bottom, height float32) {
	C.skScrollTo(C.float(top), C.float(bottom), C.float(height))
}
