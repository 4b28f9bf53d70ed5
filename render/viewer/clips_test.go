package viewer

import (
	"slices"
	"testing"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/sweep"
	"skinlab/render/viewer/state"
)

// TestClipList: the stress clips are a group at the top, folded where the file has clips; a filter narrows both and opens
// the group; a stress clip that is played is in sight.
func TestClipList(t *testing.T) {
	p := &prepared{own: 3, clipNames: []string{"Walk_A", "walk b", "Run", "twist", "bend"}}
	l := clipList{filter: ui.NewFilter()}
	defer l.filter.Delete()
	l.set(p)
	check := func(when string, want ...int32) {
		t.Helper()
		if l.list(p); !slices.Equal(l.rows, want) {
			t.Errorf("%s: rows %v, expected %v", when, l.rows, want)
		}
	}
	check("at first", stressRow, 0, 1, 2)
	if l.most != 4 {
		t.Errorf("%d rows at most, expected 4", l.most)
	}
	l.filter.SetText("WALK")
	check("walks", 0, 1)
	l.filter.SetText("b walk")
	check("two words", 1)
	l.filter.SetText("stress")
	check("by their group", stressRow, 3, 4)
	l.filter.SetText("t")
	check("a letter", stressRow, 3, 4)
	l.filter.SetText("")
	check("all again", stressRow, 0, 1, 2)
	l.reveal(p, 1)
	check("a clip of the file", stressRow, 0, 1, 2)
	l.reveal(p, 4)
	check("a stress clip", stressRow, 3, 4, 0, 1, 2)
	if n := testing.AllocsPerRun(10, func() { l.list(p) }); n != 0 {
		t.Errorf("%g allocations while nothing changes", n)
	}
	p = &prepared{clipNames: []string{"twist"}}
	l.set(p)
	check("a file without clips", stressRow, 0)
}

// TestClipsAndJointsAreFiltered: the list of clips, that of the fit's clips and that of the swept joint are narrowed by
// typing.
func TestClipsAndJointsAreFiltered(t *testing.T) {
	w := openLive(t, "demo:figure", "-child.time", "0.01")
	w.do(t, "mousemove", "600", "300")
	s := w.until("the clips", func(s *Snapshot) bool { return s.placed(desk.PanelLeft, itemStress).W > 0 })
	clips := func(s *Snapshot) (list []int) {
		for _, at := range s.Placed {
			if at.Panel == desk.PanelLeft && at.Item >= itemClip {
				list = append(list, at.Item-itemClip)
			}
		}
		return list
	}
	first := s.placed(desk.PanelLeft, itemClip)
	if group := s.placed(desk.PanelLeft, itemStress); group.Bottom() > first.Y || clips(&s)[0] != 0 {
		t.Errorf("the stress clips' heading is at %v, the first clip at %v, clips %v", group, first, clips(&s))
	}
	w.click(s.placed(desk.PanelLeft, itemStress), 0.5)
	s = w.until("the stress clips", func(s *Snapshot) bool { return len(clips(s)) > 1 && clips(s)[0] > 1 })
	w.click(s.placed(desk.PanelLeft, itemClip+clips(&s)[0]), 0.5)
	stress := clips(&s)[0]
	w.until("a stress clip", func(s *Snapshot) bool { return s.State.Clip == stress })
	w.click(w.now().placed(desk.PanelLeft, itemClipFilter), 0.5)
	w.until("a field", func(s *Snapshot) bool { return s.Fit.Typing })
	w.do(t, "type", "--delay", "4", "WAL")
	s = w.until("one clip", func(s *Snapshot) bool { return len(clips(s)) == 1 })
	walk := clips(&s)[0]
	w.click(s.placed(desk.PanelLeft, itemClip+walk), 0.5)
	w.until("that clip", func(s *Snapshot) bool { return s.State.Clip == walk })

	w.do(t, "mousemove", "600", "300", "click", "1", "key", "u")
	s = w.until("the sweep", func(s *Snapshot) bool { return s.item(sweep.ItemJoint+2).W > 0 })
	w.click(s.item(sweep.ItemJoint+2), 0.5)
	w.until("the joints", func(s *Snapshot) bool { return len(s.Palette) == s.Pose.Joints })
	w.do(t, "type", "--delay", "4", "HEAD")
	s = w.until("a joint", func(s *Snapshot) bool { return len(s.Palette) == 1 })
	w.do(t, "key", "Return")
	picked := w.until("it is picked", func(s *Snapshot) bool { return len(s.Palette) == 0 && s.Pose.Picked != "" })
	if picked.Pose.Picked != s.Palette[0] {
		t.Errorf("joint %q is picked, expected %q", picked.Pose.Picked, s.Palette[0])
	}

	w.do(t, "key", "b")
	s = w.until("the fit", func(s *Snapshot) bool { return s.State.Tab == state.TabFit && s.item(fitpage.ItemClip+2).W > 0 })
	w.click(s.item(fitpage.ItemClip+2), 0.5)
	s = w.until("what it trains on", func(s *Snapshot) bool { return len(s.Palette) > 4 })
	if !slices.Equal(s.Palette[:2], []string{"Range of motion", "All clips"}) {
		t.Errorf("the list begins with %q", s.Palette[:2])
	}
	w.do(t, "type", "--delay", "4", "walk")
	w.until("a clip", func(s *Snapshot) bool { return len(s.Palette) == 1 && s.Palette[0] == "walk" })
	w.do(t, "key", "Return")
	w.until("it is taken", func(s *Snapshot) bool { return len(s.Palette) == 0 && s.Fit.Clip == walk })
}
