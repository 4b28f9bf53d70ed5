package state

import (
	"math"
	"testing"
)

func TestRangeIsPlayedInALoop(t *testing.T) {
	s := clip(3)
	s.SetRange(2, 1)
	if from, to := s.Played(); from != 1 || to != 2 || !s.Ranged() {
		t.Fatalf("the range is %g s to %g s, expected 1 to 2", from, to)
	}
	s.Tick(0.5)
	near(t, "before the range the clock runs into it", s.Time, 0.5)
	s.Tick(1)
	near(t, "inside", s.Time, 1.5)
	s.Tick(0.75)
	near(t, "around its end", s.Time, 1.25)
	s.Tick(7)
	near(t, "several rounds", s.Time, 1.25)
	s.Seek(2.5)
	s.Tick(0.1)
	near(t, "from behind the range to its start", s.Time, 1)
	s.Loop = false
	s.Tick(5)
	near(t, "without a loop to its end", s.Time, 2)
	if s.Playing {
		t.Error("it plays on at the end of a range that does not loop")
	}
	s.TogglePlay()
	near(t, "played again", s.Time, 1)
	s.Seek(3)
	s.ToStart()
	near(t, "the start of the range", s.Time, 1)
	s.SetClip(1, 3)
	if s.Ranged() {
		t.Error("another clip has the range of the one before")
	}
}

func TestRangeEndsFollowThePlayhead(t *testing.T) {
	s := clip(2)
	s.SetFrom(0.5)
	s.SetTo(1.5)
	if s.Range != (Range{0.5, 1.5}) {
		t.Errorf("%+v, expected 0.5 to 1.5", s.Range)
	}
	s.SetFrom(1.7) // past its end: to the clip's
	if from, to := s.Played(); math.Abs(from-1.7) > tolerance || to != 2 {
		t.Errorf("%g to %g s, expected 1.7 to 2", from, to)
	}
	s.SetTo(0.3) // before its start: from the clip's
	if from, to := s.Played(); from != 0 || math.Abs(to-0.3) > tolerance {
		t.Errorf("%g to %g s, expected 0 to 0.3", from, to)
	}
	s.ClearRange()
	if from, to := s.Played(); from != 0 || to != 2 || s.Ranged() {
		t.Errorf("%g to %g s after it is cleared, expected all", from, to)
	}
}

func TestRangeIsOnTheGridAndInTheClip(t *testing.T) {
	s := clip(1.01) // the end lies between two frames
	for _, c := range []struct {
		name string
		a, b float64
		want Range
	}{
		{"to the grid", 0.349, 0.71, Range{10.0 / FrameRate, 21.0 / FrameRate}},
		{"to the clip's end", 0.5, 1.009, Range{0.5, 1.01}},
		{"into the clip", -4, 0.5, Range{0, 0.5}},
		{"all of it", -1, 9, Range{}},
		{"a click", 0.5, 0.505, Range{}},
		{"outside", 5, 6, Range{}},
		{"not a number", math.NaN(), 0.5, Range{}},
	} {
		s.SetRange(c.a, c.b)
		if !(math.Abs(s.Range.From-c.want.From) <= tolerance) || !(math.Abs(s.Range.To-c.want.To) <= tolerance) {
			t.Errorf("%s: %+v, expected %+v within %g s", c.name, s.Range, c.want, tolerance)
		}
	}
}

func TestStepsWrapInTheRange(t *testing.T) {
	s := clip(1)
	s.SetRange(0.2, 0.3)
	s.Seek(0.2)
	s.Step(-1)
	near(t, "back from the start", s.Time, 0.3)
	s.Step(1)
	near(t, "on from the end", s.Time, 0.2)
	s.Step(1)
	near(t, "inside", s.Time, 7.0/FrameRate)
	s.Seek(0.5)
	s.Step(1)
	near(t, "outside steps are free", s.Time, 16.0/FrameRate)
	s.Loop = false
	s.Seek(0.3)
	s.Step(1)
	near(t, "without a loop out of the range", s.Time, 10.0/FrameRate)
}

func FuzzRange(f *testing.F) {
	f.Add(2.0, 0.5, 1.5, 0.1)
	f.Add(0.0, 0.0, 0.0, 1.0)
	f.Add(0.01, -1.0, 3.0, 9.0)
	f.Fuzz(func(t *testing.T, seconds, a, b, dt float64) {
		if math.IsNaN(seconds) || seconds > 1e6 {
			t.Skip() // no clip is a week long
		}
		s := clip(seconds)
		s.SetRange(a, b)
		for range 4 {
			s.Tick(dt)
			s.Step(1)
			s.TogglePlay()
			if !(s.Time >= 0 && s.Time <= s.Seconds) {
				t.Fatalf("clip of %g s, range %+v: the time is %g s", seconds, s.Range, s.Time)
			}
		}
	})
}
