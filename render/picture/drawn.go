package picture

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Drawn is the data of a model that all passes of one picture share.
type Drawn struct {
	*Model
	frame       *skinning.Frame
	clay        bool         // every part has one plain material
	painted     bool         // tints are blended over the clay
	lastLevel   float32      // of the surroundings' cube map
	array       uint32       // vertex array
	Skin, Rigid VertexSource // where the vertices of the skin and of the rigid meshes come from
	shadowless  bool
	Instances   int32
	crowd       *skin.CrowdBuffers // where instances > 1
	ranges      []drawRange        // reused by parts
}

// drawRange is a range of triangles that one program draws.
type drawRange struct {
	source              VertexSource
	firstIndex, indices int // in the index buffer
}

// Set takes from a scene how its model is drawn.
func (d *Drawn) Set(s *Scene, from Posed) {
	b := from.Of(s.Frame.Model)
	*d = Drawn{Model: from.Model, frame: s.Frame, clay: s.Surface != SurfaceMaterial,
		painted: s.Surface == SurfacePaint && b.Tinted,
		array:   b.DrawArray, Skin: FromBuffer, Rigid: FromBuffer, Instances: 1, ranges: d.ranges[:0]}
	if !d.clay {
		d.lastLevel = float32(len(s.light().Levels) - 1)
	}
	d.pointNormals(s.Recomputed && s.Crowd == nil)
	if s.Crowd != nil {
		d.Instances, d.crowd, d.shadowless = int32(s.Crowd.Instances()), from.Crowd, !s.Crowd.Shadows()
		d.Skin, d.Rigid = fromCrowd, fromCrowd
	}
	if from.Way == skin.InShader {
		d.array, d.Skin, d.Rigid = b.PoseArray(s.Method), PosedBy(s.Method), PosedBy(skinning.LBS)
		if b.ReadsSecond(s.Method) {
			d.Skin = posedBySecond(s.Method)
		}
	}
}

// pointNormals binds the normals of the passes that read the posed buffer: those summed from the posed surface if
// recomputed, else those that the method transformed.
func (d *Drawn) pointNormals(recomputed bool) {
	from := d.Streams.Posed
	if recomputed {
		from = d.Rings.Shaded
	}
	gl.BindVertexArray(d.array)
	gpu.FloatAttribute(from.ID, skin.AttributeNormal, 3, skin.VertexSize, unsafe.Offsetof(skin.Vertex{}.Normal))
	gl.BindVertexArray(0)
}

// parts returns the ranges of the model that are drawn: one range if one program draws everything. No range is empty.
func (d *Drawn) parts() []drawRange {
	d.ranges = d.ranges[:0]
	for i := range d.runs {
		r := drawRange{d.Skin, d.runs[i].firstIndex, d.runs[i].indices}
		if d.runs[i].rigid {
			r.source = d.Rigid
		}
		if r.indices == 0 {
			continue
		}
		if n := len(d.ranges); n > 0 {
			if last := &d.ranges[n-1]; last.source == r.source && last.firstIndex+last.indices == r.firstIndex {
				last.indices += r.indices
				continue
			}
		}
		d.ranges = append(d.ranges, r)
	}
	return d.ranges
}

// source returns where the vertices of a part come from.
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

// triangles draws a range of the index buffer with the current program. The vertex array must be bound.
func (d *Drawn) triangles(firstIndex, indices int) {
	switch {
	case indices == 0:
	case d.crowd != nil:
		d.crowd.Draw(firstIndex, indices, d.Instances)
	default:
		gl.DrawElementsWithOffset(gl.TRIANGLES, int32(indices), gl.UNSIGNED_INT, uintptr(4*firstIndex))
	}
}

// sides draws one part with the current program. The back faces of a single-sided part are hidden, as glTF asks. A
// mirrored node reverses the winding of its triangles. A skin with a mirrored joint has triangles of both windings, so
// both their sides are drawn.
func (d *Drawn) sides(item *drawItem, mirrored bool) {
	cull := !item.bothSides
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

// sortBlended puts the transparent parts in order, the farthest first, by the middles of their vertices at rest, moved
// as the joint moves that most of them follow.
func (d *Drawn) sortBlended(s *Scene) {
	if len(d.blended) < 2 {
		return
	}
	eye := s.Camera.eye()
	for i := range d.blended {
		item := &d.blended[i]
		at := geom.Vec64(item.middle)
		switch {
		case item.rigid >= 0:
			at = d.frame.Globals[d.Source.Rigid[item.rigid].Parts[0].Node].Apply(at)
		case item.joint < len(d.frame.Matrices):
			at = d.frame.Matrices[item.joint].Apply(at)
		}
		item.distance = geom.Vec32(at).Sub(eye).LenSqr()
	}
	slices.SortStableFunc(d.blended, func(a, b drawItem) int { return cmp.Compare(b.distance, a.distance) })
}

// shadowCutoff is the opacity from which a transparent part casts a shadow: hair does, and the pane of a visor does not.
const shadowCutoff = 0.5

// cast draws all that keeps light away, with the programs of a pass, each of which is handed to set first. Where a
// material is cut out or transparent, light passes.
func (d *Drawn) cast(v *variants, set func(p *gpu.Program)) {
	d.Bind()
	if len(d.blended) == 0 && !slices.ContainsFunc(d.opaque, func(i drawItem) bool { return d.materials[i.material].AlphaCutoff > 0 }) {
		for _, part := range d.parts() {
			set(v.use(part.source))
			d.triangles(part.firstIndex, part.indices)
		}
		return
	}
	for _, items := range [...][]drawItem{d.opaque, d.blended} {
		for i := range items {
			item := &items[i]
			p, m := v.use(d.source(item)), &d.materials[item.material]
			set(p)
			textured := m.Texture >= 0 && m.Texture < len(d.textures)
			if textured {
				d.textures[m.Texture].Bind(gpu.UnitBase)
			}
			p.Set("baseColor", m.BaseColor[:]...)
			p.SetBool("textured", textured)
			cutoff := m.AlphaCutoff
			if m.Blend {
				cutoff = shadowCutoff
			}
			p.Set("alphaCutoff", cutoff)
			d.triangles(item.firstIndex, item.indices)
		}
	}
}

// ready compiles the programs of a pass that the model needs, unless they are compiled already.
func ready(d *Drawn, v *variants) error {
	for _, part := range d.parts() {
		if err := v.ready(part.source); err != nil {
			return err
		}
	}
	return nil
}

// shaded reports whether any triangles of the model take their vertices from this source.
func (d *Drawn) shaded(s VertexSource) bool {
	for _, part := range d.parts() {
		if part.source == s {
			return true
		}
	}
	return false
}
