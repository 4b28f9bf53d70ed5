package bodymodel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// The derivatives of every vertex by every unknown are central differences, to 1e-6 of the largest of them. Steps of
// 1e-6 leave differences an error of about 1e-10 relative, and more where a blend of twists is short.
func TestPoseRates(t *testing.T) {
	for seed := range uint64(5) {
		b, _ := branchedBody(40, 1, 2.4, seed)
		pose := &b.Poses[0]
		r, p := b.newPoseRates(), b.NewPalette()
		r.Set(pose)
		unknowns := 3 + 3*len(b.Joints)
		const h = 1e-6
		posed := func(unknown int, by float64) []mgl64.Vec3 {
			step := make([]float64, unknowns)
			step[unknown] = by
			var moved Pose
			b.Moved(&moved, pose, step)
			b.SetPalette(p, &moved)
			out := make([]mgl64.Vec3, len(b.Vertices))
			for v := range out {
				m := p.Map(b.Swing[v], b.Twist[v])
				out[v] = m.Apply(b.Vertices[v])
			}
			return out
		}
		var out VertexRates
		rates := make([][]mgl64.Vec3, len(b.Vertices))
		place := posed(0, 0)
		for v := range rates {
			r.vertex(v, &out)
			if d := out.Place.Sub(place[v]).Len(); !(d < 1e-12) {
				t.Fatalf("vertex %d is %g m from where it is posed", v, d)
			}
			rates[v] = make([]mgl64.Vec3, unknowns)
			for c := range 3 {
				rates[v][c][c] = 1
			}
			for i, k := range out.Limbs {
				for c := range 3 {
					rates[v][3+3*int(k)+c] = mgl64.Vec3{out.Turns[i][c], out.Turns[i][3+c], out.Turns[i][6+c]}
				}
			}
		}
		worst, largest := 0.0, 0.0
		for u := range unknowns {
			plus, minus := posed(u, h), posed(u, -h)
			for v := range plus {
				numeric := plus[v].Sub(minus[v]).Mul(1 / (2 * h))
				worst = math.Max(worst, numeric.Sub(rates[v][u]).Len())
				largest = math.Max(largest, numeric.Len())
			}
		}
		if !(worst < 1e-6*largest) {
			t.Errorf("body %d: off by %g of %g", seed, worst, largest)
		}
	}
}

// The equations are those of the derivatives, and their steps find the pose that points and planes were taken from, out
// of turns of 0.2 radians away: Gauss-Newton converges quadratically where the residual vanishes.
func TestPoseEquations(t *testing.T) {
	b, _ := branchedBody(300, 1, 2.4, 3)
	rng := rand.New(rand.NewPCG(1, 1))
	p := b.NewPalette()
	b.SetPalette(p, &b.Poses[0])
	var points []SurfacePoint
	var targets []mgl64.Vec3
	for v := range b.Vertices {
		at := SurfacePoint{[3]int32{int32(v), int32(rng.IntN(300)), int32(rng.IntN(300))}, [3]float64{0.5, 0.3, 0.2}}
		if v%3 == 0 {
			at.Weights = [3]float64{1, 0, 0}
		}
		var target mgl64.Vec3
		for c, w := range at.Weights {
			u := at.Vertices[c]
			m := p.Map(b.Swing[u], b.Twist[u])
			target = target.Add(m.Apply(b.Vertices[u]).Mul(w))
		}
		points, targets = append(points, at), append(targets, target)
	}
	pose := Pose{Place: b.Poses[0].Place.Add(mgl64.Vec3{0.1, 0.2, -0.1})}
	for _, q := range b.Poses[0].Turns {
		pose.Turns = append(pose.Turns, randomTurn(rng, 0.2).Mul(q))
	}
	e := b.NewPoseEquations()
	add := func() {
		e.Set(&pose)
		for i := range points {
			if i%2 == 0 {
				e.AddPoint(&points[i], targets[i], 2)
			} else {
				e.AddPlane(&points[i], targets[i], mgl64.Vec3{0.6, 0, 0.8}, 0.5)
			}
		}
	}
	for range 15 {
		add()
		b.Moved(&pose, &pose, e.Step(1e-6))
	}
	add()
	if !(e.Squares < 1e-20) {
		t.Errorf("%g m² remain", e.Squares)
	}
}
