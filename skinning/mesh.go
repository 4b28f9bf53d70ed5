package skinning

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/kernel"
)

// A vertex is bound to joints as kernels read it.
type (
	Binding    = kernel.Binding
	Influence  = kernel.Influence
	Influences = kernel.Influences
)

// Mesh is triangles over shared vertices. A skin's mesh is in rest space and has Influences; a rigid mesh is in its
// node's space and has none. Vertices are in the order of the file: mesh nodes by node index, their primitives in
// order.
type Mesh struct {
	Positions []mgl32.Vec3
	Normals   []mgl32.Vec3 // unit, one per vertex: from the file, or computed where it has none
	Triangles [][3]uint32
	Parts     []Part  // consecutive ranges that cover all vertices and all triangles
	Morphs    []Morph // each over one part's vertices
	Surface
	Influences
	// Inputs are the data of inputs of methods that the file or a fit has, each once. Other meshes have none.
	Inputs []InputData
	// Instanced says that the parts of a rigid mesh hold the file's primitives several times, each in its place.
	Instanced bool
}

// Part is one primitive of the file.
type Part struct {
	Name                         string // the mesh's name, else the node's
	Node                         int    // the mesh's node
	Primitive                    int    // index in the file's mesh
	FirstVertex, VertexCount     int
	FirstTriangle, TriangleCount int
	Material                     int // index into Model.Materials, −1 for none
}

// Morph is one morph target of one part. Its deltas are added to the rest vertices FirstVertex, FirstVertex+1, … times
// the weight of its slot, before skinning.
type Morph struct {
	Slot        int // index into Model.MorphSlots
	FirstVertex int
	Positions   []mgl32.Vec3 // deltas, same space as the mesh
	Normals     []mgl32.Vec3 // deltas; nil where the target has none
	Tangents    []mgl32.Vec3 // deltas of Surface.Tangents; nil likewise
}

// MorphSlot is one animatable morph weight: a target of a mesh node, shared by the node's parts.
type MorphSlot struct {
	Name    string
	Node    int
	Target  int // index in the file's mesh
	Default float64
}

// ComputeNormals returns area-weighted vertex normals, summed over the triangles that share a vertex index. A vertex
// without area gets (0, 1, 0).
func ComputeNormals(positions []mgl32.Vec3, triangles [][3]uint32) []mgl32.Vec3 {
	sum := make([]mgl64.Vec3, len(positions))
	for _, t := range triangles {
		a := geom.Vec64(positions[t[0]])
		n := geom.Vec64(positions[t[1]]).Sub(a).Cross(geom.Vec64(positions[t[2]]).Sub(a))
		for _, v := range t {
			sum[v] = sum[v].Add(n)
		}
	}
	out := make([]mgl32.Vec3, len(positions))
	for i, n := range sum {
		out[i] = geom.Vec32(geom.UnitOr(n, mgl64.Vec3{0, 1, 0}))
	}
	return out
}

// RestRange writes vertices first, first+1, … of the unposed mesh into dst, with its morph targets applied at the given
// weights, one per morph slot. The result is the Rest of a [kernel.Stream]. It allocates nothing.
func (m *Mesh) RestRange(dst []mgl32.Vec3, first int, weights []float64) {
	copy(dst, m.Positions[first:first+len(dst)])
	for i := range m.Morphs {
		t := &m.Morphs[i]
		w := float32(weights[t.Slot])
		from := max(first, t.FirstVertex)
		to := min(first+len(dst), t.FirstVertex+len(t.Positions))
		if w != 0 && from < to {
			addScaled(dst[from-first:to-first], t.Positions[from-t.FirstVertex:to-t.FirstVertex], w)
		}
	}
}

// AgainstNormals counts the triangles of a part that wind against their normals. In such a triangle the normal by the
// order of its corners points away from the sum of its vertices' normals. Triangles without an area do not count.
func (m *Mesh) AgainstNormals(p *Part) (count int) {
	for _, t := range m.Triangles[p.FirstTriangle : p.FirstTriangle+p.TriangleCount] {
		a, b, c := m.Positions[t[0]], m.Positions[t[1]], m.Positions[t[2]]
		n := m.Normals[t[0]].Add(m.Normals[t[1]]).Add(m.Normals[t[2]])
		if b.Sub(a).Cross(c.Sub(a)).Dot(n) < 0 {
			count++
		}
	}
	return count
}
