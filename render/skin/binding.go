package skin

import (
	"math"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/skinning"
)

// Binding is one binding of a mesh to joints: the influences of its vertices and the palette that they read. A model
// has its own; a fitted model binds the same vertices to more joints.
type Binding struct {
	model   *skinning.Model
	binding *gpu.Buffer[skinning.Binding]
	extra   *gpu.Buffer[[2]uint32]
	center  *gpu.Buffer[uint32] // nil where the binding is posed by linear blending alone
	Further *gpu.TextureBuffer[[2]uint32]
	Palette *palette
	proxies *proxyMatrices // nil where the GPU solves for no proxy bones
	Bounds  *bounds
	Tint    *gpu.Buffer[Tint] // of SurfacePaint; nil for none

	PoseArray uint32 // for passes that pose: the rest streams
	DrawArray uint32 // for passes that draw what was posed: the posed stream. All else is the same in both
}

// newBound uploads the influences of m over the vertices of s. Without centers, which may be nil, only LBS poses it.
// Limit is the largest texture buffer in texels.
func newBound(m *skinning.Model, s *Streams, centers *skinning.CenterSets, limit int) (b *Binding, err error) {
	b = &Binding{model: m, Bounds: newBounds(m)}
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
	if b.Palette, err = newPalette(m, sets); err != nil {
		return
	}
	if b.proxies, err = newProxyMatrices(m, limit); err != nil {
		return
	}
	binding := append(make([]skinning.Binding, 0, s.All), m.Skin.Bindings...)
	for v := range binding {
		for k, j := range binding[v].Joints {
			binding[v].Joints[k] = b.Palette.entry[j]
		}
	}
	for i := range m.Rigid {
		own := skinning.Binding{Joints: [4]uint16{uint16(len(b.Palette.joints) + i)}, Weights: [4]float32{1}}
		for range m.Rigid[i].Positions {
			binding = append(binding, own)
		}
	}
	if b.binding, err = gpu.NewBuffer("influences", gl.ARRAY_BUFFER, gl.STATIC_DRAW, binding); err != nil {
		return
	}
	if centers != nil {
		// Rigid vertices pose by LBS, which reads no centre: theirs are 0.
		of := append(append(make([]uint32, 0, s.All), centers.OfVertex...), make([]uint32, s.All-s.SkinVertices)...)
		if b.center, err = gpu.NewBuffer("centre sets", gl.ARRAY_BUFFER, gl.STATIC_DRAW, of); err != nil {
			return
		}
	}
	if err = b.uploadExtra(&m.Skin.Influences, s.All); err != nil {
		return
	}
	b.PoseArray = b.makeArray(s, s.rest)
	b.DrawArray = b.makeArray(s, s.Posed)
	return b, gpu.Error("influences of %q", m.Name)
}

// uploadExtra sends the fifth and further influences. Without any, attributeExtra keeps its constant 0 and costs
// nothing.
func (b *Binding) uploadExtra(in *skinning.Influences, vertices int) (err error) {
	further := make([][2]uint32, len(in.Extra))
	for i, f := range in.Extra {
		further[i] = [2]uint32{uint32(b.Palette.entry[f.Joint]), math.Float32bits(f.Weight)}
	}
	if b.Further, err = gpu.NewTextureBuffer("further influences", gl.RG32UI, gl.STATIC_DRAW, further); err != nil ||
		len(further) == 0 {
		return err
	}
	ranges := make([][2]uint32, vertices)
	for v := range in.Bindings {
		ranges[v] = [2]uint32{in.ExtraStart[v], in.ExtraStart[v+1] - in.ExtraStart[v]}
	}
	b.extra, err = gpu.NewBuffer("further influence ranges", gl.ARRAY_BUFFER, gl.STATIC_DRAW, ranges)
	return err
}

// makeArray describes the streams to passes, with rest or posed vertices.
func (b *Binding) makeArray(s *Streams, vertices *gpu.Buffer[RestVertex]) (array uint32) {
	const influence = int32(unsafe.Sizeof(skinning.Binding{}))
	gl.GenVertexArrays(1, &array)
	gl.BindVertexArray(array)
	gpu.FloatAttribute(vertices.ID, AttributePosition, 3, VertexSize, 0)
	gpu.FloatAttribute(vertices.ID, AttributeNormal, 3, VertexSize, unsafe.Offsetof(RestVertex{}.Normal))
	gpu.FloatAttribute(s.uv.ID, attributeUV, 2, 8, 0)
	gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, s.Index.ID)
	gpu.IntegerAttribute(b.binding.ID, attributeJoints, 4, gl.UNSIGNED_SHORT, influence)
	gpu.FloatAttribute(b.binding.ID, attributeWeights, 4, influence, unsafe.Offsetof(skinning.Binding{}.Weights))
	if b.extra != nil {
		gpu.IntegerAttribute(b.extra.ID, AttributeExtra, 2, gl.UNSIGNED_INT, 8)
	}
	if b.center != nil {
		gpu.IntegerAttribute(b.center.ID, attributeCenter, 1, gl.UNSIGNED_INT, 4)
	}
	gl.BindVertexArray(0)
	return array
}

// readTint lets the drawing passes read tints, or a constant where there are none.
func (b *Binding) readTint(t *gpu.Buffer[Tint]) {
	for _, array := range [...]uint32{b.PoseArray, b.DrawArray} {
		gl.BindVertexArray(array)
		if t == nil {
			gl.DisableVertexAttribArray(attributeTint)
		} else {
			gl.BindBuffer(gl.ARRAY_BUFFER, t.ID)
			gl.EnableVertexAttribArray(attributeTint)
			gl.VertexAttribPointerWithOffset(attributeTint, 4, gl.UNSIGNED_BYTE, true, 4, 0)
		}
	}
	gl.BindVertexArray(0)
}

// Delete is nil-safe and releases in reverse order.
func (b *Binding) Delete() {
	if b == nil {
		return
	}
	if b.PoseArray != 0 {
		gl.DeleteVertexArrays(1, &b.DrawArray)
		gl.DeleteVertexArrays(1, &b.PoseArray)
		b.PoseArray, b.DrawArray = 0, 0
	}
	b.Tint.Delete()
	b.extra.Delete()
	b.Further.Delete()
	b.center.Delete()
	b.binding.Delete()
	b.proxies.Delete()
	b.Palette.Delete()
}
