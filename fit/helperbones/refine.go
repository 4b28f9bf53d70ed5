package helperbones

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"skinlab/fit"
	"skinlab/fit/linear"
	"skinlab/fit/ssdr"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// coefficientSteps is how many steps of Gauss and Newton are made for each set of weights.
const coefficientSteps = 2

// refine goes beyond the paper. Section 5 makes controllers for motions that were free in each example, and keeps the
// weights that were solved for these motions. Here weights and controllers are solved again in turn, until both agree.
// Weights are solved for the motions that the controllers give (equation 5). Coefficients minimise the errors of the
// skin and not those of motions, so that the weights decide where errors matter, and helper bones can correct each
// other. Only the coefficients that the Lasso made non-zero are solved, and no step raises the error.
func (c *controlling) refine(ctx context.Context) fit.Reason {
	s := c.solver
	if c.opt.Recipe.Refine == 0 || len(c.bones) == 0 {
		return fit.Converged
	}
	s.SolveWeights(true)
	for round := range c.opt.Recipe.Refine {
		if ctx.Err() != nil {
			return fit.Cancelled
		}
		before := s.RMS()
		o := c.newCoefficients()
		for range coefficientSteps {
			o.step()
		}
		c.drive()
		s.SolveWeights(false)
		c.opt.Progress(len(c.bones), round+1, c.current())
		if !(before-s.RMS() >= c.opt.Recipe.Enough*before) {
			return fit.Converged
		}
	}
	return fit.RoundLimit
}

// unknown names a coefficient: of helper bone h, of its feature j (−1 for the constant), and of number k of its motion.
type unknown struct{ h, j, k int }

// coefficients is equation (3) as a least squares problem of all controllers' coefficients, for given weights. Let x_n
// be the features of example n, and m = F·x_n the numbers of all motions. The derivative of the skin by a coefficient
// is a feature times the derivative of the skin by a number of a motion. So the sums over vertices are those of
// equation (6), with the tangents of the motions in place of the motions.
type coefficients struct {
	c        *controlling
	unknowns []unknown
	ridge    []float64              // per unknown
	moments  [][]linear.Moment      // [helper][bone], see [ssdr.Solver.Moments]
	free     [][]linear.CrossMoment // [example][helper], see [ssdr.Solver.Residuals]
}

// newCoefficients lists the coefficients that are not 0. Bones that move no point have none.
func (c *controlling) newCoefficients() *coefficients {
	o := &coefficients{c: c}
	total := c.x.TotalWeight()
	for h, b := range c.bones {
		if !(b.metric[0] > ssdr.LeastMass) {
			continue
		}
		for k := range c.numbers() {
			o.unknowns = append(o.unknowns, unknown{h, -1, k})
			o.ridge = append(o.ridge, ridge*total*b.metric[k])
			for j, f := range b.features {
				if b.theta[j][k] != 0 {
					o.unknowns = append(o.unknowns, unknown{h, j, k})
					o.ridge = append(o.ridge, ridge*total*b.metric[k]*f.spread*f.spread)
				}
			}
		}
	}
	o.moments = c.solver.Moments()
	o.free = c.solver.Residuals(o.moments)
	return o
}

func (o *coefficients) at(u unknown) *float64 {
	if b := o.c.bones[u.h]; u.j >= 0 {
		return &b.theta[u.j][u.k]
	}
	return &o.c.bones[u.h].constant[u.k]
}

// value returns the feature of a coefficient in an example.
func (o *coefficients) value(u unknown, n int) float64 {
	if u.j < 0 {
		return 1
	}
	return o.c.bones[u.h].features[u.j].values[n]
}

// cost returns the squared error, without the terms that do not depend on the helper bones, plus the ridge.
func (o *coefficients) cost() (sum float64) {
	c := o.c
	costs := make([]float64, len(c.x.Targets))
	parallel.For(c.opt.Workers, len(costs), func(_, n int) {
		own := make([]geom.Affine, len(c.bones))
		for h := range own {
			own[h] = c.matrix(h, n)
		}
		for h := range own {
			e := -2 * o.free[n][h].Dot(&own[h])
			for i := range own {
				e += linear.Inner(&own[h], &own[i], &o.moments[h][c.primaries+i])
			}
			costs[n] += c.x.Weight(n) * e
		}
	})
	for _, e := range costs {
		sum += e
	}
	for i, u := range o.unknowns {
		sum += o.ridge[i] * *o.at(u) * *o.at(u)
	}
	return sum
}

// system has the gradient −½∂E/∂m of an example's error E and the Gauss-Newton matrix, both with respect to the numbers
// m of all motions. The matrix is nil where it is not asked for.
type system struct{ gradient, matrix []float64 }

