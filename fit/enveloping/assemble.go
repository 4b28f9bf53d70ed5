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

// holds are the regularisations of the reduced system. Without them the edges do not determine all proxies.
type holds struct {
	// key holds the linear part of proxy b to key gradient b, as a share of the mean of the diagonal. Flat groups and
	// proxies of few vertices need it.
	key float64
	// ssd holds every vertex to its SSD position, as a share of an edge's weight. A surface without a fixed vertex
	// needs it. It is small, because it pulls towards the very positions that the fit is to improve.
	ssd float64
}

// leastHolds returns regularisations that only make the system definite.
func leastHolds() holds { return holds{key: 1e-6, ssd: 1e-6} }

// defaultHolds returns the regularisations of fits (rows 65 to 68).
func defaultHolds() holds { return holds{key: 1e-3, ssd: 1e-3} }

// holds returns the regularisations of the run's steps.
func (r *run) holds() holds {
	if r.paper.holds {
		return leastHolds()
	}
	return defaultHolds()
}

// matrices are c₁ (4P×3P) and c₂ (4P×4J), row by row: t = c₁·d + c₂·q for each of x, y and z (equation 6). The three
// coordinates share them, since weights and rest positions are scalars to them: a coordinate of t holds that row of
// every proxy's matrix (four numbers), of d that row of every key gradient (three), and of q that row of every joint's
// matrix (four).
//
// Derivation: in equation (5) one coordinate of the edge j of triangle k is e·t − g·q, with
//
//	e = ±φ of its unfixed ends, g = ∓ψ of its fixed one, φ_a = [α_ab·(ŷ_a, 1)]_b, ψ_a = [w_ab·(ŷ_a, 1)]_b,
//
// and its prediction is f·d with f = [β_kℓ·v̂_kj]_ℓ. The sum of (e·t − g·q − f·d)² over all edges is least where
//
//	L·t = B·d + G·q,  L = Σ eᵀe, B = Σ eᵀf, G = Σ eᵀg,
//
// so c₁ = L⁻¹·B and c₂ = L⁻¹·G. Edges between two fixed vertices have e = 0 and drop out.
type matrices struct {
	proxies, joints int
	c1, c2          []float64
}

// term is one entry of a sparse row.
type term struct {
	at    int
	value float64
}

// appendPoint appends sign·Σ_b weights_b·(p, 1) at the places of the proxies or joints.
func appendPoint(dst []term, weights []skinning.Share, p mgl64.Vec3, sign float64) []term {
	for _, s := range weights {
		at, w := 4*int(s.Joint), sign*s.Weight
		dst = append(dst, term{at, w * p[0]}, term{at + 1, w * p[1]}, term{at + 2, w * p[2]}, term{at + 3, w})
	}
	return dst
}

// system collects L, B and G.
type system struct {
	l    *mat.SymDense
	b, g *mat.Dense
}

// add adds weight·(e·t − g·q − f·d)².
func (s *system) add(e, f, g []term, weight float64) {
	for _, a := range e {
		v := weight * a.value
		for _, b := range e {
			if b.at >= a.at {
				s.l.SetSym(a.at, b.at, s.l.At(a.at, b.at)+v*b.value)
			}
		}
		row := s.b.RawRowView(a.at)
		for _, b := range f {
			row[b.at] += v * b.value
		}
		row = s.g.RawRowView(a.at)
		for _, b := range g {
			row[b.at] += v * b.value
		}
	}
}

// assemble makes c₁ and c₂.
func assemble(x *Examples, s *SSD, r *reduction, h holds) (*matrices, error) {
	m := &matrices{proxies: len(r.transforms), joints: len(x.Parent)}
	if m.proxies == 0 {
		return m, nil
	}
	sys := &system{mat.NewSymDense(4*m.proxies, nil), mat.NewDense(4*m.proxies, 3*m.proxies, nil),
		mat.NewDense(4*m.proxies, 4*m.joints, nil)}
	var e, f, g []term
	for k, w := range r.blend {
		if w == nil {
			continue
		}
		t := x.Triangles[k]
		rest := edgesOf(x.Rest, t)
		for j := range rest {
			e, f, g = e[:0], f[:0], g[:0]
			for end, sign := range [...]float64{-1, 1} {
				v := t[end*(j+1)]
				if r.fixed[v] {
					g = appendPoint(g, s.Weights[v], x.Rest[v], -sign)
				} else {
					e = appendPoint(e, r.weights[v], x.Rest[v], sign)
				}
			}
			for _, b := range w {
				for c := range 3 {
					f = append(f, term{3*int(b.Joint) + c, b.Weight * rest[j][c]})
				}
			}
			sys.add(merge(e), f, g, 1)
		}
	}
	for v, w := range r.weights {
		if w != nil {
			e, g = appendPoint(e[:0], w, x.Rest[v], 1), appendPoint(g[:0], s.Weights[v], x.Rest[v], 1)
			sys.add(e, nil, g, h.ssd)
		}
	}
	trace, places := 0.0, 0.0 // of the linear parts, square metres, and of the translations, numbers
	for b := range m.proxies {
		for c := range 3 {
			trace += sys.l.At(4*b+c, 4*b+c)
		}
		places += sys.l.At(4*b+3, 4*b+3)
	}
	for b := range m.proxies {
		for c := range 3 {
			e, f = append(e[:0], term{4*b + c, 1}), append(f[:0], term{3*b + c, 1})
			sys.add(e, f, nil, h.key*trace/float64(3*m.proxies))
		}
		// The translation of a proxy that no vertex chose is undetermined: any value will do.
		sys.add(append(e[:0], term{4*b + 3, 1}), nil, nil, 1e-11*places/float64(m.proxies))
	}
	units := sys.normalize()
	var chol mat.Cholesky
	var c1, c2 mat.Dense
	if !chol.Factorize(sys.l) || chol.SolveTo(&c1, sys.b) != nil || chol.SolveTo(&c2, sys.g) != nil {
		return nil, errSingular
	}
	scaleRows(&c1, units)
	scaleRows(&c2, units)
	m.c1, m.c2 = c1.RawMatrix().Data, c2.RawMatrix().Data
	return m, nil
}

// normalize scales the unknowns such that L's diagonal is 1, and returns the factors that its solutions must be
// multiplied by. Entries of linear parts are in square metres and those of translations have no unit, so that the
// condition of L would else depend on the unit of length.
func (s *system) normalize() (units []float64) {
	n := s.l.SymmetricDim()
	units = make([]float64, n)
	for i := range units {
		units[i] = 1
		if d := s.l.At(i, i); d > 0 {
			units[i] = 1 / math.Sqrt(d)
		}
	}
	for i := range n {
		for k := i; k < n; k++ {
			s.l.SetSym(i, k, s.l.At(i, k)*units[i]*units[k])
		}
	}
	scaleRows(s.b, units)
	scaleRows(s.g, units)
	return units
}

// scaleRows multiplies every row by its factor.
func scaleRows(m *mat.Dense, factors []float64) {
	for i, by := range factors {
		row := m.RawRowView(i)
		for k := range row {
			row[k] *= by
		}
	}
}

// merge sums the terms of one place: add needs each place once.
func merge(e []term) []term {
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
