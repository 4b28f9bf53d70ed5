package render

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
)

// restVertex is the interleaved rest stream, and the layout of the posed stream too.
type restVertex struct{ position, normal mgl32.Vec3 }

// Attribute locations, the same in all passes. Position and normal are at rest where the pass poses, else posed.
const (
	attributePosition = iota
	attributeNormal
	attributeJoints
	attributeWeights
	attributeExtra
	attributeCenter
	attributeUV
	attributeTint
	attributeValue
)

const vertexSize = int32(unsafe.Sizeof(restVertex{}))

// streams are a model's vertices on the GPU: the skin's first, then each rigid mesh's. What they are bound to is in
// bound: a rigid vertex has one influence, its mesh's own palette entry behind the joints, so that one pass poses
// everything.
type streams struct {
	rest  *buffer[restVertex]
	uv    *buffer[mgl32.Vec2]
	index *buffer[[3]uint32]
	posed *buffer[restVertex] // written by the pose pass

	skinVertices, all int
	first             []int // first vertex of the skin and of each rigid mesh
}

// newStreams uploads the static streams. It returns the rest stream too, which morphs may need.
func newStreams(m *skinning.Model) (s *streams, rest []restVertex, err error) {
	s = &streams{skinVertices: len(m.Skin.Positions)}
	defer func() {
		if err != nil {
			s.Delete()
		}
	}()
	var uv []mgl32.Vec2
	var index [][3]uint32
	add := func(mesh *skinning.Mesh) {
		base := len(rest)
		s.first = append(s.first, base)
		for v, p := range mesh.Positions {
			rest = append(rest, restVertex{p, mesh.Normals[v]})
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
	s.all = len(rest)

	if s.rest, err = newBuffer("rest", gl.ARRAY_BUFFER, gl.STATIC_DRAW, rest); err != nil {
		return nil, nil, err
	}
	if s.uv, err = newBuffer("texture coordinates", gl.ARRAY_BUFFER, gl.STATIC_DRAW, uv); err != nil {
		return nil, nil, err
	}
	gl.BindVertexArray(0) // an index buffer must not land in a vertex array that happens to be bound
	if s.index, err = newBuffer("triangles", gl.ELEMENT_ARRAY_BUFFER, gl.STATIC_DRAW, index); err != nil {
		return nil, nil, err
	}
	if s.posed, err = newBuffer("posed", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, make([]restVertex, s.all)); err != nil {
		return nil, nil, err
	}
	return s, rest, nil
}

// Delete is nil-safe and releases in reverse order.
func (s *streams) Delete() {
	if s == nil {
		return
	}
	s.posed.Delete()
	s.index.Delete()
	s.uv.Delete()
	s.rest.Delete()
}
