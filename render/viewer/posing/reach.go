package posing

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
)

// Reach bends a limb so that its end comes to a place: inverse kinematics of two bones, in closed form. It starts from
// the pose that the limb is in, and keeps the plane in which the limb bends as near to that as turning the line from
// root to end allows. The end keeps its orientation in the world.
type Reach struct {
	Nodes [3]int // of the limb's root, middle and end

	at             [3]mgl64.Vec3 // their places at the start, world
	parents        [3]geom.Mat3  // linear parts of their parents' transforms
	local          [3]geom.Quat
	along, pole    mgl64.Vec3 // unit vectors: from root to end, and across that to the middle
	upper, lower   float64    // lengths of the bones
	least, longest float64    // distances from the root that the end can have
}

// NewReach starts to bend a limb of a posed subject.
func NewReach(s *Subject, l *anatomy.Limb) Reach {
	r := Reach{}
	rig := &s.Model.Skeleton
	for k, j := range [...]int{l.Root, l.Middle, l.End} {
		node := rig.Joints[j].Node
		r.Nodes[k], r.local[k], r.parents[k] = node, s.Pose.Local[node].Rotation, geom.Identity3()
		r.at[k] = s.Frame.Globals[node].Translation()
		if p := rig.Nodes[node].Parent; p >= 0 {
			r.parents[k] = s.Frame.Globals[p].Linear()
		}
	}
	upper, line := r.at[1].Sub(r.at[0]), r.at[2].Sub(r.at[0])
	r.upper, r.lower = upper.Len(), r.at[2].Sub(r.at[1]).Len()
	r.least, r.longest = math.Abs(r.upper-r.lower), r.upper+r.lower
	const flat = 1e-4 // of the limb's length: nearer to a line or a point than this there is no direction
	r.along = line
	if line.Len() < flat*r.longest {
		r.along = geom.Perpendicular(geom.UnitOr(upper, mgl64.Vec3{0, 1, 0}))
	}
	r.along = r.along.Normalize()
	across := func(v mgl64.Vec3) mgl64.Vec3 { return v.Sub(r.along.Mul(r.along.Dot(v))) }
	r.pole = across(upper)
	if r.pole.Len() < flat*r.longest { // stretched: it bends as at rest
		turn, _ := geom.PolarDecompose(s.Frame.Matrices[l.Root].Linear())
		r.pole = across(turn.Apply(l.Pole))
		if r.pole.Len() < flat {
			r.pole = geom.Perpendicular(r.along)
		}
	}
	r.pole = r.pole.Normalize()
	return r
}

// Place returns where the end was at the start.
func (r *Reach) Place() mgl64.Vec3 { return r.at[2] }

// To returns the local rotations of the limb's nodes with its end at a place, or as near as it reaches.
func (r *Reach) To(place mgl64.Vec3) [3]geom.Quat {
	u := geom.UnitOr(place.Sub(r.at[0]), r.along)
	far := min(max(place.Sub(r.at[0]).Len(), r.least, 1e-9*r.longest), r.longest)
	p := r.swing(u).Rotate(r.pole)
	cos := min(max((r.upper*r.upper+far*far-r.lower*r.lower)/(2*r.upper*far), -1), 1)
	sin := math.Sqrt(1 - cos*cos)
	middle := r.at[0].Add(u.Mul(r.upper * cos)).Add(p.Mul(r.upper * sin))
	end := r.at[0].Add(u.Mul(far))
	was, now := r.along.Cross(r.pole), u.Cross(p) // normals of the plane
	root := turn(r.at[1].Sub(r.at[0]), was, middle.Sub(r.at[0]), now)
	lower := turn(r.at[2].Sub(r.at[1]), was, end.Sub(middle), now)
	// The root turns by root in the world. The middle's parent has turned by that already, the end's by lower.
	return [3]geom.Quat{
		TurnedLocal(r.parents[0], root, r.local[0]),
		TurnedLocal(r.parents[1], root.Transpose().Mul(lower), r.local[1]),
		TurnedLocal(r.parents[2], lower.Transpose(), r.local[2]),
	}
}

// swing returns the least rotation of the line from root to end to a direction, about the pole for the opposite.
func (r *Reach) swing(to mgl64.Vec3) geom.Quat {
	axis, cos := r.along.Cross(to), r.along.Dot(to)
	if cos < -1+1e-12 {
		return geom.AxisAngle(r.pole, math.Pi)
	}
	return geom.Quat{axis[0], axis[1], axis[2], 1 + cos}.Normalize()
}

// turn returns the rotation that takes a bone and its plane's normal to another direction and normal.
func turn(bone, normal, to, toNormal mgl64.Vec3) geom.Mat3 {
	return basis(to, toNormal).Mul(basis(bone, normal).Transpose())
}

// basis returns the rotation whose columns are a direction, the normal, and their cross product.
func basis(v, normal mgl64.Vec3) (m geom.Mat3) {
	x := geom.UnitOr(v, geom.Perpendicular(normal))
	z := x.Cross(normal)
	for row := range 3 {
		m[3*row], m[3*row+1], m[3*row+2] = x[row], normal[row], z[row]
	}
	return m
}

// TurnedLocal returns the local rotation of a node after a rotation d in the world, under a parent with the linear part
// p. With the node's transform G = P·L, the new one is D·P·L = P·(P⁻¹·D·P)·L. If the parent shears, P⁻¹·D·P is not a
// rotation, and the nearest rotation is used.
func TurnedLocal(p, d geom.Mat3, local geom.Quat) geom.Quat {
	inverse, ok := p.Inverse()
	if !ok {
		return local // the parent is flat, so no rotation would show
	}
	r, _ := geom.PolarDecompose(inverse.Mul(d).Mul(p))
	return geom.QuatFromMat3(r).Mul(local).Normalize()
}
