package transfer

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/bodymodel"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

const (
	// searchPoints is the number of points of a frame's surface in the search, and limbPoints the number for each limb
	// of the body. A dense search multiplies both.
	searchPoints = 500
	limbPoints   = 20
	densePoints  = 3
	// A limb is searched if it and the limbs below it have at least the share searchLimb of the body's area. Smaller
	// ones, such as fingers, keep their rotation against their parent.
	searchLimb = 0.01
	// Points with opposite normals count as at least normalReach apart, as a fraction of the body's diagonal. It is
	// about the thickness of a trunk, so that a front is not matched with a back.
	normalReach = 0.1
	// searchTether is the cost of rotating a limb away from a known pose, in diagonals of the body for each radian. The
	// surface hardly shows twists: without the cost, upper arms were 75 degrees off. With 2.5 times the cost, arms stay
	// where they are.
	searchTether = 1e-4
	// Distances are cut off at farthest, as a fraction of the body's diagonal.
	farthest = 0.25
	// These bound the sweeps over all limbs: sweeps that borrow rotations from known poses, and sweeps with each angle.
	// A sweep is the last if it leaves more than the share sweepGain of the cost.
	librarySweeps = 2
	turnSweeps    = 3
	sweepGain     = 0.98
)

// searchTurns are the angles by which limbs are turned in search, one after the other, radians.
var searchTurns = [...]float64{math.Pi / 2, math.Pi / 4, math.Pi / 8, math.Pi / 16}

// search brings limbs near to a frame where a fit to nearest points would fail. First it gives each limb, or a limb and
// all limbs below it, the rotations of a known pose, and keeps those that bring the surfaces nearest to each other. So
// an arm that hangs down in one clip can be combined with a leg that steps forward in another. Then it rotates each
// limb about its bone and across it, by smaller and smaller angles. Surfaces are compared as points with normals.
type search struct {
	*poser
	known []bodymodel.Pose
	limbs []int           // that are searched, parents first
	below [][]int         // of each limb, those below it
	axes  [][3]mgl64.Vec3 // of each limb that is searched: along its bone and across, at rest
	marks []mark          // of the body: those of a limb and of all below it stand together
	span  [][2]int        // of each limb, the first of these and the first behind

	frame  []oriented
	blocks []block
	body   []oriented // the marks in the pose
	least  []float64  // of each mark, the squared distance to the nearest point of the frame
	near   []float64  // of each point of the frame, the squared distance to the nearest mark
	others []float64  // near without the marks of the limb that is turned

	prior  bodymodel.Pose // from which turns are counted
	reach  float64        // metres
	along  float64        // half of normalReach, metres
	tether float64        // metres a radian
}

// mark is a vertex that stands for a part of the body's area.
type mark struct {
	vertex int
	normal mgl64.Vec3 // at rest
	weight float64    // sum 1
}

// oriented is a point of a surface and its unit normal.
type oriented struct{ at, normal mgl64.Vec3 }

// newSearch makes a search. Dense multiplies the numbers of points.
func newSearch(s *poser, t *target, known []bodymodel.Pose, dense int) *search {
	size := diagonal(s.body.Vertices)
	x := &search{poser: s, known: known, reach: farthest * size, along: normalReach * size / 2}
	x.tether = searchTether * size
	x.findLimbs(dense)
	chosen := sample(vertexAreas(t.frame.Positions, t.frame.Triangles), dense*searchPoints)
	for _, k := range nearby(pick(t.frame.Positions, chosen)) {
		v := chosen[k]
		x.frame = append(x.frame, oriented{t.frame.Positions[v], t.normals[v]})
	}
	x.blocks = newBlocks(x.frame)
	x.near, x.others = make([]float64, len(x.frame)), make([]float64, len(x.frame))
	return x
}

