package passes

import (
	"math"
	"slices"
)

// SampleWindow is how many samples [Samples] looks back: four seconds at 60 frames a second.
const SampleWindow = 240

// Samples is a window over the last times of something, in seconds. It allocates nothing, and its order statistics are
// ready at any time: the window is kept sorted beside its ring.
type Samples struct {
	ring     [SampleWindow]float64
	sorted   [SampleWindow]float64 // the first n
	next, n  int
	smoothed float64
}

// add takes a sample; what is no time (NaN, infinite, negative) is left out.
func (s *Samples) add(seconds float64) {
	if !(seconds >= 0) || math.IsInf(seconds, 0) {
		return
	}
	window := s.sorted[:s.n]
	if s.n == SampleWindow { // the oldest goes
		at, _ := slices.BinarySearch(window, s.ring[s.next])
		copy(window[at:], window[at+1:])
	} else {
		s.n++
	}
	window = s.sorted[:s.n]
	at, _ := slices.BinarySearch(window[:s.n-1], seconds)
	copy(window[at+1:], window[at:])
	window[at] = seconds
	s.ring[s.next] = seconds
	s.next = (s.next + 1) % SampleWindow
	if s.n == 1 {
		s.smoothed = seconds
	}
	s.smoothed += (seconds - s.smoothed) * 0.1
}

// Len returns how many samples there are, at most SampleWindow.
func (s *Samples) Len() int { return s.n }

// Last returns the newest sample; like all others, 0 without samples.
func (s *Samples) Last() float64 {
	if s.n == 0 {
		return 0
	}
	return s.ring[(s.next+SampleWindow-1)%SampleWindow]
}

// Median returns the middle of the window, of an even number the mean of the two.
func (s *Samples) Median() float64 {
	if s.n == 0 {
		return 0
	}
	return (s.sorted[(s.n-1)/2] + s.sorted[s.n/2]) / 2
}

// P95 returns the least sample that at least 95 % of the window do not exceed (the nearest rank).
func (s *Samples) P95() float64 {
	if s.n == 0 {
		return 0
	}
	return s.sorted[(95*s.n+99)/100-1]
}

// Smoothed returns a mean that follows within about ten samples: a figure that can be read while it changes.
func (s *Samples) Smoothed() float64 { return s.smoothed }

// History appends the window to dst, oldest first. Given enough room it allocates nothing.
func (s *Samples) History(dst []float64) []float64 {
	if s.n < SampleWindow {
		return append(dst, s.ring[:s.n]...)
	}
	return append(append(dst, s.ring[s.next:]...), s.ring[:s.next]...)
}

// clear forgets all samples.
func (s *Samples) clear() { s.next, s.n, s.smoothed = 0, 0, 0 }
