package skin

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/gpu"
	"skinlab/skinning"
)

// Vertex is the interleaved rest stream, and the layout of the posed stream too.
type Vertex struct{ Position, Normal mgl32.Vec3 }

// Attribute locations, the same in all passes. Position and normal are at rest where the pass poses, else posed.
const (
	AttributePosition = iota
	AttributeNormal
	attributeJoints
	attributeWeights
	AttributeExtra // first and number of the fifth and further influences
	attributeCenter
	attributeUV
	attributeTint
	AttributeValue
)

const VertexSize = int32(unsafe.Sizeof(Vertex{}))

// Streams are a model's vertices on the GPU: the skin's first, then each rigid mesh's. What they are bound to is in
// bound: a rigid vertex has one influence, its mesh's own palette entry behind the joints, so that one pass poses
// everything.
type Streams struct {
	rest  *gpu.Buffer[Vertex]
	uv    *gpu.Buffer[mgl32.Vec2]
	Index *gpu.Buffer[[3]uint32]
	Posed *gpu.Buffer[Vertex] // written by the pose pass

	SkinVertices, All int
	First             []int // first vertex of the skin and of each rigid mesh
}

// newStreams uploads the static streams. It returns the rest stream too, which morphs may need.
func newStreams(o *gpu.Owner, m *skinning.Model) (s *Streams, rest []Vertex) {
	s = &Streams{SkinVertices: len(m.Skin.Positions)}
	var uv []mgl32.Vec2
	var index [][3]uint32
	add := func(mesh *skinning.Mesh) {
		base := len(rest)
		s.First = append(s.First, base)
		for v, p := range mesh.Positions {
			rest = append(rest, Vertex{p, mesh.Normals[v]})
		}
		if mesh.UVs != nil {
			uv = append(uv, mesh.UVs...)
		} else {
			uv = append(uv, make([]mgl32.Vec2, len(mesh.Positions))...)
		}
		for _, t := range mesh.Triangles {
			index = append(index, [3]uint32{t[0] + uint32(base), t[1] + uint32(base), t[2] + uint32(base)})
		}
	}
	add(&m.Skin)
	for i := range m.Rigid {
		add(&m.Rigid[i])
	}
	s.All = len(rest)
	s.rest = gpu.NewBuffer(o, "rest", gl.ARRAY_BUFFER, gl.STATIC_DRAW, rest)
	s.uv = gpu.NewBuffer(o, "texture coordinates", gl.ARRAY_BUFFER, gl.STATIC_DRAW, uv)
	gl.BindVertexArray(0) // an index buffer must not land in a vertex array that happens to be bound
	s.Index = gpu.NewBuffer(o, "triangles", gl.ELEMENT_ARRAY_BUFFER, gl.STATIC_DRAW, index)
	s.Posed = gpu.NewBuffer(o, "posed", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, make([]Vertex, s.All))
	return s, rest
}

// BindStreams binds a vertex array of a [Binding].
func BindStreams(array uint32) {
	gl.BindVertexArray(array)
	gl.VertexAttribI4ui(AttributeExtra, 0, 0, 0, 0) // read where the model has no further influences
}
