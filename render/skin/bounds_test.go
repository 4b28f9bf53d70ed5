package skin

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// TestAddMoved holds a moved box against its eight corners moved one by one: to a rounding of float32, as sums run in
// another order. What is not a number stays that.
func TestAddMoved(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	for range 1000 {
		var m geom.Affine
		for k := range m {
			m[k] = r.NormFloat64()
		}
		c := EmptyBox()
		c.Add(mgl32.Vec3{r.Float32(), -r.Float32(), r.Float32()})
		c.Add(mgl32.Vec3{-r.Float32(), r.Float32(), r.Float32()})
		got, want := EmptyBox(), EmptyBox()
		got.addMoved(&m, c)
		for i := range 8 {
			want.Add(geom.Vec32(m.Apply(geom.Vec64(c.Corner(i)))))
		}
		for k := range want.Lo {
			for _, d := range [...]float32{got.Lo[k] - want.Lo[k], got.Hi[k] - want.Hi[k]} {
				if !(math.Abs(float64(d)) <= 1e-6) { // of coordinates up to 10
					t.Fatalf("%v moved by %v is %v, expected %v", c, m, got, want)
				}
			}
		}
	}
	b := EmptyBox()
	m := geom.NewAffine(geom.Identity3(), mgl64.Vec3{0, math.NaN(), 0})
	b.addMoved(&m, Box{Hi: mgl32.Vec3{1, 1, 1}})
	if b.Hi[1]-b.Lo[1] < 1e18 {
		t.Errorf("a box that is moved nowhere is %v", b)
	}
}

// TestBoundsOfMorphedMeshes: what a camera, the floor and the lights are placed by holds the vertices of rigid meshes
// as morph targets move them.
func TestBoundsOfMorphedMeshes(t *testing.T) {
	m := gltftest.Morphing(5)
	for i := range m.Rigid {
		for _, t := range m.Rigid[i].Morphs {
			for v := range t.Positions {
				t.Positions[v] = t.Positions[v].Mul(-1) // the strips get longer
			}
		}
	}
	f, pose := skinning.NewFrame(m, nil), m.NewPose()
	m.SamplePose(pose, 0, m.Clips[0].Seconds) // the last target at weight 1
	f.SetPose(pose)
	want := EmptyBox()
	for i := range m.Rigid {
		mesh := &m.Rigid[i]
		for v, p := range mesh.Positions {
			if n := len(mesh.Morphs); n > 0 {
				p = p.Add(mesh.Morphs[n-1].Positions[v])
			}
			want.Add(geom.Vec32(f.Globals[mesh.Parts[0].Node].Apply(geom.Vec64(p))))
		}
	}
	lo, hi := PosedBounds(f)
	points := EmptyBox()
	for _, p := range Posed(f) {
		points.Add(p)
	}
	quick := newBounds(m).Of(f) // holds the other targets too
	grown := quick
	grown.Join(want)
	slack := 1e-6 * want.Diagonal() // rounding of float32
	for what, boxes := range map[string][2]Box{"posed": {{lo, hi}, want}, "points": {points, want}, "quick": {quick, grown}} {
		got, want := boxes[0], boxes[1]
		if !(got.Lo.Sub(want.Lo).Len() <= slack && got.Hi.Sub(want.Hi).Len() <= slack) {
			t.Errorf("%s: %v, expected %v", what, got, want)
		}
	}
}

// TestBoundsOfASkeleton: a model without meshes has the box of its joints, from which the floor gets its place and
// size.
func TestBoundsOfASkeleton(t *testing.T) {
	m := *assetstest.Open(t, "demo:arm")
	m.Skin = skinning.Mesh{}
	f, pose := skinning.NewFrame(&m, nil), m.NewPose()
	m.SamplePose(pose, 0, 1)
	f.SetPose(pose)
	want := EmptyBox()
	for _, p := range m.Skeleton.JointPlaces(f.Globals) {
		want.Add(p)
	}
	lo, hi := PosedBounds(f)
	slack := 1e-6 * want.Diagonal() // rounding of float32
	for what, got := range map[string]Box{"posed": {lo, hi}, "quick": newBounds(&m).Of(f)} {
		if !(slack > 0 && got.Lo.Sub(want.Lo).Len() <= slack && got.Hi.Sub(want.Hi).Len() <= slack) {
			t.Errorf("%s: %v, expected %v", what, got, want)
		}
	}
}
