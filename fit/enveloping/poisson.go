package enveloping

import (
	"errors"
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/mat"

	"skinlab/skinning"
)

// errSingular reports a reduced system that cannot be solved. Its regularisation excludes that for finite examples.
var errSingular = errors.New("enveloping: the reduced Poisson system is singular")

// Without these regularisations the edges do not determine all proxies. KeyHold holds the linear part of a proxy to its
// key gradient, as a share of the mean of the diagonal: flat groups and proxies of few vertices need it. SSDHold holds
// every vertex to its SSD position, as a share of an edge's weight: a surface without a fixed vertex needs it.
const (
	keyHold = 1e-6
	ssdHold = 1e-6
)

// reduced is the reduced Poisson system L·t = B·d + G·q. B and G lie side by side in right.
type reduced struct {
	left  *mat.SymDense
	right *mat.Dense
}

// add adds weight·(e·t − r·(d, q))².
func (s *reduced) add(e, r []term, weight float64) {
	for _, a := range e {
		v := weight * a.value
		for _, b := range e {
			if b.at >= a.at {
				s.left.SetSym(a.at, b.at, s.left.At(a.at, b.at)+v*b.value)
			}
		}
		row := s.right.RawRowView(a.at)
		for _, b := range r {
			row[b.at] += v * b.value
		}
	}
}

// solvePoisson makes c₁ and c₂ those of the proxies that agree best with the key gradients and the fixed vertices
// (section 4.3). In equation (5) one coordinate of the edge j of triangle k is e·t − g·q, with
//
//	e = ±φ of its unfixed ends, g = ∓ψ of its fixed one, φ_a = [α_ab·(ŷ_a, 1)]_b, ψ_a = [w_ab·(ŷ_a, 1)]_b,
//
// and its prediction is f·d with f = [β_kℓ·v̂_kj]_ℓ. The sum of (e·t − g·q − f·d)² over all edges is least where
//
//	L·t = B·d + G·q,  L = Σ eᵀe, B = Σ eᵀf, G = Σ eᵀg,
//
// so c₁ = L⁻¹·B and c₂ = L⁻¹·G. Edges between two fixed vertices have e = 0 and drop out.
func solvePoisson(s *solution) error {
	p, j, x := s.proxies(), s.joints(), s.x
	sys := &reduced{mat.NewSymDense(4*p, nil), mat.NewDense(4*p, 3*p+4*j, nil)}
	var e, r []term
	for k, blend := range s.blend {
		if blend == nil {
			continue
		}
		t := x.Triangles[k]
		for edge, rest := range edgesOf(x.Rest, t) {
			e, r = e[:0], r[:0]
			for end, sign := range [...]float64{-1, 1} {
				v := t[end*(edge+1)]
				if s.fixed[v] {
					r = appendPoint(r, s.trained.Weights[v], x.Rest[v], -sign, 3*p)
				} else {
					e = appendPoint(e, s.model.Weights[v], x.Rest[v], sign, -4*j)
				}
			}
			for _, b := range blend {
				for c := range 3 {
					r = append(r, term{3*int(b.Joint) + c, b.Weight * rest[c]})
				}
			}
			sys.add(merged(e), r, 1)
		}
	}
	for v, w := range s.model.Weights {
		if !s.fixed[v] {
			sys.add(appendPoint(e[:0], w, x.Rest[v], 1, -4*j), appendPoint(r[:0], s.trained.Weights[v], x.Rest[v], 1, 3*p),
				ssdHold)
		}
	}
	trace, places := 0.0, 0.0 // of the linear parts, square metres, and of the translations, numbers
	for row := range 4 * p {
		if v := sys.left.At(row, row); row%4 < 3 {
			trace += v
		} else {
			places += v
		}
	}
	for row := range 4 * p {
		if row%4 < 3 {
			sys.add([]term{{row, 1}}, []term{{3*(row/4) + row%4, 1}}, keyHold*trace/float64(3*p))
		} else { // the translation of a proxy that no vertex chose is undetermined: any value will do
			sys.add([]term{{row, 1}}, nil, 1e-11*places/float64(p))
		}
	}
	units := sys.normalize()
	var factor mat.Cholesky
	var c mat.Dense
	if !factor.Factorize(sys.left) || factor.SolveTo(&c, sys.right) != nil {
		return errSingular
	}
	for row, unit := range units {
		all := c.RawRowView(row)
		for k := range all {
			all[k] *= unit
		}
		s.model.Rig.C1 = append(s.model.Rig.C1, all[:3*p]...)
		s.model.Rig.C2 = append(s.model.Rig.C2, all[3*p:]...)
	}
	return nil
}

// normalize scales the unknowns such that L's diagonal is 1, and returns the factors that its solutions must be
// multiplied by. Entries of linear parts are in square metres and those of translations have no unit, so that the
// condition of L would else depend on the unit of length.
func (s *reduced) normalize() (units []float64) {
	n := s.left.SymmetricDim()
	units = make([]float64, n)
	for i := range units {
		units[i] = 1
		if d := s.left.At(i, i); d > 0 {
			units[i] = 1 / math.Sqrt(d)
		}
	}
	for i := range n {
		for k := i; k < n; k++ {
			s.left.SetSym(i, k, s.left.At(i, k)*units[i]*units[k])
		}
		row := s.right.RawRowView(i)
		for k := range row {
			row[k] *= units[i]
		}
	}
	return units
}

// edgesOf returns the two edges of a triangle that its gradient is fitted to, from its first corner.
func edgesOf(p []mgl64.Vec3, t [3]uint32) [2]mgl64.Vec3 {
	return [2]mgl64.Vec3{p[t[1]].Sub(p[t[0]]), p[t[2]].Sub(p[t[0]])}
}

// appendPoint appends sign·Σ_b weights_b·(p, 1) at the places of the bones from first on, four for each.
func appendPoint(dst []term, weights []skinning.Share, p mgl64.Vec3, sign float64, first int) []term {
	for _, s := range weights {
		at, w := first+4*int(s.Joint), sign*s.Weight
		dst = append(dst, term{at, w * p[0]}, term{at + 1, w * p[1]}, term{at + 2, w * p[2]}, term{at + 3, w})
	}
	return dst
}

// merged sums the terms of one place: a row of least squares has each place once.
func merged(e []term) []term {
	out := e[:0]
next:
	for _, t := range e {
		for i := range out {
			if out[i].at == t.at {
				out[i].value += t.value
				continue next
			}
		}
		out = append(out, t)
	}
	return out
}
