package passes

import (
	"math"
	"slices"
)

// SampleWindow is the number of samples that [Samples] keeps: four seconds at 60 frames a second.
const SampleWindow = 240

// Samples holds the last SampleWindow times of one thing, in seconds, both in order of arrival and sorted. It allocates
// nothing.
type Samples struct {
	ring     [SampleWindow]float64
	sorted   [SampleWindow]float64 // its first n are used
	next, n  int
	smoothed float64
}

// add adds a sample. It ignores NaN, infinite and negative times.
func (s *Samples) add(seconds float64) {
	if !(seconds >= 0) || math.IsInf(seconds, 0) {
		return
	}
	window := s.sorted[:s.n]
	if s.n == SampleWindow { // drop the oldest
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

// Len returns the number of samples, at most SampleWindow.
func (s *Samples) Len() int { return s.n }

// Last returns the newest sample. Like the other statistics it is 0 without samples.
func (s *Samples) Last() float64 {
	if s.n == 0 {
		return 0
	}
	return s.ring[(s.next+SampleWindow-1)%SampleWindow]
}

// Median returns the middle sample, or the mean of the two in the middle.
func (s *Samples) Median() float64 {
	if s.n == 0 {
		return 0
	}
	return (s.sorted[(s.n-1)/2] + s.sorted[s.n/2]) / 2
}

// P95 returns the 95th percentile by nearest rank: the least sample that at least 95 % of the samples do not exceed.
func (s *Samples) P95() float64 {
	if s.n == 0 {
		return 0
	}
	return s.sorted[(95*s.n+99)/100-1]
}

// Quartiles returns the 25th and the 75th percentile by nearest rank.
func (s *Samples) Quartiles() (lower, upper float64) {
	if s.n == 0 {
		return 0, 0
	}
	return s.sorted[(s.n+3)/4-1], s.sorted[(3*s.n+3)/4-1]
}

// Smoothed returns an exponential moving average over about ten samples. It is steady enough to be read while it
// changes.
func (s *Samples) Smoothed() float64 { return s.smoothed }

// History appends the samples to dst, oldest first. It allocates nothing if dst has room.
func (s *Samples) History(dst []float64) []float64 {
	if s.n < SampleWindow {
		return append(dst, s.ring[:s.n]...)
	}
	return append(append(dst, s.ring[s.next:]...), s.ring[:s.next]...)
}

func (s *Samples) clear() { s.next, s.n, s.smoothed = 0, 0, 0 }
