package skinning

import (
	"slices"
	"sync"
	"testing"

	"skinlab/skinning/simd"
)

// The table of signs has the entry that the twin's Sign chooses, for joint counts around whole vectors, and no flips where unrolled.
func TestSignsTable(t *testing.T) {
	for _, joints := range []int{1, 2, 15, 16, 17, 33, 70} {
		f := randomFrame(randomModel(1, joints, 1, uint64(joints)), 4)
		if f.motions.stride == 0 {
			t.Skip("no kernel here reads the table")
		}
		for _, unrolled := range []bool{false, true} {
			f.Unrolled = unrolled
			f.round()
			if !f.motions.serve(f) {
				t.Fatalf("%d joints, unrolled %v: the kernels cannot pose", joints, unrolled)
			}
			flips := 0
			for pivot := range joints {
				for j := range joints {
					want := 2 * j
					if f.Sign(uint16(pivot), uint16(j)) < 0 {
						want++
						flips++
					}
					if got := int(f.motions.signs[pivot*f.motions.stride+j]); got != want {
						t.Fatalf("%d joints, unrolled %v: entry of joint %d beside pivot %d is %d, want %d", joints, unrolled, j, pivot, got, want)
					}
				}
			}
			if !unrolled && joints == 70 && flips == 0 {
				t.Error("no quaternion is flipped: the test shows nothing")
			}
		}
	}
}

// The table of signs, whose cost grows with the square of the joints, is made by the first kernel that reads it and by no other: not by
// a new pose, nor by linear blending. A copy has it if its source has, and its signs are those of its own pose.
func TestSignsTableWaits(t *testing.T) {
	m := randomModel(40, 70, 4, 1)
	f, g := randomFrame(m, 4), NewFrame(m, nil)
	if f.motions.stride == 0 {
		t.Skip("no kernel here reads the table")
	}
	level := simd.Levels()[1]
	poseIn(offsetMemory(0), f, LBS, level, true)
	if f.motions.tabled.Load() {
		t.Fatal("linear blending has made the table of signs")
	}
	for range 2 { // a copy without the table, then one with it
		g.Copy(f)
		if g.motions.tabled.Load() != f.motions.tabled.Load() {
			t.Error("a copy and its source differ in having the table")
		}
		for _, method := range []Method{DQS, SDQS, DIB, SBS} {
			for _, posed := range []*Frame{f, g} {
				out := poseIn(offsetMemory(0), posed, method, level, true)
				checkAgainstTwin(t, posed, method, &out, boxSize)
			}
		}
	}
	f.SetPose(m.NewPose())
	if f.motions.tabled.Load() {
		t.Error("a new pose has made the table of signs")
	}
	out := poseIn(offsetMemory(0), f, DQS, level, true)
	checkAgainstTwin(t, f, DQS, &out, boxSize)
}

// Many may pose by one frame at once, and one of them makes the table of signs for all.
func TestSignsTableOfMany(t *testing.T) {
	m := randomModel(200, 300, 4, 1)
	f := randomFrame(m, 4)
	want := poseIn(offsetMemory(0), f, DQS, simd.Levels()[len(simd.Levels())-1], true)
	for range 20 {
		f.round()
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				out := NewOutput(m)
				s := NewStream(out.Positions, out.Normals, m.Skin.Positions, m.Skin.Normals, &m.Skin.Influences, nil)
				f.poseStream(&s, DQS, simd.Levels()[len(simd.Levels())-1])
				if !slices.Equal(out.Positions, want.Positions) {
					t.Error("posed with a table of signs that was not ready")
				}
			})
		}
		all.Wait()
	}
}

// A frame counts as rigid, and its scale phase is left out, only where no scale can be seen.
func TestRigidFrame(t *testing.T) {
	m := randomModel(10, 5, 2, 3)
	p := m.NewPose()
	for _, c := range []struct {
		scale float64
		rigid bool
	}{{1, true}, {1 + 1e-8, true}, {1 + 1e-6, false}, {0.5, false}, {-1, false}} {
		p.Local[2].Scale[1] = c.scale
		f := NewFrame(m, nil)
		f.SetPose(p)
		if f.rigid != c.rigid {
			t.Errorf("a scale of %g: rigid is %v", c.scale, f.rigid)
		}
	}
	if f := randomFrame(m, 4); !f.rigid {
		t.Error("rotations alone are not rigid")
	}
}
