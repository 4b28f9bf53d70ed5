package timing

import (
	"testing"
	"time"

	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// TestMeasureProgress: the bar of a run over the methods of a model without a fit, or of one with, is full at its end.
func TestMeasureProgress(t *testing.T) {
	now := time.Now()
	for _, methods := range []int{5, 6} {
		for _, c := range []struct {
			at    int
			since time.Duration
			want  float64
		}{{0, 0, 0}, {0, measureTime, 1 / float64(methods)}, {methods - 1, measureTime, 1}, {methods - 1, measureLimit, 1}} {
			m := measureRun{on: true, at: c.at, since: now.Add(-c.since)}
			if got := m.progress(now, methods); got != c.want {
				t.Errorf("%v into method %d of %d: %g is done, expected %g", c.since, c.at, methods, got, c.want)
			}
		}
	}
}

// TestRecordsBySetting: a cost belongs to the setting in which it was measured, each part of it, and comes back with
// it.
func TestRecordsBySetting(t *testing.T) {
	here := setting{clip: 1, instances: 1, way: skin.InBufferCompute, width: 744, height: 604}
	var r records
	r.put(here, skinning.LBS, Cost{PerVertex: 1, There: true})
	for part, there := range map[string]setting{
		"clip":      {2, 1, skin.InBufferCompute, 744, 604},
		"instances": {1, 16, skin.InBufferCompute, 744, 604},
		"way":       {1, 1, skin.InShader, 744, 604},
		"width":     {1, 1, skin.InBufferCompute, 745, 604},
		"height":    {1, 1, skin.InBufferCompute, 744, 605},
	} {
		if r.of(there, skinning.LBS).There || r.others(there) != 1 {
			t.Errorf("another %s has the cost of this one", part)
		}
		r.put(there, skinning.LBS, Cost{PerVertex: 2, There: true})
		if r.of(here, skinning.LBS).PerVertex != 1 || r.of(there, skinning.LBS).PerVertex != 2 {
			t.Errorf("a cost of another %s takes the place of this one", part)
		}
		r.list = r.list[:1]
	}
	if r.of(here, skinning.DQS).There {
		t.Error("a method has another's cost")
	}
	r.put(here, skinning.LBS, Cost{PerVertex: 3, There: true})
	if len(r.list) != 1 || r.of(here, skinning.LBS).PerVertex != 3 || r.others(here) != 0 {
		t.Errorf("a newer cost stands beside the older: %+v", r.list)
	}
	for _, c := range []Cost{{PerVertex: 4, There: true, Together: true}, {PerVertex: 5, There: true}} {
		r.put(here, skinning.LBS, c)
	}
	if r.of(here, skinning.LBS).PerVertex != 4 {
		t.Errorf("a single measurement takes the place of one with others: %+v", r.list)
	}
	r.put(here, state.Fitted, Cost{There: true})
	r.forgetFitted()
	if r.of(here, state.Fitted).There || !r.of(here, skinning.LBS).There {
		t.Errorf("after another fit: %+v", r.list)
	}
	for n := range 2 * mostRecords {
		r.put(here.withInstances(n+2), skinning.LBS, Cost{There: true})
	}
	if len(r.list) != mostRecords || !r.of(here.withInstances(2*mostRecords+1), skinning.LBS).There {
		t.Errorf("%d costs are kept", len(r.list))
	}
}

// TestFigure: numbers of any size fit their field, with two digits.
func TestFigure(t *testing.T) {
	p := &Page{Room: pages.Room{Desk: &desk.Desk{}}}
	for x, want := range map[float64]string{0: "0.00", 0.128: "0.13", 9.94: "9.9", 9.996: "10", 99.4: "99", 99.96: "100",
		2970: "3000", 2940: "2900", 99400: "99000", 99951: "0.10M", 12.34e6: "12M", 99.96e6: "0.10G", 5e9: "5.0G"} {
		if got := p.figure(x); got != want || len(got) > 5 {
			t.Errorf("%g is %q, expected %q", x, got, want)
		}
	}
}

// TestQuartiles: few frames have none, which would be one or two of them. A cost has the digits of the tables.
func TestQuartiles(t *testing.T) {
	var l ui.Line
	for frames, want := range map[int]string{1: "", leastSamples - 1: "", leastSamples: "96–100"} {
		f := Figures{Lower: 0.096, Upper: 0.1, There: true, Frames: frames}
		if got := f.quartiles(l.Start(), 1e3).View(); got != want {
			t.Errorf("quartiles of %d frames: %q, expected %q", frames, got, want)
		}
	}
	if got := (Cost{PerVertex: 208e-9, There: true}).Write(l.Start()).View(); got != "210" {
		t.Errorf("a cost of 208 ns is %q", got)
	}
}

// TestFrameRate: frames of the moving picture are counted; a pause begins the count anew.
func TestFrameRate(t *testing.T) {
	var r frameRate
	now := time.Unix(1000, 0)
	run := func(frames int, each time.Duration, moves bool) float64 {
		for range frames {
			now = now.Add(each)
			r.count(now, moves)
		}
		return r.perSecond
	}
	if got := run(120, 20*time.Millisecond, true); !(got > 49.99 && got < 50.01) {
		t.Errorf("every 20 ms a frame: %g a second", got)
	}
	if got := run(1, 20*time.Millisecond, false); got != 0 {
		t.Errorf("standing still: %g a second", got)
	}
	run(60, 20*time.Millisecond, true)
	if got := run(1, 5*time.Second, true); got != 0 {
		t.Errorf("after 5 seconds without a frame: %g a second", got)
	}
	if got := run(10, 200*time.Millisecond, true); !(got > 4.99 && got < 5.01) {
		t.Errorf("every 200 ms a frame: %g a second", got)
	}
}
