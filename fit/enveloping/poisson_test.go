package enveloping

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/mat"

	"skinlab/internal/poisson"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// patch is a bumpy grid of w×h vertices with two joints.
func patch(w, h int) *Examples {
	x := &Examples{Parent: []int{-1, 0}}
	for j := range h {
		for i := range w {
			x.Rest = append(x.Rest, mgl64.Vec3{float64(i), float64(j), math.Sin(float64(i * j))})
		}
	}
	for j := range uint32(h - 1) {
		for i := range uint32(w - 1) {
			a := j*uint32(w) + i
			x.Triangles = append(x.Triangles, [3]uint32{a, a + 1, a + uint32(w)},
				[3]uint32{a + 1, a + uint32(w) + 1, a + uint32(w)})
		}
	}
	return x
}

func randomGradients(r *rand.Rand, n int) []geom.Mat3 {
	g := make([]geom.Mat3, n)
	for k := range g {
		g[k] = geom.Identity3()
		for i := range g[k] {
			g[k][i] += 0.5 * r.NormFloat64()
		}
	}
	return g
}

// TestPoissonDense holds the solve by normal equations against dense least squares by QR over the same edges, within
// 1e-9 of the patch's unit cells.
func TestPoissonDense(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	x := patch(5, 4)
	fixed := make([]bool, len(x.Rest))
	fixed[0], fixed[1], fixed[7] = true, true, true
	p, err := poisson.New(x.Triangles, fixed, 0)
	if err != nil {
		t.Fatal(err)
	}
	gradients := randomGradients(r, len(x.Triangles))
	given := make([]mgl64.Vec3, len(x.Rest))
	for v := range given {
		given[v] = mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	}
	got := p.Solve(x.Rest, gradients, given)

	rows := 2 * len(x.Triangles)
	a, b := mat.NewDense(rows+len(x.Rest), len(x.Rest), nil), mat.NewDense(rows+len(x.Rest), 3, nil)
	row := 0
	for k, tri := range x.Triangles {
		for j, rest := range edgesOf(x.Rest, tri) {
			if !fixed[tri[0]] || !fixed[tri[j+1]] {
				// Fixed ends are known: they go to the right side.
				want := gradients[k].Apply(rest)
				for end, sign := range [...]float64{-1, 1} {
					v := tri[end*(j+1)]
					if fixed[v] {
						want = want.Sub(given[v].Mul(sign))
					} else {
						a.Set(row, int(v), a.At(row, int(v))+sign)
					}
				}
				for c := range 3 {
					b.Set(row, c, want[c])
				}
			}
			row++
		}
	}
	for v, f := range fixed { // a row of its own for each fixed vertex
		if f {
			a.Set(row, v, 1)
			for c := range 3 {
				b.Set(row, c, given[v][c])
			}
		}
		row++
	}
	var want mat.Dense
	if err := want.Solve(a, b); err != nil {
		t.Fatal(err)
	}
	for v := range got {
		for c := range 3 {
			if d := math.Abs(got[v][c] - want.At(v, c)); !(d <= 1e-9) {
				t.Errorf("vertex %d, coordinate %d: off by %g", v, c, d)
			}
		}
	}
}

// TestReducedIsFull: with a proxy for every vertex and a key gradient for every triangle, the reduced solve is the full
// one, within 1e-9 of the size once nothing holds positions to SSD.
func TestReducedIsFull(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 8))
	x := patch(5, 4)
	n := len(x.Triangles)
	fixed := make([]bool, len(x.Rest))
	fixed[0], fixed[len(x.Rest)-1] = true, true
	s := &SSD{Weights: make([][]skinning.Share, len(x.Rest))}
	red := &reduction{fixed: fixed, weights: make([][]skinning.Share, len(x.Rest)), blend: make([][]skinning.Share, n),
		transforms: make([][]geom.Affine, n)}
	for v := range x.Rest {
		s.Weights[v] = []skinning.Share{{Joint: 0, Weight: 0.3}, {Joint: 1, Weight: 0.7}}
		if !fixed[v] {
			red.weights[v] = []skinning.Share{{Joint: uint16(v), Weight: 1}} // there are more triangles than vertices
		}
	}
	for k := range red.blend {
		red.blend[k] = []skinning.Share{{Joint: uint16(k), Weight: 1}}
	}
	c, err := assemble(x, s, red, holds{key: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	gradients := randomGradients(r, n)
	joints := make([]geom.Affine, 2)
	for j := range joints {
		joints[j] = geom.NewAffine(randomGradients(r, 1)[0], mgl64.Vec3{r.NormFloat64(), 1, 2})
	}
	given := make([]mgl64.Vec3, len(x.Rest))
	for v := range given {
		given[v] = blend(joints, s.Weights[v], x.Rest[v])
	}
	p, err := poisson.New(x.Triangles, fixed, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := p.Solve(x.Rest, gradients, given)
	// Keys that predict just these gradients: no turn, and the whole of D as a constant.
	envelope := newRig(x.Parent, make([]mgl64.Vec3, len(x.Parent)), c)
	for l := range envelope.Keys {
		envelope.Keys[l] = rig.GradientKey{Terms: []rig.RotationTerm{{W: geom.IdentityQuat()}}, Second: -1}
		for k := range gradients[l] {
			envelope.Keys[l].Shear[k][6] = gradients[l][k]
		}
	}
	var driver rig.EnvelopingDriver
	rigid := []geom.DualQuat{{Real: geom.IdentityQuat()}, {Real: geom.IdentityQuat()}}
	all := append(joints, make([]geom.Affine, n)...)
	driver.Drive(&envelope, joints, rigid, all)
	proxies := all[2:]
	for v := range x.Rest {
		got := given[v]
		if !fixed[v] {
			got = blend(proxies, red.weights[v], x.Rest[v])
		}
		if off := got.Sub(want[v]).Len(); !(off <= 1e-9*x.diagonal()) {
			t.Errorf("vertex %d: off by %g", v, off)
		}
	}
}

// fullSolve is the full Poisson solve that the reduced one is held against.
func fullSolve(triangles [][3]uint32, fixed []bool, hold float64) (FullSolve, error) {
	return poisson.New(triangles, fixed, hold)
}
