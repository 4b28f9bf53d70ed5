package limbs

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"skinlab/skinning/parallel"
)

const (
	// patchesPerLimb is the number of patches for each limb, and leastPatches the least number in all. With 2 to 11 for
	// each the errors of 4 to 12 limbs of the arm and of 12 to 24 of the human differ by 4 % at most.
	patchesPerLimb = 4
	leastPatches   = 64
	// leastPatch is the least number of vertices of a patch. With 4 to 32 the limbs' errors differ by 5 % at most.
	leastPatch = 16
	// powerSteps is the number of steps of the power iteration for the principal component, and meansRounds the number
	// of rounds of 2-means after it. With 3 to 16 and 1 to 8 the limbs' errors are higher or lower by 5 % at most.
	powerSteps  = 8
	meansRounds = 4
)

// splitPatches splits pieces until there are at least most of them. It always splits the piece with the largest error,
// leaving out pieces that cannot be split.
func (l *partition) splitPatches(ctx context.Context, most int) {
	pieces := slices.Clone(l.pieces)
	whole := map[*piece]bool{} // they do not come apart
	for len(pieces) < most && ctx.Err() == nil {
		worst := -1
		for k, p := range pieces {
			if !whole[p] && (worst < 0 || p.error > pieces[worst].error) {
				worst = k
			}
		}
		if worst < 0 {
			break
		}
		parts := l.split(pieces[worst])
		if len(parts) < 2 {
			whole[pieces[worst]] = true
			continue
		}
		pieces[worst] = parts[0]
		pieces = append(pieces, parts[1:]...)
	}
	l.setPieces(pieces)
}

// split divides a piece by the sign of the principal component of its vertices' residual paths, improves the division
// by 2-means, and returns the connected parts. It returns fewer than two parts if the piece cannot be divided.
func (l *partition) split(p *piece) []*piece {
	n := len(p.vertices)
	if n < 2*leastPatch {
		return nil
	}
	second := l.principal(l.residuals(p))
	for range meansRounds {
		halves := [2]*piece{{}, {}}
		for k, v := range p.vertices {
			h := 0
			if second[k] {
				h = 1
			}
			halves[h].vertices = append(halves[h].vertices, v)
		}
		if len(halves[0].vertices) == 0 || len(halves[1].vertices) == 0 {
			return nil
		}
		l.follow(halves[0])
		l.follow(halves[1])
		changed := make([]bool, parallel.Chunks(n))
		parallel.For(l.workers, len(changed), func(_, chunk int) {
			lo, hi := parallel.Chunk(chunk, n)
			for k := lo; k < hi; k++ {
				v := p.vertices[k]
				if is := l.errorOf(halves[1], v) < l.errorOf(halves[0], v); is != second[k] {
					second[k], changed[chunk] = is, true
				}
			}
		})
		if !slices.Contains(changed, true) {
			break
		}
	}
	return l.connectedParts(p.vertices, second)
}

// residuals returns the paths of a piece's vertices minus the paths that the piece's rigid motion gives them.
func (l *partition) residuals(p *piece) [][]float64 {
	out := make([][]float64, len(p.vertices))
	parallel.For(l.workers, parallel.Chunks(len(out)), func(_, chunk int) {
		lo, hi := parallel.Chunk(chunk, len(out))
		for k := lo; k < hi; k++ {
			v := p.vertices[k]
			out[k] = slices.Clone(l.paths[v])
			for i := range p.motions {
				for c, x := range p.motions[i].Apply(l.bind[v]) {
					out[k][3*i+c] -= x
				}
			}
		}
	})
	return out
}

// principal reports for each vector whether its product with the principal component of all vectors is positive. It
// finds that component by power iteration from the longest vector.
func (l *partition) principal(vectors [][]float64) []bool {
	n := len(vectors)
	axis, longest := vectors[0], 0.0
	for _, r := range vectors {
		if square := dot(r, r); square > longest {
			axis, longest = r, square
		}
	}
	axis = slices.Clone(axis)
	products := make([]float64, n)
	sums := make([][]float64, parallel.Chunks(n))
	for range powerSteps {
		parallel.For(l.workers, len(sums), func(_, chunk int) {
			sum := make([]float64, len(axis))
			lo, hi := parallel.Chunk(chunk, n)
			for k := lo; k < hi; k++ {
				products[k] = dot(vectors[k], axis)
				for c, x := range vectors[k] {
					sum[c] += products[k] * x
				}
			}
			sums[chunk] = sum
		})
		clear(axis)
		for _, sum := range sums {
			floats.Add(axis, sum)
		}
		length := math.Sqrt(dot(axis, axis))
		if !(length > 0) {
			break
		}
		for c := range axis {
			axis[c] /= length
		}
	}
	positive := make([]bool, n)
	for k, x := range products {
		positive[k] = x > 0
	}
	return positive
}

func dot(a, b []float64) (sum float64) {
	for k, x := range a {
		sum += x * b[k]
	}
	return sum
}

// connectedParts returns the connected parts of the vertices in which all have the same mark. A part of fewer than
// leastPatch vertices is united with the neighbour that moves most like it.
func (l *partition) connectedParts(vertices []int, marked []bool) (parts []*piece) {
	const unseen = -1
	mark, part := make(map[int]bool, len(vertices)), make(map[int]int, len(vertices))
	for k, v := range vertices {
		mark[v], part[v] = marked[k], unseen
	}
	for _, first := range vertices {
		if part[first] != unseen {
			continue
		}
		p := &piece{vertices: []int{first}}
		part[first] = len(parts)
		for next := 0; next < len(p.vertices); next++ {
			for _, n := range l.links[p.vertices[next]] {
				u := int(n)
				if k, inside := part[u]; inside && k == unseen && mark[u] == mark[first] {
					part[u] = len(parts)
					p.vertices = append(p.vertices, u)
				}
			}
		}
		l.follow(p)
		parts = append(parts, p)
	}
	for {
		small := -1
		for k, p := range parts {
			if p != nil && len(p.vertices) < leastPatch && (small < 0 || len(p.vertices) < len(parts[small].vertices)) {
				small = k
			}
		}
		if small < 0 {
			break
		}
		best, least := -1, math.Inf(1)
		var united *piece
		tried := map[int]bool{small: true}
		for _, v := range parts[small].vertices {
			for _, u := range l.links[v] {
				k, inside := part[int(u)]
				if !inside || tried[k] {
					continue
				}
				tried[k] = true
				p := unite(parts[k], parts[small])
				if e := p.error - parts[k].error; e < least {
					best, least, united = k, e, p
				}
			}
		}
		if best < 0 { // the whole piece is small
			break
		}
		for _, v := range parts[small].vertices {
			part[v] = best
		}
		parts[best], parts[small] = united, nil
	}
	return slices.DeleteFunc(parts, func(p *piece) bool { return p == nil })
}
