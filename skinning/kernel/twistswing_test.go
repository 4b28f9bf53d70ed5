package kernel_test

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/kernel"
	"skinlab/skinning/simd"
)

// fullTurn is a model whose joint 2 is twisted by a full turn in two halves along a straight chain, and whose vertices
// follow joints 0 and 2 alike: the sums of their twists have no length. Every fifth vertex follows joint 1 as well.
func fullTurn(vertices int) *skinning.Frame {
	m := skinningtest.RandomModel(vertices, 3, 1, 1)
	along := mgl64.Vec3{1, 0, 0}
	for j := range m.Skeleton.Joints {
		at := along.Mul(float64(j))
		m.Skeleton.Nodes[j].Rest.Translation = along.Mul(float64(min(j, 1)))
		m.Skeleton.Joints[j].Position = at
		m.Skeleton.Joints[j].FromRest = geom.NewAffine(geom.Identity3(), at.Mul(-1))
	}
	m.Skin.Influences = skinning.Influences{}
	for v := range vertices {
		raw := []skinning.Influence{{Joint: 0, Weight: 1}, {Joint: 2, Weight: 1}}
		if v%5 == 4 {
			raw = append(raw, skinning.Influence{Joint: 1, Weight: 1})
		}
		m.Skin.Append(raw, 0)
	}
	p := m.NewPose()
	p.Local[1].Rotation = geom.AxisAngle(along, math.Pi)
	p.Local[2].Rotation = geom.AxisAngle(along, math.Pi)
	f := skinning.NewFrame(m, nil)
	f.SetPose(p)
	return f
}

// A vertex whose twists cancel has that of its strongest joint at every level, wherever its stream starts; those beside
// it are posed as ever.
func TestTwistsThatCancel(t *testing.T) {
	f := fullTurn(100)
	skin := &f.Model.Skin
	for _, level := range simd.Levels() {
		whole := poseIn(offsetMemory(0), f, skinning.TwistSwing, level, true)
		checkAgainstTwin(t, f, skinning.TwistSwing, &whole, boxSize)
		for lo := 0; lo < 100; lo += 7 {
			out := skinning.NewOutput(f.Model)
			s := kernel.NewStream(out.Positions, out.Normals, skin.Positions, skin.Normals, &skin.Influences, nil)
			s = s.Slice(lo, min(lo+30, 100))
			kernel.TwistSwing(f.Float32(skinning.Twists), s, level)
			for k, p := range s.Positions {
				if p != whole.Positions[lo+k] || s.Normals[k] != whole.Normals[lo+k] {
					t.Fatalf("%v: vertex %d differs in a stream from %d on", level, lo+k, lo)
				}
			}
		}
	}
}

// With a second set of weights every level is as good as the twin, on any number of workers, and a stream's slices
// slice both sets. Both have vertices of more than four influences.
func TestTwoWeightSets(t *testing.T) {
	m := skinningtest.AwkwardModel(9001, 20, 7, 4)
	twist := skinningtest.AwkwardModel(9001, 20, 6, 5).Skin.Influences
	m.Skin.SetSecond(skinning.TwistSwing, &twist)
	f := skinningtest.RandomFrame(m, 4)
	want := f.Reference(skinning.TwistSwing)
	for _, level := range simd.Levels() {
		var first skinning.Output
		for _, workers := range []int{1, 3} {
			d := skinning.NewDeformer(m, workers)
			d.UseLevel(level)
			out := skinning.NewOutput(m)
			d.Deform(&out, skinning.TwistSwing, f)
			if n := testing.AllocsPerRun(3, func() { d.Deform(&out, skinning.TwistSwing, f) }); n != 0 {
				t.Errorf("%v: %g allocations a frame", level, n)
			}
			d.Close()
			for v, p := range want.Positions {
				if d := geom.Vec64(out.Positions[v]).Sub(p).Len(); !(d <= kernelTolerance*boxSize) {
					t.Fatalf("%v: vertex %d is off by %.3g m", level, v, d)
				}
				if n := geom.Vec64(out.Normals[v]); n.Len() > 0.05 && !(n.Normalize().Sub(want.Normals[v]).Len() <= 2e-4) {
					t.Fatalf("%v: normal %d is %v, expected %v", level, v, n, want.Normals[v])
				}
				if workers > 1 && (out.Positions[v] != first.Positions[v] || out.Normals[v] != first.Normals[v]) {
					t.Fatalf("%v: vertex %d differs on %d workers", level, v, workers)
				}
			}
			first = out
		}
		for lo := 0; lo < len(want.Positions); lo += 1111 {
			out := skinning.NewOutput(m)
			s := kernel.NewStream(out.Positions, out.Normals, m.Skin.Positions, m.Skin.Normals, &m.Skin.Influences, nil)
			s.Second = twist
			s = s.Slice(lo, min(lo+333, len(want.Positions)))
			kernel.TwistSwing(f.Float32(skinning.Twists), s, level)
			for k, p := range s.Positions {
				if p != first.Positions[lo+k] || s.Normals[k] != first.Normals[lo+k] {
					t.Fatalf("%v: vertex %d differs in a stream from %d on", level, lo+k, lo)
				}
			}
		}
	}
	wrong := kernel.Stream{Positions: make([]mgl32.Vec3, 3), Rest: make([]mgl32.Vec3, 3),
		Bindings: make([]kernel.Binding, 3), Second: twist.Slice(0, 2)}
	panics := func(what string, do func()) {
		defer func() {
			if recover() == nil {
				t.Errorf("no panic for %s", what)
			}
		}()
		do()
	}
	panics("two twist bindings of three vertices",
		func() { kernel.TwistSwing(f.Float32(skinning.Twists), wrong, simd.Scalar) })
	for _, v := range []int{0, 15, 8991, 9000} {
		outside := twist
		outside.Bindings = slices.Clone(twist.Bindings)
		outside.Bindings[v].Joints[1] = 20
		outside.Bindings[v].Weights = [4]float32{0.5, 0.5}
		m.Skin.SetSecond(skinning.TwistSwing, &outside)
		for _, level := range simd.Levels() {
			panics("joint 20 of 20", func() {
				d, out := skinning.NewDeformer(m, 1), skinning.NewOutput(m)
				defer d.Close()
				d.UseLevel(level)
				d.Deform(&out, skinning.TwistSwing, f)
			})
		}
	}
}
