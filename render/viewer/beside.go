package viewer

import (
	"slices"

	"skinlab/render/viewer/files"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/stress"
)

// beside is another file in the same picture. It plays the clip of the same name as the first file's, or where there is
// none the one of the same number, at the same time.
type beside struct {
	posing.Subject
	name     string
	sameSkin bool       // its vertices are the first file's
	own      int        // clips of the file
	fitted   bool       // it came with bones of a fit: it is posed by linear blending over them, and by nothing else
	card     methodCard // of these
}

// prepareBeside makes what can be made off the main goroutine.
func prepareBeside(m *skinning.Model) *beside {
	b := &beside{name: m.Name, fitted: len(m.Added()) > 0, card: fittedCard(m)}
	all, own := withStress(m)
	m, b.own = withClips(all, all.Clips), own // a copy, whose clips shareStress changes
	b.Subject = posing.Subject{Model: m, Pose: m.NewPose(), Frame: fitted.LazyFrame(m, nil)}
	if b.name == "" {
		b.name = "Untitled model"
	}
	return b
}

// clip returns the clip that goes with one of the first file, −1 for the static pose.
func (b *beside) clip(first *skinning.Model, clip int) int {
	if clip < 0 || clip >= len(first.Clips) {
		return -1
	}
	for i := range b.Model.Clips {
		if b.Model.Clips[i].Name == first.Clips[clip].Name {
			return i
		}
	}
	if clip < b.own {
		return clip
	}
	return -1
}

// showBeside puts a file into a pane, beside the first one. On an error what was there stays.
func (a *app) showBeside(b *beside, pane int) error {
	b.shareStress(a.shown)
	if err := a.gpu.SetBeside(b.Model); err != nil {
		return err
	}
	a.forgetBeside()
	a.beside = b
	b.Under(a.pose.Edits)
	b.sameSkin = sameSkin(a.shown.Model, b.Model)
	if a.state.Layout == state.One {
		a.state.SetLayout(state.Two)
	}
	if pane < 1 || pane >= a.state.Layout.Panes() {
		pane = 1
	}
	p := &a.state.Panes[pane]
	p.Beside = true
	switch {
	case b.fitted:
		p.Method = state.BlendBones
	case p.Method == state.BlendBones:
		p.Method = skinning.LBS
	}
	a.wake()
	return nil
}

// dropBeside takes the second file out of the picture, and off the GPU.
func (a *app) dropBeside() {
	a.forgetBeside()
	if err := a.gpu.SetBeside(nil); err != nil {
		a.notes.Complain("Could not take the second file away", err)
	}
}

func (a *app) forgetBeside() {
	if a.beside != nil {
		a.beside, a.files.besideSource = nil, files.Source{}
		a.files.watcher.Watch(files.Beside, files.Source{})
		a.state.Lonely()
		a.wake()
	}
}

// offers reports whether the active pane's file can be shown by a method.
func (a *app) offers(m skinning.Method) bool {
	if a.state.Panes[a.state.Active].Beside && a.beside != nil {
		return a.beside.fitted == (m == state.BlendBones)
	}
	return m != state.BlendBones || a.fitted != nil
}

// setMethod lets the active pane show a method, where its file can.
func (a *app) setMethod(m skinning.Method) {
	if a.offers(m) {
		a.state.SetMethod(m)
	}
}

// withStress returns a model with the stress clips behind its own, and the number of its own: every model has something
// to play that shows its artifacts.
func withStress(m *skinning.Model) (all *skinning.Model, own int) {
	all = stress.Append(m)
	return all, stress.Own(all)
}

// withClips returns a model with the clips of another one that has the same nodes in the same order.
func withClips(m *skinning.Model, clips []skinning.Clip) *skinning.Model {
	out := *m
	out.Clips = clips
	return &out
}

// shareStress gives a file that stands beside the first one that one's stress clips: made for its own weights, they
// might be other moves. One that needs a node that it lacks is left out: it stands still then.
func (b *beside) shareStress(first *prepared) {
	b.Model.Clips = slices.Clone(b.Model.Clips[:b.own])
	for i := first.own; i < len(first.Model.Clips); i++ {
		if c, err := first.Model.Clips[i].Onto(first.Model, b.Model); err == nil {
			b.Model.Clips = append(b.Model.Clips, c)
		}
	}
	b.At.OK = false
}
