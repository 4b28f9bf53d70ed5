package helperbones

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// lasso minimises ½·θᵀGθ − bᵀθ + λ·Σ_j |θ_j| (HBR equation 11) by coordinate descent (Friedman, Hastie and
// Tibshirani 2010). G = XᵀX and b = Xᵀy are sums over the examples, so the time of a step does not depend on their
// number. G has a diagonal of one, or zero for a variable that takes no part and stays at 0.
type lasso struct {
	gram []float64 // p×p, row-major
}

const (
	// lassoTolerance ends the descent where no coordinate moves by more, relative to the largest entry of b.
	lassoTolerance = 1e-6
	// lassoSweeps bounds the descent. With the cubics of 4 joints, every λ of a path converges within 300 sweeps.
	// Collinear variables at λ near 0 do not converge, but their prediction does.
	lassoSweeps = 1000
)

// largest returns λ_max, the least λ at which every variable is 0.
func (l *lasso) largest(b []float64) (most float64) {
	for j, v := range b {
		if l.gram[j*len(b)+j] > 0 {
			most = max(most, math.Abs(v))
		}
	}
	return most
}

// descend moves theta to the minimum for λ > 0. Theta on entry is the start: of the previous λ of a path, or zeros.
// Gradient, of length p, is scratch.
func (l *lasso) descend(b []float64, lambda float64, theta, gradient []float64) {
	p := len(b)
	if len(l.gram) != p*p || len(theta) != p || len(gradient) != p {
		panic(fmt.Sprintf("helperbones: lasso: %d variables, %d of the Gram matrix, %d of the start", p, len(l.gram), len(theta)))
	}
	scale := 0.0
	for j, v := range b {
		gradient[j], scale = v, max(scale, math.Abs(v))
	}
	for j, t := range theta {
		if t != 0 {
			floats.AddScaled(gradient, -t, l.gram[j*p:(j+1)*p])
		}
	}
	// A sweep over all variables is followed by sweeps over the non-zero ones, until these no longer change.
	for sweeps, all := 0, true; sweeps < lassoSweeps; sweeps++ {
		moved := 0.0
		for j := range theta {
			if all || theta[j] != 0 {
				moved = max(moved, l.step(j, lambda, theta, gradient))
			}
		}
		if !(moved > lassoTolerance*scale) {
			if all {
				return
			}
			all = true
		} else {
			all = false
		}
	}
}

// step minimises over theta_j alone, keeps gradient = b − Gθ, and returns how far theta_j moved.
func (l *lasso) step(j int, lambda float64, theta, gradient []float64) float64 {
	p := len(theta)
	row := l.gram[j*p : (j+1)*p]
	if !(row[j] > 0) {
		return 0
	}
	z := gradient[j] + row[j]*theta[j]
	next := 0.0
	switch {
	case z > lambda:
		next = (z - lambda) / row[j]
	case z < -lambda:
		next = (z + lambda) / row[j]
	}
	d := next - theta[j]
	if d == 0 {
		return 0
	}
	theta[j] = next
	floats.AddScaled(gradient, -d, row)
	return math.Abs(d)
}
