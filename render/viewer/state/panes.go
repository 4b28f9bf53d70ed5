package state

import (
	"math"
	"slices"

	"skinlab/skinning"
)

// MostPanes is the largest number of pictures that are seen at once.
const MostPanes = 4

// Layout is how the view is divided into pictures. All have the same camera and the same pose.
type Layout uint8

const (
	One   Layout = iota // one picture
	Split               // two over the whole view that meet under a divider
	Two                 // two side by side, each a whole picture
	Four                // four, two by two
	layouts
)

var layoutNames = [...]string{"one", "split", "two", "four"}

// String returns the layout's name on the command line.
func (l Layout) String() string { return layoutNames[l] }

// ParseLayout returns the layout of a name.
func ParseLayout(name string) (Layout, bool) {
	l := slices.Index(layoutNames[:], name)
	return Layout(max(l, 0)), l >= 0
}

// Panes returns how many pictures a layout shows.
func (l Layout) Panes() int { return [...]int{1, 2, 2, 4}[l] }

// Pane is what one picture shows.
type Pane struct {
	Method skinning.Method // or Fitted
	Beside bool            // of the file that was put beside the first
}

// Method returns what the active pane shows.
func (s *State) Method() skinning.Method { return s.Panes[s.Active].Method }

// Seen returns the panes that are seen.
func (s *State) Seen() []Pane { return s.Panes[:s.Layout.Panes()] }

// Shows reports whether a pane that is seen shows a method of the first file.
func (s *State) Shows(m skinning.Method) bool {
	for _, p := range s.Seen() {
		if p.Method == m && !p.Beside {
			return true
		}
	}
	return false
}

// SetMethod shows a method in the active pane. If another visible pane shows it already, the two panes swap.
func (s *State) SetMethod(m skinning.Method) {
	active := &s.Panes[s.Active]
	for i := range s.Panes[:max(s.Layout.Panes(), 2)] { // in a single picture Swap flips between two
		if p := &s.Panes[i]; p.Method == m && p.Beside == active.Beside {
			p.Method = active.Method
		}
	}
	active.Method = m
}

// SetPanes fills the panes from the first on; the others keep what they would show.
func (s *State) SetPanes(methods []skinning.Method) {
	for i, m := range methods[:min(len(methods), MostPanes)] {
		for k := range s.Panes {
			if s.Panes[k].Method == m {
				s.Panes[k].Method = s.Panes[i].Method
			}
		}
		s.Panes[i].Method = m
	}
}

// SetLayout divides the view. No two panes show the same of the same file.
func (s *State) SetLayout(l Layout) {
	if l >= layouts {
		return
	}
	s.Layout = l
	if l == One { // the active picture stays in sight
		s.Panes[0], s.Panes[s.Active] = s.Panes[s.Active], s.Panes[0]
	}
	s.Active = min(s.Active, l.Panes()-1)
	if l == One {
		s.Active = 0
	}
	s.part()
}

// part changes panes that repeat an earlier one to the first method that no pane shows.
func (s *State) part() {
	seen := s.Seen()
	for i := 1; i < len(seen); i++ {
		if !slices.Contains(seen[:i], seen[i]) {
			continue
		}
		for _, m := range skinning.Methods() {
			if p := (Pane{m, seen[i].Beside}); !slices.Contains(seen, p) {
				seen[i] = p
				break
			}
		}
	}
}

// ToggleSplit shows one picture, or two under the divider.
func (s *State) ToggleSplit() {
	if s.Layout == One {
		s.SetLayout(Split)
	} else {
		s.SetLayout(One)
	}
}

// Swap exchanges the active pane with the next; in a single picture it flips between two methods.
func (s *State) Swap() {
	next := (s.Active + 1) % max(s.Layout.Panes(), 2)
	s.Panes[s.Active], s.Panes[next] = s.Panes[next], s.Panes[s.Active]
}

// Activate chooses the pane that keys and clicks change.
func (s *State) Activate(pane int) {
	if pane >= 0 && pane < s.Layout.Panes() {
		s.Active = pane
	}
}

// How near to the view's edges the divider goes, as a share of its width.
const leastDivider = 0.02

// SetDivider moves the divider. NaN counts as the middle.
func (s *State) SetDivider(x float64) {
	if math.IsNaN(x) {
		x = 0.5
	}
	s.Divider = min(max(x, leastDivider), 1-leastDivider)
}

// CloseFitted removes the fitted model from the panes, because it is gone.
func (s *State) CloseFitted() {
	s.drop(func(p Pane) bool { return p.Method == Fitted && !p.Beside })
}

// CloseExamples removes the examples from the panes, because no clip shows them now.
func (s *State) CloseExamples() {
	shown := func(p Pane) bool { return p.Method == Examples }
	if slices.ContainsFunc(s.Panes[:], shown) {
		s.drop(shown)
	}
}

// CloseBeside removes the second file from the panes, because it is gone.
func (s *State) CloseBeside() {
	s.ReferenceBeside = false
	s.drop(func(p Pane) bool { return p.Beside })
}

// drop gives panes whose content is gone the first method, or another one if a visible pane shows that already.
func (s *State) drop(gone func(Pane) bool) {
	for i := range s.Panes {
		if gone(s.Panes[i]) {
			s.Panes[i] = Pane{Method: skinning.LBS}
		}
	}
	if s.Panes[0] == s.Panes[1] { // Swap flips between them in a single picture as well
		s.Panes[1].Method = skinning.DQS
		if s.Panes[0].Method == skinning.DQS {
			s.Panes[1].Method = skinning.LBS
		}
	}
	s.part()
}

// KeepPanes takes the panes of another state if what they show is there still.
func (s *State) KeepPanes(was *State, there func(Pane) bool) {
	for _, p := range was.Panes {
		if !there(p) {
			return
		}
	}
	s.Panes, s.Active, s.Layout = was.Panes, was.Active, was.Layout
}

// BesidePane returns a pane that shows the second file, or would show it.
func (s *State) BesidePane() int {
	return max(slices.IndexFunc(s.Seen(), func(p Pane) bool { return p.Beside }), 1)
}

// ShowsErrors reports whether the page of errors is on the screen, which tells of all methods.
func (s *State) ShowsErrors() bool { return s.Panels && s.Tab == TabErrors }
