package skin

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/gpu"
	"skinlab/skinning"
)

// Vertex is an element of the interleaved vertex streams, at rest and posed.
type Vertex struct{ Position, Normal mgl32.Vec3 }

// Attribute locations, the same in all passes. Passes that pose get the position and normal at rest, the others get
// them posed.
const (
	AttributePosition = iota
	AttributeNormal
	attributeJoints
	attributeWeights
	attributeExtra // index of the fifth influence and number of those from it on
	attributeCenter
	attributeUV
	attributeTint
	AttributeValue
	attributeSecondJoints
	attributeSecondWeights
	attributeSecondExtra // as AttributeExtra, of the second weight set
	attributeValues      // numbers that the method reads
	attributeTangent
	attributeSecondUV
	attributeColor
)

const VertexSize = int32(unsafe.Sizeof(Vertex{}))

// Streams are a model's vertices on the GPU: first the skin's, then those of each rigid mesh. bound holds their
// influences. A rigid vertex has one influence, its mesh's own palette entry after the joints, so that one pass poses
// everything.
type Streams struct {
	rest  *gpu.Buffer[Vertex]
	uv    *gpu.Buffer[mgl32.Vec2]
	Index *gpu.Buffer[[3]uint32]
	Posed *gpu.Buffer[Vertex] // written by the pose pass

	// What materials read of vertices besides; nil where no mesh has it. The tangents are at rest, and posed.
	secondUV                *gpu.Buffer[mgl32.Vec2]
	color                   *gpu.Buffer[skinning.Color]
	tangents, PosedTangents *gpu.Buffer[mgl32.Vec4]

	SkinVertices, All int
	First             []int // first vertex of the skin and of each rigid mesh
}

// newStreams uploads the static streams. It also returns the vertices and the tangents at rest, which morphs may need.
func newStreams(o *gpu.Owner, m *skinning.Model) (s *Streams, rest []Vertex, tangents []mgl32.Vec4) {
	s = &Streams{SkinVertices: len(m.Skin.Positions)}
	var all skinning.Surface
	var index [][3]uint32
	add := func(mesh *skinning.Mesh) {
		base := len(rest)
		s.First = append(s.First, base)
		for v, p := range mesh.Positions {
			rest = append(rest, Vertex{p, mesh.Normals[v]})
		}
		all.Extend(base, &mesh.Surface, len(mesh.Positions), func(t mgl32.Vec4) mgl32.Vec4 { return t })
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
	s.uv = streamOf(o, "texture coordinates", all.UVs)
	s.secondUV = streamOf(o, "second texture coordinates", all.SecondUVs)
	s.color = streamOf(o, "colours", all.Colors)
	s.tangents = streamOf(o, "tangents", all.Tangents)
	if all.Tangents != nil {
		s.PosedTangents = gpu.NewBuffer(o, "posed tangents", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, all.Tangents)
	}
	gl.BindVertexArray(0) // so that binding an index buffer does not change a vertex array
	s.Index = gpu.NewBuffer(o, "triangles", gl.ELEMENT_ARRAY_BUFFER, gl.STATIC_DRAW, index)
	s.Posed = gpu.NewBuffer(o, "posed", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, make([]Vertex, s.All))
	return s, rest, all.Tangents
}

// streamOf uploads a stream that a model may lack; then it is nil.
func streamOf[T any](o *gpu.Owner, label string, data []T) *gpu.Buffer[T] {
	if data == nil {
		return nil
	}
	return gpu.NewBuffer(o, label, gl.ARRAY_BUFFER, gl.STATIC_DRAW, data)
}

// BindStreams binds a vertex array of a [Binding].
func BindStreams(array uint32) {
	gl.BindVertexArray(array)
	gl.VertexAttribI4ui(attributeExtra, 0, 0, 0, 0) // the values in models without further influences
	gl.VertexAttribI4ui(attributeSecondExtra, 0, 0, 0, 0)
	gl.VertexAttrib4f(attributeTangent, 0, 0, 0, 0) // none
	gl.VertexAttrib4f(attributeColor, 1, 1, 1, 1)
}
