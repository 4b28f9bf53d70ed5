package skinning

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// OneRings lists the triangles round every vertex of a mesh, so that normals can be summed from a posed surface: This
// is the third pass of RTER (section 6). Transformed normals are tested against the result.
//
// Files split a vertex where texture coordinates jump, and where an edge is hard. The copies of the first kind are
// one point of the surface and share a ring, so that no seam shows; those of the second kind, told by their rest
// normals, keep rings of their own, so that hard edges stay hard. Vertices of two characters may rest at one place
// too. They keep rings of their own, because the joints that they follow most are at different nodes.
type OneRings struct {
	Rings     []Ring   // one per vertex; the copies of a point have the same triangles
	Triangles []uint32 // indices into the mesh's triangles, ring after ring
	mesh      [][3]uint32
	point     []int // of each vertex the first that is the same point of the surface
}

// Ring is the triangles round a vertex: OneRings.Triangles[First:First+Count].
type Ring struct {
	First, Count uint32
	// Reversed is set if the triangles face against the vertex's normal at rest.
	Reversed bool
}

// seamCosine is the cosine of 2 degrees: copies of a vertex at a seam have one normal but for rounding, hard edges turn
// by more.
const seamCosine = 0.99939

// NewOneRings collects the rings of a mesh at rest, whose bindings, if it has any, name joints. It keeps the triangles.
// It panics where normals are not one per position.
func NewOneRings(mesh *Mesh, joints []Joint) *OneRings {
	positions, normals, triangles := mesh.Positions, mesh.Normals, mesh.Triangles
	if len(positions) != len(normals) {
		panic(fmt.Sprintf("skinning: NewOneRings: %d positions, %d normals", len(positions), len(normals)))
	}
	point := weld(mesh, joints)
	// A triangle is once in the ring of each point that it touches: a counting sort by point.
	start := make([]uint32, len(positions)+1)
	eachPoint := func(f func(point, triangle int)) {
		for i, t := range triangles {
			a, b, c := point[t[0]], point[t[1]], point[t[2]]
			f(a, i)
			if b != a {
				f(b, i)
			}
			if c != a && c != b {
				f(c, i)
			}
		}
	}
	eachPoint(func(p, _ int) { start[p+1]++ })
	for p := range positions {
		start[p+1] += start[p]
	}
	o := &OneRings{Rings: make([]Ring, len(positions)), Triangles: make([]uint32, start[len(positions)]), mesh: triangles,
		point: point}
	next := append([]uint32(nil), start...)
	eachPoint(func(p, triangle int) {
		o.Triangles[next[p]] = uint32(triangle)
		next[p]++
	})
	for v, p := range point {
		o.Rings[v] = Ring{First: start[p], Count: start[p+1] - start[p]}
	}
	for v, area := range o.areas(geom.Vecs64(positions)) {
		o.Rings[v].Reversed = area.Dot(geom.Vec64(normals[v])) < 0
	}
	return o
}

// weld returns for each vertex the first one that is the same point of the surface: at the same place, with the same
// normal, and with the same node of the joint that it follows most.
func weld(mesh *Mesh, joints []Joint) []int {
	type place struct {
		at   mgl32.Vec3
		node int
	}
	normals := mesh.Normals
	point := make([]int, len(mesh.Positions))
	at := make(map[place]int, len(point)) // the first vertex at a place
	var next map[int]int                  // further points at the place of a first one, as a list
	for v, p := range mesh.Positions {
		for c := range p {
			p[c] += 0 // −0 and 0 are one place
		}
		own := place{at: p}
		if len(mesh.Bindings) > 0 {
			own.node = joints[mesh.Bindings[v].Joints[0]].Node // strongest first
		}
		first, ok := at[own]
		if !ok {
			at[own], point[v] = v, v
			continue
		}
		for {
			if normals[first].Dot(normals[v]) >= seamCosine {
				point[v] = first
				break
			}
			further, ok := next[first]
			if !ok {
				if next == nil {
					next = make(map[int]int)
				}
				next[first], point[v] = v, v
				break
			}
			first = further
		}
	}
	return point
}

// areas returns for each vertex the sum of the cross products of its ring's triangles: twice their vector area. The
// copies of a point share one sum. Where a file shows a rigid mesh hundreds of times at one place, a point has hundreds
// of copies, and sums of their own would take time with the square of their number.
func (o *OneRings) areas(positions []mgl64.Vec3) []mgl64.Vec3 {
	areas := make([]mgl64.Vec3, len(positions))
	for v, r := range o.Rings {
		if first := o.point[v]; first != v {
			areas[v] = areas[first]
			continue
		}
		for _, i := range o.Triangles[r.First : r.First+r.Count] {
			t := o.mesh[i]
			a := positions[t[0]]
			areas[v] = areas[v].Add(positions[t[1]].Sub(a).Cross(positions[t[2]].Sub(a)))
		}
	}
	return areas
}

// Normals returns the unit normals of a posed mesh, each the sum of the cross products of its ring. A vertex whose ring
// has no area keeps the transformed normal of s. Mirrored says that a joint of the pose mirrors, which turns triangles
// inside out: normals then take the side of the transformed ones. CPU twin of onering.glsl in package shaders.
func (o *OneRings) Normals(s Shape, mirrored bool) []mgl64.Vec3 {
	out := o.areas(s.Positions)
	for v, n := range out {
		if mirrored && n.Dot(s.Normals[v]) < 0 || !mirrored && o.Rings[v].Reversed {
			n = n.Mul(-1)
		}
		if l := n.Len(); !(l > 0) || math.IsInf(l, 0) {
			n = s.Normals[v]
		}
		out[v] = geom.UnitOr(n, mgl64.Vec3{0, 1, 0})
	}
	return out
}

// Mirrored reports whether a joint of the pose has a mirroring matrix. Joints of the model's SolvedRig do not count:
// LazyProxies leaves their matrices behind.
func (f *Frame) Mirrored() bool {
	for _, j := range f.turned {
		if f.Matrices[j].Linear().Det() < 0 {
			return true
		}
	}
	return false
}

// WantsSurfaceNormals reports whether the normals of a skin that a method poses must be summed from the posed
// triangles, because skinned rest normals would be wrong. That is so for a linear rig (RTER's third pass) and for morph
// targets that move vertices without deltas of normals. Skinned rest normals would show the folds of linear blending on
// a skin that is round.
func (f *Frame) WantsSurfaceNormals(method Method) bool {
	return f.Model.WantsSurfaceNormals(method) || slices.ContainsFunc(f.Model.Skin.Morphs, func(t Morph) bool {
		return t.Normals == nil && f.Morphs[t.Slot] != 0
	})
}

// WantsSurfaceNormals reports whether [Frame.WantsSurfaceNormals] holds in every pose, whatever the morph targets do.
func (m *Model) WantsSurfaceNormals(method Method) bool {
	return RigOf[LinearRig](m) != nil && method.Reads() == 0
}

// WithSurfaceNormals returns the shape in which a method poses the skin with normals summed from its triangles.
func (f *Frame) WithSurfaceNormals(s Shape) Shape {
	rings := NewOneRings(&f.Model.Skin, f.Model.Skeleton.Joints)
	return Shape{Positions: s.Positions, Normals: rings.Normals(s, f.Mirrored())}
}
