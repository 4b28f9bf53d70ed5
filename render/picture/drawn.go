package picture

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/skin"
	"skinlab/skinning"
)

// Drawn is a model as the passes of one picture draw it.
type Drawn struct {
	*Model
	frame       *skinning.Frame
	clay        bool         // one plain material
	painted     bool         // tints are laid over it
	array       uint32       // vertex array
	Skin, Rigid VertexSource // of the skin, and of the rigid meshes behind it
	shadowless  bool
	Instances   int32
	crowd       *skin.CrowdBuffers // where instances > 1
	ranges      [2]drawRange       // scratch of parts
}

// drawRange is triangles that one program draws.
type drawRange struct {
	source              VertexSource
	firstIndex, indices int // in the index buffer
}

// Set says what a scene draws of its model, and from where.
func (d *Drawn) Set(s *Scene, from Posed) {
	b := from.Of(s.Frame.Model)
	*d = Drawn{Model: from.Model, frame: s.Frame, clay: s.Surface != SurfaceMaterial,
		painted: s.Surface == SurfacePaint && b.Tinted,
		array:   b.DrawArray, Skin: FromBuffer, Rigid: FromBuffer, Instances: 1}
	d.pointNormals(s.Recomputed)
	if s.Crowd != nil {
		d.Instances, d.crowd, d.shadowless = int32(s.Crowd.Instances()), from.Crowd, !s.Crowd.Shadows()
		d.Skin, d.Rigid = fromCrowd, fromCrowd
	}
	if from.Way == skin.InShader {
		d.array, d.Skin, d.Rigid = b.PoseArray, PosedBy(s.Method), PosedBy(skinning.LBS)
	}
}

// pointNormals lets the passes that read the posed buffer take their normals from it or from the posed surface.
func (d *Drawn) pointNormals(recomputed bool) {
	gl.BindVertexArray(d.array)
	if recomputed {
		gpu.FloatAttribute(d.Rings.Normals.ID, skin.AttributeNormal, 3, skin.NormalSize, 0)
	} else {
		gpu.FloatAttribute(d.Streams.Posed.ID, skin.AttributeNormal, 3, skin.VertexSize,
			unsafe.Offsetof(skin.Vertex{}.Normal))
	}
	gl.BindVertexArray(0)
}

// parts returns the ranges that make up the whole model: one where one program draws it all, none that is empty.
func (d *Drawn) parts() []drawRange {
	all, skin := 3*d.Streams.Index.Len, 3*len(d.Source.Skin.Triangles)
	switch {
	case all == 0:
		return nil
	case d.Skin == d.Rigid || skin == all:
		d.ranges[0] = drawRange{d.Skin, 0, all}
		return d.ranges[:1]
	case skin == 0:
		d.ranges[0] = drawRange{d.Rigid, 0, all}
		return d.ranges[:1]
	}
	d.ranges = [2]drawRange{{d.Skin, 0, skin}, {d.Rigid, skin, all - skin}}
	return d.ranges[:]
}

// source returns what poses a part of a mesh.
func (d *Drawn) source(item *drawItem) VertexSource {
	if item.rigid < 0 {
		return d.Skin
	}
	return d.Rigid
}

// Bind binds the vertex array.
func (d *Drawn) Bind() {
	skin.BindStreams(d.array)
}

// triangles draws a range of the index buffer with the program in use. The array is bound.
func (d *Drawn) triangles(firstIndex, indices int) {
	switch {
	case indices == 0:
	case d.crowd != nil:
		d.crowd.Draw(firstIndex, indices, d.Instances)
	default:
		gl.DrawElementsWithOffset(gl.TRIANGLES, int32(indices), gl.UNSIGNED_INT, uintptr(4*firstIndex))
	}
}

// sides draws one part with the program in use. Single-sided parts hide their back faces, as glTF asks; a mirrored node
// turns the winding round, and a skin with a mirrored joint is drawn whole, since its triangles face both ways.
func (d *Drawn) sides(item *drawItem, mirrored bool) {
	cull := !d.materials[item.material].DoubleSided
	winding := uint32(gl.CCW)
	if item.rigid < 0 {
		cull = cull && !mirrored
	} else if d.frame.Globals[d.Source.Rigid[item.rigid].Parts[0].Node].Linear().Det() < 0 {
		winding = gl.CW
	}
	gpu.SetEnabled(gl.CULL_FACE, cull)
	gl.FrontFace(winding)
	d.triangles(item.firstIndex, item.indices)
	gl.FrontFace(gl.CCW)
}

// ready compiles the programs of a pass that the model is drawn with, where that has not happened yet.
func ready(d *Drawn, v *variants) error {
	for _, part := range d.parts() {
		if err := v.Ready(part.source); err != nil {
			return err
		}
	}
	return nil
}

// shaded reports whether a part of the model has triangles, and so a program.
func (d *Drawn) shaded(s VertexSource) bool {
	for _, part := range d.parts() {
		if part.source == s {
			return true
		}
	}
	return false
}
