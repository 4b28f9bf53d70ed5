package viewer

import (
	"testing"

	"skinlab/assets"
	"skinlab/render/viewer/posing"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// TestPoseIsSeenOnEveryFile lays a pose over two files of one skeleton, one of which has its nodes in another order.
// They are posed by the same arithmetic, so their matrices are equal to the bit.
func TestPoseIsSeenOnEveryFile(t *testing.T) {
	first := prepare(demo(t, "demo:figure"), 0)
	moved := shuffled(demo(t, "demo:figure"))
	b := prepareBeside(moved)
	b.shareStress(first)
	p := posing.NewEdits(first.Model)
	first.Under(p)
	b.Under(p)
	for k := range 5 {
		turn := geom.IdentityTransform()
		turn.Rotation = posing.FromEuler([3]float64{0.3 * float64(k+1), -0.2, 0.7})
		p.Put(first.Model.Skeleton.Joints[3*k].Node, turn)
	}
	for clip := range first.Model.Clips {
		want := posing.Instant{Clip: clip, Time: 0.4, OK: true}
		first.Set(want)
		other := want
		other.Clip = b.clip(first.Model, clip)
		if other.Clip < 0 {
			t.Fatalf("clip %q is not in the other file", first.Model.Clips[clip].Name)
		}
		b.Set(other)
		for j := range first.Frame.Matrices {
			if first.Frame.Matrices[j] != b.Frame.Matrices[j] {
				t.Fatalf("clip %q, joint %d: %v, expected %v", first.Model.Clips[clip].Name, j, b.Frame.Matrices[j],
					first.Frame.Matrices[j])
			}
		}
	}
	// The edits are seen: a pose is not the clip's.
	edited := first.Frame.Matrices[3]
	p.Drop()
	first.Set(posing.Instant{Clip: len(first.Model.Clips) - 1, Time: 0.4, OK: true})
	if first.Frame.Matrices[3] == edited {
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
		p := prepare(&m, 0)
		if p.own != len(clips) || len(p.Model.Clips) < p.own+2 || len(p.seconds) != len(p.Model.Clips) || p.source != &m ||
			len(m.Clips) != len(clips) {
			t.Errorf("%d clips of the file: own %d of %d, %d times", len(clips), p.own, len(p.Model.Clips), len(p.seconds))
		}
		for i := range clips {
			if p.Model.Clips[i].Name != clips[i].Name {
				t.Errorf("clip %d is %q, expected %q", i, p.Model.Clips[i].Name, clips[i].Name)
			}
		}
	}
}

func demo(t *testing.T, name string) *skinning.Model {
	t.Helper()
	m, err := assets.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
