package procrustes

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// leftBy returns Σ w·|R·(x − p) − (y − q)|².
func leftBy(r geom.Mat3, w []float64, x, y []mgl64.Vec3, p, q mgl64.Vec3) (sum float64) {
	for k := range x {
		d := r.Apply(x[k].Sub(p)).Sub(y[k].Sub(q))
		sum += w[k] * d.Dot(d)
	}
	return sum
}

// TestSums holds what sums of two halves say against sums over the pairs, to rounding of 40 terms of about 10, and
// against other motions: none near the one found leaves less.
func TestSums(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for range 50 {
		x, y := randomVectors(r, 40, mgl64.Vec3{1, 2, 0.5}), randomVectors(r, 40, mgl64.Vec3{0.1, 0.1, 0.1})
		turn, shift := randomRotation(r), randomVectors(r, 1, mgl64.Vec3{1, 1, 1})[0]
		w := make([]float64, len(x))
		var s, second Sums
		for k := range x {
			w[k] = r.Float64()
			y[k] = y[k].Add(turn.Rotate(x[k])).Add(shift)
			if k < 15 {
				s.Add(w[k], x[k], y[k])
			} else {
				second.Add(w[k], x[k], y[k])
			}
		}
		s.AddAll(&second)
		m, left := s.Rigid()
		origin := mgl64.Vec3{}
		if want := leftBy(m.Linear(), w, x, y, origin, m.Translation()); !(math.Abs(left-want) <= 1e-10) {
			t.Errorf("the motion leaves %g, says %g", want, left)
		}
		p, q := randomVectors(r, 1, mgl64.Vec3{1, 1, 1})[0], randomVectors(r, 1, mgl64.Vec3{1, 1, 1})[0]
		about, leftAbout := s.About(p, q, randomRotation(r), 0)
		if want := leftBy(about.Mat3(), w, x, y, p, q); !(math.Abs(leftAbout-want) <= 1e-10) {
			t.Errorf("the turn leaves %g, says %g", want, leftAbout)
		}
		for range 10 {
			small := geom.AxisAngle(randomVectors(r, 1, mgl64.Vec3{1, 1, 1})[0], 0.01*r.Float64())
			step := randomVectors(r, 1, mgl64.Vec3{0.01, 0.01, 0.01})[0]
			if other := leftBy(small.Mat3().Mul(m.Linear()), w, x, y, origin, m.Translation().Add(step)); other < left-1e-10 {
				t.Errorf("a motion nearby leaves %g, the one found %g", other, left)
			}
			if other := leftBy(small.Mul(about).Mat3(), w, x, y, p, q); other < leftAbout-1e-10 {
				t.Errorf("a turn nearby leaves %g, the one found %g", other, leftAbout)
			}
		}
	}
}

// TestRigid: points and sums of them give the same motion, to rounding.
func TestRigid(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	x, y := randomVectors(r, 12, mgl64.Vec3{1, 2, 0.5}), randomVectors(r, 12, mgl64.Vec3{1, 2, 0.5})
	var s Sums
	for k := range x {
		s.Add(1, x[k], y[k])
	}
	want, _ := s.Rigid()
	for k, got := range Rigid(len(x), func(k int) (p, q mgl64.Vec3) { return x[k], y[k] }) {
		if !(math.Abs(got-want[k]) < 1e-12) {
			t.Errorf("entry %d: %g, by sums %g", k, got, want[k])
		}
	}
}

// TestPull: near decides what pairs leave open, without a pull in ties and with one where they hardly say anything.
func TestPull(t *testing.T) {
	near := geom.AxisAngle(mgl64.Vec3{1, 2, 3}, 1)
	var none Sums
	if q, left := none.About(mgl64.Vec3{}, mgl64.Vec3{}, near, 0); !(math.Abs(q.Dot(near)) > 1-1e-12) || left != 0 {
		t.Errorf("no pairs turn by %v and leave %g", q, left)
	}
	// Points on the x axis, which the best turn takes to y, and one beside it that noise has turned by 90 degrees.
	var line Sums
	for k := range 5 {
		line.Add(1, mgl64.Vec3{float64(k)}, mgl64.Vec3{0, float64(k)})
	}
	line.Add(1, mgl64.Vec3{0, 0.01}, mgl64.Vec3{0, 0, 0.01})
	quarter := geom.AxisAngle(mgl64.Vec3{0, 0, 1}, math.Pi/2) // x to y, y to −x
	free, _ := line.About(mgl64.Vec3{}, mgl64.Vec3{}, quarter, 0)
	pulled, _ := line.About(mgl64.Vec3{}, mgl64.Vec3{}, quarter, 0.1)
	if y := free.Rotate(mgl64.Vec3{0, 1}); !(y[2] > 0.999) {
		t.Errorf("without a pull y goes to %v, expected z", y)
	}
	if y := pulled.Rotate(mgl64.Vec3{0, 1}); !(y[0] < -0.999) {
		t.Errorf("pulled y goes to %v, expected −x", y)
	}
	// A pull of p adds 2·p·φ² for a turn by a small φ: against a pair at distance 1, w·φ² with w = 2·p meets it
	// half-way.
	var pair Sums
	angle := 1e-3
	pair.Add(0.2, mgl64.Vec3{1}, mgl64.Vec3{math.Cos(angle), math.Sin(angle)})
	half, _ := pair.About(mgl64.Vec3{}, mgl64.Vec3{}, geom.IdentityQuat(), 0.1)
	if got := geom.RotationVector(half)[2]; !(math.Abs(got-angle/2) < 1e-6*angle) {
		t.Errorf("half-way is %g, expected %g", got, angle/2)
	}
}
