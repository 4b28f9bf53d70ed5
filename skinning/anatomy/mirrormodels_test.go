package anatomy_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
)

// Every joint of a person has its counterpart, by names and, once these are gone, by positions alone.
func TestMirrorPairs(t *testing.T) {
	for _, name := range []string{"demo:figure", "human_male.glb", "CesiumMan.glb", "Fox.glb"} {
		t.Run(name, func(t *testing.T) {
			m := assetstest.Open(t, name)
			named := anatomy.NewMirror(m)
			nodes := append([]skinning.Node(nil), m.Skeleton.Nodes...)
			for i := range nodes {
				nodes[i].Name = ""
			}
			anonymous := *m
			anonymous.Skeleton.Nodes = nodes
			blind := anatomy.NewMirror(&anonymous)
			diagonal := m.Diagonal()
			for j, joint := range m.Skeleton.Joints {
				k := named.Pair[joint.Node]
				if k < 0 || named.Pair[k] != joint.Node {
					t.Errorf("%s has no counterpart", joint.Name)
					continue
				}
				if blind.Pair[joint.Node] != k {
					t.Errorf("%s: %d by name, %d by position", joint.Name, k, blind.Pair[joint.Node])
				}
				for i, other := range m.Skeleton.Joints {
					if other.Node != k {
						continue
					}
					// 2 percent of the diagonal: the rigs are symmetric to the millimetre, their neighbours
					// centimetres away.
					if d := named.Plane.Reflect(joint.Position).Sub(other.Position).Len(); !(d <= 0.02*diagonal) {
						t.Errorf("%s and %s, joints %d and %d, are %g m apart", joint.Name, other.Name, j, i, d)
					}
				}
			}
		})
	}
}

// The skin of a mirrored pose is the mirrored skin of the pose, to 1e-5 m: the mesh of the figure has a twin for every
// vertex, and its clips are keyed in float32.
func TestMirroredSkin(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	r := anatomy.NewMirror(m)
	twins := twinVertices(m, r)
	src, dst := m.NewPose(), m.NewPose()
	a, b := skinning.NewFrame(m, nil), skinning.NewFrame(m, nil)
	for clip := range m.Clips {
		for _, at := range []float64{0.3, 1.7} {
			m.SamplePose(src, clip, at)
			r.Apply(dst, src)
			a.SetPose(src)
			b.SetPose(dst)
			for _, method := range []skinning.Method{skinning.LBS, skinning.DQS} {
				want, got := a.Reference(method), b.Reference(method)
				worst, where := 0.0, 0
				for v, k := range twins {
					if d := r.Plane.Reflect(want.Positions[v]).Sub(got.Positions[k]).Len(); d > worst || d != d {
						worst, where = d, v
					}
				}
				t.Logf("%s at %g s, %v: %g m", m.Clips[clip].Name, at, method, worst)
				if !(worst <= 1e-5) {
					t.Errorf("%s at %g s, %v: vertex %d is off by %g m", m.Clips[clip].Name, at, method, where, worst)
				}
			}
		}
	}
}

// twinVertices finds the vertex across the plane from each vertex, the nearest one.
func twinVertices(m *skinning.Model, r *anatomy.Mirror) []int {
	type cell [3]int32
	key := func(p mgl32.Vec3) (c cell) {
		for k := range p {
			c[k] = int32(p[k]*100 + 1000) // centimetres
		}
		return c
	}
	cells := make(map[cell][]int)
	for v, p := range m.Skin.Positions {
		cells[key(p)] = append(cells[key(p)], v)
	}
	out := make([]int, len(m.Skin.Positions))
	for v, p := range m.Skin.Positions {
		want := geom.Vec32(r.Plane.Reflect(geom.Vec64(p)))
		at, best := key(want), float32(1e9)
		for x := int32(-1); x <= 1; x++ {
			for y := int32(-1); y <= 1; y++ {
				for z := int32(-1); z <= 1; z++ {
					for _, k := range cells[cell{at[0] + x, at[1] + y, at[2] + z}] {
						if d := m.Skin.Positions[k].Sub(want).Len(); d < best {
							best, out[v] = d, k
						}
					}
				}
			}
		}
	}
	return out
}

// Mirrored twice, motion capture is what it was: to 1e-9 in rotations and metres.
func TestMirrorTwice(t *testing.T) {
	for _, name := range []string{"demo:figure", "human_male.glb", "Knight.glb", "RobotExpressive.glb"} {
		t.Run(name, func(t *testing.T) {
			m := assetstest.Open(t, name)
			r := anatomy.NewMirror(m)
			src, dst, back := m.NewPose(), m.NewPose(), m.NewPose()
			for clip := range m.Clips {
				m.SamplePose(src, clip, m.Clips[clip].Seconds/3)
				r.Apply(dst, src)
				r.Apply(back, dst)
				for i := range src.Local {
					p, q := src.Local[i], back.Local[i]
					turn := 1 - p.Rotation.Dot(q.Rotation)*p.Rotation.Dot(q.Rotation)
					if d := max(p.Translation.Sub(q.Translation).Len(), p.Scale.Sub(q.Scale).Len(), turn); !(d <= 1e-9) {
						t.Fatalf("%s: node %d is off by %g", m.Clips[clip].Name, i, d)
					}
				}
			}
		})
	}
}
