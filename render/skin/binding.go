package skin

import (
	"math"
	"slices"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/skinning"
)

// Binding binds the vertices of a mesh to joints: the influences of the vertices and the palette that they index. A
// model has a binding of its own. A fitted model binds the same vertices to more joints.
type Binding struct {
	owner   gpu.Owner
	model   *skinning.Model
	binding *gpu.Buffer[skinning.Binding]
	extra   *gpu.Buffer[[2]uint32] // nil where no vertex has more than four influences
	center  *gpu.Buffer[uint32]    // nil if only linear blending poses with the binding
	Further *gpu.TextureBuffer[[2]uint32]
	inputs  []*vertexInputs // by method, the same where methods read no more than others
	streams *Streams
	Sent    uploadBuffers
	upload
	Bounds *bounds
	Tinted bool
	tint   *gpu.Buffer[Tint] // nil until tints are set

	DrawArray uint32 // vertex array for passes that draw posed vertices
}

// vertexInputs are what a method reads of each vertex besides its place, its normal and its influences. Buffers that a
// method or a model does not have are nil.
type vertexInputs struct {
	second *gpu.Buffer[skinning.Binding] // the second weight set
	// secondExtra are the ranges of its further influences, which lie behind the others in Further. It is nil where no
	// vertex has more than four influences in it.
	secondExtra *gpu.Buffer[[2]uint32]
	values      *gpu.Buffer[[4]float32]
	// array is the vertex array for passes that pose: vertices at rest. It is 0 for a method that reads numbers until it
	// first poses: they may have to be made.
	array uint32
}

// newBinding uploads the influences of m for the vertices of s. Without centers, which may be nil, only LBS can pose
// with it. Limit is the largest texture buffer in texels.
func newBinding(m *skinning.Model, s *Streams, centers *skinning.CenterSets, limit int) (*Binding, error) {
	b := &Binding{model: m, Bounds: newBounds(m), streams: s}
	o, sets := &b.owner, 0
	if centers != nil {
		sets = len(centers.Joints)
	}
	b.layout = newPaletteLayout(m, sets)
	b.proxies = newProxyMatrices(o, m, limit)
	b.Sent = newUploadBuffers(o)
	binding := b.entries(&m.Skin.Influences, s.All)
	for i := range m.Rigid {
		own := skinning.Binding{Joints: [4]uint16{uint16(len(b.layout.joints) + i)}, Weights: [4]float32{1}}
		for range m.Rigid[i].Positions {
			binding = append(binding, own)
		}
	}
	b.binding = gpu.NewBuffer(o, "influences", gl.ARRAY_BUFFER, gl.STATIC_DRAW, binding)
	if centers != nil {
		of := make([]uint32, s.All) // LBS poses rigid vertices and reads no centre
		copy(of, centers.OfVertex)
		b.center = gpu.NewBuffer(o, "centre sets", gl.ARRAY_BUFFER, gl.STATIC_DRAW, of)
	}
	b.uploadInputs(m, s.All)
	for method, in := range b.inputs {
		if in.array == 0 && !skinning.Method(method).ReadsNumbers() {
			in.array = o.Array(func() { b.describe(s, s.rest, in) })
		}
	}
	b.DrawArray = o.Array(func() { b.describe(s, s.Posed, b.inputs[skinning.LBS]) })
	o.Fail(gpu.Error("influences of %q", m.Name))
	return gpu.Made(b, o)
}

// entries returns the strongest four influences of the skin's vertices by palette entry, with room for all vertices.
func (b *Binding) entries(in *skinning.Influences, all int) []skinning.Binding {
	binding := append(make([]skinning.Binding, 0, all), in.Bindings...)
	for v := range binding {
		for k, j := range binding[v].Joints {
			binding[v].Joints[k] = b.layout.entry[j]
		}
	}
	return binding
}

// uploadInputs sends the inputs of methods, and the fifth and further influences of all weight sets. If a set has none,
// the attribute of its ranges keeps its constant 0 and takes no memory. Rigid vertices have no inputs.
func (b *Binding) uploadInputs(m *skinning.Model, all int) {
	var further [][2]uint32
	add := func(label string, in *skinning.Influences) *gpu.Buffer[[2]uint32] {
		if in == nil || len(in.Extra) == 0 {
			return nil
		}
		first := uint32(len(further))
		for _, f := range in.Extra {
			further = append(further, [2]uint32{uint32(b.layout.entry[f.Joint]), math.Float32bits(f.Weight)})
		}
		ranges := make([][2]uint32, all)
		for v := range in.Bindings {
			ranges[v] = [2]uint32{first + in.ExtraStart[v], in.ExtraStart[v+1] - in.ExtraStart[v]}
		}
		return gpu.NewBuffer(&b.owner, label, gl.ARRAY_BUFFER, gl.STATIC_DRAW, ranges)
	}
	b.extra = add("further influence ranges", &m.Skin.Influences)
	none := &vertexInputs{}
	for _, method := range skinning.Methods() {
		second := m.Skin.Second(method)
		in := none
		if second != nil || method.ReadsNumbers() {
			in = &vertexInputs{secondExtra: add("further influence ranges of the second set", second)}
		}
		if second != nil {
			in.second = gpu.NewBuffer(&b.owner, "second influences", gl.ARRAY_BUFFER, gl.STATIC_DRAW,
				b.entries(second, all)[:all])
		}
		b.inputs = append(b.inputs, in)
	}
	b.Further = gpu.NewTextureBuffer(&b.owner, "further influences", gl.RG32UI, gl.STATIC_DRAW, further)
}

