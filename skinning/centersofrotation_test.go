package skinning_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/bench"
	"skinlab/skinning/geom"
)

// centersOf returns the centres of rotation of a mesh's vertices.
func centersOf(m *skinning.Mesh) []mgl64.Vec3 {
	return skinning.NewCentersOfRotation(m).OfVertices(m, nil)
}

// farthest returns how far the first points are from others, at most.
func farthest(a, b []mgl64.Vec3) (d float64) {
	for v := range a {
		d = max(d, a[v].Sub(b[v]).Len())
	}
	return d
}

// A vertex of one joint has exactly that joint's motion, scale included. Where all joints move alike, so do all
// vertices. 1e-12 of the size: float64.
func TestCentersOfRotationOfOneMotion(t *testing.T) {
	m := skinningtest.RandomModel(50, 6, 1, 3)
	f := skinningtest.ScaledFrame(m, 4)
	for v, got := range f.Positions(skinning.COR) {
		want := f.Matrices[m.Skin.Of(nil, v)[0].Joint].Apply(geom.Vec64(m.Skin.Positions[v]))
		if d := got.Sub(want).Len(); !(d <= 1e-12*(1+want.Len())) {
			t.Fatalf("vertex %d of one joint is off by %g m", v, d)
		}
	}
	m = assetstest.Open(t, "demo:arm")
	f = skinning.NewFrame(m, nil)
	motion := geom.Transform{Translation: mgl64.Vec3{0.3, -2, 1}, Rotation: geom.AxisAngle(mgl64.Vec3{1, 2, 3}, 2.5),
		Scale: mgl64.Vec3{1, 1, 1}}.Affine()
	for j := range f.Matrices {
		f.Matrices[j] = motion
	}
	f.Forget()
	for v, got := range f.Positions(skinning.COR) {
		if d := got.Sub(motion.Apply(geom.Vec64(m.Skin.Positions[v]))).Len(); !(d <= 1e-12*m.Diagonal()) {
			t.Fatalf("vertex %d of joints that move alike is off by %g m", v, d)
		}
	}
}

// Two joints that turn about one axis through a vertex's centre turn it as dual quaternions do about it, within 1e-12 of
// the size. By the bar's own twist all do within 1e-8: its axis and the middles of its rings are rounded to float32.
func TestCentersOfRotationTwist(t *testing.T) {
	m := assetstest.Open(t, "demo:bar")
	clip, err := m.ClipIndex("twist")
	if err != nil {
		t.Fatal(err)
	}
	f, pose := skinning.NewFrame(m, nil), m.NewPose()
	m.SamplePose(pose, clip, 0.8*m.Clips[clip].Seconds)
	f.SetPose(pose)
	if d := farthest(f.Positions(skinning.COR), f.Positions(skinning.DQS)); !(d <= 1e-8*m.Diagonal()) {
		t.Errorf("by the clip, off by %g m", d)
	}
	if d := farthest(f.Positions(skinning.COR), f.Positions(skinning.LBS)); !(d > 1e-2) {
		t.Errorf("linear blending is only %g m away", d)
	}
	for v, c := range f.Centers.Values(&m.Skin, skinning.COR) {
		at := mgl64.Vec3{float64(c[0]), float64(c[1]), float64(c[2])}
		turn := geom.AxisAngle(mgl64.Vec3{1, 2, -1}, 2.5).Mat3()
		f.Matrices[0], f.Matrices[1] = geom.IdentityAffine(), geom.NewAffine(turn, at.Sub(turn.Apply(at)))
		f.Forget()
		got, want, x := f.BlendVertex(skinning.COR, v), f.BlendVertex(skinning.DQS, v), geom.Vec64(m.Skin.Positions[v])
		if d := got.Apply(x).Sub(want.Apply(x)).Len(); !(d <= 1e-12*m.Diagonal()) {
			t.Fatalf("vertex %d about its centre: off by %g m", v, d)
		}
	}
}

// Centres hardly depend on how finely triangles are split, and not at all on seams: within 1e-3 of the size, and to
// rounding.
func TestCentersOfRotationOfFinerMeshes(t *testing.T) {
	for _, name := range []string{"demo:arm", "demo:leg"} {
		m := assetstest.Open(t, name)
		want, fine := centersOf(&m.Skin), bench.Subdivide(m, 1)
		if d := farthest(want, centersOf(&fine.Skin)); !(d <= 1e-3*m.Diagonal()) {
			t.Errorf("%s: of triangles in four, centres are off by %g of %g m", name, d, m.Diagonal())
		}
		seams := m.Skin
		seams.Influences = skinning.Influences{}
		seams.Positions, seams.Triangles = nil, nil
		var of []mgl64.Vec3
		for i, triangle := range m.Skin.Triangles {
			for _, v := range triangle {
				seams.Positions = append(seams.Positions, m.Skin.Positions[v])
				seams.Append(m.Skin.Of(nil, int(v)), 0)
				of = append(of, want[v])
			}
			seams.Triangles = append(seams.Triangles, [3]uint32{uint32(3 * i), uint32(3*i + 1), uint32(3*i + 2)})
		}
		if d := farthest(of, centersOf(&seams)); !(d <= 1e-9*m.Diagonal()) {
			t.Errorf("%s: of vertices that are not shared, centres are off by %g m", name, d)
		}
	}
}