func (o *coefficients) system(n int, withMatrix bool) (s system) {
	c, matrices := o.c, o.c.solver.Bones()
	size := motions * len(c.bones)
	s.gradient = make([]float64, size)
	tangents, own := make([][motions]geom.Affine, len(c.bones)), make([]geom.Affine, len(c.bones))
	for h, b := range c.bones {
		m := b.motion(n)
		b.local.tangents(&matrices[b.parent][n], &m, &tangents[h])
		own[h] = c.matrix(h, n)
	}
	w := c.x.Weight(n)
	for h := range own {
		e := o.free[n][h]
		for i := range own {
			e.Subtract(&own[i], &o.moments[h][c.primaries+i])
		}
		for k := range motions {
			s.gradient[h*motions+k] = w * e.Dot(&tangents[h][k])
		}
	}
	if !withMatrix {
		return s
	}
	s.matrix = make([]float64, size*size)
	for h := range own {
		for i := range h + 1 {
			m := &o.moments[h][c.primaries+i]
			if m[9] == 0 { // no vertex follows both
				continue
			}
			for k := range motions {
				row := linear.Times(&tangents[h][k], m)
				for l := range motions {
					v := w * row.Dot(&tangents[i][l])
					s.matrix[(h*motions+k)*size+i*motions+l] = v
					s.matrix[(i*motions+l)*size+h*motions+k] = v
				}
			}
		}
	}
	return s
}

const (
	// block is how many examples' systems are kept at a time.
	block = 256
	// matrixExamples is the largest number of examples, evenly spread, over which the matrix is summed; the gradient is
	// summed over all.
	matrixExamples = 512
)

// normal returns the equations of Gauss and Newton for the coefficients.
func (o *coefficients) normal() (a *mat.SymDense, b *mat.VecDense) {
	c := o.c
	count, examples, size := len(o.unknowns), len(c.x.Targets), motions*len(o.c.bones)
	every := (examples + matrixExamples - 1) / matrixExamples
	used := 0.0 // importance of the examples that the matrix is summed over
	for n := 0; n < examples; n += every {
		used += c.x.Weight(n)
	}
	more := c.x.TotalWeight() / used
	a, b = mat.NewSymDense(count, nil), mat.NewVecDense(count, nil)
	raw := a.RawSymmetric()
	systems, values := make([]system, block), make([][]float64, block)
	for first := 0; first < examples; first += block {
		last := min(first+block, examples)
		parallel.For(c.opt.Workers, last-first, func(_, i int) {
			n := first + i
			systems[i], values[i] = o.system(n, n%every == 0), slices.Grow(values[i][:0], count)[:count]
			for j, u := range o.unknowns {
				values[i][j] = o.value(u, n)
			}
		})
		parallel.For(c.opt.Workers, count, func(_, i int) {
			own := o.unknowns[i].h*motions + o.unknowns[i].k
			row, sum := raw.Data[i*raw.Stride:i*raw.Stride+count], 0.0
			for n := range last - first {
				sum += values[n][i] * systems[n].gradient[own]
				if systems[n].matrix == nil {
					continue
				}
				x, from, others := more*values[n][i], systems[n].matrix[own*size:][:size], values[n][:count]
				for l := i; l < count; l++ {
					row[l] += x * others[l] * from[o.unknowns[l].h*motions+o.unknowns[l].k]
				}
			}
			b.SetVec(i, b.AtVec(i)+sum)
		})
	}
	for i, u := range o.unknowns {
		raw.Data[i*raw.Stride+i] += o.ridge[i]
		b.SetVec(i, b.AtVec(i)-o.ridge[i]**o.at(u))
	}
	return a, b
}

// The damping of Levenberg and Marquardt: the first, its factor where a step does not lower the cost, and the last.
const firstDamping, moreDamping, lastDamping = 1e-6, 30, 1e6

// step moves the coefficients by one step of Gauss and Newton, damped until the cost falls.
func (o *coefficients) step() {
	if len(o.unknowns) == 0 {
		return
	}
	a, b := o.normal()
	before := o.cost()
	old := make([]float64, len(o.unknowns))
	for i, u := range o.unknowns {
		old[i] = *o.at(u)
	}
	damped := mat.NewSymDense(len(old), nil)
	for damping := firstDamping; damping <= lastDamping; damping *= moreDamping {
		damped.CopySym(a)
		for i := range old {
			damped.SetSym(i, i, a.At(i, i)*(1+damping))
		}
		var factor mat.Cholesky
		var d mat.VecDense
		if !factor.Factorize(damped) || factor.SolveVecTo(&d, b) != nil {
			continue
		}
		for i, u := range o.unknowns {
			*o.at(u) = old[i] + d.AtVec(i)
		}
		if o.cost() <= before {
			return
		}
	}
	for i, u := range o.unknowns {
		*o.at(u) = old[i]
	}
}
