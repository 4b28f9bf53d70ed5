// The part of ImGuizmo 1.91.3's C interface (cimguizmo) that skinlab calls, from the same library as cimgui.h.
#ifndef SKINLAB_CIMGUIZMO_H
#define SKINLAB_CIMGUIZMO_H

#include "cimgui.h"

// skGuizmoStyle is ImGuizmo's struct Style; ui.New checks its layout against the library's defaults.
typedef struct {
	float translation_line, translation_arrow, rotation_line, rotation_outer_line, scale_line, scale_circle, hatched_line, center;
	ImVec4 colors[15];
} skGuizmoStyle;

extern void ImGuizmo_SetDrawlist(ImDrawList *);
extern void ImGuizmo_BeginFrame(void);
extern bool ImGuizmo_IsUsing(void);
extern bool ImGuizmo_IsOver_OPERATION(int operation);
extern void ImGuizmo_Enable(bool);
extern void ImGuizmo_SetRect(float x, float y, float width, float height);
extern void ImGuizmo_SetGizmoSizeClipSpace(float);
extern void ImGuizmo_AllowAxisFlip(bool);
extern void ImGuizmo_SetOrthographic(bool);
extern bool ImGuizmo_Manipulate(const float *view, const float *projection, int operation, int mode, float *matrix, float *delta,
	const float *snap, const float *local_bounds, const float *bounds_snap);
extern skGuizmoStyle *ImGuizmo_GetStyle(void);

enum { SK_TRANSLATE = 7, SK_ROTATE = 120, SK_LOCAL = 0, SK_WORLD = 1 };

// skGuizmo is a gizmo's input and output in one block: column-major matrices.
typedef struct {
	float view[16], projection[16], matrix[16], delta[16], snap[3];
	float x, y, w, h, size;
	int operation, mode;
	bool snaps, ortho, over, used, changed;
} skGuizmo;

static inline void skManipulate(skGuizmo *g, ImDrawList *dl, ImFont *font, float font_size, bool held) {
	igPushFont(font, font_size); // of the angle beside the mouse
	ImGuizmo_BeginFrame();
	ImGuizmo_SetDrawlist(dl);
	ImGuizmo_SetOrthographic(g->ortho);
	ImGuizmo_SetRect(g->x, g->y, g->w, g->h);
	ImGuizmo_SetGizmoSizeClipSpace(g->size);
	g->changed = ImGuizmo_Manipulate(g->view, g->projection, g->operation, g->mode, g->matrix, g->delta, g->snaps ? g->snap : NULL, NULL, NULL);
	// A button that is let go over a panel never reaches the gizmo.
	if (!held && ImGuizmo_IsUsing()) {
		ImGuizmo_Enable(false);
		ImGuizmo_Enable(true);
	}
	igPopFont();
	g->used = ImGuizmo_IsUsing();
	g->over = g->used || ImGuizmo_IsOver_OPERATION(g->operation);
}

#endif
