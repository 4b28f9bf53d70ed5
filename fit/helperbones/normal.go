package helperbones

import (
	"gonum.org/v1/gonum/mat"

	"skinlab/fit/linear"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// unknown is a coefficient: of helper bone h and its feature j, −1 for the constant, the number k of its motion.
type unknown struct{ h, j, k int }

// coefficients is equation (3) as a least squares problem of all controllers' coefficients, for given weights. With
// x_n the features of an example and m = F·x_n the numbers of all motions, the derivative of the skin by a coefficient
// is a feature times the derivative by a number. So the sums over vertices are those of transforms.go, between the
// tangents of the motions.
type coefficients struct {
	c        *controlling
	unknowns []unknown
	ridge    []float64         // per unknown
	moments  [][]linear.Moment // [helper][bone]
	free     [][]mixed         // [example][helper]: P_h less what primary joints give
}

// rounding is a ridge that makes the problem definite, and changes nothing else.
const rounding = 1e-10

// newCoefficients lists the coefficients that are not 0. Bones that move no point have none.
func (c *controlling) newCoefficients() *coefficients {
	o := &coefficients{c: c}
	total := c.p.importanceSum()
	for h, b := range c.bones {
		if !(b.metric[0] > leastMass) {
			continue
		}
		for k := range c.numbers() {
			o.unknowns = append(o.unknowns, unknown{h, -1, k})
			o.ridge = append(o.ridge, rounding*total*b.metric[k])
		}
		for j, f := range b.features {
			spread, penalty := c.spread(f), degreePenalty(degreeOf(f.powers))
			for k := range c.numbers() {
				if b.theta[j][k] != 0 {
					o.unknowns = append(o.unknowns, unknown{h, j, k})
					o.ridge = append(o.ridge, (b.ridge*penalty*penalty+rounding)*total*b.metric[k]*spread*spread)
				}
			}
		}
	}
	o.sum()
	return o
}

// sum makes the sums of the present weights.
func (o *coefficients) sum() {
	p := o.c.p
	o.moments = p.momentSums()
	sums := p.targetSums(p.partsOf(p.weights, p.primaries, p.helpers()))
	o.free = make([][]mixed, len(p.x.Targets))
	parallel.For(p.workers, len(o.free), func(_, n int) {
		o.free[n] = make([]mixed, len(sums))
		for h := range sums {
			own := &o.free[n][h]
			own.read(&sums[h], n)
			for d := range p.primaries {
				own.subtract(&p.bones[d][n], &o.moments[h][d])
			}
		}
	})
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
	return o.c.bones[u.h].x[n][u.j]
}

// cost returns the squared error, less what does not depend on the helper bones, and the ridge.
func (o *coefficients) cost() (sum float64) {
	p := o.c.p
	costs := make([]float64, len(p.x.Targets))
	parallel.For(p.workers, len(costs), func(_, n int) {
		own := make([]geom.Affine, len(o.c.bones))
		for h := range own {
			own[h] = o.c.matrix(h, n)
		}
		for h := range own {
			e := -2 * o.free[n][h].dot(&own[h])
			for i := range own {
				e += inner(&own[h], &own[i], &o.moments[h][p.primaries+i])
			}
			costs[n] += p.importance(n) * e
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

// matrix returns a helper bone's matrix by its controller.
func (c *controlling) matrix(h, n int) geom.Affine {
	m := c.bones[h].motion(n)
	return c.p.bones[c.bones[h].parent][n].Mul(c.bones[h].local.matrix(&m))
}

// system is the gradient −½∂E/∂m of an example's error, and the matrix of Gauss and Newton, by the numbers m of all
// motions.
type system struct{ gradient, matrix []float64 }

func (o *coefficients) system(n int, withMatrix bool) (s system) {
	p := o.c.p
	size := motions * len(o.c.bones)
	s.gradient = make([]float64, size)
	tangents, own := make([][motions]geom.Affine, len(o.c.bones)), make([]geom.Affine, len(o.c.bones))
	for h, b := range o.c.bones {
		m := b.motion(n)
		b.local.tangents(&p.bones[b.parent][n], &m, &tangents[h])
		own[h] = p.bones[b.parent][n].Mul(b.local.matrix(&m))
	}
	w := p.importance(n)
	for h := range own {
		e := o.free[n][h]
		for i := range own {
			e.subtract(&own[i], &o.moments[h][p.primaries+i])
		}
		for k := range motions {
			s.gradient[h*motions+k] = w * e.dot(&tangents[h][k])
		}
	}
	if !withMatrix {
		return s
	}
	s.matrix = make([]float64, size*size)
	for h := range own {
		for i := range h + 1 {
			m := &o.moments[h][p.primaries+i]
			if m[9] == 0 { // no vertex follows both
				continue
			}
			for k := range motions {
				row := times(&tangents[h][k], m)
				for l := range motions {
					v := w * row.dot(&tangents[i][l])
					s.matrix[(h*motions+k)*size+i*motions+l] = v
					s.matrix[(i*motions+l)*size+h*motions+k] = v
				}
			}
		}
	}
	return s
}

const (
	// normalBlock is how many examples' systems are kept at a time.
	normalBlock = 256
	// normalExamples is how many examples, evenly spread, the matrix is summed over at most; the gradient is that of all.
	normalExamples = 512
)

// normal returns the equations of Gauss and Newton for the coefficients.
func (o *coefficients) normal() (a *mat.SymDense, b *mat.VecDense) {
	p := o.c.p
	count, size, every := len(o.unknowns), motions*len(o.c.bones), 1
	for len(p.x.Targets)/every > normalExamples {
		every++
	}
	used := 0.0 // importance of the examples that the matrix is summed over
	for n := 0; n < len(p.x.Targets); n += every {
		used += p.importance(n)
	}
	more := p.importanceSum() / used
	a, b = mat.NewSymDense(count, nil), mat.NewVecDense(count, nil)
	raw := a.RawSymmetric()
	number := make([]int, count) // of an unknown, in a system
	for i, u := range o.unknowns {
		number[i] = u.h*motions + u.k
	}
	systems, values := make([]system, normalBlock), make([][]float64, normalBlock)
	for first := 0; first < len(p.x.Targets); first += normalBlock {
		last := min(first+normalBlock, len(p.x.Targets))
		parallel.For(p.workers, last-first, func(_, i int) {
			n := first + i
			systems[i], values[i] = o.system(n, n%every == 0), resize(values[i], count)
			for j, u := range o.unknowns {
				values[i][j] = o.value(u, n)
			}
		})
		parallel.For(p.workers, count, func(_, i int) {
			row, sum := raw.Data[i*raw.Stride:i*raw.Stride+count], 0.0
			for n := range last - first {
				sum += values[n][i] * systems[n].gradient[number[i]]
				if systems[n].matrix == nil {
					continue
				}
				x, from, others := more*values[n][i], systems[n].matrix[number[i]*size:][:size], values[n][:count]
				for l := i; l < count; l++ {
					row[l] += x * others[l] * from[number[l]]
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

// step moves the coefficients by one step of Gauss and Newton, damped until the cost falls, and returns by how much it
// fell.
func (o *coefficients) step() float64 {
	if len(o.unknowns) == 0 {
		return 0
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
		if after := o.cost(); after <= before {
			return before - after
		}
	}
	for i, u := range o.unknowns {
		*o.at(u) = old[i]
	}
	return 0
}

// times returns A·M.
func times(a *geom.Affine, m *linear.Moment) (out mixed) {
	out.subtract(a, m)
	for k := range out {
		out[k] = -out[k]
	}
	return out
}

// dot returns the sum of products of the entries.
func (m *mixed) dot(a *geom.Affine) (sum float64) {
	for k, v := range m {
		sum += v * a[k]
	}
	return sum
}

// inner returns Σ (A·v̂)·(B·v̂) over the points of a moment.
func inner(a, b *geom.Affine, s *linear.Moment) float64 {
	m := times(a, s)
	return m.dot(b)
}
