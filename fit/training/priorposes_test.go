package training

import (
	"math"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/geom"
)

// Globals give their pose back: the poses made of it are the same to rounding, and so are their matrices.
func TestLocalTransforms(t *testing.T) {
	for _, m := range []*skinning.Model{assetstest.Open(t, "demo:figure"), mirrored(t)} {
		checkLocalTransforms(t, m)
	}
}

func checkLocalTransforms(t *testing.T, m *skinning.Model) {
	t.Helper()
	for _, want := range RangeOfMotionPoses(m, 3) {
		local, ok := localTransforms(&m.Skeleton, want.Globals)
		if !ok {
			t.Fatal("a node has no inverse")
		}
		got := skinning.NewFrame(m, want.Centers)
		got.SetPose(&skinning.Pose{Local: local, Morphs: want.Morphs})
		for j := range got.Matrices {
			for k, x := range got.Matrices[j] {
				// 1e-12 m: a chain of a dozen products of matrices of about a metre, each rounded.
				if d := x - want.Matrices[j][k]; !(math.Abs(d) <= 1e-12) {
					t.Fatalf("joint %d, entry %d: off by %g", j, k, d)
				}
			}
		}
	}
}

// mirrored returns the figure with nodes that are scaled by −1 along one axis, two or all, as rigs are made whose left
// side is a copy of the right one.
func mirrored(t *testing.T) *skinning.Model {
	t.Helper()
	m := assetstest.Open(t, "demo:figure")
	s := &m.Skeleton
	for k, joint := range s.Joints {
		for axis := range 3 {
			if k%5 == axis || k%5 == 3 || k%5 == 4 && axis > 0 {
				s.Nodes[joint.Node].Rest.Scale[axis] *= -1
			}
		}
	}
	globals := make([]geom.Affine, len(s.Nodes))
	s.Globals(globals, m.NewPose())
	for j := range s.Joints {
		inverse, ok := globals[s.Joints[j].Node].Inverse()
		if !ok {
			t.Fatalf("joint %d has no inverse", j)
		}
		s.Joints[j].FromRest = inverse
	}
	return m
}

// The turns of mirrored nodes are as long as the pose made them.
func TestMirroredNodes(t *testing.T) {
	for name, m := range map[string]*skinning.Model{"figure": assetstest.Open(t, "demo:figure"), "mirrored": mirrored(t)} {
		s := &m.Skeleton
		for i, frame := range RangeOfMotionPoses(m, 6) {
			local, ok := localTransforms(s, frame.Globals)
			if !ok {
				t.Fatalf("%s: a node has no inverse", name)
			}
			for j := range s.Joints {
				n := s.Joints[j].Node
				// 145 degrees: what bends of 70 and 35 degrees and a twist of 80 make together is less.
				if angle := turnOf(s, n, &local[n]).Len(); !(angle <= 145*math.Pi/180) {
					t.Errorf("%s, pose %d, joint %d: turned by %g degrees", name, i, j, angle*180/math.Pi)
				}
			}
		}
	}
}

// What the constants say of prior poses: how far joints turn, and that the same problem has the same ones.
func TestPriorPoses(t *testing.T) {
	for _, name := range []string{"demo:tube", "demo:figure"} {
		m := assetstest.Open(t, name)
		frames := at(m, TimesIn(0, compare.Times(m.Clips[0].Seconds, 12)))
		s := &m.Skeleton
		farthest := func(frames []*skinning.Frame, j int) (most float64) {
			for _, f := range frames {
				local, ok := localTransforms(s, f.Globals)
				if !ok {
					t.Fatalf("%s: a node has no inverse", name)
				}
				most = max(most, turnOf(s, s.Joints[j].Node, &local[s.Joints[j].Node]).Len())
			}
			return most
		}
		poses, again := PriorPoses(frames, 12, false), PriorPoses(frames, 12, false)
		if len(poses) != min(12, 2*s.JointNodes()) || len(again) != len(poses) {
			t.Fatalf("%s: %d poses, then %d", name, len(poses), len(again))
		}
		longer := false
		for j := range s.Joints {
			given, got := farthest(frames, j), farthest(poses, j)
			allowed := stillTurn
			if given >= still {
				allowed = max(given, min(longestTurn, stretchMost*given))
			}
			if !(got <= allowed+1e-6) || !(got > 0) { // rounding near a turn of π
				t.Errorf("%s, joint %d: turned by %.3f, given poses by %.3f, at most %.3f expected", name, j, got, given, allowed)
			}
			longer = longer || got > given && given >= still
		}
		if !longer {
			t.Errorf("%s: no joint is turned further than in the given poses", name)
		}
		for i, f := range poses {
			for j := range f.Matrices {
				if f.Matrices[j] != again[i].Matrices[j] {
					t.Fatalf("%s, pose %d, joint %d: another matrix the second time", name, i, j)
				}
			}
		}
	}
}

// Poses that no prior ones can be made of.
func TestNoPriorPoses(t *testing.T) {
	m := assetstest.Open(t, "demo:box")
	frames := RangeOfMotionPoses(m, 4)
	frames[2].Unrolled = true
	if n := len(PriorPoses(frames, 12, false)); n != 0 {
		t.Errorf("%d poses of unrolled ones", n)
	}
	frames = RangeOfMotionPoses(m, 4)
	root := m.Skeleton.Nodes[m.Skeleton.Joints[1].Node].Parent
	frames[2].Globals[root] = geom.Affine{}
	if n := len(PriorPoses(frames, 12, false)); n != 0 {
		t.Errorf("%d poses of a collapsed one", n)
	}
}
