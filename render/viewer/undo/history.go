package undo

import "slices"

// most limits the number of states.
const most = 200

// list is a list of states in the order in which they came about. One of them is the present one. Undo goes to those
// before it, redo to those behind it. A state is a small value; large data are behind pointers in it and never change.
// The zero List has no states.
type list[S comparable] struct {
	states []S
	at     int // index of the present one
}

// Record takes a new present state, and drops those behind the one before. It does nothing if the state is the present
// one already.
func (l *list[S]) Record(s S) {
	switch {
	case len(l.states) == 0:
		l.states, l.at = append(l.states, s), 0
	case l.states[l.at] != s:
		clear(l.states[l.at+1:])
		l.states = append(l.states[:l.at+1], s)
		if len(l.states) > most {
			l.states = slices.Delete(l.states, 0, 1)
		}
		l.at = len(l.states) - 1
	}
}

// amend replaces the present state, so that there is no step between the two.
func (l *list[S]) amend(s S) {
	if len(l.states) == 0 {
		l.Record(s)
		return
	}
	l.states[l.at] = s
	l.merge()
}

// Peek returns the state before the present one, or the one behind it, and whether there is one.
func (l *list[S]) Peek(back bool) (s S, ok bool) {
	to := l.at + 1
	if back {
		to = l.at - 1
	}
	if to < 0 || to >= len(l.states) {
		return s, false
	}
	return l.states[to], true
}

// step makes the neighbour of the present state the present one, the one before it if back is set, and replaces it by
// s, the state that was reached in fact. It does nothing if there is no neighbour.
func (l *list[S]) step(back bool, s S) {
	if _, ok := l.Peek(back); !ok {
		return
	}
	l.at++
	if back {
		l.at -= 2
	}
	l.states[l.at] = s
}

func (l *list[S]) steps() (back, forth int) { return l.at, max(len(l.states)-1-l.at, 0) }

// revise changes all states: what they name is gone. States that have become the same become one.
func (l *list[S]) revise(change func(*S)) {
	for i := range l.states {
		change(&l.states[i])
	}
	l.merge()
}

// dropBefore drops the oldest states up to the newest that is too much. The present one and those behind it stay. The
// function is called from the newest state to the oldest.
func (l *list[S]) dropBefore(tooMuch func(*S) bool) {
	for i := len(l.states) - 1; i >= 0; i-- {
		if tooMuch(&l.states[i]) && i < l.at {
			l.states = slices.Delete(l.states, 0, i+1)
			l.at -= i + 1
			return
		}
	}
}

// merge makes one of neighbours that are the same.
func (l *list[S]) merge() {
	for i := len(l.states) - 1; i > 0; i-- {
		if l.states[i] == l.states[i-1] {
			l.states = slices.Delete(l.states, i, i+1)
			if l.at >= i {
				l.at--
			}
		}
	}
}
