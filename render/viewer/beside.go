package viewer

import (
	"slices"

	"skinlab/render/viewer/files"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/remodel"
	"skinlab/skinning/stress"
)

// beside is a second file in the same picture. It plays at the same time as the first file. Its clip is the one with
// the name of the first file's clip, else the one with the same index.
type beside struct {
	posing.Subject
	name     string
	sameSkin bool           // it has the vertices of the first file's skin
	own      int            // number of clips of the file
	fitted   bool           // it has bones from a fit, so only linear blending over them can pose it
	card     methodCard     // describes these bones
	choice   fitpage.Choice // what is compared with the shown fit, in place of a file; nothing for a file
	still    *still         // of which this is a pose; nil for what is posed anew in each frame
}

// prepareBeside does the part of the work that needs no OpenGL.
func prepareBeside(m *skinning.Model) *beside {
	b := &beside{name: m.Name, fitted: len(m.Added()) > 0, card: fittedCard(m)}
	all, own := withStress(m)
	m, b.own = withClips(all, all.Clips), own // a copy, because shareStress changes its clips
	b.Subject = posing.Subject{Model: m, Pose: m.NewPose(), Frame: fitted.LazyFrame(m, nil)}
	if b.name == "" {
		b.name = "Untitled model"
	}
	return b
}

// clip returns the index of the clip that goes with a clip of the first file, −1 for the static pose.
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

// showBeside puts a file into a pane beside the first one. On an error the previous file stays.
func (a *app) showBeside(b *beside, pane int) error {
	b.shareStress(a.shown)
	if err := a.gpu.SetBeside(b.Model); err != nil {
		return err
	}
	a.forgetBeside()
	if a.beside = b; b.still != a.still {
		a.dropStill()
	}
	b.Under(a.pose.Edits)
	b.sameSkin = sameSkin(a.shown.Model, b.Model)
	a.Hide(a.facts.Hidden())
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
		p.Method = state.Fitted
	case p.Method == state.Fitted:
		p.Method = skinning.LBS
	}
	a.wake()
	return nil
}

// dropBeside removes the second file from the picture and the GPU.
func (a *app) dropBeside() {
	a.dropStill()
	a.forgetBeside()
	if err := a.gpu.SetBeside(nil); err != nil {
		a.notes.Complain("Could not close the second file", err)
	}
}

func (a *app) forgetBeside() {
	if a.beside != nil {
		a.beside, a.files.besideSource = nil, files.Source{}
		a.files.watcher.Watch(files.Beside, files.Source{})
		a.state.CloseBeside()
		a.wake()
	}
}

// offers reports whether a method can show the active pane's file.
func (a *app) offers(m skinning.Method) bool {
	if a.state.Panes[a.state.Active].Beside && a.beside != nil {
		return a.beside.fitted == (m == state.Fitted)
	}
	return m != state.Fitted && !a.bare() || a.fitted != nil
}

// bare reports whether there is no skin that a method could pose: a skeleton alone is shown.
func (a *app) bare() bool { return a.state.Bare && a.beside == nil }

// setMethod shows a method in the active pane if it can show the pane's file.
func (a *app) setMethod(m skinning.Method) {
	if a.offers(m) {
		a.state.SetMethod(m)
	}
}

// withStress returns a model with the stress clips after its own, and the number of its own. A model without clips then
// still has something to play that shows artifacts.
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

// shareStress gives a second file the stress clips of the first one. Stress clips made for its own weights might move
// differently. A clip that needs a node which this file lacks is left out; the file then stands still.
func (b *beside) shareStress(first *prepared) {
	b.Model.Clips = slices.Clone(b.Model.Clips[:b.own])
	for i := first.own; i < len(first.Model.Clips); i++ {
		if c, err := remodel.Onto(&first.Model.Clips[i], first.Model, b.Model); err == nil {
			b.Model.Clips = append(b.Model.Clips, c)
		}
	}
	b.At.OK = false
}
