package state

import (
	"math"
	"testing"

	"skinlab/skinning"
)

// distinct fails where two panes that are seen, or the two between which a single picture flips, show the same.
func distinct(t *testing.T, doing string, s *State) {
	t.Helper()
	panes := s.Panes[:max(s.Layout.Panes(), 2)]
	for i := range panes {
		for k := range i {
			if panes[i] == panes[k] {
				t.Errorf("%s: panes %d and %d of %v both show %v", doing, k, i, s.Layout, panes[i])
			}
		}
	}
	if s.Active >= s.Layout.Panes() {
		t.Errorf("%s: pane %d of %v is worked on", doing, s.Active, s.Layout)
	}
}

func TestPanesNeverShowTheSame(t *testing.T) {
	s := New()
	for l := range layouts {
		for _, m := range skinning.Methods() {
			s.SetLayout(l)
			distinct(t, "layout", &s)
			for pane := range l.Panes() {
				s.Activate(pane)
				s.SetMethod(m)
				if s.Method() != m {
					t.Errorf("set %v in pane %d of %v, it shows %v", m, pane, l, s.Method())
				}
				distinct(t, "set", &s)
				s.Swap()
				distinct(t, "swap", &s)
				if next := s.Panes[(pane+1)%max(l.Panes(), 2)].Method; next != m {
					t.Errorf("swapped %v away from pane %d of %v, the next shows %v", m, pane, l, next)
				}
			}
		}
	}
}

// TestOneKeepsWhatIsWorkedOn: leaving a comparison keeps the picture that a person chose in it.
func TestOneKeepsWhatIsWorkedOn(t *testing.T) {
	s := New()
	s.SetLayout(Four)
	s.Activate(2)
	m := s.Method()
	s.SetLayout(One)
	if s.Method() != m || s.Active != 0 {
		t.Errorf("pane 2 showed %v; alone, pane %d shows %v", m, s.Active, s.Method())
	}
	s.Activate(3) // not seen
	s.Activate(-1)
	if s.Active != 0 {
		t.Errorf("pane %d of one is worked on", s.Active)
	}
}

// TestUnfit takes blend bones off every pane that shows them.
func TestUnfit(t *testing.T) {
	methods := append(skinning.Methods(), Fitted)
	for l := range layouts {
		for _, m := range methods {
			for pane := range l.Panes() {
				s := New()
				s.SetLayout(l)
				s.Activate(pane)
				s.SetMethod(Fitted)
				s.Activate(0)
				s.SetMethod(m)
				s.CloseFitted()
				distinct(t, "unfit", &s)
				for i, p := range s.Panes {
					if p.Method == Fitted {
						t.Errorf("%v: pane %d still shows blend bones", l, i)
					}
				}
			}
		}
	}
}

// TestLonely: the same method of two files may stand side by side, and panes of a file that is gone show the first.
func TestLonely(t *testing.T) {
	s := New()
	s.SetLayout(Two)
	s.Panes[1] = Pane{Method: skinning.LBS, Beside: true}
	s.SetLayout(Two)
	if want := (Pane{skinning.LBS, true}); s.Panes[0].Method != skinning.LBS || s.Panes[1] != want {
		t.Errorf("two files by one method become %v", s.Panes)
	}
	s.CloseBeside()
	distinct(t, "lonely", &s)
	for _, p := range s.Panes {
		if p.Beside {
			t.Errorf("%v is of a file that is gone", p)
		}
	}
}

func TestDivider(t *testing.T) {
	s := New()
	for _, c := range [][2]float64{{0.3, 0.3}, {-4, leastDivider}, {7, 1 - leastDivider}, {math.NaN(), 0.5}} {
		s.SetDivider(c[0])
		if s.Divider != c[1] {
			t.Errorf("divider at %g, expected %g", s.Divider, c[1])
		}
	}
}

func TestLayoutNames(t *testing.T) {
	for l := range layouts {
		if got, ok := ParseLayout(l.String()); !ok || got != l {
			t.Errorf("%v is read as %v, %t", l, got, ok)
		}
	}
	if l, ok := ParseLayout("three"); ok {
		t.Errorf("three is read as %v", l)
	}
}
