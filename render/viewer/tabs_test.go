package viewer

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
)

// TestPageTable: every page has a name and a heading of its own, and its key shows it.
func TestPageTable(t *testing.T) {
	rows := pageTable()
	for i, row := range rows {
		if row.Tab == "" || row.Title == "" || row.Does == "" || row.Tip == "" {
			t.Errorf("page %d lacks something: %q", i, row.Tab)
		}
		if string(row.Tab) != strings.ToLower(row.Title) {
			t.Errorf("the page %q has the heading %q: the command line and the window have two names for it", row.Tab, row.Title)
		}
		for _, other := range rows[:i] {
			if row.Tab == other.Tab || row.Title == other.Title || row.Key != 0 && row.Key == other.Key {
				t.Errorf("pages %q and %q are taken for each other", other.Tab, row.Tab)
			}
		}
		if row.Key == 0 || row.there != nil { // such a page has its own test
			continue
		}
		a := &app{state: state.New()}
		a.lists.commands = commands()
		a.Press(glfw.Key(row.Key), 0, false)
		if a.state.Tab != row.Tab {
			t.Errorf("the key %c shows the page %q, expected %q", row.Key, a.state.Tab, row.Tab)
		}
	}
	if names := Pages(); names[0] != string(state.TabModel) || slices.Contains(names, "") {
		t.Errorf("pages %q: the first is to be the one that a window opens with", names)
	}
}

// TestPageBefore: in the place of a page that is not there, the one before it is shown.
func TestPageBefore(t *testing.T) {
	a := &app{state: state.New()}
	for k, there := range []bool{true, true, false, false} {
		a.tabs = append(a.tabs, tab{pageRow: pageRow{Tab: state.Tab(rune('a' + k)), there: func(*app) bool { return there }}})
	}
	for asked, want := range map[state.Tab]state.Tab{"a": "a", "b": "b", "c": "b", "d": "b", "e": "a"} {
		if a.state.Tab = asked; a.page().Tab != want {
			t.Errorf("%q is asked for and %q shown, expected %q", asked, a.page().Tab, want)
		}
	}
}

// TestPageInASmallWindow: a window with room for one panel shows the methods at first, and the page that it is asked
// for, the first of them too.
func TestPageInASmallWindow(t *testing.T) {
	t.Parallel()
	for page, shown := range map[state.Tab]bool{"": false, state.TabModel: true, state.TabErrors: true} {
		w := openLive(t, "demo:box", "-child.size", "800x600", "-child.page", string(page))
		s := w.until("a panel", func(s *Snapshot) bool { return len(s.Placed) > 0 })
		if methods := s.placed(desk.PanelLeft, itemMethod).W > 0; s.item(itemTab).W > 0 != shown || methods == shown {
			t.Errorf("page %q: page shown %v, methods %v", page, s.item(itemTab).W > 0, methods)
		}
	}
}
