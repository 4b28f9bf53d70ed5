package enveloping

import (
	"context"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// soup returns the examples with every triangle cut off the others: three vertices of its own each, as a faceted file
// has them.
func soup(x *Examples) *Examples {
	out := &Examples{Parent: x.Parent, Pairs: make([]Example, len(x.Pairs)), model: x.model}
	for i, e := range x.Pairs {
		out.Pairs[i].Matrices = e.Matrices
	}
	for _, t := range x.Triangles {
		n := uint32(len(out.Rest))
		out.Triangles = append(out.Triangles, [3]uint32{n, n + 1, n + 2})
		for _, v := range t {
			out.Rest = append(out.Rest, x.Rest[v])
			if x.Rigged != nil {
				out.Rigged = append(out.Rigged, x.Rigged[v])
			}
			for i := range x.Pairs {
				out.Pairs[i].Target = append(out.Pairs[i].Target, x.Pairs[i].Target[v])
			}
		}
	}
	return out
}

// TestSeams: a mesh cut along all its edges is fitted as the whole one, and stays closed: copies of a vertex get the
// same weights.
func TestSeams(t *testing.T) {
	onlyNumbers(t)
	x := armExamples(t).pick(func(i int) bool { return i%4 == 0 })
	cut := soup(x)
	whole, err := Fit(context.Background(), x, Options{Proxies: 12})
	if err != nil {
		t.Fatal(err)
	}
	apart, err := Fit(context.Background(), cut, Options{Proxies: 12})
	if err != nil {
		t.Fatal(err)
	}
	if n := apart.Model.Proxies(); n > 12 {
		t.Errorf("%d proxies, at most 12 asked for", n)
	}
	var a, b rig.EnvelopingDriver
	size := x.diagonal()
	for i := range x.Pairs {
		p, q := whole.Model.Pose(&a, x.Rest, x.Pairs[i].Matrices), apart.Model.Pose(&b, cut.Rest, cut.Pairs[i].Matrices)
		worst := 0.0
		for k, tri := range x.Triangles {
			for c, v := range tri {
				worst = math.Max(worst, p[v].Sub(q[3*k+c]).Len())
			}
		}
		// Vertices are numbered otherwise, so sums differ in their last bits: 1e-6 of the size.
		if !(worst <= 1e-6*size) {
			t.Errorf("example %d: the cut mesh is %g m off the whole one", i, worst)
		}
	}
}

// TestPieces: parts that do not hang together share the proxies that were asked for.
func TestPieces(t *testing.T) {
	x := soup(patch(6, 6))
	for v := range x.Rest { // apart in space too
		x.Rest[v] = x.Rest[v].Add(mgl64.Vec3{3 * float64(v/3), 0, 0})
	}
	for i := range 4 {
		turn := geom.NewAffine(geom.AxisAngle(mgl64.Vec3{0, 0, 1}, 0.4*float64(i)).Mat3(), mgl64.Vec3{})
		e := Example{Matrices: []geom.Affine{geom.IdentityAffine(), turn}}
		for _, p := range x.Rest {
			e.Target = append(e.Target, turn.Apply(p).Add(mgl64.Vec3{0, 0.1 * float64(i) * p[1], 0}))
		}
		x.Pairs = append(x.Pairs, e)
	}
	r, err := Fit(context.Background(), x, Options{Proxies: 7})
	if err != nil {
		t.Fatal(err)
	}
	if n := r.Model.Proxies(); n > 7 || n < 1 {
		t.Errorf("%d proxies for %d loose triangles, from 1 to 7 expected", n, len(x.Triangles))
	}
	if !(r.Fit.EE <= r.SSD.EE) {
		t.Errorf("EE %g, trained SSD %g", r.Fit.EE, r.SSD.EE)
	}
}
