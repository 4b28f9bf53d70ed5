package render

import (
	"math"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
)

// restVertex is the interleaved rest stream, and the layout of the posed stream too.
type restVertex struct{ position, normal mgl32.Vec3 }

// Attribute locations of the pose pass (0 and 1 are position and normal in every pass).
const (
	attributePosition = iota
	attributeNormal
	attributeJoints // in passes after posing: the texture coordinates
	attributeWeights
	attributeExtra
	attributeCenter
)

const attributeUV = attributeJoints

// streams are a model's vertices on the GPU: the skin's first, then each rigid mesh's. A rigid vertex has one influence, its
// mesh's own palette entry behind the joints, so that one pass poses everything.
type streams struct {
	rest    *buffer[restVertex]
	binding *buffer[skinning.Binding]
	extra   *buffer[[2]uint32]
	center  *buffer[uint32]
	uv      *buffer[mgl32.Vec2]
	index   *buffer[[3]uint32]
	posed   *buffer[restVertex] // written by transform feedback
	further *textureBuffer[[2]uint32]

	poseArray, drawArray uint32
	skinVertices, all    int
	first                []int // first vertex of the skin and of each rigid mesh
}

// newStreams uploads the static streams. It returns the rest stream too, which morphs may need.
func newStreams(m *skinning.Model, centers *skinning.CenterSets) (s *streams, rest []restVertex, err error) {
	s = &streams{skinVertices: len(m.Skin.Positions)}
	defer func() {
		if err != nil {
			s.Delete()
		}
	}()
	var binding []skinning.Binding
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
	binding = append(binding, m.Skin.Bindings...)
	for i := range m.Rigid {
		add(&m.Rigid[i])
		own := skinning.Binding{Joints: [4]uint16{uint16(len(m.Skeleton.Joints) + i)}, Weights: [4]float32{1}}
		for range m.Rigid[i].Positions {
			binding = append(binding, own)
		}
	}
	s.all = len(rest)

	if s.rest, err = newBuffer("rest", gl.ARRAY_BUFFER, gl.STATIC_DRAW, rest); err != nil {
		return nil, nil, err
	}
	if s.binding, err = newBuffer("influences", gl.ARRAY_BUFFER, gl.STATIC_DRAW, binding); err != nil {
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
	// Rigid vertices pose by LBS, which reads no centre: theirs are 0.
	sets := append(append(make([]uint32, 0, s.all), centers.OfVertex...), make([]uint32, s.all-s.skinVertices)...)
	if s.center, err = newBuffer("centre sets", gl.ARRAY_BUFFER, gl.STATIC_DRAW, sets); err != nil {
		return nil, nil, err
	}
	if err = s.uploadExtra(&m.Skin.Influences); err != nil {
		return nil, nil, err
	}
	s.makeArrays()
	return s, rest, glError("vertex arrays of %q", m.Name)
}

// uploadExtra sends the fifth and further influences. Without any, attributeExtra keeps its constant 0 and costs nothing.
func (s *streams) uploadExtra(in *skinning.Influences) (err error) {
	further := make([][2]uint32, len(in.Extra))
	for i, f := range in.Extra {
		further[i] = [2]uint32{uint32(f.Joint), math.Float32bits(f.Weight)}
	}
	if s.further, err = newTextureBuffer("further influences", gl.RG32UI, gl.STATIC_DRAW, further); err != nil || len(further) == 0 {
		return err
	}
	ranges := make([][2]uint32, s.all)
	for v := range in.Bindings {
		ranges[v] = [2]uint32{in.ExtraStart[v], in.ExtraStart[v+1] - in.ExtraStart[v]}
	}
	s.extra, err = newBuffer("further influence ranges", gl.ARRAY_BUFFER, gl.STATIC_DRAW, ranges)
	return err
}

// makeArrays describes the streams to the pose pass and to the passes that draw what it wrote.
func (s *streams) makeArrays() {
	const vertex = int32(unsafe.Sizeof(restVertex{}))
	const influence = int32(unsafe.Sizeof(skinning.Binding{}))
	gl.GenVertexArrays(1, &s.poseArray)
	gl.BindVertexArray(s.poseArray)
	floats := func(b uint32, at uint32, n int32, stride int32, offset uintptr) {
		gl.BindBuffer(gl.ARRAY_BUFFER, b)
		gl.EnableVertexAttribArray(at)
		gl.VertexAttribPointerWithOffset(at, n, gl.FLOAT, false, stride, offset)
	}
	integers := func(b uint32, at uint32, n int32, kind uint32, stride int32) {
		gl.BindBuffer(gl.ARRAY_BUFFER, b)
		gl.EnableVertexAttribArray(at)
		gl.VertexAttribIPointerWithOffset(at, n, kind, stride, 0)
	}
	floats(s.rest.id, attributePosition, 3, vertex, 0)
	floats(s.rest.id, attributeNormal, 3, vertex, unsafe.Offsetof(restVertex{}.normal))
	integers(s.binding.id, attributeJoints, 4, gl.UNSIGNED_SHORT, influence)
	floats(s.binding.id, attributeWeights, 4, influence, unsafe.Offsetof(skinning.Binding{}.Weights))
	if s.extra != nil {
		integers(s.extra.id, attributeExtra, 2, gl.UNSIGNED_INT, 8)
	}
	integers(s.center.id, attributeCenter, 1, gl.UNSIGNED_INT, 4)

	gl.GenVertexArrays(1, &s.drawArray)
	gl.BindVertexArray(s.drawArray)
	floats(s.posed.id, attributePosition, 3, vertex, 0)
	floats(s.posed.id, attributeNormal, 3, vertex, unsafe.Offsetof(restVertex{}.normal))
	floats(s.uv.id, attributeUV, 2, 8, 0)
	gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, s.index.id)
	gl.BindVertexArray(0)
}

// Delete is nil-safe and releases in reverse order.
func (s *streams) Delete() {
	if s == nil {
		return
	}
	if s.poseArray != 0 {
		gl.DeleteVertexArrays(1, &s.drawArray)
		gl.DeleteVertexArrays(1, &s.poseArray)
		s.poseArray, s.drawArray = 0, 0
	}
	s.extra.Delete()
	s.further.Delete()
	s.center.Delete()
	s.posed.Delete()
	s.index.Delete()
	s.uv.Delete()
	s.binding.Delete()
	s.rest.Delete()
}
