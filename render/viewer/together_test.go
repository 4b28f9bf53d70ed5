package viewer

import (
	"testing"

	"skinlab/skinning"
)

// TestPoseIsSeenOnEveryFile lays a pose over two files of one skeleton, one of which has its nodes in another order.
// They are posed by the same arithmetic, so their matrices are equal to the bit.
func TestPoseIsSeenOnEveryFile(t *testing.T) {
	first := prepare(demo(t, "demo:figure"))
	moved := shuffled(demo(t, "demo:figure"))
	b := prepareBeside(moved)
	b.shareStress(first)
	p := newPosing(first.model)
	first.over = p
	b.over, b.from = p, skinning.NodeMap(&b.model.Skeleton, &first.model.Skeleton)
	for k := range 5 {
		p.put(first.model.Skeleton.Joints[3*k].Node, turned(0.3*float64(k+1), -0.2, 0.7))
	}
	for clip := range first.model.Clips {
		want := posed{clip: clip, time: 0.4, edit: p.version, ok: true}
		first.set(want, nil)
		other := want
		other.clip = b.clip(first.model, clip)
		if other.clip < 0 {
			t.Fatalf("clip %q is not in the other file", first.model.Clips[clip].Name)
		}
		b.set(other, nil)
		for j := range first.frame.Matrices {
			if first.frame.Matrices[j] != b.frame.Matrices[j] {
				t.Fatalf("clip %q, joint %d: %v, expected %v", first.model.Clips[clip].Name, j, b.frame.Matrices[j],
					first.frame.Matrices[j])
			}
		}
	}
	// The edits are seen: a pose is not the clip's.
	edited := first.frame.Matrices[3]
	p.drop()
	first.set(posed{clip: len(first.model.Clips) - 1, time: 0.4, edit: p.version, ok: true}, nil)
	if first.frame.Matrices[3] == edited {
		t.Error("a pose that is dropped is still seen")
	}
}

// shuffled returns the model with its nodes in the opposite order.
func shuffled(m *skinning.Model) *skinning.Model {
	out := *m
	n := len(m.Skeleton.Nodes)
	out.Skeleton.Nodes = make([]skinning.Node, n)
	for i, node := range m.Skeleton.Nodes {
		if node.Parent >= 0 {
			node.Parent = n - 1 - node.Parent
		}
		out.Skeleton.Nodes[n-1-i] = node
	}
	out.Skeleton.Joints = append([]skinning.Joint(nil), m.Skeleton.Joints...)
	for j := range out.Skeleton.Joints {
		out.Skeleton.Joints[j].Node = n - 1 - out.Skeleton.Joints[j].Node
	}
	if err := out.Skeleton.SortNodes(); err != nil {
		panic(err)
	}
	out.Clips = append([]skinning.Clip(nil), m.Clips...)
	for i := range out.Clips {
		c := &out.Clips[i]
		c.Channels = append([]skinning.Channel(nil), c.Channels...)
		for k := range c.Channels {
			c.Channels[k].Node = n - 1 - c.Channels[k].Node
		}
	}
	return &out
}

// TestEveryModelHasSomethingToPlay: stress clips stand behind the file's, whose numbers stay.
func TestEveryModelHasSomethingToPlay(t *testing.T) {
	m := *demo(t, "demo:figure")
	own := m.Clips
	for _, clips := range [][]skinning.Clip{nil, own} {
		m.Clips = clips
		p := prepare(&m)
		if p.own != len(clips) || len(p.model.Clips) < p.own+2 || len(p.seconds) != len(p.model.Clips) || p.source != &m ||
			len(m.Clips) != len(clips) {
			t.Errorf("%d clips of the file: own %d of %d, %d times", len(clips), p.own, len(p.model.Clips), len(p.seconds))
		}
		for i := range clips {
			if p.model.Clips[i].Name != clips[i].Name {
				t.Errorf("clip %d is %q, expected %q", i, p.model.Clips[i].Name, clips[i].Name)
			}
		}
	}
}
