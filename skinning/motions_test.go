package skinning

import (
	"slices"
	"sync"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// The table of signs has the entry that the twin's Sign chooses, for joint counts around whole vectors, and no flips
// where unrolled.
func TestSignsTable(t *testing.T) {
	for _, joints := range []int{1, 2, 15, 16, 17, 33, 70} {
		f := randomFrame(randomModel(1, joints, 1, uint64(joints)), 4)
		if f.motions.stride == 0 {
			t.Skip("no kernel here reads the table")
		}
		for _, unrolled := range []bool{false, true} {
			f.Unrolled = unrolled
			f.Rigid()
			f.packMotions()
			if !f.motions.serve(f, &Stream{}) {
				t.Fatalf("%d joints, unrolled %v: the kernels cannot pose", joints, unrolled)
			}
			flips := 0
			for pivot := range joints {
				for j := range joints {
					want := j
					if sign := float32(f.Sign(uint16(pivot), uint16(j))); sign*f.motions.sign[pivot]*f.motions.sign[j] < 0 {
						want += f.motions.opposite
						flips++
					}
					if got := int(f.motions.signs[pivot*f.motions.stride+j]); got != want {
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

// A deformer's bindings follow the poses, however many motions are flipped from one to the next: vertices are posed to
// the bit as by bindings that nobody knows, for any number of workers and for skins of any size.
func TestDeformersFollowMotions(t *testing.T) {
	for _, vertices := range []int{15, 64, 700, 9001, 70_000} {
		m := awkwardModel(vertices, 20, 4, 3)
		var frames []*Frame
		for turn := range 4 { // by nothing, then farther and farther
			f, p := NewFrame(m, nil), m.NewPose()
			for i := range p.Local {
				p.Local[i].Rotation = geom.AxisAngle(mgl64.Vec3{1, float64(i % 3), float64(i % 2)}, float64(i)*float64(turn)*0.8)
			}
			f.SetPose(p)
			frames = append(frames, f)
		}
		for _, f := range frames[1:] { // opposites of some, which are the same motions
			f.Rigid()
			for j := range f.rigid {
				if j%4 == 1 {
					f.rigid[j] = f.rigid[j].Scale(-1)
				}
			}
			f.packMotions()
		}
		if frames[0].motions.stride == 0 {
			t.Skip("no kernel here chooses among motions")
		}
		for _, level := range simd.Levels()[1:] {
			for _, workers := range []int{1, 3} {
				d := NewDeformer(m, workers)
				defer d.Close()
				d.UseLevel(level)
				least, most := len(d.scanned.pairs), 0
				for _, k := range []int{0, 1, 3, 2, 0, 3} {
					f := frames[k]
					for _, method := range []Method{DQS, SDQS, DIB, SBS} {
						want, got := poseIn(offsetMemory(0), f, method, level, true), NewOutput(m)
						d.Deform(&got, method, f)
						if !slices.Equal(got.Positions, want.Positions) || !slices.Equal(got.Normals, want.Normals) {
							t.Errorf("%v/%v, %d vertices, %d workers, pose %d: other places or normals", level, method, vertices, workers, k)
						}
					}
					least, most = min(least, d.motions.far), max(most, d.motions.far)
				}
				if vertices > 64 && (least > 0 || most < 20) {
					t.Errorf("%d vertices: from %d to %d of %d pairs are far: the test shows nothing", vertices, least, most,
						len(d.scanned.pairs))
				}
			}
		}
	}
}

// Many may pose by one frame at once and read its forms, and one of them computes each for all.
func TestFormsOfMany(t *testing.T) {
	m := randomModel(200, 300, 4, 1)
	f := scaledFrame(m, 4)
	level := simd.Levels()[len(simd.Levels())-1]
	want := make(map[Method]Output)
	for _, method := range Methods() {
		want[method] = poseIn(offsetMemory(0), f, method, level, true)
	}
	rigid, scale, center := slices.Clone(f.Rigid()), slices.Clone(f.Scale()), slices.Clone(f.Center())
	for round := range 20 {
		f.forget()
		var all sync.WaitGroup
		for k := range 5 {
			all.Go(func() {
				method := Method((round + k) % len(methods))
				out := NewOutput(m)
				s := NewStream(out.Positions, out.Normals, m.Skin.Positions, m.Skin.Normals, &m.Skin.Influences, f.Centers.OfVertex)
				f.poseStream(&s, method, level)
				if !slices.Equal(out.Positions, want[method].Positions) || !slices.Equal(out.Normals, want[method].Normals) {
					t.Errorf("%v: posed with forms that were not ready", method)
				}
				if !slices.Equal(f.Center(), center) || !slices.Equal(f.Scale(), scale) || !slices.Equal(f.Rigid(), rigid) {
					t.Error("read forms that were not ready")
				}
			})
		}
		all.Wait()
	}
}

// A frame computes what a method reads, and nothing that only others do; a copy has what its source had.
func TestFormsWait(t *testing.T) {
	m := randomModel(50, 6, 4, 1)
	g := NewFrame(m, nil)
	for _, c := range []struct {
		method Method
		made   Forms
	}{{LBS, 0}, {DQS, Motions}, {SDQS, Motions | Scales}, {DIB, Motions | Scales},
		{SBS, Motions | Centers}} {
		f := scaledFrame(m, 2)
		f.forget()
		out := poseIn(offsetMemory(0), f, c.method, simd.Scalar, true)
		checkAgainstTwin(t, f, c.method, &out, boxSize)
		f.forget()
		f.Prepare(c.method)
		if made := Forms(f.made.Load()); made != c.made {
			t.Errorf("%v: forms %b, expected %b", c.method, made, c.made)
		}
		if g.Copy(f); g.made.Load() != f.made.Load() {
			t.Errorf("%v: a copy has forms %b of %b", c.method, g.made.Load(), c.made)
		}
		if n := testing.AllocsPerRun(3, func() { f.forget(); f.Center(); f.Scale() }); n != 0 {
			t.Errorf("%g allocations, expected none", n)
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
		if f.need(Scales); f.unscaled != c.rigid {
			t.Errorf("a scale of %g: rigid is %v", c.scale, f.unscaled)
		}
	}
	f := randomFrame(m, 4)
	if f.need(Scales); !f.unscaled {
		t.Error("rotations alone are not rigid")
	}
}