// Centres move with the origin and are mirrored with the model, within 1e-9 of the size, and the order of vertices,
// triangles and joints changes no more than rounding: 1e-12.
func TestCentersOfRotationOfOtherOrders(t *testing.T) {
	m := assetstest.Open(t, "demo:leg")
	size, s := m.Diagonal(), m.Skin
	s.Positions = slices.Clone(s.Positions)
	for v := range s.Positions { // multiples of 2⁻¹⁴, which moves round to nothing else
		for k, x := range s.Positions[v] {
			s.Positions[v][k] = float32(int(x*16384)) / 16384
		}
	}
	want := centersOf(&s)
	if again := centersOf(&s); !slices.Equal(want, again) {
		t.Error("the same mesh gives other bits")
	}
	moved := s
	moved.Positions = slices.Clone(s.Positions)
	for v := range moved.Positions {
		moved.Positions[v] = moved.Positions[v].Add(mgl32.Vec3{32, -8, 64})
	}
	mirrored := s
	mirrored.Positions = slices.Clone(s.Positions)
	for v := range mirrored.Positions {
		mirrored.Positions[v][0] *= -1
	}
	back, image := centersOf(&moved), centersOf(&mirrored)
	for v := range want {
		if d := back[v].Sub(mgl64.Vec3{32, -8, 64}).Sub(want[v]).Len(); !(d <= 1e-9*size) {
			t.Fatalf("vertex %d: the centre moves by %g m less than the origin", v, d)
		}
		if d := (mgl64.Vec3{-image[v][0], image[v][1], image[v][2]}).Sub(want[v]).Len(); !(d <= 1e-9*size) {
			t.Fatalf("vertex %d: the mirrored centre is off by %g m", v, d)
		}
	}

	r := rand.New(rand.NewPCG(5, 5))
	place, joint := r.Perm(len(s.Positions)), r.Perm(len(m.Skeleton.Joints)) // of each of before
	from := make([]int, len(place))
	for v, p := range place {
		from[p] = v
	}
	mixed := skinning.Mesh{}
	for _, v := range from {
		mixed.Positions = append(mixed.Positions, s.Positions[v])
		influences := s.Of(nil, v)
		for i := range influences {
			influences[i].Joint = uint16(joint[influences[i].Joint])
		}
		mixed.Append(influences, 0)
	}
	for _, i := range r.Perm(len(s.Triangles)) {
		t := s.Triangles[i]
		mixed.Triangles = append(mixed.Triangles, [3]uint32{uint32(place[t[0]]), uint32(place[t[1]]), uint32(place[t[2]])})
	}
	for p, at := range centersOf(&mixed) {
		if d := at.Sub(want[from[p]]).Len(); !(d <= 1e-12*size) {
			t.Fatalf("in another order, the centre of vertex %d is off by %g m", from[p], d)
		}
	}
}

// Without triangles, or with one joint, there is nothing to turn about: linear blending, exactly.
func TestCentersOfRotationOfNothing(t *testing.T) {
	m := skinningtest.RandomModel(40, 6, 4, 1)
	f := skinningtest.RandomFrame(m, 2)
	if d := farthest(f.Positions(skinning.COR), f.Positions(skinning.LBS)); !(d <= 1e-12) { // one sum of motions, the other of matrices
		t.Errorf("without triangles, off by %g m", d)
	}
	if _, ok := f.CenterOfRotation([]uint16{0, 1}, []float64{0.5, 0.5}); ok {
		t.Error("weights have a centre without triangles")
	}
	empty := skinning.Model{}
	if got := centersOf(&empty.Skin); len(got) != 0 {
		t.Errorf("an empty mesh has centres %v", got)
	}
}

// A frame's centres are made once for all of its methods and frames, and are the mesh's own where it has some.
func TestCentersOfRotationOfMesh(t *testing.T) {
	m := *assetstest.Open(t, "demo:bar")
	f := skinning.NewFrame(&m, nil)
	if share := f.Centers.MadeShare(skinning.COR); share != 0 {
		t.Errorf("%g of the centres are made before something asks for them", share)
	}
	made := f.Centers.Values(&m.Skin, skinning.COR)
	if again := skinning.NewFrame(&m, f.Centers).Centers.Values(&m.Skin, skinning.COR); &again[0] != &made[0] ||
		f.Centers.MadeShare(skinning.COR) != 1 {
		t.Error("centres are made twice")
	}
	own := skinning.InputData{Input: &skinning.RotationCenter, Values: make([]float32, 3*len(m.Skin.Positions))}
	own.Values[4] = 7
	m.Skin.SetInput(own)
	if got := skinning.NewFrame(&m, nil).Centers.Values(&m.Skin, skinning.COR)[1]; got != [4]float32{0, 7, 0, 0} {
		t.Errorf("vertex 1 of a mesh with centres of its own has %v", got)
	}
	m.Skin.SetWeights(m.Skin.Influences)
	if m.Skin.Input(&skinning.RotationCenter) != nil {
		t.Error("new weights keep the centres of others")
	}
}
