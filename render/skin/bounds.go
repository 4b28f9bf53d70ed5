package skin

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Box is an axis-aligned box. It is empty if a coordinate of Lo is above that of Hi.
type Box struct{ Lo, Hi mgl32.Vec3 }

func EmptyBox() Box {
	const inf = math.MaxFloat32
	return Box{mgl32.Vec3{inf, inf, inf}, mgl32.Vec3{-inf, -inf, -inf}}
}

func (b *Box) Add(p mgl32.Vec3) {
	b.Join(Box{p, p})
}

// Join grows the box to hold c too.
func (b *Box) Join(c Box) {
	for k := range b.Lo {
		b.Lo[k], b.Hi[k] = min(b.Lo[k], c.Lo[k]), max(b.Hi[k], c.Hi[k])
	}
}

func (b Box) empty() bool        { return b.Lo[0] > b.Hi[0] }
func (b Box) Center() mgl32.Vec3 { return b.Lo.Add(b.Hi).Mul(0.5) }
func (b Box) Diagonal() float32  { return b.Hi.Sub(b.Lo).Len() }
func (b Box) Corner(i int) (p mgl32.Vec3) {
	for k := range p {
		p[k] = b.Lo[k]
		if i>>k&1 == 1 {
			p[k] = b.Hi[k]
		}
	}
	return p
}

// Corners returns the box's eight corners.
func (b Box) Corners() []mgl32.Vec3 {
	all := make([]mgl32.Vec3, 8)
	for i := range all {
		all[i] = b.Corner(i)
	}
	return all
}

// addMoved grows the box to hold the corners of c moved by m. It takes the least and the largest of each term of a
// coordinate (Arvo 1990, "Transforming axis-aligned bounding boxes").
func (b *Box) addMoved(m *geom.Affine, c Box) {
	for row := range 3 {
		lo, hi := m[4*row+3], m[4*row+3]
		for k := range 3 {
			x, y := m[4*row+k]*float64(c.Lo[k]), m[4*row+k]*float64(c.Hi[k])
			lo, hi = lo+min(x, y), hi+max(x, y)
		}
		b.Lo[row], b.Hi[row] = min(b.Lo[row], float32(lo)), max(b.Hi[row], float32(hi))
	}
}

// bounds gives the box of a posed model without reading its vertices. Each joint moves the box of the vertices that it
// influences. Linear blending stays within the union of the moved boxes; the other methods leave it by little.
type bounds struct {
	joints []Box
	driven []Box // rest with the boxes of proxy bones added to the joints that carry them; nil without proxy bones
	rigid  []Box
	nodes  []int
}

func newBounds(m *skinning.Model) *bounds {
	b := &bounds{joints: make([]Box, len(m.Skeleton.Joints))}
	for j := range b.joints {
		b.joints[j] = EmptyBox()
	}
	var buf []skinning.Influence
	add := func(v int, p mgl32.Vec3) {
		buf = m.Skin.Of(buf[:0], v)
		for _, f := range buf {
			b.joints[f.Joint].Add(p)
		}
	}
	eachMorphed(&m.Skin, add)
	if m.IsSkeleton() {
		for j := range b.joints {
			b.joints[j].Add(geom.Vec32(m.Skeleton.Joints[j].Position))
		}
	}
	for i := range m.Rigid {
		r := EmptyBox()
		eachMorphed(&m.Rigid[i], func(_ int, p mgl32.Vec3) { r.Add(p) })
		b.rigid = append(b.rigid, r)
		b.nodes = append(b.nodes, m.Rigid[i].Parts[0].Node)
	}
	b.carryProxies(m)
	return b
}

// eachMorphed gives f the unposed vertices of a mesh, without morph targets and with each target alone at weight 1.
func eachMorphed(mesh *skinning.Mesh, f func(v int, p mgl32.Vec3)) {
	for v, p := range mesh.Positions {
		f(v, p)
	}
	for i := range mesh.Morphs {
		t := &mesh.Morphs[i]
		for k, d := range t.Positions {
			f(t.FirstVertex+k, mesh.Positions[t.FirstVertex+k].Add(d))
		}
	}
}

// Of returns the box of a frame: of the joints for a model without meshes, all zero for one without joints either. It
// allocates nothing.
func (b *bounds) Of(f *skinning.Frame) Box {
	out := EmptyBox()
	joints := b.joints
	if b.driven != nil && !f.Baked {
		joints = b.driven
	}
	for j := range joints {
		if !joints[j].empty() {
			out.addMoved(&f.Matrices[j], joints[j])
		}
	}
	for i := range b.rigid {
		if !b.rigid[i].empty() {
			out.addMoved(&f.Globals[b.nodes[i]], b.rigid[i])
		}
	}
	for c := range out.Lo {
		// A pose with NaN or huge coordinates must not affect the camera, the floor and the lights.
		if out.empty() || !(out.Hi[c]-out.Lo[c] < 1e18) {
			return Box{}
		}
	}
	return out
}

// The least and the largest distance from a joint to the sides of its box, as shares of the model's size.
const (
	leastAround = 0.03
	mostAround  = 0.2
)

// AroundJoint returns the box that a camera frames to show a joint in a pose: the joint's place, and as far to all
// sides as the farthest joint next to it in the hierarchy.
func AroundJoint(f *skinning.Frame, joint int) Box {
	rig, size := &f.Model.Skeleton, f.Model.Diagonal()
	node := rig.Joints[joint].Node
	at := f.Globals[node].Translation()
	far := 0.0
	for j := range rig.Joints {
		if n := rig.Joints[j].Node; rig.Nodes[n].Parent == node || rig.Nodes[node].Parent == n {
			far = max(far, f.Globals[n].Translation().Sub(at).Len())
		}
	}
	half := float32(min(max(far, leastAround*size), mostAround*size))
	if !(half > 0) { // neither a size nor another joint
		half = 1
	}
	side := mgl32.Vec3{half, half, half}
	return Box{geom.Vec32(at).Sub(side), geom.Vec32(at).Add(side)}
}

// PosedBounds returns the box that a camera frames: the box around a frame's posed vertices, of the skin by linear
// blending and of the rigid meshes. A model without meshes gives the box around its joints, and one without joints
// either two corners of zero.
func PosedBounds(f *skinning.Frame) (lo, hi mgl32.Vec3) {
	f.SolveProxies()
	out := EmptyBox()
	mesh := &f.Model.Skin
	var buf []skinning.Influence
	for v, p := range mesh.RestPositions(f.Morphs) {
		buf = mesh.Of(buf[:0], v)
		var sum mgl64.Vec3
		for _, in := range buf {
			sum = sum.Add(f.Matrices[in.Joint].Apply(p).Mul(float64(in.Weight)))
		}
		out.Add(geom.Vec32(sum))
	}
	for i := range f.Model.Rigid {
		g := &f.Globals[f.Model.Rigid[i].Parts[0].Node]
		for _, p := range f.Model.Rigid[i].RestPositions(f.Morphs) {
			out.Add(geom.Vec32(g.Apply(p)))
		}
	}
	if f.Model.IsSkeleton() {
		for _, p := range f.Model.Skeleton.JointPlaces(f.Globals) {
			out.Add(p)
		}
	}
	if out.empty() {
		return
	}
	return out.Lo, out.Hi
}
