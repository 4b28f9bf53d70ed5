// The plots of timings: areas on top of each other, and a curve over powers of ten.
#ifndef SKINLAB_CIMTIMING_H
#define SKINLAB_CIMTIMING_H

#include "cimplot.h"

extern void ImPlot_SetNextFillStyle(ImVec4 color, float alpha);
extern void ImPlot_SetupAxisScale_PlotScale(int axis, int scale);
extern void ImPlot_PlotShaded_doublePtrdoublePtrdoublePtr(const char *label, const double *xs, const double *ys1, const double *ys2,
	int count, int flags, int offset, int stride);

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
