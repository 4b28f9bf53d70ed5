// Several curves over one pair of axes.
#ifndef SKINLAB_CIMCURVES_H
#define SKINLAB_CIMCURVES_H

#include "cimplot.h"

extern void ImPlot_SetupAxisFormat_Str(int axis, const char *format);
extern void ImPlot_PlotInfLines_doublePtr(const char *label, const double *values, int count, int flags, int offset, int stride);

// skCurves joins n points by a line for each bit of shown; curve k lies n*k values into ys. Of several curves each is less wide than
// those under it, so that curves in one place are all seen. Across lies a line at `zero`, upright one at x = 0 and one at `at`, where
// that is inside. The points lie under the curves. It takes no input and returns the area inside the axes.
static inline skRect skCurves(int id, float x, float y, float w, float h, const skPlotStyle *s, const double *xs, const double *ys,
	int curves, int n, const ImU32 *colors, unsigned shown, int lit, double least_x, double most_x, int ticks_x, const char *format_x,
	double least_y, double most_y, const char *format_y, double zero, double at, const double *point_xs, const double *point_ys,
	int points) {
	enum { HORIZONTAL = 1 << 10 };
	skRect inside = {x, y, w, h};
	skPushPlot(id, x, y, s);
	if (ImPlot_BeginPlot("curves", (ImVec2){w, h}, SK_CANVAS_ONLY | SK_NO_INPUTS)) {
		double origin = 0;
		ImPlot_SetupAxes(NULL, NULL, SK_PLAIN_AXIS, SK_PLAIN_AXIS);
		ImPlot_SetupAxisLimits(0, least_x, most_x, SK_ALWAYS);
		ImPlot_SetupAxisLimits(3, least_y, most_y, SK_ALWAYS);
		ImPlot_SetupAxisFormat_Str(0, format_x); // before the ticks, which are written by it at once
		ImPlot_SetupAxisFormat_Str(3, format_y);
		if (ticks_x > 0)
			ImPlot_SetupAxisTicks_double(0, least_x, most_x, ticks_x, NULL, false);
		ImPlot_SetupFinish();
		ImPlot_SetNextLineStyle(skColor(s->text), 1);
		ImPlot_PlotInfLines_doublePtr("zero", &zero, 1, HORIZONTAL, 0, sizeof(double));
		ImPlot_SetNextLineStyle(skColor(s->text), 1);
		ImPlot_PlotInfLines_doublePtr("origin", &origin, 1, 0, 0, sizeof(double));
		if (points > 0) {
			ImPlot_SetNextMarkerStyle(0, s->marker_size * 0.45f, skColor(s->mark), 1, skColor(s->mark));
			ImPlot_PlotScatter_doublePtrdoublePtr("points", point_xs, point_ys, points, 0, 0, sizeof(double));
		}
		float weight = curves > 1 ? s->line_weight * 2 : s->line_weight;
		for (int k = 0; k < curves; k++) {
			if (!(shown >> k & 1))
				continue;
			igPushID_Int(k);
			ImPlot_SetNextLineStyle(skColor(colors[k]), k == lit ? s->line_weight * 2 : weight);
			ImPlot_PlotLine_doublePtrdoublePtr("curve", xs, ys + n * k, n, 0, 0, sizeof(double));
			igPopID();
			weight = weight * 0.8f < 1 ? 1 : weight * 0.8f;
		}
		if (at >= least_x && at <= most_x) {
			ImPlot_SetNextLineStyle(skColor(s->mark), 1);
			ImPlot_PlotInfLines_doublePtr("at", &at, 1, 0, 0, sizeof(double));
		}
		ImVec2 pos, size;
		ImPlot_GetPlotPos(&pos);
		ImPlot_GetPlotSize(&size);
		inside = (skRect){pos.x, pos.y, size.x, size.y};
		ImPlot_EndPlot();
	}
	skPopPlot();
	return inside;
}

#endif
