package passes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSamplesKnown(t *testing.T) {
	var s Samples
	if s.Len() != 0 || s.Last() != 0 || s.Median() != 0 || s.P95() != 0 || len(s.History(nil)) != 0 {
		t.Errorf("without samples: %d, %g, %g, %g, %v", s.Len(), s.Last(), s.Median(), s.P95(), s.History(nil))
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), -1} {
		s.add(x)
		if s.Len() != 0 {
			t.Errorf("%g counts as a time", x)
		}
	}
	for _, c := range []struct {
		add, last, median, p95 float64
	}{{4, 4, 4, 4}, {2, 2, 3, 4}, {9, 9, 4, 9}, {1, 1, 3, 9}, {4, 4, 4, 9}} {
		s.add(c.add)
		if s.Last() != c.last || s.Median() != c.median || s.P95() != c.p95 {
			t.Errorf("after %g: last %g, median %g, p95 %g; expected %g, %g, %g", c.add, s.Last(), s.Median(), s.P95(), c.last,
				c.median, c.p95)
		}
	}
	if got := s.History(nil); !slices.Equal(got, []float64{4, 2, 9, 1, 4}) {
		t.Errorf("history %v", got)
	}
	s.clear()
	for i := range 100 { // 1 to 100 in a scrambled order: the 95th of them is 95
		s.add(float64(i*37%100 + 1))
	}
	if s.Median() != 50.5 || s.P95() != 95 {
		t.Errorf("of 1 to 100: median %g, p95 %g, expected 50.5 and 95", s.Median(), s.P95())
	}
	if lower, upper := s.Quartiles(); lower != 25 || upper != 75 {
		t.Errorf("of 1 to 100: quartiles %g and %g, expected 25 and 75", lower, upper)
	}
}

// TestSamplesWindow holds the sorted window against sorting the last samples, with many equal values, around the ring
// several times.
func TestSamplesWindow(t *testing.T) {
	var s Samples
	random := rand.New(rand.NewPCG(1, 2))
	var all []float64
	for range 5 * SampleWindow {
		x := float64(random.IntN(40)) / 8
		all = append(all, x)
		s.add(x)
		last := all[max(0, len(all)-SampleWindow):]
		if got := s.History(nil); !slices.Equal(got, last) {
			t.Fatalf("after %d samples the history is not the last %d", len(all), len(last))
		}
		sorted := slices.Sorted(slices.Values(last))
		n := len(sorted)
		if want := sorted[int(math.Ceil(0.95*float64(n)))-1]; s.P95() != want {
			t.Fatalf("after %d samples p95 %g, expected %g", len(all), s.P95(), want)
		}
		if want := (sorted[(n-1)/2] + sorted[n/2]) / 2; s.Median() != want {
			t.Fatalf("after %d samples median %g, expected %g", len(all), s.Median(), want)
		}
	}
	history := make([]float64, 0, SampleWindow)
	if n := testing.AllocsPerRun(100, func() {
		s.add(0.5)
		history = s.History(history[:0])
		_ = s.Median() + s.P95()
	}); n != 0 {
		t.Errorf("%g allocations a sample, expected none", n)
	}
}
