package export

import (
	"fmt"
	"slices"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/skinning"
	"skinlab/skinning/stress"
)

// masterModel returns a fitted model without what the fit added.
func masterModel(fitted *skinning.Model) *skinning.Model {
	m := *fitted
	added := addedJoints(&m)
	if added == 0 {
		return &m
	}
	s := &m.Skeleton
	s.Joints = s.Joints[:len(s.Joints)-added]
	s.Nodes = s.Nodes[:len(s.Nodes)-added]
	s.Order = slices.DeleteFunc(slices.Clone(s.Order), func(i int) bool { return i >= len(s.Nodes) })
	m.Rigs = nil
	m.Clips = slices.Clone(m.Clips)
	for i := range m.Clips {
		m.Clips[i].Channels = slices.DeleteFunc(slices.Clone(m.Clips[i].Channels),
			func(c skinning.Channel) bool { return c.Node >= len(s.Nodes) })
	}
	m.Skin.SetWeights(skinning.Influences{}) // the fit's own come later
	return &m
}

// withoutMotions splits a model into one without clips of other files' motion behind its first n clips, which are those
// of its file, and these clips.
func withoutMotions(m *skinning.Model, n int) (*skinning.Model, []skinning.Clip) {
	var motions []skinning.Clip
	out := *m
	out.Clips = nil
	for i, c := range m.Clips {
		if i >= n && c.Motion != "" {
			motions = append(motions, c)
		} else {
			out.Clips = append(out.Clips, c)
		}
	}
	return &out, motions
}

// fileClips returns a model without the stress clips behind its first n clips, which are those of its file. Stress
// clips show faults in the window and are not exported.
func fileClips(m *skinning.Model, n int) *skinning.Model {
	if len(m.Clips) <= n || stress.Own(m) > n {
		return m
	}
	out := *m
	out.Clips = m.Clips[:n:n]
	return &out
}

// builtInClips is fileClips of a built-in model: all stress clips at its end go.
func builtInClips(m *skinning.Model) *skinning.Model { return fileClips(m, stress.Own(m)) }

// checkSource refuses a source that is not the file of the fitted model.
func (x *exporter) checkSource() error {
	m, f := x.Model, x.fitted
	differ := func(what string, have, want int) error {
		return fmt.Errorf("the file is not the one that the fitted model comes from: %d %s, the model has %d", have, what,
			want)
	}
	added, err := x.checkAdded()
	switch {
	case err != nil:
		return err
	case len(f.Skeleton.Joints) != x.masters()+added:
		return differ("joints", x.masters(), len(f.Skeleton.Joints)-added)
	case len(f.Skeleton.Nodes) < len(m.Skeleton.Nodes):
		return differ("nodes", len(m.Skeleton.Nodes), len(f.Skeleton.Nodes))
	case len(f.Skin.Bindings) != len(m.Skin.Positions):
		return differ("skinned vertices", len(m.Skin.Positions), len(f.Skin.Bindings))
	case len(f.Clips) < len(m.Clips) || len(f.Clips) > len(m.Clips) && !x.movesFree(len(m.Clips)):
		return differ("clips", len(m.Clips), len(f.Clips))
	case len(f.Skin.Parts) != len(m.Skin.Parts):
		return differ("skinned parts", len(m.Skin.Parts), len(f.Skin.Parts))
	}
	for j := range m.Skeleton.Joints {
		if m.Skeleton.Joints[j].Node != f.Skeleton.Joints[j].Node {
			return fmt.Errorf("the file is not the one that the fitted model comes from: joint %d is another node", j)
		}
	}
	for i, p := range m.Skin.Parts {
		if q := f.Skin.Parts[i]; p.Node != q.Node || p.VertexCount != q.VertexCount {
			return fmt.Errorf("the file is not the one that the fitted model comes from: part %d is another mesh", i)
		}
	}
	for i := range f.Skin.Inputs {
		if err := f.Skin.Inputs[i].Validate(len(f.Skin.Bindings), len(f.Skeleton.Joints)); err != nil {
			return err
		}
	}
	return f.Skin.Influences.Validate(len(f.Skeleton.Joints))
}

// movesFree reports whether a clip of the fitted model moves a free joint.
func (x *exporter) movesFree(clip int) bool {
	moved := map[int]bool{}
	for i := range x.fitted.Clips[clip].Channels {
		moved[x.fitted.Clips[clip].Channels[i].Node] = true
	}
	return slices.ContainsFunc(x.fitted.Skeleton.Joints, func(j skinning.Joint) bool { return j.Free && moved[j.Node] })
}

// addOwnClips adds an animation for each clip that the fitted model has behind the file's own.
func (x *exporter) addOwnClips() {
	for i := len(x.Doc.Animations); i < len(x.fitted.Clips); i++ {
		push(&x.Doc.Animations, &qgltf.Animation{Name: x.fitted.Clips[i].Name, Channels: []*qgltf.AnimationChannel{},
			Samplers: []*qgltf.AnimationSampler{}})
	}
}

// bindRigid gives a source without a skin the skins that the fitted model was bound by, see [gltf.Source.BindRigid].
func (x *exporter) bindRigid() {
	if len(x.Model.Skin.Positions) > 0 || len(x.fitted.Skin.Positions) == 0 {
		return
	}
	first := x.BindRigid()
	f := *x.fitted
	f.Skeleton.Joints = slices.Clone(f.Skeleton.Joints)
	for j := range f.Skeleton.Joints {
		f.Skeleton.Joints[j].Skin += first
	}
	x.fitted = &f
}

// size returns the number of bytes of the source and of its external buffers.
func (x *exporter) size() int {
	n := len(x.Text)
	for _, b := range x.Doc.Buffers {
		n += len(b.Data)
	}
	return n
}
