package linear

import (
	"context"

	"gonum.org/v1/gonum/floats"
)

// ConjugateGradients returns the x of A·x = b for a symmetric positive definite A, by preconditioned conjugate
// gradients from zero (Nocedal and Wright 2006, algorithm 5.3). Times sets out to A·in, and precondition sets out to
// the solution of a system near to A with the right side in. It ends when the residual is the given share of the first
// one, in the norm of the preconditioner, after so many iterations at most, or when ctx is done. It overwrites b by the
// residual.
func ConjugateGradients(
	ctx context.Context, b []float64, times, precondition func(out, in []float64), share float64, most int,
) (x []float64) {
	n := len(b)
	x = make([]float64, n)
	z, p, q := make([]float64, n), make([]float64, n), make([]float64, n)
	precondition(z, b)
	copy(p, z)
	rz := floats.Dot(b, z)
	least := share * share * rz
	for range most {
		if !(rz > least) || ctx.Err() != nil {
			break
		}
		times(q, p)
		curvature := floats.Dot(p, q)
		if !(curvature > 0) {
			break
		}
		floats.AddScaled(x, rz/curvature, p)
		floats.AddScaled(b, -rz/curvature, q)
		precondition(z, b)
		before := rz
		rz = floats.Dot(b, z)
		floats.AddScaledTo(p, z, rz/before, p)
	}
	return x
}
