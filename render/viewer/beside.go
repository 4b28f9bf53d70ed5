package viewer

import (
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// beside is another file in the same picture. It plays the clip of the same name as the first file's, or where there is
// none the one of the same number, at the same time.
type beside struct {
	posable
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
	b.posable = posable{model: m, pose: m.NewPose(), frame: lazyFrame(m, nil)}
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
	for i := range b.model.Clips {
		if b.model.Clips[i].Name == first.Clips[clip].Name {
			return i
		}
	}
	if clip < b.own {
		return clip
	}
	return -1
}

// follow poses the file as the first one is.
func (b *beside) follow(first *prepared, s *state.State, edit uint64) {
	b.set(posed{clip: b.clip(first.model, s.Clip), time: s.Time, baked: s.Baked && b.fitted, edit: edit, ok: true}, nil)
}

// showBeside puts a file into a pane, beside the first one. On an error what was there stays.
func (a *app) showBeside(b *beside, pane int) error {
	b.shareStress(a.shown)
	if err := a.gpu.SetBeside(b.model); err != nil {
		return err
	}
	a.forgetBeside()
	a.beside = b
	a.pose(&b.posable)
	b.sameSkin = sameSkin(a.shown.model, b.model)
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
		p.Method = blendBones
	case p.Method == blendBones:
		p.Method = skinning.LBS
	}
	a.wake()
	return nil
}

// dropBeside takes the second file out of the picture, and off the GPU.
func (a *app) dropBeside() {
	a.forgetBeside()
	if err := a.gpu.SetBeside(nil); err != nil {
		a.complain("Could not take the second file away", err)
	}
}

func (a *app) forgetBeside() {
	if a.beside != nil {
		a.beside, a.files.besideSource = nil, source{}
		a.files.watcher.watch(watchBeside, nil, nil)
		a.state.Lonely()
		a.wake()
	}
}

// offers reports whether the active pane's file can be shown by a method.
func (a *app) offers(m skinning.Method) bool {
	if a.state.Panes[a.state.Active].Beside && a.beside != nil {
		return a.beside.fitted == (m == blendBones)
	}
	return m != blendBones || a.fitted != nil
}

// setMethod lets the active pane show a method, where its file can.
func (a *app) setMethod(m skinning.Method) {
	if a.offers(m) {
		a.state.SetMethod(m)
	}
}