// findLimbs chooses the limbs that are searched, and the marks.
func (x *search) findLimbs(dense int) {
	b := x.poser.body
	limbs := len(b.Parents)
	areas := vertexAreas(b.Vertices, x.mesh.triangles)
	below := make([]float64, limbs)
	total := 0.0
	for v, a := range areas {
		total += a
		for _, w := range b.Swing[v] {
			below[w.Joint] += a * w.Weight
		}
	}
	carries := make([]bool, limbs)
	children := make([][]int, limbs)
	for limb := limbs - 1; limb >= 0; limb-- {
		carries[limb] = below[limb] > 0
		if limb > 0 {
			below[b.Parents[limb]] += below[limb]
		}
	}
	for limb := 1; limb < limbs; limb++ {
		children[b.Parents[limb]] = append(children[b.Parents[limb]], limb)
	}
	bones := skinning.BoneAxes(b.Joints, b.Parents, carries)
	of := make([]int, limbs) // of each limb, the nearest at or above it that is searched
	for limb := range limbs {
		of[limb] = limb
		if below[limb] < searchLimb*total && limb > 0 {
			of[limb] = of[b.Parents[limb]]
		}
	}
	vertices := make([][]int, limbs)
	for v := range areas {
		strongest := b.Swing[v][0]
		for _, w := range b.Swing[v] {
			if w.Weight > strongest.Weight {
				strongest = w
			}
		}
		limb := of[strongest.Joint]
		vertices[limb] = append(vertices[limb], v)
	}
	normals := vertexNormals(b.Vertices, x.mesh.triangles)
	x.below = make([][]int, limbs)
	x.axes, x.span = make([][3]mgl64.Vec3, limbs), make([][2]int, limbs)
	var visit func(limb int)
	visit = func(limb int) {
		x.span[limb][0] = len(x.marks)
		if own := vertices[limb]; len(own) > 0 {
			some := pick(areas, own)
			sum := 0.0
			for _, a := range some {
				sum += a
			}
			chosen := sample(some, dense*limbPoints)
			for _, k := range chosen {
				x.marks = append(x.marks, mark{own[k], normals[own[k]], sum / total / float64(len(chosen))})
			}
		}
		if of[limb] == limb {
			x.limbs = append(x.limbs, limb)
			along := geom.UnitOr(bones[limb], mgl64.Vec3{0, 1, 0})
			across := geom.Perpendicular(along)
			x.axes[limb] = [3]mgl64.Vec3{along, across, along.Cross(across)}
		}
		for _, child := range children[limb] {
			visit(child)
			x.below[limb] = append(append(x.below[limb], child), x.below[child]...)
		}
		x.span[limb][1] = len(x.marks)
	}
	visit(0)
	x.body, x.least = make([]oriented, len(x.marks)), make([]float64, len(x.marks))
}

// place poses marks from lo up to hi.
func (x *search) place(lo, hi int) {
	b := x.poser.body
	for i := lo; i < hi; i++ {
		k := &x.marks[i]
		m := x.palette.Map(b.Swing[k.vertex], b.Twist[k.vertex])
		x.body[i] = oriented{m.Apply(b.Vertices[k.vertex]), geom.UnitOr(m.Linear().Apply(k.normal), k.normal)}
	}
}

// compare sets the least distances of marks from lo up to hi, and lowers those of the frame in near.
func (x *search) compare(lo, hi int, near []float64) {
	for i := range x.blocks {
		x.blocks[i].setFar(slices.Max(near[x.blocks[i].first:x.blocks[i].last]))
	}
	last := 0 // the block of the mark before: marks of a limb stand together
	for i := lo; i < hi; i++ {
		b, first := &x.body[i], last
		least := x.compareBlock(b, &x.blocks[first], near, x.reach*x.reach)
		distance := math.Sqrt(least)
		for k := range x.blocks {
			c := &x.blocks[k]
			u, v, w := b.at[0]-c.middle[0], b.at[1]-c.middle[1], b.at[2]-c.middle[2]
			d, most := u*u+v*v+w*w, distance+c.radius
			if d >= c.far && d >= most*most || k == first { // as for nearly all
				continue
			}
			if d := x.compareBlock(b, c, near, least); d < least {
				least, distance, last = d, math.Sqrt(d), k
			}
		}
		x.least[i] = least
	}
}

// compareBlock compares a mark with the points of a block, and returns its squared distance to the nearest of them, or
// least if that is less.
func (x *search) compareBlock(b *oriented, c *block, near []float64, least float64) float64 {
	along, far := x.along*x.along, 0.0
	for k := c.first; k < c.last; k++ {
		f, n := &x.frame[k], near[k]
		u, v, w := b.at[0]-f.at[0], b.at[1]-f.at[1], b.at[2]-f.at[2]
		if d := u*u + v*v + w*w; d < least || d < n {
			p, q, r := b.normal[0]-f.normal[0], b.normal[1]-f.normal[1], b.normal[2]-f.normal[2]
			d += along * (p*p + q*q + r*r)
			if d < least {
				least = d
			}
			if d < n {
				n = d
				near[k] = d
			}
		}
		if n > far {
			far = n
		}
	}
	c.setFar(far)
	return least
}

