package viewer

import (
	"math"

	"skinlab/render/ui"
	"skinlab/render/viewer/state"
)

// ErrorSnapshot is what the window shows of distances to the reference.
type ErrorSnapshot struct {
	Measured  bool                     // nothing that is shown is still to come
	EE        [state.MostPanes]float64 // of every picture that is seen at this pose, percent; −1 where there is none
	Worst     int                      // the vertex of the largest error in the active picture
	HeatTop   float64                  // metres
	Surveyed  bool                     // the errors over the clip are there
	VertexMax float64                  // of the picked vertex over the clip in the active picture, metres

	Swept   bool    // the page's curves are there
	SweptAt float64 // degrees, 0 where no angle is chosen
	Chosen  bool    // one is

	// Where things are, logical pixels; zero while they are hidden.
	Legend, FirstRow, Marker, SweepPlot, SweepAxis, SweepRow ui.Rect
}

func (a *app) errorSnapshot() ErrorSnapshot {
	d, w, s := &a.distances, &a.sweeping, &a.state
	out := ErrorSnapshot{
		Measured: !a.measuring(), HeatTop: d.top, Surveyed: d.clip != nil, Swept: w.there, Worst: -1,
		Legend: d.places.legend, FirstRow: d.places.firstRow, Marker: d.places.marker,
		SweepPlot: w.places.rms, SweepAxis: w.places.axis, SweepRow: w.places.row,
	}
	for i, p := range s.Seen() {
		ee := -1.0
		if row := a.row(p); row != nil && row.Compared {
			ee = row.EE
			if i == s.Active {
				out.Worst = row.Worst
			}
		}
		out.EE[i] = ee
	}
	if c := d.vertex; c != nil {
		out.VertexMax = c.Rows[rowOf(s.Panes[s.Active])].Max
	}
	if out.Chosen = !math.IsNaN(w.at); out.Chosen {
		out.SweptAt = w.at
	}
	return out
}
