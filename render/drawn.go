package render

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/skinning"
)

// drawn is a model as the passes of one picture draw it.
type drawn struct {
	*shown
	frame       *skinning.Frame
	clay        bool         // one plain material
	painted     bool         // tints are laid over it
	array       uint32       // vertex array
	skin, rigid vertexSource // of the skin, and of the rigid meshes behind it
	shadowless  bool
	instances   int32
	crowd       *crowdBuffers // where instances > 1
	ranges      [2]drawRange  // scratch of parts
}

// drawRange is triangles that one program draws.
type drawRange struct {
	source              vertexSource
	firstIndex, indices int // in the index buffer
}

// set says what a scene draws of its model, and from where.
func (d *drawn) set(s *Scene, from posed) {
	b := from.of(s.Frame.Model)
	*d = drawn{shown: from.shown, frame: s.Frame, clay: s.Surface != SurfaceMaterial,
		painted: s.Surface == SurfacePaint && b.tint != nil,
		array:   b.drawArray, skin: fromBuffer, rigid: fromBuffer, instances: 1}
	d.pointNormals(s.Recomputed)
	if s.Crowd != nil {
		d.instances, d.crowd, d.shadowless = int32(s.Crowd.Instances()), from.crowd, !s.Crowd.Shadows()
		d.skin, d.rigid = fromCrowd, fromCrowd
	}
	if from.way == InShader {
		d.array, d.skin, d.rigid = b.poseArray, posedBy(s.Method), posedBy(skinning.LBS)
	}
}

// pointNormals lets the passes that read the posed buffer take their normals from it or from the posed surface.
func (d *drawn) pointNormals(recomputed bool) {
	gl.BindVertexArray(d.array)
	if recomputed {
		floatAttribute(d.rings.normals.id, attributeNormal, 3, normalSize, 0)
	} else {
		floatAttribute(d.streams.posed.id, attributeNormal, 3, vertexSize, unsafe.Offsetof(restVertex{}.normal))
	}
	gl.BindVertexArray(0)
}

// parts returns the ranges that make up the whole model: one where one program draws it all, none that is empty.
func (d *drawn) parts() []drawRange {
	all, skin := 3*d.streams.index.len, 3*len(d.model.Skin.Triangles)
	switch {
	case all == 0:
		return nil
	case d.skin == d.rigid || skin == all:
		d.ranges[0] = drawRange{d.skin, 0, all}
		return d.ranges[:1]
	case skin == 0:
		d.ranges[0] = drawRange{d.rigid, 0, all}
		return d.ranges[:1]
	}
	d.ranges = [2]drawRange{{d.skin, 0, skin}, {d.rigid, skin, all - skin}}
	return d.ranges[:]
}

// source returns what poses a part of a mesh.
func (d *drawn) source(item *drawItem) vertexSource {
	if item.rigid < 0 {
		return d.skin
	}
	return d.rigid
}

// bind binds the vertex array.
func (d *drawn) bind() {
	gl.BindVertexArray(d.array)
	gl.VertexAttribI4ui(attributeExtra, 0, 0, 0, 0) // read where the model has no further influences
}

// triangles draws a range of the index buffer with the program in use. The array is bound.
func (d *drawn) triangles(firstIndex, indices int) {
	switch {
	case indices == 0:
	case d.crowd != nil:
		d.crowd.draw(firstIndex, indices, d.instances)
	default:
		gl.DrawElementsWithOffset(gl.TRIANGLES, int32(indices), gl.UNSIGNED_INT, uintptr(4*firstIndex))
	}
}

// sides draws one part with the program in use. Single-sided parts hide their back faces, as glTF asks; a mirrored node
// turns the winding round, and a skin with a mirrored joint is drawn whole, since its triangles face both ways.
func (d *drawn) sides(item *drawItem, mirrored bool) {
	cull := !d.materials[item.material].DoubleSided
	winding := uint32(gl.CCW)
	if item.rigid < 0 {
		cull = cull && !mirrored
	} else if d.frame.Globals[d.own.palette.rigid[item.rigid]].Linear().Det() < 0 {
		winding = gl.CW
	}
	setEnabled(gl.CULL_FACE, cull)
	gl.FrontFace(winding)
	d.triangles(item.firstIndex, item.indices)
	gl.FrontFace(gl.CCW)
}

// ready compiles the programs of a pass that the model is drawn with, where that has not happened yet.
func ready[U any](d *drawn, v *variants[U]) error {
	for _, part := range d.parts() {
		if err := v.Ready(part.source); err != nil {
			return err
		}
	}
	return nil
}

// shaded reports whether a part of the model has triangles, and so a program.
func (d *drawn) shaded(s vertexSource) bool {
	for _, part := range d.parts() {
		if part.source == s {
			return true
		}
	}
	return false
}
