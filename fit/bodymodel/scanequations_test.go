package bodymodel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// The equations of a scan are JᵀMJ and JᵀM·d with J by central differences, joints and their axes moving: to 1e-6 of
// the largest entry.
func TestScanEquations(t *testing.T) {
	for _, alpha := range []float64{0, 100} {
		b, s := branchedBody(60, 1, 2.4, 4)
		pose := &b.Poses[0]
		rng := rand.New(rand.NewPCG(1, 3))
		for v := range s.Shapes[0] {
			s.Shapes[0][v] = mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		}
		f := newSolver(s, b, alpha, 1)

		poses, n := 3+3*len(b.Joints), 6*len(b.Joints)
		posed := func(unknown int, by float64) []mgl64.Vec3 {
			moved := *b
			moved.Joints = append([]mgl64.Vec3(nil), b.Joints...)
			step := make([]float64, poses)
			if unknown < poses {
				step[unknown] = by
			} else {
				moved.Joints[1+(unknown-poses)/3][(unknown-poses)%3] += by
			}
			moved.setAxes()
			moved.Poses = make([]Pose, 1)
			b.Moved(&moved.Poses[0], pose, step)
			return posedShapes(&moved)[0]
		}
		jacobian := make([][]mgl64.Vec3, n)
		for u := range jacobian {
			const h = 1e-6
			plus, minus := posed(u, h), posed(u, -h)
			jacobian[u] = make([]mgl64.Vec3, len(plus))
			for v := range plus {
				jacobian[u][v] = plus[v].Sub(minus[v]).Mul(1 / (2 * h))
			}
		}
		r := newRows(b, s, alpha)
		rates := b.newPoseRates()
		rates.Set(pose)
		fields := make([]screw, jointFields*len(b.Joints))
		twistFields(fields, b, rates)
		sums := newLimbSums(b, r, jointFields)
		sums.sum(b, rates.palette, 0, fields, f.metric, f.off[0])
		c := newChain(len(b.Joints), jointFields, true)
		c.set(b, rates, axisRates(b))
		e := newScanEquations(len(b.Joints), true)
		c.equations(e, b, sums)

		largest, worst, rightLargest, rightWorst := 0.0, 0.0, 0.0, 0.0
		for i := range n {
			var weighted [60]mgl64.Vec3
			right := 0.0
			for v := range weighted {
				weighted[v] = f.metric.at(v, jacobian[i])
				right += weighted[v].Dot(f.off[0][v])
			}
			got := 0.0
			if i < poses {
				got = e.poseRight[i]
			} else {
				got = e.jointRight[i-poses]
			}
			rightLargest, rightWorst = math.Max(rightLargest, math.Abs(right)), math.Max(rightWorst, math.Abs(right-got))
			for j := range i + 1 {
				want := 0.0
				for v := range weighted {
					want += weighted[v].Dot(jacobian[j][v])
				}
				switch {
				case i < poses:
					got = e.pose[i*poses+j]
				case j < poses:
					got = e.cross[(i-poses)*poses+j]
				default:
					got = e.joints[(i-poses)*(n-poses)+j-poses]
				}
				largest, worst = math.Max(largest, math.Abs(want)), math.Max(worst, math.Abs(want-got))
			}
		}
		if !(worst < 1e-6*largest) || !(rightWorst < 1e-6*rightLargest) {
			t.Errorf("α = %g: the matrix is off by %g of %g, the right side by %g of %g",
				alpha, worst, largest, rightWorst, rightLargest)
		}
	}
}
