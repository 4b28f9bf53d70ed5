package state

import (
	"math"
	"testing"

	"skinlab/skinning"
)

// tolerance in seconds: a few roundings of numbers below a minute.
const tolerance = 1e-9

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.12g s, expected %.12g s within %g s", what, got, want, tolerance)
	}
}

func clip(seconds float64) State {
	s := New()
	s.SetClip(0, seconds)
	return s
}

func TestTickLoops(t *testing.T) {
	s := clip(2)
	s.Tick(1.5)
	near(t, "inside", s.Time, 1.5)
	s.Tick(0.75)
	near(t, "around the end", s.Time, 0.25)
	s.Tick(7.0)
	near(t, "several rounds", s.Time, 1.25)
	s.SetSpeed(0.5)
	s.Tick(0.5)
	near(t, "half speed", s.Time, 1.5)
}

func TestTickStopsAtTheEnd(t *testing.T) {
	s := clip(2)
	s.Loop = false
	s.Tick(5)
	near(t, "end", s.Time, 2)
	if s.Playing || s.Moving() {
		t.Error("a clip that does not loop must pause at its end")
	}
	s.TogglePlay()
	near(t, "played again", s.Time, 0)
}

func TestNothingMovesWhilePausedHeldOrWithoutLength(t *testing.T) {
	for name, prepare := range map[string]func(*State){
		"paused":      func(s *State) { s.TogglePlay() },
		"held":        func(s *State) { s.Hold(0.5) },
		"no length":   func(s *State) { s.SetClip(0, 0) },
		"static pose": func(s *State) { s.SetClip(-1, 0) },
	} {
		s := clip(1)
		s.Seek(0.5)
		prepare(&s)
		before := s.Time
		s.Tick(0.2)
		near(t, name, s.Time, before)
		if s.Moving() {
			t.Errorf("%s: reports that it moves", name)
		}
	}
}

func TestHeldPlayheadPlaysOn(t *testing.T) {
	s := clip(3)
	s.Hold(-4)
	near(t, "held before the start", s.Time, 0)
	s.Hold(9)
	near(t, "held past the end", s.Time, 3)
	s.Hold(1)
	s.Release()
	s.Tick(0.25)
	near(t, "let go while playing", s.Time, 1.25)
}

func TestStepWalksTheFrameGrid(t *testing.T) {
	s := clip(1)
	for k := 1; k <= 30; k++ {
		s.Step(1)
		near(t, "forward", s.Time, float64(k)/FrameRate)
		if at, last := s.Frame(); at != k || last != 30 {
			t.Errorf("frame %d of %d, expected %d of 30", at, last, k)
		}
	}
	s.Step(1)
	near(t, "around the end", s.Time, 0)
	s.Step(-1)
	near(t, "around the start", s.Time, 1)
	for k := 29; k >= 0; k-- {
		s.Step(-1)
		near(t, "backward", s.Time, float64(k)/FrameRate)
	}
	s.Seek(0.35) // between frames 10 and 11
	s.Step(1)
	near(t, "up to the grid", s.Time, 11.0/FrameRate)
	s.Seek(0.35)
	s.Step(-1)
	near(t, "down to the grid", s.Time, 10.0/FrameRate)
	if s.Playing {
		t.Error("a step must pause")
	}
}

// TestLastFrame: keys a little closer than the frames of the grid have a last frame all the same, the clip's end.
func TestLastFrame(t *testing.T) {
	s := clip(85 * 0.0333) // 86 keys
	if at, last := s.Frame(); at != 0 || last != 85 {
		t.Errorf("frame %d of %d at the start, expected 0 of 85", at, last)
	}
	for range 85 {
		s.Step(1)
	}
	if at, last := s.Frame(); at != 85 || last != 85 || s.Time != s.Seconds {
		t.Errorf("frame %d of %d at %g s, expected the last of 85 at %g s", at, last, s.Time, s.Seconds)
	}
}

func TestStepWithoutLoopStaysAtTheEnds(t *testing.T) {
	s := clip(0.05) // the end lies between two frames
	s.Loop = false
	s.Step(-1)
	near(t, "start", s.Time, 0)
	s.Step(1)
	s.Step(1)
	near(t, "end", s.Time, 0.05)
	s.Step(1)
	near(t, "still the end", s.Time, 0.05)
	s.Step(-1)
	near(t, "back on the grid", s.Time, 1.0/FrameRate)
}

func TestBadNumbersAreTamed(t *testing.T) {
	s := clip(2)
	s.Seek(math.NaN())
	near(t, "NaN seek", s.Time, 0)
	s.Seek(math.Inf(1))
	near(t, "infinite seek", s.Time, 2)
	s.SetSpeed(math.NaN())
	near(t, "NaN speed", s.Speed, 1)
	s.SetSpeed(1e9)
	near(t, "fast", s.Speed, FastestSpeed)
	s.SetSpeed(-3)
	near(t, "slow", s.Speed, SlowestSpeed)
	s.Seek(1)
	s.Tick(math.NaN())
	s.Tick(-1)
	near(t, "NaN and negative ticks", s.Time, 1)
}

func TestEscapeOnlyClosesTheHelp(t *testing.T) {
	s := New()
	s.Help = true
	s.Escape()
	want := New()
	if s != want {
		t.Errorf("after Escape: %+v, expected %+v", s, want)
	}
}

// TestSettings: settings come back, and what is no setting stays as it is by then.
func TestSettings(t *testing.T) {
	s := New()
	s.SetLayout(Two)
	s.SetMethod(skinning.SBS)
	s.Clay, s.HeatTop, s.Tab = true, 0.2, TabPose
	s.FollowTab() // the page lends the skeleton
	was := s.Settings()
	if was.Skeleton {
		t.Error("what a page lends is a setting")
	}
	s.SetLayout(Four)
	s.Activate(3)
	s.SetMethod(skinning.LBS)
	s.Clay, s.HeatTop, s.Heat, s.Speed = false, 0.1, true, 2
	s.SetClip(2, 3)
	s.Seek(1.5)
	s.Joint, s.Vertex, s.Playing, s.Help = 4, 5, false, true
	if s.Settings() == was {
		t.Fatal("other settings are the same")
	}
	s.Restore(was)
	if s.Settings() != was {
		t.Errorf("restored: %+v, expected %+v", s.Settings(), was)
	}
	if s.Clip != 2 || s.Time != 1.5 || s.Joint != 4 || s.Vertex != 5 || s.Playing || !s.Help || s.Tab != TabPose ||
		!s.Skeleton || s.Active != 0 || s.Method() != was.Panes[0].Method {
		t.Errorf("what is no setting: %+v", s)
	}
	s.Tab = TabModel
	s.FollowTab()
	if s.Skeleton {
		t.Error("the skeleton stays without its page")
	}
}

// TestFramesOfTheKeys: keys that are even are the frames of a clip, where they are so many that they were sampled.
func TestFramesOfTheKeys(t *testing.T) {
	for keys, want := range map[float64]float64{0: 30, 24: 24, 23.9999: 24, 24000.0 / 1001: 24000.0 / 1001, 120: 120, 2: 30, 1000: 30} {
		s := New()
		s.SetClip(0, 2)
		s.KeyRate = keys
		s.Step(-1) // to the end
		s.Step(-1)
		_, last := s.Frame()
		if s.Rate() != want || last != int(math.Ceil(2*want-1e-3)) || !(math.Abs(s.Time-(2-1/want)) <= 1/want) {
			t.Errorf("%g keys a second: %g frames, the last is %d, at %g s after a step back", keys, s.Rate(), last, s.Time)
		}
	}
}