// prepare sends what a method reads of each vertex, when it first poses. Centers are those of a frame of the binding's
// model, in which the numbers are or will be.
func (b *Binding) prepare(method skinning.Method, centers *skinning.CenterSets) error {
	in := b.inputs[method]
	if in.array != 0 {
		return nil
	}
	values := centers.Values(&b.model.Skin, method)
	in.values = gpu.NewBuffer(&b.owner, "values", gl.ARRAY_BUFFER, gl.STATIC_DRAW,
		append(slices.Clip(values), make([][4]float32, b.streams.All-len(values))...))
	in.array = b.owner.Array(func() {
		b.describe(b.streams, b.streams.rest, in)
		b.describeTint()
	})
	return b.owner.Err()
}

// PoseArray returns the vertex array for passes that pose by a method: vertices at rest.
func (b *Binding) PoseArray(method skinning.Method) uint32 { return b.inputs[method].array }

// ReadsSecond reports whether a method reads a second weight set of the binding: whether it has one.
func (b *Binding) ReadsSecond(method skinning.Method) bool { return b.inputs[method].second != nil }

// InputFiles returns the shader files that come before stages that pose by a method's inputs, each followed by a space:
// one where it reads a second weight set that the model has, one where it reads numbers.
func InputFiles(method skinning.Method, second bool) (files string) {
	if second {
		files = "secondset.glsl "
	}
	if method.ReadsNumbers() {
		files += "values.glsl "
	}
	return files
}

// EntryOf returns the index of a joint's palette entry, −1 if the model has no such joint.
func (b *Binding) EntryOf(joint int) int32 { return b.layout.entryOf(joint) }

// describe fills a vertex array with the streams, with vertices at rest or posed, and with the inputs of a method.
func (b *Binding) describe(s *Streams, vertices *gpu.Buffer[Vertex], in *vertexInputs) {
	const influence = int32(unsafe.Sizeof(skinning.Binding{}))
	gpu.FloatAttribute(vertices.ID, AttributePosition, 3, VertexSize, 0)
	gpu.FloatAttribute(vertices.ID, AttributeNormal, 3, VertexSize, unsafe.Offsetof(Vertex{}.Normal))
	if s.uv != nil {
		gpu.FloatAttribute(s.uv.ID, attributeUV, 2, 8, 0)
	}
	if s.secondUV != nil {
		gpu.FloatAttribute(s.secondUV.ID, attributeSecondUV, 2, 8, 0)
	}
	if s.color != nil {
		gl.BindBuffer(gl.ARRAY_BUFFER, s.color.ID)
		gl.EnableVertexAttribArray(attributeColor)
		gl.VertexAttribPointerWithOffset(attributeColor, 4, gl.UNSIGNED_SHORT, true, 8, 0)
	}
	if tangents := s.tangents; tangents != nil {
		if vertices == s.Posed {
			tangents = s.PosedTangents
		}
		gpu.FloatAttribute(tangents.ID, attributeTangent, 4, 16, 0)
	}
	gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, s.Index.ID)
	gpu.IntegerAttribute(b.binding.ID, attributeJoints, 4, gl.UNSIGNED_SHORT, influence)
	gpu.FloatAttribute(b.binding.ID, attributeWeights, 4, influence, unsafe.Offsetof(skinning.Binding{}.Weights))
	if b.extra != nil {
		gpu.IntegerAttribute(b.extra.ID, attributeExtra, 2, gl.UNSIGNED_INT, 8)
	}
	if in.second != nil {
		gpu.IntegerAttribute(in.second.ID, attributeSecondJoints, 4, gl.UNSIGNED_SHORT, influence)
		gpu.FloatAttribute(in.second.ID, attributeSecondWeights, 4, influence, unsafe.Offsetof(skinning.Binding{}.Weights))
	}
	if in.secondExtra != nil {
		gpu.IntegerAttribute(in.secondExtra.ID, attributeSecondExtra, 2, gl.UNSIGNED_INT, 8)
	}
	if in.values != nil {
		gpu.FloatAttribute(in.values.ID, attributeValues, 4, 16, 0)
	}
	if b.center != nil {
		gpu.IntegerAttribute(b.center.ID, attributeCenter, 1, gl.UNSIGNED_INT, 4)
	}
}

// Tint is a colour laid over a vertex: linear RGB, and as fourth its opacity, all 0 to 255.
type Tint = [4]uint8

// setTints sets the tints of the skin, one per vertex; nil removes them. all is the number of vertices with the rigid
// meshes, which have no tint.
func (b *Binding) setTints(tints []Tint, all int) error {
	b.Tinted = tints != nil
	if b.Tinted && b.tint == nil {
		tint := gpu.NewBuffer(&b.owner, "tints", gl.ARRAY_BUFFER, gl.STATIC_DRAW, make([]Tint, all))
		if err := b.owner.Err(); err != nil {
			return err
		}
		b.tint = tint
	}
	arrays := []uint32{b.DrawArray}
	for _, in := range b.inputs {
		if in.array != 0 {
			arrays = append(arrays, in.array)
		}
	}
	for _, array := range arrays {
		gl.BindVertexArray(array)
		b.describeTint()
	}
	gl.BindVertexArray(0)
	if len(tints) > 0 {
		b.tint.SetFirst(tints)
	}
	return nil
}

// describeTint describes the tints to the vertex array at hand.
func (b *Binding) describeTint() {
	if !b.Tinted {
		gl.DisableVertexAttribArray(attributeTint) // read the constant instead
		return
	}
	gl.BindBuffer(gl.ARRAY_BUFFER, b.tint.ID)
	gl.EnableVertexAttribArray(attributeTint)
	gl.VertexAttribPointerWithOffset(attributeTint, 4, gl.UNSIGNED_BYTE, true, 4, 0)
}

// Delete is nil-safe.
func (b *Binding) Delete() {
	if b != nil {
		b.owner.Delete()
	}
}
