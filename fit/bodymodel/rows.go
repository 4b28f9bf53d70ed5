package bodymodel

import (
	"math"
	"slices"

	"skinlab/skinning"
)

// rows are the linear map from posed vertices to the residuals of Q, which is the same in every pose. There is a row
// for each vertex, and then one for each vertex with a ring: √α times the vertex minus the mean of its ring. For each
// row, the limbs and the twists that move it are kept with their weights.
//
// JᵀMJ is summed over every stride'th row of a scan, starting at another row in each scan. Weights are multiplied by
// √stride to make up for that.
type rows struct {
	stride   int
	limbs    sparse // of each row; entries take the twisted places of vertices
	twists   sparse // of each row; entries take columns, see vertexTwists
	vertices []vertexTwists
	columns  int // of all vertices together
}

// sparse are rows of slots, each of which sums its entries. A slot belongs to one limb, and limbs ascend within a row.
type sparse struct {
	slots   []int32 // of row r: limbs[slots[r]:slots[r+1]]
	limbs   []int32
	starts  []int32 // of row r: entries[starts[r]:starts[r+1]]
	entries []sparseEntry
	most    int // slots of a row
}

// sparseEntry adds weight times a value to a slot of its row.
type sparseEntry struct {
	slot, value int32
	weight      float64
}

// add appends a row of entries whose slots are still limbs.
func (s *sparse) add(row []sparseEntry) {
	if len(s.slots) == 0 {
		s.slots, s.starts = append(s.slots, 0), append(s.starts, 0)
	}
	first := len(s.limbs)
	for _, e := range row {
		s.limbs = append(s.limbs, e.slot)
	}
	slices.Sort(s.limbs[first:])
	s.limbs = s.limbs[:first+len(slices.Compact(s.limbs[first:]))]
	for _, e := range row {
		slot, _ := slices.BinarySearch(s.limbs[first:], e.slot)
		e.slot = int32(slot)
		s.entries = append(s.entries, e)
	}
	s.most = max(s.most, len(s.limbs)-first)
	s.slots, s.starts = append(s.slots, int32(len(s.limbs))), append(s.starts, int32(len(s.entries)))
}

// vertexTwists are the limbs whose twists change a vertex's blend: those with some of its influences in their branch
// and some outside it. The twist of a limb above all influences moves them all alike.
type vertexTwists struct {
	first    int32 // column of the first of the limbs
	branches []branch
}

// branch tells which influences of a vertex are of a limb or below it, by their positions in both sets.
type branch struct {
	limb         int32
	swing, twist []int
}

// twistsOf returns the branches of a vertex with these influences, limbs ascending.
func twistsOf(parents []int, swing, twist []skinning.Share) (out []branch) {
	of := func(k int) *branch {
		i, found := slices.BinarySearchFunc(out, int32(k), func(b branch, k int32) int { return int(b.limb - k) })
		if !found {
			out = slices.Insert(out, i, branch{limb: int32(k)})
		}
		return &out[i]
	}
	for i, s := range swing {
		for k := int(s.Joint); k > 0; k = parents[k] {
			b := of(k)
			b.swing = append(b.swing, i)
		}
	}
	for i, s := range twist {
		for k := int(s.Joint); k > 0; k = parents[k] {
			b := of(k)
			b.twist = append(b.twist, i)
		}
	}
	return slices.DeleteFunc(out, func(b branch) bool { return len(b.swing)+len(b.twist) == len(swing)+len(twist) })
}

// The sums of a scan use the rows of at least leastRows vertices, and at least one row in mostStride. With half of the
// arm's 2,452 vertices the sums take 0.6 of the time, and Q after 16 steps is 0.1 % higher; with a quarter, half of the
// time, and Q is 0.7 % higher. With a third of the human's 13,380 vertices (52 limbs) they take half of the time, and Q
// after 4 steps is 0.6 % lower.
const (
	leastRows  = 1200
	mostStride = 4
)

// newRows makes the rows of a body's weights.
func newRows(b *Body, s *scans, alpha float64) *rows {
	r := &rows{
		stride:   max(1, min(len(b.Vertices)/leastRows, mostStride)),
		vertices: make([]vertexTwists, len(b.Vertices)),
	}
	for v := range r.vertices {
		r.vertices[v].first = int32(r.columns)
		if !b.Linear {
			r.vertices[v].branches = twistsOf(b.Parents, b.Swing[v], b.Twist[v])
		}
		r.columns += len(r.vertices[v].branches)
	}
	count := math.Sqrt(float64(r.stride))
	var limbs, twists []sparseEntry
	take := func(v int32, weight float64) {
		for _, i := range b.Swing[v] {
			limbs = append(limbs, sparseEntry{int32(i.Joint), v, weight * i.Weight})
		}
		for k, t := range r.vertices[v].branches {
			twists = append(twists, sparseEntry{t.limb, r.vertices[v].first + int32(k), weight})
		}
	}
	flush := func() {
		r.limbs.add(limbs)
		r.twists.add(twists)
		limbs, twists = limbs[:0], twists[:0]
	}
	for v := range b.Vertices {
		take(int32(v), count)
		flush()
	}
	if alpha == 0 {
		return r
	}
	root := count * math.Sqrt(alpha)
	for v, ring := range s.Rings {
		if len(ring) == 0 {
			continue
		}
		take(int32(v), root)
		for _, u := range ring {
			take(u, -root/float64(len(ring)))
		}
		flush()
	}
	return r
}
