package viewer

import (
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/stress"
)

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
	b.model.Clips = slices.Clone(b.model.Clips[:b.own])
	for i := first.own; i < len(first.model.Clips); i++ {
		if c, err := first.model.Clips[i].Onto(first.model, b.model); err == nil {
			b.model.Clips = append(b.model.Clips, c)
		}
	}
	b.at.ok = false
}
