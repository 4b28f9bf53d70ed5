package skinning

import (
	"testing"
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
