package limbs

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// tree is a partition with the borders that are joints.
type tree struct {
	*partition
	joined  [][]*border  // of each limb
	middles []mgl64.Vec3 // of each limb, relative to the middle of the bind shape
}

// border is where two limbs meet.
type border struct {
	limbs  [2]int
	ends   []int      // the vertices of both that are linked to the other
	middle mgl64.Vec3 // of the ends, relative to the middle of the bind shape
	apart  float64    // mean squared distance over scans between the middle moved by the one limb and by the other, over
	// the mean squared distance of the ends from the middle
}

// borders returns the borders of all limbs that meet.
func (l *partition) borders() (all []*border) {
	at := map[[2]int]*border{}
	for v, ring := range l.links {
		for _, u := range ring {
			a, b := l.of[v], l.of[u]
			if a == b {
				continue
			}
			pair := [2]int{min(a, b), max(a, b)}
			if at[pair] == nil {
				at[pair] = &border{limbs: pair}
				all = append(all, at[pair])
			}
			at[pair].ends = append(at[pair].ends, v) // in ascending order
		}
	}
	for _, b := range all {
		b.ends = slices.Compact(b.ends)
		l.measure(b)
	}
	return all
}

// measure sets middle and apart of a border.
func (l *partition) measure(b *border) {
	n := float64(len(b.ends))
	for _, v := range b.ends {
		b.middle = b.middle.Add(l.bind[v].Mul(1 / n))
	}
	radius := 0.0
	for _, v := range b.ends {
		radius += l.bind[v].Sub(b.middle).LenSqr() / n
	}
	first, second := l.pieces[b.limbs[0]].motions, l.pieces[b.limbs[1]].motions
	for i := range first {
		b.apart += first[i].Apply(b.middle).Sub(second[i].Apply(b.middle)).LenSqr() / float64(len(first))
	}
	b.apart /= max(radius, math.SmallestNonzeroFloat64)
}

// newTree joins the pieces by a minimum spanning tree. The length of a border is the distance by which its limbs come
// apart in its middle, divided by its radius. So long borders that hold together become joints.
func newTree(l *partition) *tree {
	t := &tree{partition: l, joined: make([][]*border, len(l.pieces))}
	group := make([]int, len(l.pieces))
	for k, p := range l.pieces {
		group[k] = k
		t.middles = append(t.middles, p.sums[0].From.Mul(1/p.sums[0].Weight))
	}
	all := l.borders()
	slices.SortStableFunc(all, func(a, b *border) int { return cmp.Compare(a.apart, b.apart) })
	for _, b := range all {
		into, from := group[b.limbs[0]], group[b.limbs[1]]
		if into == from {
			continue
		}
		for k, g := range group {
			if g == from {
				group[k] = into
			}
		}
		for _, k := range b.limbs {
			t.joined[k] = append(t.joined[k], b)
		}
	}
	return t
}

// root returns the limb of a vertex, counted from 1. For 0 it returns the center of the tree: the limb with the least
// distance along the tree to the limb that is farthest from it.
func (t *tree) root(vertex int) (root int) {
	if vertex > 0 {
		return t.of[vertex-1]
	}
	least := math.Inf(1)
	for k := range t.pieces {
		if far := t.farthest(k, nil); far < least {
			root, least = k, far
		}
	}
	return root
}

// farthest returns the largest distance along the tree from the middle of a limb to the middle of another, through
// joints and the middles of the limbs between them. Paths through the border out are left out.
func (t *tree) farthest(limb int, out *border) (most float64) {
	for _, b := range t.joined[limb] {
		if b != out {
			next := b.limbs[0] + b.limbs[1] - limb
			way := b.middle.Sub(t.middles[limb]).Len() + b.middle.Sub(t.middles[next]).Len()
			most = max(most, way+t.farthest(next, b))
		}
	}
	return most
}

// limbs returns the limbs in order of their distance from the root, in joints. Joints are in the middle of borders.
// Root is a vertex, see [Options].
func (t *tree) limbs(root int) *Limbs {
	at := t.partition.middles[t.scan]
	order := []int{t.root(root)}
	number := make([]int, len(t.pieces)) // of each limb in order; the root alone keeps 0
	out := &Limbs{Bind: t.scan, Parents: []int{-1}, Joints: []mgl64.Vec3{t.middles[order[0]].Add(at)}}
	for next := 0; next < len(order); next++ {
		for _, e := range t.joined[order[next]] {
			k := e.limbs[0] + e.limbs[1] - order[next]
			if k != order[0] && number[k] == 0 {
				number[k] = len(order)
				order = append(order, k)
				out.Parents, out.Joints = append(out.Parents, next), append(out.Joints, e.middle.Add(at))
			}
		}
	}
	for _, k := range t.of {
		out.Of = append(out.Of, number[k])
	}
	return out
}
