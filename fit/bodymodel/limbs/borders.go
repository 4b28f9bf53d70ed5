package limbs

import (
	"context"
	"math"
	"slices"

	"skinlab/skinning/parallel"
)

// refineRounds bounds the rounds of [partition.refineBorders] (row 286). The limbs of the arm and the human need 4 to 16.
const refineRounds = 20

// refineBorders alternates two steps until the error no longer falls: vertices at borders go to the limb that moves
// them best, and the motions of limbs are fitted to their vertices again.
func (l *partition) refineBorders(ctx context.Context) {
	for range refineRounds {
		if ctx.Err() != nil {
			return
		}
		of, pieces, before := slices.Clone(l.of), l.pieces, totalError(l.pieces)
		for l.chooseAtBorders() {
		}
		l.joinIslands()
		l.pieces = make([]*piece, len(pieces))
		for k := range l.pieces {
			l.pieces[k] = &piece{}
		}
		for v, k := range l.of {
			l.pieces[k].vertices = append(l.pieces[k].vertices, v)
		}
		l.setPieces(slices.DeleteFunc(l.pieces, func(p *piece) bool { return len(p.vertices) == 0 }))
		for _, p := range l.pieces {
			l.follow(p)
		}
		if !(totalError(l.pieces) < before) {
			l.of, l.pieces = of, pieces
			return
		}
	}
}

// chooseAtBorders moves each vertex at a border to the neighbouring limb that moves it best, and reports whether any
// moved. It ends: no vertex gets a larger error.
func (l *partition) chooseAtBorders() bool {
	n := len(l.of)
	to := slices.Clone(l.of)
	changed := make([]bool, parallel.Chunks(n))
	parallel.For(l.workers, len(changed), func(_, chunk int) {
		lo, hi := parallel.Chunk(chunk, n)
		for v := lo; v < hi; v++ {
			least := math.NaN() // not known yet
			for _, u := range l.links[v] {
				k := l.of[u]
				if k == to[v] || k == l.of[v] {
					continue
				}
				if math.IsNaN(least) {
					least = l.errorOf(l.pieces[l.of[v]], v)
				}
				if e := l.errorOf(l.pieces[k], v); e < least {
					to[v], least, changed[chunk] = k, e, true
				}
			}
		}
	})
	l.of = to
	return slices.Contains(changed, true)
}

// joinIslands leaves each limb its largest connected part. Each vertex of the others goes to the limb around it that
// moves it best.
func (l *partition) joinIslands() {
	islands := l.islands()
	for len(islands) > 0 {
		homeless := make(map[int]bool, len(islands))
		for _, v := range islands {
			homeless[v] = true
		}
		var left []int
		to := map[int]int{}
		for _, v := range islands {
			least := math.Inf(1)
			for _, u := range l.links[v] {
				if homeless[int(u)] {
					continue
				}
				if e := l.errorOf(l.pieces[l.of[u]], v); e < least {
					to[v], least = l.of[u], e
				}
			}
			if math.IsInf(least, 1) {
				left = append(left, v)
			}
		}
		for v, k := range to {
			l.of[v] = k
		}
		islands = left
	}
}

// islands returns the vertices that are not in the largest connected part of their limb.
func (l *partition) islands() (out []int) {
	n := len(l.of)
	seen := make([]bool, n)
	largest := make([][]int, len(l.pieces))
	for first := range n {
		if seen[first] {
			continue
		}
		seen[first] = true
		k, here := l.of[first], []int{first}
		for next := 0; next < len(here); next++ {
			for _, u := range l.links[here[next]] {
				if !seen[u] && l.of[u] == k {
					seen[u] = true
					here = append(here, int(u))
				}
			}
		}
		if len(here) > len(largest[k]) {
			largest[k], here = here, largest[k]
		}
		out = append(out, here...)
	}
	return out
}
