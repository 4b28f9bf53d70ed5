package enveloping

import (
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// scaledTargets holds the target positions vertex after vertex, those of each pair multiplied by the square root of the
// pair's weight. A sum of squares over them is then weighted, and the targets of one vertex lie side by side in memory.
type scaledTargets struct {
	root    []float64 // of each pair's weight
	targets []float64 // x, y and z of each pair, vertex after vertex
}

func (x *Examples) scaledTargets(workers int) *scaledTargets {
	s := &scaledTargets{root: x.roots(), targets: make([]float64, 3*len(x.Rest)*len(x.Pairs))}
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
func (s *scaledTargets) of(v int) []float64 {
	n := 3 * len(s.root)
	return s.targets[v*n : (v+1)*n : (v+1)*n]
}

// unscaled divides twelve scaled numbers per pair by the root of its weight, and returns them as one matrix per pair.
func (s *scaledTargets) unscaled(scaled []float64) []geom.Affine {
	out := make([]geom.Affine, len(s.root))
	for i := range out {
		for k, v := range scaled[12*i : 12*i+12] {
			out[i][k] = v / s.root[i]
		}
	}
	return out
}
