// The part of ImPlot 0.17's C interface (cimplot) that skinlab calls, from the same library as cimgui.h.
#ifndef SKINLAB_CIMPLOT_H
#define SKINLAB_CIMPLOT_H

#include "cimgui.h"

typedef struct ImPlotContext ImPlotContext;

extern ImPlotContext *ImPlot_CreateContext(void);
extern void ImPlot_DestroyContext(ImPlotContext *);
extern bool ImPlot_BeginPlot(const char *title, ImVec2 size, int flags);
extern void ImPlot_EndPlot(void);
extern void ImPlot_SetupAxes(const char *x_label, const char *y_label, int x_flags, int y_flags);
extern void ImPlot_SetupAxisLimits(int axis, double least, double most, int cond);
extern void ImPlot_SetupAxisTicks_double(int axis, double least, double most, int count, const char *const labels[], bool keep);
extern void ImPlot_SetupFinish(void);
extern void ImPlot_PlotLine_doublePtrdoublePtr(const char *label, const double *xs, const double *ys, int count, int flags,
	int offset, int stride);
extern void ImPlot_PlotScatter_doublePtrdoublePtr(const char *label, const double *xs, const double *ys, int count, int flags,
	int offset, int stride);
extern void ImPlot_SetNextLineStyle(ImVec4 color, float weight);
extern void ImPlot_SetNextMarkerStyle(int marker, float size, ImVec4 fill, float weight, ImVec4 outline);
extern void ImPlot_PushStyleColor_U32(int index, ImU32 color);
extern void ImPlot_PopStyleColor(int count);
extern void ImPlot_PushStyleVar_Float(int index, float value);
extern void ImPlot_PushStyleVar_Vec2(int index, ImVec2 value);
extern void ImPlot_PopStyleVar(int count);
extern void ImPlot_GetPlotPos(ImVec2 *);
extern void ImPlot_GetPlotSize(ImVec2 *);

typedef struct {
	ImFont *font;
	float font_size, line_weight, marker_size;
	ImU32 text, grid, line, mark, level;
} skPlotStyle;

typedef struct { float x, y, w, h; } skRect;

static inline ImVec4 skColor(ImU32 c) {
	return (ImVec4){(c & 255) / 255.f, (c >> 8 & 255) / 255.f, (c >> 16 & 255) / 255.f, (c >> 24) / 255.f};
}

// skPushPlot and skPopPlot set what plots of this size of text look like. They take no input.
static inline void skPushPlot(int id, float x, float y, const skPlotStyle *s) {
	enum { FRAME = 5, PLOT, BORDER, AXIS_TEXT = 13, AXIS_GRID, AXIS_TICK, PLOT_BORDER_SIZE = 9, PLOT_PADDING = 17, LABEL_PADDING };
	igSetCursorScreenPos((ImVec2){x, y});
	igPushID_Int(id);
	igPushFont(s->font, s->font_size);
	ImPlot_PushStyleColor_U32(FRAME, 0);
	ImPlot_PushStyleColor_U32(PLOT, 0);
	ImPlot_PushStyleColor_U32(BORDER, s->grid);
	ImPlot_PushStyleColor_U32(AXIS_TEXT, s->text);
	ImPlot_PushStyleColor_U32(AXIS_GRID, s->grid);
	ImPlot_PushStyleColor_U32(AXIS_TICK, s->grid);
	ImPlot_PushStyleVar_Float(PLOT_BORDER_SIZE, 0);
	ImPlot_PushStyleVar_Vec2(PLOT_PADDING, (ImVec2){s->marker_size, s->marker_size});
	ImPlot_PushStyleVar_Vec2(LABEL_PADDING, (ImVec2){s->marker_size, s->marker_size});
}

static inline void skPopPlot(void) {
	ImPlot_PopStyleVar(3);
	ImPlot_PopStyleColor(6);
	igPopFont();
	igPopID();
}

enum {
	SK_CANVAS_ONLY = 1 | 2 | 4 | 16 | 32, SK_NO_INPUTS = 8, SK_NO_GRID = 2, SK_NO_TICKS = 4, SK_NO_LABELS = 8,
	SK_PLAIN_AXIS = SK_NO_TICKS | 16 | 32 | 128, SK_ALWAYS = 1, SK_LOG10 = 2
};

// skPlot draws n points joined by a line on axes from 0, with point `mark` lit, over lines across at the levels, and returns the area
// inside the axes. Labels along x are step_x apart. It takes no input.
static inline skRect skPlot(int id, float x, float y, float w, float h, const skPlotStyle *s, const double *xs, const double *ys,
	int n, double most_x, double step_x, double most_y, int mark, const double *levels, int n_levels) {
	skRect inside = {x, y, w, h};
	skPushPlot(id, x, y, s);
	if (ImPlot_BeginPlot("plot", (ImVec2){w, h}, SK_CANVAS_ONLY | SK_NO_INPUTS)) {
		ImPlot_SetupAxes(NULL, NULL, SK_PLAIN_AXIS, SK_PLAIN_AXIS);
		ImPlot_SetupAxisLimits(0, 0, most_x, SK_ALWAYS);
		ImPlot_SetupAxisLimits(3, 0, most_y, SK_ALWAYS);
		int steps = (int)(most_x / step_x);
		ImPlot_SetupAxisTicks_double(0, 0, steps * step_x, steps + 1, NULL, false);
		ImPlot_SetupFinish();
		for (int k = 0; k < n_levels; k++) {
			const double across[2] = {0, most_x}, at[2] = {levels[k], levels[k]};
			igPushID_Int(k);
			ImPlot_SetNextLineStyle(skColor(s->level), s->line_weight / 2);
			ImPlot_PlotLine_doublePtrdoublePtr("level", across, at, 2, 0, 0, sizeof(double));
			igPopID();
		}
		ImPlot_SetNextLineStyle(skColor(s->line), s->line_weight);
		ImPlot_PlotLine_doublePtrdoublePtr("line", xs, ys, n, 0, 0, sizeof(double));
		ImPlot_SetNextMarkerStyle(0, s->marker_size * 0.6f, skColor(s->line), 1, skColor(s->line));
		ImPlot_PlotScatter_doublePtrdoublePtr("points", xs, ys, n, 0, 0, sizeof(double));
		if (mark >= 0 && mark < n) {
			ImPlot_SetNextMarkerStyle(0, s->marker_size, skColor(s->mark), 1, skColor(s->mark));
			ImPlot_PlotScatter_doublePtrdoublePtr("mark", xs + mark, ys + mark, 1, 0, 0, sizeof(double));
		}
		ImVec2 at, size;
		ImPlot_GetPlotPos(&at);
		ImPlot_GetPlotSize(&size);
		inside = (skRect){at.x, at.y, size.x, size.y};
		ImPlot_EndPlot();
	}
	skPopPlot();
	return inside;
}

#endif
