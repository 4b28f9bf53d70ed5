package render

import (
	"math"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/skinning"
)

// bound is one binding of a mesh to joints: the influences of its vertices and the palette that they read. A model has
// its own; a fitted model binds the same vertices to more joints.
type bound struct {
	model   *skinning.Model
	binding *buffer[skinning.Binding]
	extra   *buffer[[2]uint32]
	center  *buffer[uint32] // nil where the binding is posed by linear blending alone
	further *textureBuffer[[2]uint32]
	palette *palette
	proxies *proxyMatrices // nil where the GPU solves for no proxy bones
	bounds  *bounds
	tint    *buffer[Tint] // of SurfacePaint; nil for none

	poseArray uint32 // for passes that pose: the rest streams
	drawArray uint32 // for passes that draw what was posed: the posed stream. All else is the same in both
}

// newBound uploads the influences of m over the vertices of s. Without centers, which may be nil, only LBS poses it.
// Limit is the largest texture buffer in texels.
func newBound(m *skinning.Model, s *streams, centers *skinning.CenterSets, limit int) (b *bound, err error) {
	b = &bound{model: m, bounds: newBounds(m)}
	defer func() {
		if err != nil {
			b.Delete()
			b = nil
		}
	}()
	sets := 0
	if centers != nil {
		sets = len(centers.Joints)
	}
	if b.palette, err = newPalette(m, sets); err != nil {
		return
	}
	if b.proxies, err = newProxyMatrices(m, limit); err != nil {
		return
	}
	binding := append(make([]skinning.Binding, 0, s.all), m.Skin.Bindings...)
	for v := range binding {
		for k, j := range binding[v].Joints {
			binding[v].Joints[k] = b.palette.entry[j]
		}
	}
	for i := range m.Rigid {
		own := skinning.Binding{Joints: [4]uint16{uint16(len(b.palette.joints) + i)}, Weights: [4]float32{1}}
		for range m.Rigid[i].Positions {
			binding = append(binding, own)
		}
	}
	if b.binding, err = newBuffer("influences", gl.ARRAY_BUFFER, gl.STATIC_DRAW, binding); err != nil {
		return
	}
	if centers != nil {
		// Rigid vertices pose by LBS, which reads no centre: theirs are 0.
		of := append(append(make([]uint32, 0, s.all), centers.OfVertex...), make([]uint32, s.all-s.skinVertices)...)
		if b.center, err = newBuffer("centre sets", gl.ARRAY_BUFFER, gl.STATIC_DRAW, of); err != nil {
			return
		}
	}
	if err = b.uploadExtra(&m.Skin.Influences, s.all); err != nil {
		return
	}
	b.poseArray = b.makeArray(s, s.rest)
	b.drawArray = b.makeArray(s, s.posed)
	return b, glError("influences of %q", m.Name)
}

// uploadExtra sends the fifth and further influences. Without any, attributeExtra keeps its constant 0 and costs
// nothing.
func (b *bound) uploadExtra(in *skinning.Influences, vertices int) (err error) {
	further := make([][2]uint32, len(in.Extra))
	for i, f := range in.Extra {
		further[i] = [2]uint32{uint32(b.palette.entry[f.Joint]), math.Float32bits(f.Weight)}
	}
	if b.further, err = newTextureBuffer("further influences", gl.RG32UI, gl.STATIC_DRAW, further); err != nil ||
		len(further) == 0 {
		return err
	}
	ranges := make([][2]uint32, vertices)
	for v := range in.Bindings {
		ranges[v] = [2]uint32{in.ExtraStart[v], in.ExtraStart[v+1] - in.ExtraStart[v]}
	}
	b.extra, err = newBuffer("further influence ranges", gl.ARRAY_BUFFER, gl.STATIC_DRAW, ranges)
	return err
}

// makeArray describes the streams to passes, with rest or posed vertices.
func (b *bound) makeArray(s *streams, vertices *buffer[restVertex]) (array uint32) {
	const influence = int32(unsafe.Sizeof(skinning.Binding{}))
	gl.GenVertexArrays(1, &array)
	gl.BindVertexArray(array)
	floatAttribute(vertices.id, attributePosition, 3, vertexSize, 0)
	floatAttribute(vertices.id, attributeNormal, 3, vertexSize, unsafe.Offsetof(restVertex{}.normal))
	floatAttribute(s.uv.id, attributeUV, 2, 8, 0)
	gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, s.index.id)
	integerAttribute(b.binding.id, attributeJoints, 4, gl.UNSIGNED_SHORT, influence)
	floatAttribute(b.binding.id, attributeWeights, 4, influence, unsafe.Offsetof(skinning.Binding{}.Weights))
	if b.extra != nil {
		integerAttribute(b.extra.id, attributeExtra, 2, gl.UNSIGNED_INT, 8)
	}
	if b.center != nil {
		integerAttribute(b.center.id, attributeCenter, 1, gl.UNSIGNED_INT, 4)
	}
	gl.BindVertexArray(0)
	return array
}

// readTint lets the drawing passes read tints, or a constant where there are none.
func (b *bound) readTint(t *buffer[Tint]) {
	for _, array := range [...]uint32{b.poseArray, b.drawArray} {
		gl.BindVertexArray(array)
		if t == nil {
			gl.DisableVertexAttribArray(attributeTint)
		} else {
			gl.BindBuffer(gl.ARRAY_BUFFER, t.id)
			gl.EnableVertexAttribArray(attributeTint)
			gl.VertexAttribPointerWithOffset(attributeTint, 4, gl.UNSIGNED_BYTE, true, 4, 0)
		}
	}
	gl.BindVertexArray(0)
}

// Delete is nil-safe and releases in reverse order.
func (b *bound) Delete() {
	if b == nil {
		return
	}
	if b.poseArray != 0 {
		gl.DeleteVertexArrays(1, &b.drawArray)
		gl.DeleteVertexArrays(1, &b.poseArray)
		b.poseArray, b.drawArray = 0, 0
	}
	b.tint.Delete()
	b.extra.Delete()
	b.further.Delete()
	b.center.Delete()
	b.binding.Delete()
	b.proxies.Delete()
	b.palette.Delete()
}
