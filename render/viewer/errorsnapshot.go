package viewer

import (
	"math"

	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/pages/sweep"
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
}

func (a *app) errorSnapshot() ErrorSnapshot {
	d, s := &a.distances, &a.state
	out := ErrorSnapshot{
		Measured: !a.measuring(), HeatTop: d.top, Surveyed: d.clip != nil, Worst: -1,
	}
	for i, p := range s.Seen() {
		ee := -1.0
		if row := a.Row(p); row != nil && row.Compared {
			ee = row.EE
			if i == s.Active {
				out.Worst = row.Worst
			}
		}
		out.EE[i] = ee
	}
	if c := d.vertex; c != nil {
		out.VertexMax = c.Rows[measure.OfPane(s.Panes[s.Active])].Max
	}
	if out.Swept, out.SweptAt = pageOf[*sweep.Page](a).Swept(); math.IsNaN(out.SweptAt) {
		out.SweptAt = 0
	} else {
		out.Chosen = true
	}
	return out
}
