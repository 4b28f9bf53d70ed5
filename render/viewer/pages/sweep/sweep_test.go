package sweep

import (
	"math"
	"slices"
	"testing"

	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/sweep"
)

// page is a page with two curves at three angles of a model of 2 m.
func page() *Page {
	s := state.New()
	w := New(pages.Room{Desk: &desk.Desk{State: &s, Size: 2}}, nil)
	angles := []float64{-math.Pi, 0, math.Pi}
	w.take(swept{curves: []sweep.Curve{
		{Name: "lbs", Angles: angles, RMS: []float64{0.1, 0, 0.1}, LocalVolume: []float64{1, 1, 1}},
		{Name: "dqs", Angles: angles, RMS: []float64{0, 0, 0}, LocalVolume: []float64{1, 1, 0.5}},
	}}, []skinning.Method{skinning.LBS, skinning.DQS})
	return w
}

// TestUnit: the plot of distances follows the unit of the window, its scale too.
func TestUnit(t *testing.T) {
	w := page()
	for unit, want := range map[state.Unit][2]float64{state.Millimetres: {200, 200}, state.OfSize: {10, 10}} {
		w.State.Unit = unit
		w.scale(&w.State.Sweep)
		if got := [2]float64{w.rms.Y[0], w.rms.MostY}; !(math.Abs(got[0]-want[0]) <= 1e-9 && got[1] == want[1]) {
			t.Errorf("%v: a distance of a tenth is %g, the axis ends at %g; expected %v", unit, got[0], got[1], want)
		}
	}
}

// TestGapAtHalfTurn: curves have no value where joints are half a turn apart, and the axes do not reach for one.
func TestGapAtHalfTurn(t *testing.T) {
	w := page()
	w.take(swept{curves: []sweep.Curve{{Name: "lbs", Angles: []float64{-math.Pi, 0, math.Pi}, RMS: []float64{0.1, 0.05, 9},
		LocalVolume: []float64{1, 1, 7}}}, turns: []int{2}}, []skinning.Method{skinning.LBS})
	w.scale(&w.State.Sweep)
	if !math.IsNaN(w.rms.Y[2]) || !math.IsNaN(w.vol.Y[2]) || w.rms.MostY != 200 || w.vol.MostY != 150 {
		t.Errorf("distances %v up to %g, volumes %v up to %g", w.rms.Y, w.rms.MostY, w.vol.Y, w.vol.MostY)
	}
}

// TestMarksOfHalfTurns: every run of half turns has one mark in its middle.
func TestMarksOfHalfTurns(t *testing.T) {
	w := page()
	w.turns = []int{0, 1}
	w.scale(&w.State.Sweep)
	if !slices.Equal(w.vol.Marks, []float64{-90}) {
		t.Errorf("marks at %v, expected one at -90 degrees", w.vol.Marks)
	}
	w.turns = []int{0, 2}
	w.scale(&w.State.Sweep)
	if !slices.Equal(w.vol.Marks, []float64{-180, 180}) {
		t.Errorf("marks at %v, expected both ends", w.vol.Marks)
	}
}
