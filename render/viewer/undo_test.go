package viewer

import (
	"testing"

	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// TestUndo makes a step of each kind in a real window, undoes them all in order, and does them again.
func TestUndo(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:figure", "-child.time", "3") // a pose that is not its own mirror image
	first := w.now()
	_, y := middle(first.View)
	over := func(x float32) { w.do(t, "mousemove", whole(x), y) } // what is dropped there goes into that pane
	over(first.View.X + 30)
	steps := []struct {
		name string
		do   func()
		done func(*Snapshot) bool // after it, and not before
	}{
		{"a material", func() { w.do(t, "key", "c") }, func(s *Snapshot) bool { return s.State.Clay }},
		{"a method", func() { w.do(t, "key", "3") }, func(s *Snapshot) bool { return s.State.Method() == skinning.SDQS }},
		{"the reference", func() { w.do(t, "key", "r") }, func(s *Snapshot) bool { return s.State.Reference != first.State.Reference }},
		{"panes", func() { w.do(t, "key", "x") }, func(s *Snapshot) bool { return s.State.Layout == state.Split }},
		{"a pose", func() { w.do(t, "key", "m") }, func(s *Snapshot) bool { return s.Pose.Edited > 0 || s.Files.Path != "demo:figure" }},
		{"another switch", func() { w.do(t, "key", "w") }, func(s *Snapshot) bool { return s.State.Wireframe }},
		{"a second file", func() {
			over(first.View.Right() - 30)
			w.untilRest()
			w.tell("drop demo:tube")
		}, func(s *Snapshot) bool {
			return (s.Files.Beside == "demo:tube" || s.Files.Path == "demo:arm") && !s.Loading // it leaves with the first
		}},
		{"a file", func() {
			over(first.View.X + 30)
			w.untilRest()
			w.tell("drop demo:arm")
		},
			func(s *Snapshot) bool { return s.Files.Path == "demo:arm" && s.Model == "demo:arm" && !s.Loading }},
		{"a setting of that", func() { w.do(t, "key", "g") }, func(s *Snapshot) bool { return !s.State.Grid }},
	}
	for i, step := range steps {
		step.do()
		w.until(step.name, func(s *Snapshot) bool { return step.done(s) && s.Pose.Undo == i+1 && s.Pose.Redo == 0 })
	}
	posed := w.now()
	for i := len(steps) - 1; i >= 0; i-- {
		w.do(t, "key", "ctrl+z")
		s := w.until("undoing "+steps[i].name, func(s *Snapshot) bool {
			return !steps[i].done(s) && s.Pose.Undo == i && s.Pose.Redo == len(steps)-i && !s.Loading
		})
		for k, other := range steps {
			if got := other.done(&s); got != (k < i) {
				t.Errorf("%s is undone, %s is there: %v", steps[i].name, other.name, got)
			}
		}
	}
	if s := w.now(); s.State.Settings() != first.State.Settings() || s.Model != first.Model {
		t.Errorf("all undone: %+v, expected %+v", s.State.Settings(), first.State.Settings())
	}
	w.do(t, "key", "ctrl+z") // there is none
	for i, step := range steps {
		w.do(t, "key", "ctrl+shift+z")
		w.until("doing again "+step.name, func(s *Snapshot) bool { return step.done(s) && s.Pose.Undo == i+1 && !s.Loading })
	}
	if s := w.now(); s.State.Settings() != posed.State.Settings() {
		t.Errorf("all done again: %+v, expected %+v", s.State.Settings(), posed.State.Settings())
	}
	w.do(t, "key", "ctrl+z")
	w.until("undo", func(s *Snapshot) bool { return s.State.Grid })
	w.do(t, "key", "w")
	w.until("a new step", func(s *Snapshot) bool { return s.Pose.Redo == 0 && !s.State.Wireframe })
}

// TestUndoKeepsPages: opening a page, picking, playing and orbiting are no steps.
func TestUndoKeepsPages(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:figure", "-child.time", "3")
	x, y := middle(w.now().View)
	w.do(t, "mousemove", x, y, "key", "o")
	w.until("the page, which lends the skeleton", func(s *Snapshot) bool { return s.State.Tab == state.TabPose && s.State.Skeleton })
	w.do(t, "key", "period", "key", "Page_Down", "key", "h")
	w.until("the help", func(s *Snapshot) bool { return s.State.Help })
	w.do(t, "key", "Escape", "mousedown", "1", "mousemove_relative", "--", "-40", "3", "mouseup", "1")
	w.untilRest()
	if s := w.now(); s.Pose.Undo != 0 {
		t.Errorf("%d steps to undo, expected none", s.Pose.Undo)
	}
}
