package undo

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHistory walks back and forth through random states beside a plain model of what undo means.
func TestHistory(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var l list[int]
	undo, now, redo := []int(nil), 0, []int(nil)
	l.Record(0)
	for k := range 3000 {
		switch rng.IntN(5) {
		case 0, 1:
			s := rng.IntN(3)
			l.Record(s)
			if s != now {
				undo, now, redo = append(undo, now), s, nil
			}
		case 2, 3:
			back := rng.IntN(2) == 0
			from, to := &undo, &redo
			if !back {
				from, to = to, from
			}
			s, ok := l.Peek(back)
			if ok != (len(*from) > 0) {
				t.Fatalf("step %d: there is a state: %v", k, ok)
			}
			l.step(back, s)
			if ok {
				*to, now, *from = append(*to, now), (*from)[len(*from)-1], (*from)[:len(*from)-1]
				if s != now {
					t.Fatalf("step %d: state %d, expected %d", k, s, now)
				}
			}
		}
		undo = undo[max(len(undo)+len(redo)+1-most, 0):]
		if back, forth := l.steps(); back != len(undo) || forth != len(redo) {
			t.Fatalf("step %d: %d steps back and %d forth, expected %d and %d", k, back, forth, len(undo), len(redo))
		}
	}
}

func TestRevise(t *testing.T) {
	var l list[int]
	for _, s := range []int{10, 11, 20, 21, 30} {
		l.Record(s)
	}
	l.step(true, 21)
	l.revise(func(s *int) { *s = *s / 10 * 10 })
	if !slices.Equal(l.states, []int{10, 20, 30}) || l.states[l.at] != 20 {
		t.Errorf("%v at %d, expected 10, 20, 30 at 20", l.states, l.at)
	}
	l.amend(10)
	if !slices.Equal(l.states, []int{10, 30}) || l.at != 0 {
		t.Errorf("amended: %v at %d, expected 10, 30 at 10", l.states, l.at)
	}
	l = list[int]{}
	for s := range 9 {
		l.Record(s)
	}
	var seen []int
	l.dropBefore(func(s *int) bool {
		seen = append(seen, *s)
		return *s == 3
	})
	if !slices.Equal(l.states, []int{4, 5, 6, 7, 8}) || l.states[l.at] != 8 || !slices.Equal(seen, []int{8, 7, 6, 5, 4, 3}) {
		t.Errorf("%v at %d after %v, expected the states behind 3", l.states, l.at, seen)
	}
	l.dropBefore(func(*int) bool { return true })
	if len(l.states) != 1 || l.states[l.at] != 8 {
		t.Errorf("%v: the present state is dropped", l.states)
	}
}
