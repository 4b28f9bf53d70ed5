package kernel_test

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/kernel"
	"skinlab/skinning/simd"
)

// The table of signs has the entry that the twin's Sign chooses, for joint counts around whole vectors, and no flips
// where unrolled.
func TestSignsTable(t *testing.T) {
	for _, joints := range []int{1, 2, 15, 16, 17, 33, 70} {
		f := skinningtest.RandomFrame(skinningtest.RandomModel(1, joints, 1, uint64(joints)), 4)
		if !f.Float32(0).Choosing() {
			t.Skip("no kernel here reads the table")
		}
		for _, unrolled := range []bool{false, true} {
			f.Unrolled = unrolled
			p := f.Float32(skinning.RigidParts)
			p.SetRigid(f.Rigid(), unrolled)
			flips := 0
			for pivot := range joints {
				for j := range joints {
					got, opposite := p.Entry(pivot, j)
					want := j
					if sign := float32(f.Sign(uint16(pivot), uint16(j))); sign*p.EntrySign(pivot)*p.EntrySign(j) < 0 {
						want += opposite
						flips++
					}
					if got != want {
						t.Fatalf("%d joints, unrolled %v: entry of joint %d beside pivot %d is %d, want %d", joints, unrolled, j, pivot,
							got, want)
					}
				}
			}
			if !unrolled && joints == 70 && flips == 0 {
				t.Error("no quaternion is flipped: the test shows nothing")
			}
		}
	}
}

// The table of signs, whose cost grows with the square of the joints, is made by the first kernel that reads it and by
// no other: not by a new pose, nor by linear blending. A copy has it if its source has, and its signs are those of its
// own pose.
func TestSignsTableWaits(t *testing.T) {
	m := skinningtest.RandomModel(40, 70, 4, 1)
	f, g := skinningtest.RandomFrame(m, 4), skinning.NewFrame(m, nil)
	if !f.Float32(0).Choosing() {
		t.Skip("no kernel here reads the table")
	}
	level := simd.Levels()[1]
	poseIn(offsetMemory(0), f, skinning.LBS, level, true)
	if f.Float32(0).Tabled() {
		t.Fatal("linear blending has made the table of signs")
	}
	for range 2 { // a copy without the table, then one with it
		g.Copy(f)
		if g.Float32(0).Tabled() != f.Float32(0).Tabled() {
			t.Error("a copy and its source differ in having the table")
		}
		for _, method := range []skinning.Method{skinning.DQS, skinning.SDQS, skinning.DIB, skinning.SBS} {
			for _, posed := range []*skinning.Frame{f, g} {
				out := poseIn(offsetMemory(0), posed, method, level, true)
				checkAgainstTwin(t, posed, method, &out, boxSize)
			}
		}
	}
	f.SetPose(m.NewPose())
	if f.Float32(0).Tabled() {
		t.Error("a new pose has made the table of signs")
	}
	out := poseIn(offsetMemory(0), f, skinning.DQS, level, true)
	checkAgainstTwin(t, f, skinning.DQS, &out, boxSize)
}

// A deformer's bindings follow the poses, however many motions are flipped from one to the next: vertices are posed to
// the bit as by bindings that nobody knows, for any number of workers and for skins of any size.
func TestDeformersFollowMotions(t *testing.T) {
	for _, vertices := range []int{15, 64, 700, 9001, 70_000} {
		m := skinningtest.AwkwardModel(vertices, 20, 4, 3)
		var frames []*skinning.Frame
		for turn := range 4 { // by nothing, then farther and farther
			f, p := skinning.NewFrame(m, nil), m.NewPose()
			for i := range p.Local {
				p.Local[i].Rotation = geom.AxisAngle(mgl64.Vec3{1, float64(i % 3), float64(i % 2)}, float64(i)*float64(turn)*0.8)
			}
			f.SetPose(p)
			frames = append(frames, f)
		}
		for _, f := range frames[1:] { // opposites of some, which are the same motions
			rigid := f.Rigid()
			for j := range rigid {
				if j%4 == 1 {
					rigid[j] = rigid[j].Scale(-1)
				}
			}
			f.Float32(0).SetRigid(rigid, false)
		}
		if !frames[0].Float32(0).Choosing() {
			t.Skip("no kernel here chooses among motions")
		}
		for _, level := range simd.Levels()[1:] {
			for _, workers := range []int{1, 3} {
				k := kernel.NewSkin(m.Skin.Influences, workers)
				defer k.Close()
				least, most := math.MaxInt, 0
				for _, pose := range []int{0, 1, 3, 2, 0, 3} {
					f := frames[pose]
					for _, method := range []skinning.Method{skinning.DQS, skinning.SDQS, skinning.DIB, skinning.SBS} {
						want, got := poseIn(offsetMemory(0), f, method, level, true), skinning.NewOutput(m)
						p := f.Float32(method.Reads())
						k.Follow(p, level)
						k.Pose(method.Kernel(), p, kernel.Stream{Positions: got.Positions, Normals: got.Normals, Rest: m.Skin.Positions,
							RestNormals: m.Skin.Normals, Sets: f.Centers.OfVertex}, nil, level)
						if !slices.Equal(got.Positions, want.Positions) || !slices.Equal(got.Normals, want.Normals) {
							t.Errorf("%v/%v, %d vertices, %d workers, pose %d: other places or normals", level, method, vertices, workers, pose)
						}
					}
					_, far := k.Pairs()
					least, most = min(least, far), max(most, far)
				}
				if all, _ := k.Pairs(); vertices > 64 && (least > 0 || most < 20) {
					t.Errorf("%d vertices: from %d to %d of %d pairs are far: the test shows nothing", vertices, least, most, all)
				}
			}
		}
	}
}

// A frame counts as rigid, and its scale phase is left out, only where no scale can be seen.
func TestRigidFrame(t *testing.T) {
	m := skinningtest.RandomModel(10, 5, 2, 3)
	p := m.NewPose()
	for _, c := range []struct {
		scale float64
		rigid bool
	}{{1, true}, {1 + 1e-6, true}, {1 + 1e-5, false}, {0.5, false}, {-1, false}} {
		p.Local[2].Scale[1] = c.scale
		f := skinning.NewFrame(m, nil)
		f.SetPose(p)
		if p := f.Float32(skinning.Scales); p.Unscaled() != c.rigid {
			t.Errorf("a scale of %g: rigid is %v", c.scale, p.Unscaled())
		}
	}
	f := skinningtest.RandomFrame(m, 4)
	if !f.Float32(skinning.Scales).Unscaled() {
		t.Error("rotations alone are not rigid")
	}
}
