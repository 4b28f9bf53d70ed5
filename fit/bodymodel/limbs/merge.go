package limbs

import (
	"math"
	"slices"

	"skinlab/skinning/parallel"
)

// merge unites neighbouring pieces in pairs, always the two whose union adds the least error. It returns all stages:
// stages[k] has the k pieces, for k from 1 to the number at the start.
func (l *partition) merge() (stages [][]*piece) {
	pieces := slices.Clone(l.pieces)
	stages = make([][]*piece, len(pieces)+1)
	stages[len(pieces)] = l.pieces
	unions := map[[2]int]*piece{} // of neighbours, the lower index first; nil where it is not made yet
	for v, a := range l.of {
		for _, u := range l.links[v] {
			if b := l.of[u]; a < b {
				unions[[2]int{a, b}] = nil
			}
		}
	}
	for left := len(pieces) - 1; left > 0; left-- {
		l.fillUnions(unions, pieces)
		var best [2]int
		least := math.Inf(1)
		for pair, u := range unions {
			added := u.error - pieces[pair[0]].error - pieces[pair[1]].error
			if added < least || added == least && slices.Compare(pair[:], best[:]) < 0 {
				best, least = pair, added
			}
		}
		a, b := best[0], best[1]
		pieces[a], pieces[b] = unions[best], nil
		stages[left] = slices.DeleteFunc(slices.Clone(pieces), func(p *piece) bool { return p == nil })
		for pair := range unions { // of a, and of b, which is a now
			x, y := pair[0], pair[1]
			if x != a && x != b && y != a && y != b {
				continue
			}
			delete(unions, pair)
			if x == b {
				x = a
			}
			if y == b {
				y = a
			}
			if x != y {
				unions[[2]int{min(x, y), max(x, y)}] = nil
			}
		}
	}
	return stages
}

// fillUnions makes the unions that are not made yet.
func (l *partition) fillUnions(unions map[[2]int]*piece, pieces []*piece) {
	var missing [][2]int
	for pair, u := range unions {
		if u == nil {
			missing = append(missing, pair)
		}
	}
	made := make([]*piece, len(missing))
	parallel.For(l.workers, len(missing), func(_, k int) {
		made[k] = unite(pieces[missing[k][0]], pieces[missing[k][1]])
	})
	for k, pair := range missing {
		unions[pair] = made[k]
	}
}
