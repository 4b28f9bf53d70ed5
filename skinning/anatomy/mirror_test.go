package anatomy

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/cputime"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// twoArms is a body with three joints to each side, mirror images in position alone: every joint's axes are turned at
// random, and an armature scales the whole. Names say nothing.
func twoArms(rng *rand.Rand, scale float64) *skinning.Model {
	m := &skinning.Model{}
	at := []mgl64.Vec3{{}, {0, 0.2, 0.05}, {0.3, 1, 0}, {0.6, 1.1, 0.1}, {0.9, 0.8, 0.2}, {-0.3, 1, 0}, {-0.6, 1.1, 0.1},
		{-0.9, 0.8, 0.2}}
	parents := []int{-1, 0, 1, 2, 3, 1, 5, 6}
	globals := make([]geom.Affine, len(at))
	for i, p := range at {
		q := randomQuat(rng)
		if i == 0 {
			globals[0] = geom.Transform{Translation: p, Rotation: q, Scale: mgl64.Vec3{scale, scale, scale}}.Affine()
			m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Parent: -1,
				Rest: geom.Transform{Translation: p, Rotation: q, Scale: mgl64.Vec3{scale, scale, scale}}})
			continue
		}
		parent := globals[parents[i]]
		inv, _ := parent.Inverse()
		rest := geom.Transform{Translation: inv.Apply(p), Rotation: q, Scale: mgl64.Vec3{1, 1, 1}}
		globals[i] = parent.Mul(rest.Affine())
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Parent: parents[i], Rest: rest})
		bind, _ := globals[i].Inverse()
		m.Skeleton.Joints = append(m.Skeleton.Joints, skinning.Joint{Node: i, Parent: parents[i] - 1, FromRest: bind,
			Position: p})
	}
	if err := m.Skeleton.SortNodes(); err != nil {
		panic(err)
	}
	return m
}

func randomQuat(rng *rand.Rand) geom.Quat {
	return geom.Quat{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Normalize()
}

// The skinning matrices of a mirrored pose are M·C·M of the counterparts', whatever the joints' own axes are: to 1e-12
// of a model of a metre, the rounding of float64 over five joints.
func TestMirrorOfAnyAxes(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, scale := range []float64{1, 0.01} {
		m := twoArms(rng, scale)
		r := NewMirror(m)
		for i, want := range []int{0, 1, 5, 6, 7, 2, 3, 4} {
			if r.Pair[i] != want {
				t.Fatalf("node %d is paired with %d, want %d", i, r.Pair[i], want)
			}
		}
		for range 50 {
			src, dst, back := m.NewPose(), m.NewPose(), m.NewPose()
			for i := range src.Local {
				src.Local[i].Rotation = randomQuat(rng)
				src.Local[i].Translation = src.Local[i].Translation.Add(mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(),
					rng.NormFloat64()}.Mul(0.1))
				grow := 1 + rng.Float64()
				src.Local[i].Scale = src.Local[i].Scale.Mul(grow)
			}
			r.Apply(dst, src)
			a, b := skinning.NewFrame(m, nil), skinning.NewFrame(m, nil)
			a.SetPose(src)
			b.SetPose(dst)
			reflect := r.Plane.affine()
			size := 0.0
			for j, joint := range m.Skeleton.Joints {
				k := r.Pair[joint.Node] - 1 // joint of the node
				want := reflect.Mul(a.Matrices[k]).Mul(reflect)
				for c := range want {
					size = math.Max(size, math.Abs(want[c]))
				}
				for c := range want {
					if d := math.Abs(want[c] - b.Matrices[j][c]); !(d <= 1e-12*math.Max(1, size)) {
						t.Fatalf("scale %g, joint %d: entry %d is off by %g", scale, j, c, d)
					}
				}
			}
			r.Apply(back, dst)
			if d := poseDistance(src, back); !(d <= 1e-12*math.Max(1, size)) {
				t.Fatalf("mirrored twice it is off by %g", d)
			}
		}
		src, dst := m.NewPose(), m.NewPose()
		if n := testing.AllocsPerRun(10, func() { r.Apply(dst, src) }); n != 0 {
			t.Errorf("Apply allocates %g times", n)
		}
		if d := poseDistance(src, dst); !(d <= 1e-12*math.Max(1, 1/scale)) {
			t.Errorf("the bind pose is off by %g from its mirror image", d)
		}
	}
}

// poseDistance is the largest difference of any number of two poses; of quaternions that of the rotations.
func poseDistance(a, b *skinning.Pose) float64 {
	most := 0.0
	for i := range a.Local {
		p, q := &a.Local[i], &b.Local[i]
		most = math.Max(most, math.Max(p.Translation.Sub(q.Translation).Len(), p.Scale.Sub(q.Scale).Len()))
		sign := math.Copysign(1, p.Rotation.Dot(q.Rotation))
		d := p.Rotation.Add(q.Rotation.Scale(-sign))
		most = math.Max(most, math.Sqrt(d.Dot(d)))
	}
	for i := range a.Morphs {
		most = math.Max(most, math.Abs(a.Morphs[i]-b.Morphs[i]))
	}
	return most
}

