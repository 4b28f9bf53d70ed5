package render

import (
	"math"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/skinning"
)

// bound is one binding of a mesh to joints: the influences of its vertices and the palette that they read. A model has its own; a
// fitted model binds the same vertices to more joints.
type bound struct {
	model   *skinning.Model
	binding *buffer[skinning.Binding]
	extra   *buffer[[2]uint32]
	center  *buffer[uint32] // nil where the binding is posed by linear blending alone
	further *textureBuffer[[2]uint32]
	palette *palette
	bounds  *bounds
	tint    *buffer[Tint] // of SurfacePaint; nil for none

	poseArray uint32
}

// newBound uploads the influences of m over the vertices of s. Without centers, which may be nil, only LBS poses it.
func newBound(m *skinning.Model, s *streams, centers *skinning.CenterSets) (b *bound, err error) {
	b = &bound{model: m, bounds: newBounds(m)}
	defer func() {
		if err != nil {
			b.Delete()
			b = nil
		}
	}()
	binding := append(make([]skinning.Binding, 0, s.all), m.Skin.Bindings...)
	for i := range m.Rigid {
		own := skinning.Binding{Joints: [4]uint16{uint16(len(m.Skeleton.Joints) + i)}, Weights: [4]float32{1}}
		for range m.Rigid[i].Positions {
			binding = append(binding, own)
		}
	}
	if b.binding, err = newBuffer("influences", gl.ARRAY_BUFFER, gl.STATIC_DRAW, binding); err != nil {
		return
	}
	sets := 0
	if centers != nil {
		sets = len(centers.Joints)
		// Rigid vertices pose by LBS, which reads no centre: theirs are 0.
		of := append(append(make([]uint32, 0, s.all), centers.OfVertex...), make([]uint32, s.all-s.skinVertices)...)
		if b.center, err = newBuffer("centre sets", gl.ARRAY_BUFFER, gl.STATIC_DRAW, of); err != nil {
			return
		}
	}
	if err = b.uploadExtra(&m.Skin.Influences, s.all); err != nil {
		return
	}
	if b.palette, err = newPalette(m, sets); err != nil {
		return
	}
	b.makeArray(s)
	return b, glError("influences of %q", m.Name)
}

// uploadExtra sends the fifth and further influences. Without any, attributeExtra keeps its constant 0 and costs nothing.
func (b *bound) uploadExtra(in *skinning.Influences, vertices int) (err error) {
	further := make([][2]uint32, len(in.Extra))
	for i, f := range in.Extra {
		further[i] = [2]uint32{uint32(f.Joint), math.Float32bits(f.Weight)}
	}
	if b.further, err = newTextureBuffer("further influences", gl.RG32UI, gl.STATIC_DRAW, further); err != nil || len(further) == 0 {
		return err
	}
	ranges := make([][2]uint32, vertices)
	for v := range in.Bindings {
		ranges[v] = [2]uint32{in.ExtraStart[v], in.ExtraStart[v+1] - in.ExtraStart[v]}
	}
	b.extra, err = newBuffer("further influence ranges", gl.ARRAY_BUFFER, gl.STATIC_DRAW, ranges)
	return err
}

// makeArray describes the streams to the pose pass.
func (b *bound) makeArray(s *streams) {
	const influence = int32(unsafe.Sizeof(skinning.Binding{}))
	gl.GenVertexArrays(1, &b.poseArray)
	gl.BindVertexArray(b.poseArray)
	floatAttribute(s.rest.id, attributePosition, 3, vertexSize, 0)
	floatAttribute(s.rest.id, attributeNormal, 3, vertexSize, unsafe.Offsetof(restVertex{}.normal))
	integerAttribute(b.binding.id, attributeJoints, 4, gl.UNSIGNED_SHORT, influence)
	floatAttribute(b.binding.id, attributeWeights, 4, influence, unsafe.Offsetof(skinning.Binding{}.Weights))
	if b.extra != nil {
		integerAttribute(b.extra.id, attributeExtra, 2, gl.UNSIGNED_INT, 8)
	}
	if b.center != nil {
		integerAttribute(b.center.id, attributeCenter, 1, gl.UNSIGNED_INT, 4)
	}
	gl.BindVertexArray(0)
}

// Delete is nil-safe and releases in reverse order.
func (b *bound) Delete() {
	if b == nil {
		return
	}
	if b.poseArray != 0 {
		gl.DeleteVertexArrays(1, &b.poseArray)
		b.poseArray = 0
	}
	b.tint.Delete()
	b.palette.Delete()
	b.extra.Delete()
	b.further.Delete()
	b.center.Delete()
	b.binding.Delete()
}
