package ssdr

import (
	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/fit/linear"
	"skinlab/skinning"
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

func (p *problem) runs() int { return (len(p.rest) + runLength - 1) / runLength }

// readTargets fills the blocks, and p.square.
func (p *problem) readTargets() {
	n := len(p.x.Targets)
	p.targets = blocks{n, make([][]float64, (n+blockLength-1)/blockLength)}
	for i := range p.targets.data {
		first, last := p.targets.bounds(i)
		p.targets.data[i] = make([]float64, 3*(last-first)*len(p.rest))
	}
	p.square = make([]float64, len(p.rest))
	parallel.For(p.workers, p.runs(), func(_, r int) {
		lo, hi := r*runLength, min((r+1)*runLength, len(p.rest))
		for i, data := range p.targets.data {
			first, last := p.targets.bounds(i)
			width := 3 * (last - first)
			for n := first; n < last; n++ {
				c, all, w := p.middles[n], p.x.Targets[n], p.x.ImportanceOf(n)
				at := lo*width + 3*(n-first)
				for k := lo; k < hi; k++ {
					y := all[p.points.vertex[k]].Sub(c)
					data[at], data[at+1], data[at+2] = y[0], y[1], y[2]
					p.square[k] += w * y.Dot(y)
					at += width
				}
			}
		}
	})
}

// sumBones makes the forms and linear sums of helper bones first, first+1, …
func (p *problem) sumBones(first int) {
	if first == len(p.bones) {
		return
	}
	weighted := p.weighted(p.bones[first:])
	parallel.For(p.workers, len(p.bones)-first, func(_, i int) {
		a := first + i
		p.forms[a] = make([]linear.Form, a+1)
		for b := range a + 1 {
			p.forms[a][b] = linear.FormOf(weighted[i], p.bones[b])
		}
	})
	for i, sums := range p.linearSums(weighted) {
		p.lin[first+i] = sums
	}
}

// sumJoints makes the forms and linear sums of the primary joints.
func (p *problem) sumJoints() {
	s, weighted, all := p.skeletons, p.weighted(p.bones), make([]columns, p.primaries)
	parallel.For(p.workers, p.primaries, func(_, a int) {
		all[a] = columnsOf(weighted[a])
		first, last := s.span[a][0], s.span[a][1]
		p.forms[a] = make([]linear.Form, last-first)
		for r, b := range s.joints[first : s.rank[a]+1] {
			p.forms[a][r] = linear.FormOf(weighted[a], p.bones[b])
		}
	})
	for a, forms := range p.forms {
		for r, b := range s.joints[s.rank[a]+1 : s.span[a][1]] {
			forms[s.rank[a]+1+r-s.span[a][0]] = p.forms[b][s.rank[a]-s.span[a][0]]
		}
	}
	p.near = make([][]float64, len(p.rest))
	parallel.For(p.workers, p.runs(), func(_, run int) {
		lo, hi := run*runLength, min((run+1)*runLength, len(p.rest))
		for k := lo; k < hi; k++ {
			joints := s.joints[p.span[k][0]:p.span[k][1]]
			p.near[k] = make([]float64, len(joints))
			for i := range p.targets.data {
				first, last := p.targets.bounds(i)
				y := p.targets.of(i, k)
				for r, j := range joints {
					p.near[k][r] += all[j].dot(first, last, &p.rest[k], y)
				}
			}
		}
	})
}

// weighted returns bones with their matrices multiplied by the importance of the example.
func (p *problem) weighted(bones [][]geom.Affine) [][]geom.Affine {
	if p.x.Importance == nil {
		return bones
	}
	out := make([][]geom.Affine, 0, len(bones))
	for _, bone := range bones {
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
func (p *problem) linearSums(bones [][]geom.Affine) [][]float64 {
	out, all := make([][]float64, len(bones)), make([]columns, len(bones))
	parallel.For(p.workers, len(bones), func(_, b int) {
		out[b], all[b] = make([]float64, len(p.rest)), columnsOf(bones[b])
	})
	parallel.For(p.workers, p.runs(), func(worker, r int) {
		lo, hi := r*runLength, min((r+1)*runLength, len(p.rest))
		for i := range p.targets.data {
			first, last := p.targets.bounds(i)
			for b := range all {
				for k := lo; k < hi; k++ {
					out[b][k] += all[b].dot(first, last, &p.rest[k], p.targets.of(i, k))
				}
			}
		}
	})
	return out
}

// part is a point that follows a helper bone: w·v̂, for all copies of the point.
type part struct {
	point int
	mass  [4]float64
}

// partsOf lists the points of each bone from first on.
func (p *problem) partsOf(weights [][]skinning.Share, first, count int) [][]part {
	out, counts := make([][]part, count), make([]int, count)
	for _, shares := range weights {
		for _, s := range shares {
			if h := int(s.Joint) - first; h >= 0 {
				counts[h]++
			}
		}
	}
	for h, n := range counts {
		out[h] = make([]part, 0, n)
	}
	for k, shares := range weights {
		for _, s := range shares {
			if h := int(s.Joint) - first; h >= 0 {
				w, v := s.Weight*p.points.copies[k], &p.rest[k]
				out[h] = append(out[h], part{k, [4]float64{w * v[0], w * v[1], w * v[2], w}})
			}
		}
	}
	return out
}

// targetSums returns P_h = Σ_j w_h·ỹ·v̂ᵀ of every example, as columns, for each list of parts.
func (p *problem) targetSums(parts [][]part) []columns {
	n := len(p.x.Targets)
	out := make([]columns, len(parts))
	for h := range out {
		for c := range out[h] {
			out[h][c] = make([]float64, 3*n)
		}
	}
	parallel.For(p.workers, len(p.targets.data)*len(parts), func(_, task int) {
		i, h := task/len(parts), task%len(parts)
		first, last := p.targets.bounds(i)
		c0, c1 := out[h][0][3*first:3*last], out[h][1][3*first:3*last]
		c2, c3 := out[h][2][3*first:3*last], out[h][3][3*first:3*last]
		for a := range parts[h] {
			q := &parts[h][a]
			y := p.targets.of(i, q.point)
			floats.AddScaled(c0, q.mass[0], y)
			floats.AddScaled(c1, q.mass[1], y)
			floats.AddScaled(c2, q.mass[2], y)
			floats.AddScaled(c3, q.mass[3], y)
		}
	})
	return out
}
