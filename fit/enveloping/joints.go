package enveloping

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// continuous makes a sequence of rotation vectors continuous: each is the one nearest to that before it.
func continuous(sequence []mgl64.Vec3) {
	for i := 1; i < len(sequence); i++ {
		sequence[i] = skinning.NearestTurn(sequence[i], sequence[i-1])
	}
}

// lesson is the poses of examples as rotational regression reads them.
type lesson struct {
	parent  []int
	poses   []skinning.JointTurns
	weights []float64 // of each pose
	given   int       // so many of them, the first ones, are not supposed
}

// newLesson reads the poses of the examples in their order. Each joint's rotation vectors are continuous from example to example; the
// middle of those that were given says at run time, and for the supposed ones, which branch is meant.
func newLesson(x *Examples) (middle []mgl64.Vec3, l *lesson) {
	l = &lesson{x.Parent, make([]skinning.JointTurns, len(x.Pairs)), x.weights(), x.given()}
	turns := l.poses
	for i := range turns {
		turns[i].Set(l.parent, nil, rotations(x.Pairs[i].Matrices))
	}
	middle = make([]mgl64.Vec3, len(l.parent))
	sequence := make([]mgl64.Vec3, l.given)
	for b := range l.parent {
		for i := range sequence {
			sequence[i] = turns[i].Theta[b]
		}
		continuous(sequence)
		lo, hi := sequence[0], sequence[0]
		for i, v := range sequence {
			turns[i].Theta[b] = v
			for k := range v {
				lo[k], hi[k] = math.Min(lo[k], v[k]), math.Max(hi[k], v[k])
			}
		}
		middle[b] = lo.Add(hi).Mul(0.5)
		for i := l.given; i < len(turns); i++ {
			turns[i].Theta[b] = skinning.NearestTurn(turns[i].Theta[b], middle[b])
		}
	}
	return middle, l
}

// rotations returns the rotation of every skinning matrix.
func rotations(matrices []skinning.Affine) []skinning.Quat {
	q := make([]skinning.Quat, len(matrices))
	for j := range matrices {
		r, _ := skinning.PolarDecompose(matrices[j].Linear())
		q[j] = skinning.QuatFromMat3(r)
	}
	return q
}
