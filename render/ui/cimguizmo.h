// The part of ImGuizmo 1.91.3's C interface (cimguizmo) that skinlab calls, from the same library as cimgui.h.
#ifndef SKINLAB_CIMGUIZMO_H
#define SKINLAB_CIMGUIZMO_H

#include <string.h>

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
extern void ImGuizmo_PushID_Int(int);
extern void ImGuizmo_PopID(void);
extern void ImGuizmo_SetRect(float x, float y, float width, float height);
extern void ImGuizmo_SetGizmoSizeClipSpace(float);
extern void ImGuizmo_AllowAxisFlip(bool);
extern void ImGuizmo_SetOrthographic(bool);
extern bool ImGuizmo_Manipulate(const float *view, const float *projection, int operation, int mode, float *matrix, float *delta,
	const float *snap, const float *local_bounds, const float *bounds_snap);
extern skGuizmoStyle *ImGuizmo_GetStyle(void);

enum { SK_TRANSLATE = 7, SK_ROTATE_X = 8, SK_ROTATE_SCREEN = 64, SK_LOCAL = 0 };

// skGuizmo is a gizmo's input and output in one block: column-major matrices. Each ring has its own matrix, because the
// library wants axes that are perpendicular to each other. Arrows have the first one.
typedef struct {
	float view[16], projection[16], matrix[3][16], delta[16], snap[3];
	float x, y, w, h, size;
	int ring; // that the mouse holds
	bool moves, snaps, ortho, over, used, changed;
} skGuizmo;

static inline void skManipulate(skGuizmo *g, ImDrawList *dl, ImFont *font, float font_size, bool held) {
	igPushFont(font, font_size); // of the angle beside the mouse
	ImGuizmo_BeginFrame();
	ImGuizmo_SetDrawlist(dl);
	ImGuizmo_SetOrthographic(g->ortho);
	ImGuizmo_SetRect(g->x, g->y, g->w, g->h);
	ImGuizmo_SetGizmoSizeClipSpace(g->size);
	g->over = g->used = g->changed = false;
	for (int k = 0; k < (g->moves ? 1 : 3); k++) {
		int operation = g->moves ? SK_TRANSLATE : SK_ROTATE_X << k | SK_ROTATE_SCREEN;
		float delta[16];
		ImGuizmo_PushID_Int(k);
		if (ImGuizmo_Manipulate(g->view, g->projection, operation, SK_LOCAL, g->matrix[k], delta, g->snaps ? g->snap : NULL, NULL, NULL)) {
			g->changed = true;
			memcpy(g->delta, delta, sizeof delta);
		}
		// A button that is let go over a panel never reaches the gizmo.
		if (!held && ImGuizmo_IsUsing()) {
			ImGuizmo_Enable(false);
			ImGuizmo_Enable(true);
		}
		if (ImGuizmo_IsUsing()) {
			g->used = true;
			g->ring = k;
		}
		g->over |= g->used || ImGuizmo_IsOver_OPERATION(operation);
		ImGuizmo_PopID();
	}
	igPopFont();
}

#endif
