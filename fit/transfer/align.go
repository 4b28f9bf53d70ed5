package transfer

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/geom/procrustes"
)

// alignment is a rigid motion of a posed body to a frame.
type alignment struct {
	pair  int
	turn  geom.Quat
	shift mgl64.Vec3
	cost  float64 // mean squared distance between the surfaces, m²; far points count for alignReach
}

// aligner finds rigid motions of a shape to a target (iterated closest points of Besl and McKay 1992, both ways).
type aligner struct {
	tree   *tree // of the shape
	marks  []mgl64.Vec3
	target *target
	reach  float64 // metres
}

const (
	alignReach = 0.05 // of the shape's diagonal: points farther than this from the other surface count for this
	alignSteps = 12   // at most, of each
	alignKept  = 3    // of a pair of pose and frame; four times as many are refined
)

func newAligner(shape []mgl64.Vec3, triangles [][3]uint32, marks []int, t *target) *aligner {
	size := diagonal(shape)
	return &aligner{tree: newTree(shape, triangles), marks: pick(shape, marks), target: t, reach: alignReach * size}
}

// principalAxes returns the rotation whose columns are the principal axes of points about their mean, longest first.
func principalAxes(points []mgl64.Vec3) (axes geom.Mat3, mean mgl64.Vec3) {
	for _, p := range points {
		mean = mean.Add(p.Mul(1 / float64(len(points))))
	}
	var m [9]float64
	for _, p := range points {
		d := p.Sub(mean)
		for r := range 3 {
			for c := range 3 {
				m[3*r+c] += d[r] * d[c]
			}
		}
	}
	vectors := [9]float64{0: 1, 4: 1, 8: 1}
	geom.Diagonalize(m[:], vectors[:], 3, 1e-18)
	order := []int{0, 1, 2}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m[4*b], m[4*a]) })
	for c, from := range order {
		for r := range 3 {
			axes[3*r+c] = vectors[3*r+from]
		}
	}
	if axes.Det() < 0 {
		for r := range 3 {
			axes[3*r+2] = -axes[3*r+2]
		}
	}
	return axes, mean
}

// best returns the alignments of least cost. It starts from every way to align the principal axes of the two shapes,
// and from rotations about the vertical.
func (a *aligner) best() []alignment {
	points := pick(a.target.frame.Positions, a.target.chosen)
	to, toMean := principalAxes(points)
	from, fromMean := principalAxes(a.marks)
	var turns []geom.Mat3
	for _, way := range axisTurns() {
		turns = append(turns, to.Mul(way).Mul(from.Transpose()))
	}
	for k := range 8 {
		turns = append(turns, geom.AxisAngle(mgl64.Vec3{0, 1, 0}, float64(k)*math.Pi/4).Mat3())
	}
	var all []alignment
	for _, turn := range turns {
		x := alignment{turn: geom.QuatFromMat3(turn), shift: toMean.Sub(turn.Apply(fromMean))}
		x.cost = a.step(x, nil)
		all = append(all, x)
	}
	sortAlignments(all)
	all = all[:min(len(all), 4*alignKept)]
	for i := range all {
		for range alignSteps {
			next := all[i]
			a.step(all[i], &next)
			next.cost = a.step(next, nil)
			if !(next.cost < all[i].cost) {
				break
			}
			all[i] = next
		}
	}
	sortAlignments(all)
	kept := all[:0]
	for _, x := range all {
		near := slices.ContainsFunc(kept, func(k alignment) bool {
			return geom.RotationVector(k.turn.Conjugate().Mul(x.turn)).Len() < math.Pi/6
		})
		if !near && len(kept) < alignKept {
			kept = append(kept, x)
		}
	}
	return kept
}

func sortAlignments(all []alignment) {
	slices.SortStableFunc(all, func(a, b alignment) int { return cmp.Compare(a.cost, b.cost) })
}

// axisTurns lists the 24 rotations that map coordinate axes to coordinate axes.
func axisTurns() (all []geom.Mat3) {
	for _, p := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		for signs := range 8 {
			var m geom.Mat3
			for r, c := range p {
				m[3*r+c] = float64(1 - 2*(signs>>r&1))
			}
			if m.Det() > 0 {
				all = append(all, m)
			}
		}
	}
	return all
}

// step is a step of iterative closest points. It returns the cost of an alignment, and sets next, unless it is nil, to
// the alignment that brings the points of each surface nearest to their present closest points on the other.
func (a *aligner) step(x alignment, next *alignment) (cost float64) {
	var sums procrustes.Sums // of the shape's points about the origin, and those of the frame about the shift
	turn := x.turn.Mat3()
	back := turn.Transpose()
	most := a.reach * a.reach
	count := 0
	add := func(b, f mgl64.Vec3, distance float64, found bool) {
		count++
		if !found {
			cost += most
			return
		}
		cost += distance
		sums.Add(1, b, f.Sub(x.shift))
	}
	for _, v := range a.target.chosen {
		p := a.target.frame.Positions[v]
		local := back.Apply(p.Sub(x.shift))
		q, d, ok := a.tree.nearest(local, back.Apply(a.target.normals[v]), agree, most)
		b := mgl64.Vec3{}
		if ok {
			b = q.of(a.tree.positions, a.tree.triangles)
		}
		add(b, p, d, ok)
	}
	for _, m := range a.marks {
		p := turn.Apply(m).Add(x.shift)
		q, d, ok := a.target.tree.nearest(p, mgl64.Vec3{}, -1, most)
		ok = ok && !a.target.mesh.onBorder(&q)
		f := mgl64.Vec3{}
		if ok {
			f = q.of(a.target.tree.positions, a.target.tree.triangles)
		}
		add(m, f, d, ok)
	}
	if next != nil && sums.Weight >= 3 {
		m, _ := sums.Rigid()
		next.turn, next.shift = geom.QuatFromMat3(m.Linear()), m.Translation().Add(x.shift)
	}
	return cost / float64(max(count, 1))
}
