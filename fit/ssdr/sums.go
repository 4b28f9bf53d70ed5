package ssdr

import (
	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/fit/linear"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

const (
	// blockLength is the number of examples in a block of memory. The coordinates of a point in a block take 3
	// kilobytes.
	blockLength = 128
	// runLength is how many points a worker takes at a time.
	runLength = 64
)

// blocks are the targets, relative to the middles, in blocks of examples: point after point, and of each point x, y and
// z in each example of the block. All sums over examples or points read them in the order of memory.
type blocks struct {
	examples int
	data     [][]float64
}

func (b *blocks) bounds(i int) (first, last int) {
	return i * blockLength, min((i+1)*blockLength, b.examples)
}

// of returns the targets of a point in a block.
func (b *blocks) of(i, point int) []float64 {
	first, last := b.bounds(i)
	width := 3 * (last - first)
	return b.data[i][point*width : (point+1)*width : (point+1)*width]
}

func (s *Solver) runs() int { return (len(s.rest) + runLength - 1) / runLength }

// readTargets fills the blocks, and s.square.
func (s *Solver) readTargets() {
	n := len(s.x.Targets)
	s.targets = blocks{n, make([][]float64, (n+blockLength-1)/blockLength)}
	for i := range s.targets.data {
		first, last := s.targets.bounds(i)
		s.targets.data[i] = make([]float64, 3*(last-first)*len(s.rest))
	}
	s.square = make([]float64, len(s.rest))
	parallel.For(s.workers, s.runs(), func(_, r int) {
		lo, hi := r*runLength, min((r+1)*runLength, len(s.rest))
		for i, data := range s.targets.data {
			first, last := s.targets.bounds(i)
			width := 3 * (last - first)
			for n := first; n < last; n++ {
				c, all, w := s.middles[n], s.x.Targets[n], s.x.Weight(n)
				at := lo*width + 3*(n-first)
				for k := lo; k < hi; k++ {
					y := all[s.vertex[k]].Sub(c)
					data[at], data[at+1], data[at+2] = y[0], y[1], y[2]
					s.square[k] += w * y.Dot(y)
					at += width
				}
			}
		}
	})
}

// sumBones makes the forms and linear sums of helper bones first, first+1, …
func (s *Solver) sumBones(first int) {
	if first == len(s.bones) {
		return
	}
	weighted := s.weighted(s.bones[first:])
	parallel.For(s.workers, len(s.bones)-first, func(_, i int) {
		a := first + i
		s.forms[a] = make([]linear.Form, a+1)
		for b := range a + 1 {
			if a >= s.primaries || s.skeletons.of[a] == s.skeletons.of[b] {
				s.forms[a][b] = linear.FormOf(weighted[i], s.bones[b])
			}
		}
	})
	if first < s.primaries {
		s.sumNear(weighted[:s.primaries-first])
		weighted, first = weighted[s.primaries-first:], s.primaries
	}
	for i, sums := range s.linearSums(weighted) {
		s.lin[first+i] = sums
	}
}

// sumNear makes the linear sums of points with the joints of their skeleton.
func (s *Solver) sumNear(weighted [][]geom.Affine) {
	all := make([]columns, len(weighted))
	parallel.For(s.workers, len(all), func(_, j int) { all[j] = columnsOf(weighted[j]) })
	s.near = make([][]float64, len(s.rest))
	parallel.For(s.workers, s.runs(), func(_, r int) {
		for k := r * runLength; k < min((r+1)*runLength, len(s.rest)); k++ {
			joints := s.joints(k)
			s.near[k] = make([]float64, len(joints))
			for i := range s.targets.data {
				first, last := s.targets.bounds(i)
				for at, j := range joints {
					s.near[k][at] += all[j].dot(first, last, &s.rest[k], s.targets.of(i, k))
				}
			}
		}
	})
}

// weighted returns bones with their matrices multiplied by the importance of the example.
func (s *Solver) weighted(bones [][]geom.Affine) [][]geom.Affine {
	if s.x.Weights == nil {
		return bones
	}
	out := make([][]geom.Affine, 0, len(bones))
	for _, bone := range bones {
		scaled := make([]geom.Affine, len(bone))
		for n := range bone {
			for c := range bone[n] {
				scaled[n][c] = s.x.Weights[n] * bone[n][c]
			}
		}
		out = append(out, scaled)
	}
	return out
}

// columns are the four columns of a bone's matrices, x, y and z of each example one after another. With them sums over
// examples for all points are products of long vectors: S·v̂ = x·S₀ + y·S₁ + z·S₂ + S₃.
type columns [4][]float64

func columnsOf(bone []geom.Affine) (out columns) {
	for c := range out {
		out[c] = make([]float64, 0, 3*len(bone))
		for n := range bone {
			out[c] = append(out[c], bone[n][c], bone[n][4+c], bone[n][8+c])
		}
	}
	return out
}

// at returns those of one example, as a sum of products.
func (c *columns) at(n int) (out linear.CrossMoment) {
	for k := range c {
		out[k], out[4+k], out[8+k] = c[k][3*n], c[k][3*n+1], c[k][3*n+2]
	}
	return out
}

// dot returns Σ (S_n·v̂)·y_n over examples from first up to last.
func (c *columns) dot(first, last int, v *mgl64.Vec3, y []float64) float64 {
	first, last = 3*first, 3*last
	return v[0]*floats.Dot(c[0][first:last], y) + v[1]*floats.Dot(c[1][first:last], y) +
		v[2]*floats.Dot(c[2][first:last], y) + floats.Dot(c[3][first:last], y)
}

// linearSums returns [bone][point]: Σ_n (S_n·v̂)·ỹ_n.
func (s *Solver) linearSums(bones [][]geom.Affine) [][]float64 {
	out, all := make([][]float64, len(bones)), make([]columns, len(bones))
	parallel.For(s.workers, len(bones), func(_, b int) {
		out[b], all[b] = make([]float64, len(s.rest)), columnsOf(bones[b])
	})
	parallel.For(s.workers, s.runs(), func(worker, r int) {
		lo, hi := r*runLength, min((r+1)*runLength, len(s.rest))
		for i := range s.targets.data {
			first, last := s.targets.bounds(i)
			for b := range all {
				for k := lo; k < hi; k++ {
					out[b][k] += all[b].dot(first, last, &s.rest[k], s.targets.of(i, k))
				}
			}
		}
	})
	return out
}

// part is a point that follows a helper bone, with the weight of all its copies.
type part struct {
	point  int
	weight float64
}

// targetSums returns P_h = Σ_j w_h·ỹ·v̂ᵀ of every example, as columns, for each list of parts.
func (s *Solver) targetSums(parts [][]part) []columns {
	n := len(s.x.Targets)
	out := make([]columns, len(parts))
	for h := range out {
		for c := range out[h] {
			out[h][c] = make([]float64, 3*n)
		}
	}
	parallel.For(s.workers, len(s.targets.data)*len(parts), func(_, task int) {
		i, h := task/len(parts), task%len(parts)
		first, last := s.targets.bounds(i)
		c0, c1 := out[h][0][3*first:3*last], out[h][1][3*first:3*last]
		c2, c3 := out[h][2][3*first:3*last], out[h][3][3*first:3*last]
		for a := range parts[h] {
			q := &parts[h][a]
			y, w, v := s.targets.of(i, q.point), q.weight, &s.rest[q.point]
			floats.AddScaled(c0, w*v[0], y)
			floats.AddScaled(c1, w*v[1], y)
			floats.AddScaled(c2, w*v[2], y)
			floats.AddScaled(c3, w, y)
		}
	})
	return out
}
