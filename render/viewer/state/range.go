package state

import "math"

// Range is the part of a clip that is played, in seconds. The zero value stands for the whole clip.
type Range struct{ From, To float64 }

// Ranged reports whether a part of the clip is played and not all of it.
func (s *State) Ranged() bool { return s.Range.To > s.Range.From }

// Played returns the part of the clip that is played, in seconds: all of it where no range is set.
func (s *State) Played() (from, to float64) {
	if s.Ranged() {
		return s.Range.From, s.Range.To
	}
	return 0, s.Seconds
}

// SetRange plays the part between two times in any order, each moved to the frame grid and into the clip. A part
// shorter than a frame, a time that is not a number, and the whole clip are no range.
func (s *State) SetRange(a, b float64) {
	from, to := s.onGrid(min(a, b)), s.onGrid(max(a, b))
	s.Range = Range{}
	const near = 1e-6
	if to-from >= 1/s.Rate()-near && (from > 0 || to < s.Seconds) {
		s.Range = Range{from, to}
	}
}

// SetFrom starts the range at a time. It ends where it ended; where that is not later, at the end of the clip.
func (s *State) SetFrom(t float64) {
	_, to := s.Played()
	if s.onGrid(t) > to-0.5/s.Rate() {
		to = s.Seconds
	}
	s.SetRange(t, to)
}

// SetTo ends the range at a time. It starts where it started; where that is not earlier, at the start of the clip.
func (s *State) SetTo(t float64) {
	from, _ := s.Played()
	if s.onGrid(t) < from+0.5/s.Rate() {
		from = 0
	}
	s.SetRange(from, t)
}

func (s *State) ClearRange() { s.Range = Range{} }

func (s *State) ToStart() {
	from, _ := s.Played()
	s.Seek(from)
}

// onGrid moves a time to the nearest frame of the grid or to the clip's end, whichever is nearer.
func (s *State) onGrid(t float64) float64 {
	at := math.Round(t*s.Rate()) / s.Rate()
	if math.Abs(t-s.Seconds) < math.Abs(t-at) {
		at = s.Seconds
	}
	return min(max(at, 0), s.Seconds)
}
