package viewer

import (
	"skinlab/render/viewer/pages/modelpage"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// otherSize is the factor from which on a model is of another size than before.
const otherSize = 1.5

// reshow replaces the model by a newer version of itself: what a person looks at, and how, stays. On an error the old
// one stays.
func (a *app) reshow(p *prepared) error {
	was, camera, framed, aspect, lo, hi := a.state, a.camera, a.framing.on, a.framing.aspect, a.framing.lo, a.framing.hi
	warnings, old, posed := pageOf[*modelpage.Page](a).Open, a.shown.model, a.posing
	if err := a.show(p, sameClip(old, was.Clip, p.model)); err != nil {
		return err
	}
	s := &a.state
	keepPanes(s, &was, func(q state.Pane) bool { return q.Method != blendBones || q.Beside || a.fitted != nil })
	if sameName(old, was.Clip, p.model, s.Clip) {
		s.Range = was.Range
		if s.Range.To > s.Seconds {
			s.Range = state.Range{}
		}
		s.Seek(was.Time)
	}
	s.Playing = was.Playing
	a.camera, a.framing.on = camera, framed
	switch size, now := hi.Sub(lo).Len(), a.framing.hi.Sub(a.framing.lo).Len(); {
	case !(now < size*otherSize && now > size/otherSize):
		a.framing.on, a.framing.aspect = true, 0 // in other units, say: from the same side, at another distance
	case framed:
		// the next change of the view's shape fits it to what it was fitted to
		a.framing.lo, a.framing.hi, a.framing.aspect = lo, hi, aspect
	}
	pageOf[*modelpage.Page](a).Open = warnings
	a.carryPose(posed, was.Joint)
	return nil
}

// reshowBeside replaces the second file by a newer version of itself.
func (a *app) reshowBeside(b *beside, pane int) error {
	was := a.state
	if err := a.showBeside(b, pane); err != nil {
		return err
	}
	keepPanes(&a.state, &was, func(q state.Pane) bool { return !q.Beside || b.fitted == (q.Method == blendBones) })
	return nil
}

// keepPanes shows again what the panes showed, where it is still there.
func keepPanes(s, was *state.State, there func(state.Pane) bool) {
	for _, p := range was.Panes {
		if !there(p) {
			return
		}
	}
	s.Panes, s.Active, s.Layout = was.Panes, was.Active, was.Layout
}

// sameClip returns the clip of a newer version that goes with one of an older: that of its name, or else of its number.
func sameClip(old *skinning.Model, clip int, now *skinning.Model) int {
	if clip < 0 || clip >= len(old.Clips) {
		return clip
	}
	for i := range now.Clips {
		if sameName(old, clip, now, i) {
			return i
		}
	}
	return min(clip, len(now.Clips)-1)
}

func sameName(m *skinning.Model, clip int, n *skinning.Model, other int) bool {
	return clip >= 0 && clip < len(m.Clips) && other >= 0 && other < len(n.Clips) &&
		m.Clips[clip].Name == n.Clips[other].Name
}
