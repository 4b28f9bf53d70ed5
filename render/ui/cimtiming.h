// The plots of timings: areas on top of each other, and a curve over powers of ten.
#ifndef SKINLAB_CIMTIMING_H
#define SKINLAB_CIMTIMING_H

#include "cimplot.h"

extern void ImPlot_SetNextFillStyle(ImVec4 color, float alpha);
extern void ImPlot_SetupAxisScale_PlotScale(int axis, int scale);
extern void ImPlot_PlotShaded_doublePtrdoublePtrdoublePtr(const char *label, const double *xs, const double *ys1, const double *ys2,
	int count, int flags, int offset, int stride);

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

// skStack fills the areas between layers of n values each; layer k lies stride*k values into tops, and layer 0 is the floor.
static inline void skStack(int id, float x, float y, float w, float h, const skPlotStyle *s, const double *xs, const double *tops,
	int layers, int n, int stride, const ImU32 *colors, double most_x, double most_y) {
	skPushPlot(id, x, y, s);
	if (ImPlot_BeginPlot("stack", (ImVec2){w, h}, SK_CANVAS_ONLY | SK_NO_INPUTS)) {
		ImPlot_SetupAxes(NULL, NULL, SK_PLAIN_AXIS | SK_NO_LABELS | SK_NO_GRID, SK_PLAIN_AXIS);
		ImPlot_SetupAxisLimits(0, 0, most_x, SK_ALWAYS);
		ImPlot_SetupAxisLimits(3, 0, most_y, SK_ALWAYS);
		ImPlot_SetupFinish();
		for (int k = 1; k < layers; k++) {
			igPushID_Int(k);
			ImPlot_SetNextFillStyle(skColor(colors[k]), 1);
			ImPlot_PlotShaded_doublePtrdoublePtrdoublePtr("layer", xs, tops + stride * (k - 1), tops + stride * k, n, 0, 0, sizeof(double));
			igPopID();
		}
		ImPlot_EndPlot();
	}
	skPopPlot();
}

// skLogPlot joins n points by a line, on axes of powers of ten.
static inline void skLogPlot(int id, float x, float y, float w, float h, const skPlotStyle *s, const double *xs, const double *ys, int n,
	double least_x, double most_x, double least_y, double most_y) {
	skPushPlot(id, x, y, s);
	if (ImPlot_BeginPlot("log", (ImVec2){w, h}, SK_CANVAS_ONLY | SK_NO_INPUTS)) {
		ImPlot_SetupAxes(NULL, NULL, SK_PLAIN_AXIS, SK_PLAIN_AXIS);
		ImPlot_SetupAxisScale_PlotScale(0, SK_LOG10);
		ImPlot_SetupAxisScale_PlotScale(3, SK_LOG10);
		ImPlot_SetupAxisLimits(0, least_x, most_x, SK_ALWAYS);
		ImPlot_SetupAxisLimits(3, least_y, most_y, SK_ALWAYS);
		ImPlot_SetupFinish();
		ImPlot_SetNextLineStyle(skColor(s->line), s->line_weight);
		ImPlot_PlotLine_doublePtrdoublePtr("line", xs, ys, n, 0, 0, sizeof(double));
		ImPlot_SetNextMarkerStyle(0, s->marker_size * 0.6f, skColor(s->line), 1, skColor(s->line));
		ImPlot_PlotScatter_doublePtrdoublePtr("points", xs, ys, n, 0, 0, sizeof(double));
		ImPlot_EndPlot();
	}
	skPopPlot();
}

#endif