// A scale along a joint's axes stays with the axes where those of both sides are parallel, and mirrors the skinning
// matrix.
func TestMirrorOfScales(t *testing.T) {
	m := twoArms(rand.New(rand.NewPCG(1, 1)), 1)
	for i := range m.Skeleton.Nodes { // axes along the world's
		m.Skeleton.Nodes[i].Rest.Rotation = geom.IdentityQuat()
	}
	for j := range m.Skeleton.Joints {
		joint := &m.Skeleton.Joints[j]
		n := &m.Skeleton.Nodes[joint.Node]
		n.Rest.Translation = joint.Position
		if joint.Parent >= 0 {
			n.Rest.Translation = joint.Position.Sub(m.Skeleton.Joints[joint.Parent].Position)
		}
		joint.FromRest = geom.NewAffine(geom.Identity3(), joint.Position.Mul(-1))
	}
	r := NewMirror(m)
	src, dst := m.NewPose(), m.NewPose()
	src.Local[3].Scale = mgl64.Vec3{2, 0.5, -1.5}
	r.Apply(dst, src)
	if dst.Local[6].Scale != src.Local[3].Scale || dst.Local[3].Scale != (mgl64.Vec3{1, 1, 1}) {
		t.Errorf("scales %v and %v", dst.Local[6].Scale, dst.Local[3].Scale)
	}
}

// Morph weights change sides by name, within a mesh.
func TestMirrorOfMorphs(t *testing.T) {
	m := twoArms(rand.New(rand.NewPCG(1, 1)), 1)
	m.MorphSlots = []skinning.MorphSlot{{Name: "smile_L"}, {Name: "jaw"}, {Name: "smile_R"}, {Name: "blinkLeft", Node: 1},
		{Name: "blinkRight", Node: 2}}
	r := NewMirror(m)
	src, dst := m.NewPose(), m.NewPose()
	copy(src.Morphs, []float64{0.1, 0.2, 0.3, 0.4, 0.5})
	r.Apply(dst, src)
	for i, want := range []float64{0.3, 0.2, 0.1, 0.4, 0.5} {
		if dst.Morphs[i] != want {
			t.Errorf("morph %d is %g, want %g", i, dst.Morphs[i], want)
		}
	}
}

// Skeletons without sense, and large ones, pair up in bounded time and never panic.
func TestMirrorOfAnySkeleton(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	unit := func() float64 { return 2*rng.Float64() - 1 }
	offsets := make([]mgl64.Vec3, 1000)
	for j := range offsets {
		offsets[j] = mgl64.Vec3{unit(), unit(), unit()}.Mul(0.2)
	}
	for name, m := range map[string]*skinning.Model{
		"nothing":  {},
		"one":      chain(mgl64.Vec3{}),
		"chain":    chain(offsets...),
		"one spot": pile(3000),
	} {
		var r *Mirror
		if d := cputime.Of(func() { r = NewMirror(m) }); d > 2*time.Second { // takes under 50 ms
			t.Errorf("%s: took %v", name, d)
		}
		src, dst, back := m.NewPose(), m.NewPose(), m.NewPose()
		r.Apply(dst, src)
		r.Apply(back, dst)
		if d := poseDistance(src, back); !(d <= 1e-9) {
			t.Errorf("%s: twice is off by %g", name, d)
		}
	}
}

// pile is n joints in one spot beside the middle, children of one root.
func pile(n int) *skinning.Model {
	m := &skinning.Model{}
	m.Skeleton.Nodes = []skinning.Node{{Parent: -1, Rest: geom.IdentityTransform()}}
	for i := range n {
		at := mgl64.Vec3{float64(2*(i%2) - 1), 0, 0}
		node := skinning.Node{Parent: 0, Rest: geom.IdentityTransform()}
		node.Rest.Translation = at
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, node)
		m.Skeleton.Joints = append(m.Skeleton.Joints,
			skinning.Joint{Node: i + 1, Parent: -1, Position: at, FromRest: geom.NewAffine(geom.Identity3(), at.Mul(-1))})
	}
	if err := m.Skeleton.SortNodes(); err != nil {
		panic(err)
	}
	return m
}

// chain is a model without a skin: a chain of joints, each at an offset in metres from the one before.
func chain(offsets ...mgl64.Vec3) *skinning.Model {
	m := &skinning.Model{}
	var at mgl64.Vec3
	for j, offset := range offsets {
		n := skinning.Node{Parent: j - 1, Rest: geom.IdentityTransform()}
		n.Rest.Translation = offset
		at = at.Add(offset)
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, n)
		m.Skeleton.Joints = append(m.Skeleton.Joints,
			skinning.Joint{Node: j, Parent: j - 1, Position: at, FromRest: geom.NewAffine(geom.Identity3(), at.Mul(-1))})
	}
	if err := m.Skeleton.SortNodes(); err != nil {
		panic(err)
	}
	return m
}
