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
	// searchPoints stand for each surface in the search. A limb is searched if it and the limbs below it have at least
	// searchLimb of them. Smaller ones, such as fingers, keep their rotation against their parent.
	searchPoints = 400
	searchLimb   = 4
	// Points with opposite normals count as at least normalReach apart, as a fraction of the body's diagonal. It is
	// about the thickness of a trunk, so that a front is not matched with a back.
	normalReach = 0.1
	// searchTether is the cost of rotating a limb away from a known pose, in diagonals of the body for each radian. The
	// surface hardly shows twists: without the cost, upper arms were 75 degrees off.
	searchTether = 1e-4
	// The search turns limbs by a right angle first, and by half the angle searchHalvings times.
	searchHalvings = 3
	// searchSweeps is how often all limbs are searched with poses, and with each angle.
	searchSweeps = 2
)

// search brings limbs near to a frame where a fit to nearest points would fail. First it gives each limb, or a limb and
// all limbs below it, the rotations of a known pose, and keeps those that bring the surfaces nearest to each other. So
// an arm that hangs down in one clip can be combined with a leg that steps forward in another. Then it rotates each
// limb by smaller and smaller angles. Surfaces are compared as points with normals.
type search struct {
	*poser
	known  []bodymodel.Pose
	limbs  []searched // parents first
	marks  []mark     // of the body
	body   []oriented // the marks in the pose
	frame  []oriented // points of the frame
	least  []float64  // of each mark, the squared distance to the nearest point of the frame
	near   []float64  // of each point of the frame, the squared distance to the nearest mark
	others []float64  // near without the marks that move with the limb that is turned
	reach  float64    // farther points count as that far, metres
	along  float64    // half of normalReach, metres
	tether float64    // metres a radian
}

// searched is a limb that is searched.
type searched struct {
	limb        int
	below       []int         // it and the limbs below it
	axes        [3]mgl64.Vec3 // that it is turned about: along its bone and across, at rest
	moves, stay []int32       // the marks that move with it, and all others
}

// mark is a vertex that stands for a part of the body's area.
type mark struct {
	vertex int
	normal mgl64.Vec3 // at rest
}

// oriented is a point of a surface and its unit normal.
type oriented struct{ at, normal mgl64.Vec3 }

func newSearch(s *poser, t *target, known []bodymodel.Pose, points int) *search {
	b, size := s.body, diagonal(s.body.Vertices)
	x := &search{poser: s, known: known, reach: farthest * size, along: normalReach * size / 2,
		tether: searchTether * size}
	normals := vertexNormals(b.Vertices, s.mesh.triangles)
	moves, below := make([][]int32, len(b.Parents)), make([][]int, len(b.Parents))
	for i, v := range sample(vertexAreas(b.Vertices, s.mesh.triangles), points) {
		x.marks = append(x.marks, mark{v, normals[v]})
		strongest := b.Swing[v][0]
		for _, w := range b.Swing[v] {
			if w.Weight > strongest.Weight {
				strongest = w
			}
		}
		for limb := int(strongest.Joint); limb >= 0; limb = b.Parents[limb] {
			moves[limb] = append(moves[limb], int32(i))
		}
	}
	for limb := range b.Parents {
		for above := limb; above >= 0; above = b.Parents[above] {
			below[above] = append(below[above], limb)
		}
	}
	carries := make([]bool, len(b.Parents))
	for limb := range b.Parents {
		carries[limb] = len(moves[limb]) > 0
	}
	bones := skinning.BoneAxes(b.Joints, b.Parents, carries)
	for limb := range b.Parents {
		if len(moves[limb]) < searchLimb {
			continue
		}
		along := geom.UnitOr(bones[limb], mgl64.Vec3{0, 1, 0})
		across := geom.Perpendicular(along)
		l := searched{limb: limb, below: below[limb], moves: moves[limb],
			axes: [3]mgl64.Vec3{along, across, along.Cross(across)}}
		for i := range x.marks {
			if _, in := slices.BinarySearch(l.moves, int32(i)); !in {
				l.stay = append(l.stay, int32(i))
			}
		}
		x.limbs = append(x.limbs, l)
	}
	for _, v := range sample(vertexAreas(t.frame.Positions, t.frame.Triangles), points) {
		x.frame = append(x.frame, oriented{t.frame.Positions[v], t.normals[v]})
	}
	x.body, x.least = make([]oriented, len(x.marks)), make([]float64, len(x.marks))
	x.near, x.others = make([]float64, len(x.frame)), make([]float64, len(x.frame))
	return x
}

