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

// newTurns reads the poses of the examples in their order. Each joint's rotation vectors are continuous from example to example; the
// middle of those that were seen says at run time which branch is meant.
func newTurns(parents []int, pairs []Example) (middle []mgl64.Vec3, turns []skinning.JointTurns) {
	turns = make([]skinning.JointTurns, len(pairs))
	for i := range pairs {
		turns[i].Set(parents, nil, rotations(pairs[i].Matrices))
	}
	middle = make([]mgl64.Vec3, len(parents))
	sequence := make([]mgl64.Vec3, len(pairs))
	for b := range parents {
		for i := range turns {
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
	}
	return middle, turns
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
