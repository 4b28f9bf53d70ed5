package enveloping

import (
	"skinlab/fit/parallel"
	"skinlab/skinning/geom"
)

// stack is the targets vertex after vertex, each pair's scaled by the root of its weight: sums of squares over what is
// linear in them are weighted then, and a vertex is read in one run.
type stack struct {
	root    []float64 // of each pair's weight
	targets []float64 // x, y and z of each pair, vertex after vertex
}

func (x *Examples) stacked(workers int) *stack {
	s := &stack{root: x.roots(), targets: make([]float64, 3*len(x.Rest)*len(x.Pairs))}
	n := len(x.Rest)
	parallel.For(workers, parallel.Chunks(n), func(_, c int) {
		lo, hi := parallel.Chunk(c, n)
		for i := range x.Pairs {
			root := s.root[i]
			for v, y := range x.Pairs[i].Target[lo:hi] {
				at := s.of(lo + v)[3*i : 3*i+3]
				at[0], at[1], at[2] = root*y[0], root*y[1], root*y[2]
			}
		}
	})
	return s
}

// of returns a vertex's targets: three numbers for each pair.
func (s *stack) of(v int) []float64 {
	n := 3 * len(s.root)
	return s.targets[v*n : (v+1)*n : (v+1)*n]
}

// unscaled returns one transformation for each pair from twelve scaled numbers each.
func (s *stack) unscaled(scaled []float64) []geom.Affine {
	out := make([]geom.Affine, len(s.root))
	for i := range out {
		for k, v := range scaled[12*i : 12*i+12] {
			out[i][k] = v / s.root[i]
		}
	}
	return out
}
