package viewer

import (
	"slices"
	"testing"

	"skinlab/render/ui"
	"skinlab/render/viewer/cliplist"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/sweep"
	"skinlab/render/viewer/state"
)

// TestClipsAndJointsAreFiltered: the list of clips, that of the fit's clips and that of the swept joint are narrowed by
// typing.
func TestClipsAndJointsAreFiltered(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:figure", "-child.time", "0.01")
	w.do(t, "mousemove", "600", "300")
	s := w.until("the clips", func(s *Snapshot) bool { return s.placed(desk.PanelLeft, cliplist.ItemStress).W > 0 })
	clips := func(s *Snapshot) (list []int) {
		for _, at := range s.Placed {
			if at.Panel == desk.PanelLeft && at.Item >= cliplist.ItemClip {
				list = append(list, at.Item-cliplist.ItemClip)
			}
		}
		return list
	}
	first := s.placed(desk.PanelLeft, cliplist.ItemClip)
	if group := s.placed(desk.PanelLeft, cliplist.ItemStress); group.Bottom() > first.Y || clips(&s)[0] != 0 {
		t.Errorf("the stress clips' heading is at %v, the first clip at %v, clips %v", group, first, clips(&s))
	}
	w.click(s.placed(desk.PanelLeft, cliplist.ItemStress), 0.5)
	s = w.until("the stress clips", func(s *Snapshot) bool { return len(clips(s)) > 1 && clips(s)[0] > 1 })
	w.click(s.placed(desk.PanelLeft, cliplist.ItemClip+clips(&s)[0]), 0.5)
	stress := clips(&s)[0]
	w.until("a stress clip", func(s *Snapshot) bool { return s.State.Clip == stress })
	w.click(w.now().placed(desk.PanelLeft, cliplist.ItemFilter), 0.5)
	w.until("a field", func(s *Snapshot) bool { return s.Fit.Typing })
	w.do(t, "type", "--delay", "4", "WAL")
	s = w.until("one clip", func(s *Snapshot) bool { return len(clips(s)) == 1 })
	walk := clips(&s)[0]
	w.click(s.placed(desk.PanelLeft, cliplist.ItemClip+walk), 0.5)
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
	s = w.until("the fit", func(s *Snapshot) bool { return s.State.Tab == state.TabFit && s.item(fitpage.ItemClip).W > 0 })
	w.click(s.item(fitpage.ItemClip), 0.5)
	const rangeOfMotion = 1 // behind all clips
	w.clickOn("its row in the menu", func(s *Snapshot) ui.Rect {
		return s.placed(desk.PanelMenu, fitpage.ItemTrain+rangeOfMotion+1+walk)
	})
	w.until("it is taken", func(s *Snapshot) bool {
		return s.Fit.Clip == walk && s.placed(desk.PanelMenu, fitpage.ItemTrain).W == 0
	})
}

// TestTrainingOfAnotherClip: the page says that a stress clip on the screen is not learnt from, and a click adds it.
func TestTrainingOfAnotherClip(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:box", "-child.pause", "5ms")
	w.do(t, "mousemove", "600", "300", "key", "b")
	own := w.until("the page", func(s *Snapshot) bool {
		return s.item(fitpage.ItemStart).W > 0 && s.item(fitpage.ItemAdd).W == 0 && s.Fit.Clip == fitpage.AllClips
	}).State.Clip
	w.do(t, "key", "Page_Up") // the last clip is a stress clip
	s := w.until("the offer", func(s *Snapshot) bool { return s.State.Clip != own && s.item(fitpage.ItemAdd).W > 0 })
	w.clickOn("the button", func(s *Snapshot) ui.Rect { return s.item(fitpage.ItemAdd) })
	w.do(t, "mousemove", "600", "300")
	w.until("it is added", func(now *Snapshot) bool {
		return now.Fit.Clip == fitpage.AllClips && slices.Equal(now.Fit.Also, []int{s.State.Clip}) && now.item(fitpage.ItemAdd).W == 0
	})
}
