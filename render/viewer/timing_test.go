package viewer

import (
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"skinlab/render/passes"
	"skinlab/render/skin"
	"skinlab/render/viewer/pages/timing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// TestTimingPage measures all methods in a real window and reads the figures back from the clipboard.
func TestTimingPage(t *testing.T) {
	w := openLive(t, "demo:box")
	w.do(t, "mousemove", "600", "300", "key", "9", "key", "t")
	s := w.until("times of the passes", func(s *Snapshot) bool {
		return s.State.Tab == state.TabTiming && s.Timing.Passes[passes.Skin] > 0 &&
			s.Timing.Passes[passes.Interface] > 0
	})
	// Two pictures are posed in a frame: neither method can be told from the other.
	if slices.Max(s.Timing.Costs) != 0 {
		t.Errorf("methods measured beside each other: %v", s.Timing.Costs)
	}
	// A picture is the sum of its passes: up to float64 rounding.
	var sum float64
	for p, x := range s.Timing.Passes {
		if !passes.Pass(p).OnCPU() && passes.Pass(p) != passes.Interface {
			sum += x
		}
	}
	if !(math.Abs(sum-s.Timing.Picture) <= 1e-9*s.Timing.Picture) {
		t.Errorf("passes of %g s make a picture of %g s", sum, s.Timing.Picture)
	}

	before := w.now().State.Panes
	w.scrollPage()
	s = w.until("the button", func(s *Snapshot) bool { return s.item(timing.ItemMeasure).W > 0 })
	w.click(s.item(timing.ItemMeasure), 0.5)
	w.until("the measurement to begin",
		func(s *Snapshot) bool { return s.Timing.Measuring && s.State.Layout == state.One })
	done := w.until("its end", func(s *Snapshot) bool { return !s.Timing.Measuring })
	if done.State.Layout != state.Two || done.State.Panes != before {
		t.Errorf("after the measurement: %v of %v, expected two of %v", done.State.Layout, done.State.Panes, before)
	}
	for i, m := range skinning.Methods() {
		if !(done.Timing.Costs[i] > 0 && done.Timing.Costs[i] < 1e-3) || !(done.Timing.Palettes[i] > 0) {
			t.Errorf("%v: %g s a vertex and %g s for its palette", m, done.Timing.Costs[i], done.Timing.Palettes[i])
		}
	}
	if cost := fitCost(&done); cost != 0 {
		t.Errorf("blend bones, of which there are none, take %g s a vertex", cost)
	}

	costs := done.Timing.Costs
	text := w.clipboard(func() { w.click(done.item(timing.ItemCopy), 0.5) })
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	if strings.Join(rows[0], ",") != strings.Join(timing.Columns(), ",") {
		t.Errorf("the columns are %v", rows[0])
	}
	column := func(row []string, name string) string { return row[slices.Index(timing.Columns(), name)] }
	methods := 0
	for _, row := range rows[1:] {
		width, height := strconv.Itoa(done.Width), strconv.Itoa(done.Height)
		if column(row, "clip") != "twist" || column(row, "instances") != "1" || column(row, "skinning") != done.Timing.Skinning.String() ||
			len(column(row, "width")) < 3 || column(row, "width") >= width && len(column(row, "width")) >= len(width) ||
			len(column(row, "height")) < 3 || column(row, "height") >= height {
			t.Errorf("the setting of %q", row)
		}
		if row[0] != "method" {
			continue
		}
		got, err := strconv.ParseFloat(column(row, "ns_per_vertex"), 64)
		// Six digits are written.
		if want := costs[methods] * 1e9; err != nil || !(math.Abs(got-want) <= 1e-5*want) {
			t.Errorf("%s: %s ns a vertex, expected %g", row[1], column(row, "ns_per_vertex"), want)
		}
		if got := column(row, "device"); got != w.now().Timing.Label {
			t.Errorf("%s: a figure of %q, expected %q", row[1], got, w.now().Timing.Label)
		}
		methods++
	}
	if methods != len(skinning.Methods()) {
		t.Errorf("%d methods in\n%s", methods, text)
	}

	// Three places where vertices are posed, live: with a mouse, and on with the key.
	w.scrollPage()
	w.click(w.item(timing.ItemExpert), 0.5)
	w.until("the expert part", func(s *Snapshot) bool { return s.item(timing.ItemWays).W > 0 })
	w.scrollPage()
	s = w.until("the switch", func(s *Snapshot) bool { return s.item(timing.ItemWays).W > 0 })
	w.click(s.item(timing.ItemWays), 0.1)
	w.until("posing in the shader", func(s *Snapshot) bool {
		return s.Timing.Skinning == skin.InShader && s.Timing.Picture > 0 && s.Timing.Passes[passes.Skin] == 0
	})
	w.do(t, "key", "y", "key", "y")
	w.until("transform feedback", func(s *Snapshot) bool {
		return s.Timing.Skinning == skin.InBufferFeedback && s.Timing.Passes[passes.Skin] > 0
	})
	w.do(t, "key", "y", "key", "y") // past the shader where there is no compute stage
	w.until("a buffer", func(s *Snapshot) bool { return s.Timing.Skinning != skin.InBufferFeedback })

	w.click(w.item(timing.ItemReset), 0.5)
	w.until("no times", func(s *Snapshot) bool { return slices.Max(s.Timing.Costs) == 0 })
}

// fitCost is what the fit was measured to cost.
func fitCost(s *Snapshot) float64 { return s.Timing.Costs[len(s.Timing.Costs)-1] }

// TestCrowd makes a crowd with the mouse, frames it, and lets one grow until it is told to stop.
func TestCrowd(t *testing.T) {
	w := openLive(t, "demo:box")
	w.do(t, "mousemove", "600", "300", "key", "t")
	w.until("the page", func(s *Snapshot) bool { return s.item(timing.ItemExpert).W > 0 })
	w.scrollPage()
	w.click(w.item(timing.ItemExpert), 0.5)
	w.until("the expert part", func(s *Snapshot) bool { return s.item(timing.ItemCrowd).W > 0 })
	w.scrollPage()
	before := w.now()
	// A quarter of the way from 1 to 4096 on a logarithmic scale, less the knob's half.
	w.click(w.item(timing.ItemCrowd), 0.25)
	s := w.until("eight", func(s *Snapshot) bool { return s.Timing.Instances == [2]int{8, 8} })
	if s.Camera.Distance != before.Camera.Distance {
		t.Errorf("the camera goes from %g m to %g m by itself", before.Camera.Distance, s.Camera.Distance)
	}
	w.do(t, "mousemove", "600", "300", "key", "Home")
	// Eight stand three by three, each more than its own width from the next.
	s = w.until("all in sight", func(s *Snapshot) bool { return s.Camera.Distance > 1.5*before.Camera.Distance })
	eight := s.Camera.Distance
	w.scrollPage()
	w.click(w.item(timing.ItemGrow), 0.5)
	w.until("a growing crowd", func(s *Snapshot) bool { return s.Timing.Growing && s.Timing.Instances[0] == 1 })
	w.until("some sizes, framed", func(s *Snapshot) bool {
		return s.Timing.Grown >= 3 && s.Timing.Instances[0] >= 16 && s.Camera.Distance > 2*before.Camera.Distance
	})
	w.click(w.item(timing.ItemGrow), 0.5)
	w.until("the crowd of before, framed", func(s *Snapshot) bool {
		// The camera is as far as before but for what the poses at another time change; sixteen take a third more.
		return !s.Timing.Growing && s.Timing.Instances == [2]int{8, 8} && math.Abs(float64(s.Camera.Distance/eight-1)) < 0.15
	})
	w.click(w.item(timing.ItemGrow), 0.5)
	w.until("another growing crowd", func(s *Snapshot) bool { return s.Timing.Growing && s.Timing.Instances[0] == 1 })
	w.do(t, "mousemove", "600", "300", "click", "4")
	near := w.until("a camera that is moved", func(s *Snapshot) bool { return !s.Framed }).Camera
	w.until("some sizes", func(s *Snapshot) bool { return s.Timing.Grown >= 3 && s.Timing.Instances[0] >= 8 })
	w.do(t, "key", "t")
	s = w.until("an end as the page is left",
		func(s *Snapshot) bool { return !s.Timing.Growing && s.State.Tab == state.TabModel })
	if s.Timing.Instances[0] != 8 || s.Camera != near {
		t.Errorf("%d instances are seen by %+v, expected 8 by %+v", s.Timing.Instances[0], s.Camera, near)
	}
	w.do(t, "key", "t")
	w.until("the page again", func(s *Snapshot) bool { return s.item(timing.ItemCopy).W > 0 })
	text := w.clipboard(func() { w.click(w.item(timing.ItemCopy), 0.5) })
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	last := 0.0
	for _, row := range rows[1:] {
		if row[0] != "crowd" {
			continue
		}
		n, _ := strconv.ParseFloat(row[slices.Index(timing.Columns(), "instances")], 64)
		if each, err := strconv.ParseFloat(row[slices.Index(timing.Columns(), "us_per_instance")], 64); err != nil || !(each > 0) || n != max(2*last, 1) || row[1] != "lbs" {
			t.Errorf("after a crowd of %g: %q", last, row)
		}
		last = n
	}
	if last < 4 {
		t.Errorf("the largest crowd in the table is of %g:\n%s", last, text)
	}
}
