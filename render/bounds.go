package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// box is an axis-aligned box; empty while lo > hi.
type box struct{ lo, hi mgl32.Vec3 }

func emptyBox() box {
	const inf = math.MaxFloat32
	return box{mgl32.Vec3{inf, inf, inf}, mgl32.Vec3{-inf, -inf, -inf}}
}

func (b *box) add(p mgl32.Vec3) {
	for c := range p {
		b.lo[c], b.hi[c] = min(b.lo[c], p[c]), max(b.hi[c], p[c])
	}
}

func (b box) empty() bool        { return b.lo[0] > b.hi[0] }
func (b box) center() mgl32.Vec3 { return b.lo.Add(b.hi).Mul(0.5) }
func (b box) diagonal() float32  { return b.hi.Sub(b.lo).Len() }
func (b box) corner(i int) (p mgl32.Vec3) {
	for k := range p {
		p[k] = b.lo[k]
		if i>>k&1 == 1 {
			p[k] = b.hi[k]
		}
	}
	return p
}

// addMoved adds the corners of c moved by m: the least and the largest of each coordinate come from the least and the
// largest of its terms (Arvo 1990, "Transforming axis-aligned bounding boxes").
func (b *box) addMoved(m *geom.Affine, c box) {
	for row := range 3 {
		lo, hi := m[4*row+3], m[4*row+3]
		for k := range 3 {
			x, y := m[4*row+k]*float64(c.lo[k]), m[4*row+k]*float64(c.hi[k])
			lo, hi = lo+min(x, y), hi+max(x, y)
		}
		b.lo[row], b.hi[row] = min(b.lo[row], float32(lo)), max(b.hi[row], float32(hi))
	}
}

// bounds gives the box of a posed model without touching its vertices: each joint carries the box of the vertices that
// it moves. Linear blends lie within the union of the moved boxes; the other methods bulge past it by little.
type bounds struct {
	joints []box
	driven []box // the same with those of proxy bones at the joints that carry them; nil where there are none
	rigid  []box
	nodes  []int
}

func newBounds(m *skinning.Model) *bounds {
	b := &bounds{joints: make([]box, len(m.Skeleton.Joints))}
	for j := range b.joints {
		b.joints[j] = emptyBox()
	}
	var buf []skinning.Influence
	add := func(v int, p mgl32.Vec3) {
		buf = m.Skin.Of(buf[:0], v)
		for _, f := range buf {
			b.joints[f.Joint].add(p)
		}
	}
	for v, p := range m.Skin.Positions {
		add(v, p)
	}
	for i := range m.Skin.Morphs { // each target alone at full weight
		t := &m.Skin.Morphs[i]
		for k, d := range t.Positions {
			add(t.FirstVertex+k, m.Skin.Positions[t.FirstVertex+k].Add(d))
		}
	}
	for i := range m.Rigid {
		r := emptyBox()
		for _, p := range m.Rigid[i].Positions {
			r.add(p)
		}
		b.rigid = append(b.rigid, r)
		b.nodes = append(b.nodes, m.Rigid[i].Parts[0].Node)
	}
	b.carryProxies(m)
	return b
}

// Of returns the box of a frame, all zero for a model without vertices. It allocates nothing.
func (b *bounds) Of(f *skinning.Frame) box {
	out := emptyBox()
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
	for c := range out.lo {
		// A pose that blew up must not take the camera, the floor and the lights with it.
		if out.empty() || !(out.hi[c]-out.lo[c] < 1e18) {
			return box{}
		}
	}
	return out
}

// PosedBounds returns the bounding box of a frame's model, skin by linear blending and rigid meshes, vertex by vertex:
// what a camera frames. Both corners are zero for a model without vertices.
func PosedBounds(f *skinning.Frame) (lo, hi mgl32.Vec3) {
	f.SolveProxies()
	out := emptyBox()
	mesh := &f.Model.Skin
	var buf []skinning.Influence
	for v, p := range mesh.RestShape(f.Morphs).Positions {
		buf = mesh.Of(buf[:0], v)
		var sum mgl64.Vec3
		for _, in := range buf {
			sum = sum.Add(f.Matrices[in.Joint].Apply(p).Mul(float64(in.Weight)))
		}
		out.add(geom.Vec32(sum))
	}
	for i := range f.Model.Rigid {
		g := &f.Globals[f.Model.Rigid[i].Parts[0].Node]
		for _, p := range f.Model.Rigid[i].Positions {
			out.add(geom.Vec32(g.Apply(geom.Vec64(p))))
		}
	}
	if out.empty() {
		return
	}
	return out.lo, out.hi
}