// compare poses some marks, sets their least distances, and lowers those of the frame in near.
func (x *search) compare(marks []int32, near []float64) {
	b, along := x.poser.body, x.along*x.along
	for _, i := range marks {
		k := &x.marks[i]
		m := x.palette.Map(b.Swing[k.vertex], b.Twist[k.vertex])
		at, normal := m.Apply(b.Vertices[k.vertex]), geom.UnitOr(m.Linear().Apply(k.normal), k.normal)
		least := x.reach * x.reach
		for k := range x.frame {
			f := &x.frame[k]
			u, v, w := at[0]-f.at[0], at[1]-f.at[1], at[2]-f.at[2]
			d := u*u + v*v + w*w
			if d >= least && d >= near[k] {
				continue
			}
			p, q, r := normal[0]-f.normal[0], normal[1]-f.normal[1], normal[2]-f.normal[2]
			d += along * (p*p + q*q + r*r)
			least, near[k] = min(least, d), min(near[k], d)
		}
		x.least[i] = least
	}
}

// hold prepares for moves of one limb and the limbs below it.
func (x *search) hold(pose *bodymodel.Pose, l *searched) {
	x.set(pose)
	for k := range x.others {
		x.others[k] = x.reach * x.reach
	}
	x.compare(l.stay, x.others)
}

// cost returns the mean distance, in metres, of the points of each surface from the nearest point of the other, where a
// difference of the normals adds to a distance, in a pose in which only marks of a limb have moved since [search.hold].
func (x *search) cost(pose *bodymodel.Pose, l *searched) (sum float64) {
	x.set(pose)
	copy(x.near, x.others)
	x.compare(l.moves, x.near)
	for _, d := range x.least {
		sum += math.Sqrt(d) / float64(len(x.least))
	}
	for _, d := range x.near {
		sum += math.Sqrt(d) / float64(len(x.near))
	}
	return sum / 2
}

// run improves a pose, and returns its cost.
func (x *search) run(pose *bodymodel.Pose) (cost float64) {
	for range searchSweeps {
		for i := range x.limbs {
			cost = x.borrow(pose, &x.limbs[i])
		}
	}
	prior, angle := clonePose(pose), math.Pi/2
	for range 1 + searchHalvings {
		for range searchSweeps {
			for i := range x.limbs {
				cost = x.turn(pose, &prior, &x.limbs[i], angle)
			}
		}
		angle /= 2
	}
	return cost
}

// borrow gives a limb, or the limb and all limbs below it, the rotations that they have in each known pose, and keeps
// the best. The root keeps its own.
func (x *search) borrow(pose *bodymodel.Pose, l *searched) (cost float64) {
	x.hold(pose, l)
	cost = x.cost(pose, l)
	if l.limb == 0 {
		return cost
	}
	best, try := pose.Turns, slices.Clone(pose.Turns)
	for k := range x.known {
		for _, n := range [...]int{1, len(l.below)} {
			copy(try, pose.Turns)
			for _, limb := range l.below[:n] {
				try[limb] = x.known[k].Turns[limb]
			}
			if c := x.cost(&bodymodel.Pose{Place: pose.Place, Turns: try}, l); c < cost {
				best, cost = slices.Clone(try), c
			}
		}
	}
	pose.Turns = best
	return cost
}

// turn turns a limb by an angle either way about its axes, and keeps the best.
func (x *search) turn(pose, prior *bodymodel.Pose, l *searched, angle float64) (cost float64) {
	x.hold(pose, l)
	turned := func() (sum float64) {
		for _, k := range x.limbs {
			if k.limb > 0 {
				sum += x.tether * turnFrom(pose.Turns[k.limb], prior.Turns[k.limb]).Len()
			}
		}
		return sum
	}
	cost = x.cost(pose, l) + turned()
	best, old := pose.Turns[l.limb], pose.Turns[l.limb]
	for _, about := range l.axes {
		for _, by := range [...]float64{angle, -angle} {
			pose.Turns[l.limb] = old.Mul(geom.AxisAngle(about, by))
			if c := x.cost(pose, l) + turned(); c < cost {
				best, cost = pose.Turns[l.limb], c
			}
		}
	}
	pose.Turns[l.limb] = best
	return cost
}
