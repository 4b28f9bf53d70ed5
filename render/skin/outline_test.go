package skin

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// The outline of points on a long ellipsoid reaches as far as they do in every direction but for 2.5 % of the
// longest axis. Directions 0.2 apart leave 0.5 % of a ball; at the flat ends of an ellipsoid, some times as much.
func TestOutlineReachesFar(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	direction := func() mgl32.Vec3 {
		return mgl32.Vec3{float32(random.NormFloat64()), float32(random.NormFloat64()), float32(random.NormFloat64())}.Normalize()
	}
	var all []mgl32.Vec3
	o := &Outline{}
	if o.Points() != nil {
		t.Error("an empty outline has points")
	}
	for range 20_000 {
		d := direction()
		p := mgl32.Vec3{3 * d[0], d[1], 0.3*d[2] + 7}
		all = append(all, p)
		o.Add(p)
	}
	extent := func(points []mgl32.Vec3, d mgl32.Vec3) float32 {
		lo, hi := float32(math.MaxFloat32), float32(-math.MaxFloat32)
		for _, p := range points {
			lo, hi = min(lo, p.Dot(d)), max(hi, p.Dot(d))
		}
		return hi - lo
	}
	for range 200 {
		d := direction()
		if whole, got := extent(all, d), extent(o.Points(), d); !(got <= whole && got >= whole-0.025*6) {
			t.Errorf("along %v the outline reaches %g of %g", d, got, whole)
		}
	}
}

// The outline of a clip holds the posed vertices of all its times, to the share that an outline leaves out.
func TestOutlineOfAClip(t *testing.T) {
	m := assetstest.Open(t, "demo:arm")
	times := []float64{0, 1, 2}
	o := &Outline{}
	o.AddClip(skinning.NewFrame(m, nil), 0, times...)
	box := EmptyBox()
	for _, p := range o.Points() {
		box.Add(p)
	}
	want, f, pose := EmptyBox(), skinning.NewFrame(m, nil), m.NewPose()
	for _, at := range times {
		m.SamplePose(pose, 0, at)
		f.SetPose(pose)
		lo, hi := PosedBounds(f)
		want.Join(Box{lo, hi})
	}
	slack := 0.01 * want.Diagonal()
	if !(box.Lo.Sub(want.Lo).Len() <= slack && box.Hi.Sub(want.Hi).Len() <= slack) {
		t.Errorf("the outline's box is %v, that of the vertices %v", box, want)
	}
}

// TestOutlineOfWhatIsSeen: the outline of a model with hidden parts is that of the vertices of the others, and there is
// none where all are hidden.
func TestOutlineOfWhatIsSeen(t *testing.T) {
	m := assetstest.Open(t, "demo:box")
	half, two := len(m.Skin.Positions)/2, *m
	a, b := m.Skin.Parts[0], m.Skin.Parts[0]
	a.VertexCount = half
	b.FirstVertex, b.VertexCount = half, len(m.Skin.Positions)-half
	two.Skin.Parts = []skinning.Part{a, b}
	f := skinning.NewFrame(&two, nil)
	posed, want := Posed(f), &Outline{}
	for _, p := range posed[half:] {
		want.Add(p)
	}
	got, none := &Outline{Hidden: []bool{true, false}}, &Outline{Hidden: []bool{true, true}}
	got.AddFrame(f)
	none.AddFrame(f)
	if len(posed) != len(m.Skin.Positions) || !slices.Equal(got.Points(), want.Points()) || none.Points() != nil {
		t.Errorf("%d points with a hidden part, expected %d; %d with all hidden", len(got.Points()), len(want.Points()),
			len(none.Points()))
	}
}