// cost returns the mean distance, in metres, of the points of each surface from the nearest point of the other. A
// difference of the normals adds to a distance.
func (x *search) cost(near []float64) (sum float64) {
	for i, d := range x.least {
		sum += x.marks[i].weight * math.Sqrt(d)
	}
	for _, d := range near {
		sum += math.Sqrt(d) / float64(len(near))
	}
	return sum / 2
}

// forget sets squared distances to the farthest.
func (x *search) forget(near []float64) {
	for k := range near {
		near[k] = x.reach * x.reach
	}
}

// run improves a pose, and returns its cost.
func (x *search) run(pose *bodymodel.Pose) (cost float64) {
	x.set(pose)
	x.place(0, len(x.marks))
	x.forget(x.near)
	x.compare(0, len(x.marks), x.near)
	x.prior = clonePose(pose)
	cost = x.cost(x.near)
	for range librarySweeps {
		before := cost
		for _, limb := range x.limbs {
			cost = x.borrow(pose, limb, cost)
		}
		if !(cost < sweepGain*before) {
			break
		}
	}
	x.prior = clonePose(pose)
	for _, angle := range searchTurns {
		for range turnSweeps {
			before := cost
			for _, limb := range x.limbs {
				cost = x.turn(pose, limb, angle, cost)
			}
			if !(cost < sweepGain*before) {
				break
			}
		}
	}
	return cost
}

// hold prepares for moves of one limb and the limbs below it.
func (x *search) hold(pose *bodymodel.Pose, limb int) (lo, hi int) {
	lo, hi = x.span[limb][0], x.span[limb][1]
	x.set(pose)
	x.place(0, len(x.marks))
	x.forget(x.others)
	x.compare(0, lo, x.others)
	x.compare(hi, len(x.marks), x.others)
	return lo, hi
}

// costOf returns the cost of a pose in which marks from lo up to hi have moved since [search.hold].
func (x *search) costOf(pose *bodymodel.Pose, lo, hi int) float64 {
	x.set(pose)
	x.place(lo, hi)
	copy(x.near, x.others)
	x.compare(lo, hi, x.near)
	return x.cost(x.near)
}

// borrow gives a limb, or the limb and all limbs below it, the rotations that they have in each known pose, and keeps
// the best.
func (x *search) borrow(pose *bodymodel.Pose, limb int, cost float64) float64 {
	if limb == 0 {
		return cost
	}
	lo, hi := x.hold(pose, limb)
	below := x.below[limb]
	best, try := pose.Turns, slices.Clone(pose.Turns)
	for k := range x.known {
		for _, all := range [...]bool{false, true} {
			copy(try, pose.Turns)
			try[limb] = x.known[k].Turns[limb]
			if all {
				for _, l := range below {
					try[l] = x.known[k].Turns[l]
				}
			}
			if c := x.costOf(&bodymodel.Pose{Place: pose.Place, Turns: try}, lo, hi); c < cost {
				best, cost = slices.Clone(try), c
			}
		}
	}
	pose.Turns = best
	return cost
}

// turned returns the cost of the rotations away from the known pose, in metres.
func (x *search) turned(pose *bodymodel.Pose) (sum float64) {
	for _, limb := range x.limbs {
		if limb > 0 {
			sum += x.tether * turnFrom(pose.Turns[limb], x.prior.Turns[limb]).Len()
		}
	}
	return sum
}

// turn turns a limb by an angle either way about its axes, and keeps the best.
func (x *search) turn(pose *bodymodel.Pose, limb int, angle, cost float64) float64 {
	lo, hi := x.hold(pose, limb)
	best, old := pose.Turns[limb], pose.Turns[limb]
	for way := range 6 {
		by := angle
		if way%2 > 0 {
			by = -by
		}
		pose.Turns[limb] = old.Mul(geom.AxisAngle(x.axes[limb][way/2], by))
		if c := x.costOf(pose, lo, hi) + x.turned(pose); c < cost {
			best, cost = pose.Turns[limb], c
		}
	}
	pose.Turns[limb] = best
	return cost
}
