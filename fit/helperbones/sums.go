package helperbones

import (
	"gonum.org/v1/gonum/floats"

	"skinlab/fit/linear"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// block is how many examples are read at a time for a run of vertices: their targets and the columns of some bones stay
// in the first cache.
const block = 128

// run is how many points a worker reads at a time: the targets of a block of examples are 200 kilobytes.
const run = 64

func (p *problem) runs() int { return (len(p.rest) + run - 1) / run }

// gather copies the targets of points lo to hi−1 in examples first to last−1: point after point, x, y and z of each
// example.
func (p *problem) gather(dst []float64, lo, hi, first, last int) []float64 {
	width := 3 * (last - first)
	dst = resize(dst, (hi-lo)*width)
	for n := first; n < last; n++ {
		c, all := p.middles[n], p.x.Targets[n]
		at := 3 * (n - first)
		for k := lo; k < hi; k++ {
			y := &all[p.points.vertex[k]]
			dst[at], dst[at+1], dst[at+2] = y[0]-c[0], y[1]-c[1], y[2]-c[2]
			at += width
		}
	}
	return dst
}

// sumSquares makes p.square.
func (p *problem) sumSquares() {
	p.square = make([]float64, len(p.rest))
	parallel.For(p.workers, p.runs(), func(_, r int) {
		lo, hi := r*run, min((r+1)*run, len(p.rest))
		for n := range p.x.Targets {
			w := p.importance(n)
			for k := lo; k < hi; k++ {
				y := p.target(n, k)
				p.square[k] += w * y.Dot(y)
			}
		}
	})
}

// sumBones makes the forms and linear sums of bones first, first+1, …
func (p *problem) sumBones(first int) {
	if first == len(p.bones) {
		return
	}
	weighted := p.weighted(first)
	parallel.For(p.workers, len(p.bones)-first, func(_, i int) {
		a := first + i
		p.forms[a] = make([]linear.Form, a+1)
		for b := range a + 1 {
			p.forms[a][b] = linear.FormOf(weighted[i], p.bones[b])
		}
	})
	for _, sums := range p.linearSums(weighted) {
		p.lin[first] = sums
		first++
	}
}

// weighted returns the bones from first on with their matrices multiplied by the importance of the example.
func (p *problem) weighted(first int) [][]geom.Affine {
	if p.x.Importance == nil {
		return p.bones[first:]
	}
	out := make([][]geom.Affine, 0, len(p.bones)-first)
	for _, bone := range p.bones[first:] {
		scaled := make([]geom.Affine, len(bone))
		for n := range bone {
			for c := range bone[n] {
				scaled[n][c] = p.x.Importance[n] * bone[n][c]
			}
		}
		out = append(out, scaled)
	}
	return out
}

// linearSums returns [bone][point]: Σ_n (S_n·v̂)·ỹ_n. The sums over examples go by the four columns of S, which do not
// depend on the point: S·v̂ = x·S₀ + y·S₁ + z·S₂ + S₃.
func (p *problem) linearSums(bones [][]geom.Affine) [][]float64 {
	out := make([][]float64, len(bones))
	for b := range out {
		out[b] = make([]float64, len(p.rest))
	}
	n := len(p.x.Targets)
	columns := columnsOf(bones, n)
	parallel.For(p.workers, p.runs(), func(worker, r int) {
		lo, hi := r*run, min((r+1)*run, len(p.rest))
		s := &p.scratch[worker]
		for first := 0; first < n; first += block {
			last := min(first+block, n)
			s.targets = p.gather(s.targets, lo, hi, first, last)
			width := 3 * (last - first)
			for b := range bones {
				var of [4][]float64
				for c := range of {
					at := (4*b+c)*3*n + 3*first
					of[c] = columns[at : at+width]
				}
				for k := lo; k < hi; k++ {
					y, v := s.targets[(k-lo)*width:(k-lo+1)*width], &p.rest[k]
					out[b][k] += v[0]*floats.Dot(of[0], y) + v[1]*floats.Dot(of[1], y) + v[2]*floats.Dot(of[2], y) +
						floats.Dot(of[3], y)
				}
			}
		}
	})
	return out
}

// columnsOf lists for every bone and every column of its matrices the column's x, y and z in each example.
func columnsOf(bones [][]geom.Affine, n int) []float64 {
	out := make([]float64, 0, 12*n*len(bones))
	for _, bone := range bones {
		for c := range 4 {
			for i := range bone {
				out = append(out, bone[i][c], bone[i][4+c], bone[i][8+c])
			}
		}
	}
	return out
}
