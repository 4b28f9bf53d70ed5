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
			if !f.motions.serve(f, true) {
				t.Fatalf("%d joints, unrolled %v: the kernels cannot pose", joints, unrolled)
			}
			flips := 0
			for pivot := range joints {
				for j := range joints {
					want := 2 * j * simd.SignUnit
					if f.Sign(uint16(pivot), uint16(j)) < 0 {
						want += simd.SignUnit
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

// Where no motion is to be flipped, kernels pose without the table of signs, to the bit as with it; where one is, a
// skin that follows it needs the table.
func TestPosesWithoutSigns(t *testing.T) {
	m := awkwardModel(1000, 20, 4, 8)
	for _, scaled := range []bool{false, true} {
		f := calmFrame(m, 9, scaled)
		f.need(Motions | Scales | Centers)
		if f.motions.stride == 0 {
			t.Skip("no kernel here reads the table")
		}
		for j := 1; j < len(f.rigid); j += 3 { // of either sign: kernels follow the parents
			f.rigid[j] = f.rigid[j].Scale(-1)
		}
		f.packMotions()
		f.packCenters()
		for _, level := range simd.Levels()[1:] {
			for _, method := range []Method{DQS, SDQS, DIB, SBS} {
				f.motions.forget()
				got := poseScanned(offsetMemory(0), f, method, level, true)
				if f.motions.tabled.Load() {
					t.Errorf("%v/%v, scaled %v: the table of signs is made", level, method, scaled)
				}
				want := poseIn(offsetMemory(0), f, method, level, true)
				if !f.motions.tabled.Load() {
					t.Errorf("%v/%v, scaled %v: the table of signs is not made for bindings that nobody knows", level, method, scaled)
				}
				if !slices.Equal(got.Positions, want.Positions) || !slices.Equal(got.Normals, want.Normals) {
					t.Errorf("%v/%v, scaled %v: other places or normals without signs", level, method, scaled)
				}
			}
		}
	}
}

// Where some vertices have motions to flip, their blocks alone are posed by the table of signs: to the bit as if all were,
// for any number of workers and for skins of any size.
func TestPosesPartlyWithoutSigns(t *testing.T) {
	for _, vertices := range []int{15, 64, 700, 9001, 70_000} {
		m := awkwardModel(vertices, 20, 4, 3)
		stretch := max(6*simd.Group, vertices/7)
		for v := range m.Skin.Bindings { // every other stretch follows one joint a vertex
			if b := &m.Skin.Bindings[v]; v/stretch%2 == 0 {
				b.Joints, b.Weights = [4]uint16{uint16(v % 20)}, [4]float32{1}
			}
		}
		f, p := NewFrame(m, nil), m.NewPose()
		for i := range p.Local {
			p.Local[i].Rotation = geom.AxisAngle(mgl64.Vec3{1, float64(i % 3), float64(i % 2)}, float64(i)*2.4)
		}
		f.SetPose(p)
		f.Rigid()
		if f.motions.stride == 0 {
			t.Skip("no kernel here reads the table")
		}
		scanned := scanBindings(m.Skin.Bindings)
		far := f.motions.farBlocks(scanned)
		if blocks := len(m.Skin.Bindings) / (simd.Group * max(1, scanned.blockGroups)); blocks > 3 && far.run(0, blocks) == blocks {
			t.Errorf("%d vertices: all blocks alike: the test shows nothing", vertices)
		}
		for _, level := range simd.Levels()[1:] {
			for _, workers := range []int{1, 3} {
				d := NewDeformer(m, workers)
				defer d.Close()
				d.UseLevel(level)
				for _, method := range []Method{DQS, SDQS, DIB, SBS} {
					want, got := poseIn(offsetMemory(0), f, method, level, true), NewOutput(m)
					d.Deform(&got, method, f)
					if !slices.Equal(got.Positions, want.Positions) || !slices.Equal(got.Normals, want.Normals) {
						t.Errorf("%v/%v, %d vertices, %d workers: other places or normals", level, method, vertices, workers)
					}
				}
			}
		}
	}
}

// The blocks of a pair are those of the vertices that have it, whatever becomes of the size of a block.
func TestBlocksOfPairs(t *testing.T) {
	for _, vertices := range []int{16, 100, 5000, 200_001} {
		m := randomModel(vertices, 9, 4, 6)
		s := scanBindings(m.Skin.Bindings)
		if s.counts == nil {
			t.Skip("no kernel here reads them")
		}
		want := make(map[[2]uint16]blockSet)
		for v, b := range s.bindings {
			for _, j := range b.Joints[1:] {
				if pivot := b.Joints[0]; j != pivot {
					key := [2]uint16{min(pivot, j), max(pivot, j)}
					set := want[key]
					set.add(v / (simd.Group * s.blockGroups))
					want[key] = set
				}
			}
		}
		if len(want) != len(s.pairs) {
			t.Fatalf("%d vertices: %d pairs, expected %d", vertices, len(s.pairs), len(want))
		}
		for _, p := range s.pairs {
			if p.blocks != want[p.joints] {
				t.Errorf("%d vertices: pair %v in blocks %b, expected %b", vertices, p.joints, p.blocks, want[p.joints])
			}
		}
	}
}

// A run ends where a set of blocks changes, and at the end that it is given.
func TestRunsOfBlocks(t *testing.T) {
	var s blockSet
	for _, b := range []int{0, 1, 63, 64, 65, 127, 200, 255} {
		s.add(b)
	}
	for _, end := range []int{1, 2, 64, 70, 256} {
		for b := range end {
			want := b + 1
			for want < end && s.has(want) == s.has(b) {
				want++
			}
			if got := s.run(b, end); got != want {
				t.Errorf("the run of block %d up to %d ends at %d, expected %d", b, end, got, want)
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
