// Package picture draws what package skin has posed. A [Scene] says what: a frame of a [Model], a [Camera], what the
// [Surface] shows, and what is laid over it. A [Painter] draws it in passes: shadow map, contact map, backdrop, the
// model, the floor, overlays, all as linear half floats, and then the sRGB picture in the viewport of a framebuffer.
//
// # Where vertices come from
//
// One file of GLSL per method defines skinVertex, which reads the palette and the influences of the current vertex.
// skin.glsl adds morph targets before it and a crowd's place behind it. A stage gets the streams from attributes.glsl
// or storage.glsl and calls that, and a pass that draws calls readVertex, which frombuffer.glsl, fromcrowd.glsl and
// frommethod.glsl define: a pass does not know where its vertices are posed. Programs of a method compile when they are
// first needed.
package picture

import (
	"errors"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/gpu"
	"skinlab/render/passes"
	"skinlab/render/skin"
)

// Painter draws the picture of a model that has been posed.
type Painter struct {
	owner    gpu.Owner
	software bool // the CPU rasterises
	shadow   *shadowMap
	contact  *contactMap
	meshes   meshPass
	Values   valuePass
	lines    *gpu.Program // nil until normals are drawn as lines
	ghost    *gpu.Program // nil until the rest pose is drawn
	studio   studio
	target   pictureTarget // with samples
	quick    pictureTarget // without
	empty    uint32        // a vertex array without attributes, for triangles made in the shader
	block    gpu.Block[sceneBlock]
	Drawn    Drawn          // scratch of Paint
	at       *pictureTarget // of the picture that was begun
	light    mgl32.Mat4     // from the world to the clip space of its shadow map
}

// quality is how finely a picture is drawn: samples of a pixel, and of one shadow look-up with its search for
// occluders.
type quality struct {
	samples int32
	taps    int
}

// pictureQuality is that of pictures and of views that stand still.
func pictureQuality() quality { return quality{4, 32} }

// movingQuality is that of views that move. Where the CPU rasterises, shading is most of a frame's time, and goes with
// the samples.
func movingQuality(software bool) quality {
	if software {
		return quality{1, 8}
	}
	return quality{4, 16}
}

// NewPainter compiles the programs that all pictures need.
func NewPainter(software bool) (*Painter, error) {
	p := &Painter{software: software, target: pictureTarget{most: pictureQuality().samples},
		quick: pictureTarget{most: 1}}
	o := &p.owner
	o.Own(p.target.Delete)
	o.Own(p.quick.Delete)
	p.block = gpu.NewBlock[sceneBlock](o)
	p.empty = o.Array(func() {})
	p.shadow, p.contact = newShadowMap(o), newContactMap(o)
	p.meshes, p.Values, p.studio = newMeshPass(o), newValuePass(o), newStudio(o)
	return gpu.Made(p, o)
}

// Posed is a scene's model as it has been posed: what a picture draws from.
type Posed struct {
	*Model
	Way   skin.Way
	Crowd *skin.CrowdBuffers // of the scene's crowd
}

// Begin makes ready for the picture of a scene before its model is posed: what it is drawn into, the scene's block, and
// what the surface needs.
func (p *Painter) Begin(s *Scene, g *Model, t *passes.Timer) error {
	q := movingQuality(p.software)
	if s.Fine {
		q = pictureQuality()
	}
	p.at = &p.target
	if q.samples == 1 {
		p.at = &p.quick
	}
	if err := p.at.Resize(s.Width, s.Height); err != nil {
		return err
	}
	gpu.ResetState()
	// A context without a window has no framebuffer, and posing passes need one although they draw nothing.
	gl.BindFramebuffer(gl.FRAMEBUFFER, p.at.drawn)
	p.light = p.block.Data.fillScene(s, g.Model, q.taps)
	t.Begin(passes.Upload)
	p.block.Send(gpu.SceneBinding)
	t.End(passes.Upload)
	return p.Values.Ready(g, s.Surface)
}

// Paint draws the picture that was begun into the viewport of a framebuffer. What posing the model by the scene's
// method needs, or what it gives, is on the GPU.
func (p *Painter) Paint(s *Scene, from Posed, framebuffer uint32, t *passes.Timer) error {
	d := &p.Drawn
	d.Set(s, from)
	if err := p.readyPrograms(s); err != nil {
		return err
	}
	t.Begin(passes.Shadow)
	p.shadow.Draw(d, p.light)
	if s.Grid {
		p.contact.Draw(d, p.block.Data.contact, p.empty)
	}
	t.End(passes.Shadow)
	t.Begin(passes.Shade)
	x, width := s.part()
	gl.Scissor(int32(x), 0, int32(width), int32(s.Height))
	gpu.SetEnabled(gl.SCISSOR_TEST, width < s.Width)
	if s.Surface.numeric() {
		p.Values.Fill(from.Model, s)
	}
	gl.BindFramebuffer(gl.FRAMEBUFFER, p.at.drawn)
	p.drawPicture(d, s)
	t.End(passes.Shade)
	t.Begin(passes.Resolve)
	defer t.End(passes.Resolve)
	p.at.Resolve()

	gl.BindFramebuffer(gl.FRAMEBUFFER, framebuffer)
	gl.Viewport(int32(s.X), int32(s.Y), int32(s.Width), int32(s.Height))
	gl.Scissor(int32(s.X+x), int32(s.Y), int32(width), int32(s.Height))
	gl.Disable(gl.DEPTH_TEST)
	gl.BindVertexArray(p.empty)
	p.studio.Present(p.at.resolved.Texture, s.X, s.Y)
	gl.Disable(gl.SCISSOR_TEST)
	gl.BindVertexArray(0)
	gl.UseProgram(0)
	gl.ActiveTexture(gl.TEXTURE0)
	return nil
}

// readyPrograms compiles what the scene's passes need, before the first of them draws.
func (p *Painter) readyPrograms(s *Scene) error {
	d := &p.Drawn
	err := ready(d, p.shadow.programs)
	if s.Surface.Lit() {
		err = errors.Join(err, ready(d, p.meshes.shaded))
	}
	if s.Grid {
		err = errors.Join(err, ready(d, p.contact.height))
	}
	if s.Wireframe {
		err = errors.Join(err, ready(d, p.meshes.wire))
	}
	if s.Ghost {
		err = errors.Join(err, p.readyGhost(d.Model))
	}
	if s.NormalLines > 0 {
		err = errors.Join(err, p.readyLines(d.Model, s.Recomputed))
	}
	return err
}

// drawPicture draws the linear picture into the target that is bound.
func (p *Painter) drawPicture(d *Drawn, s *Scene) {
	gl.Viewport(0, 0, int32(s.Width), int32(s.Height))
	gl.Clear(gl.DEPTH_BUFFER_BIT)
	gl.BindVertexArray(p.empty)
	p.studio.Backdrop()
	p.shadow.Bind()
	material := s.Surface == SurfaceMaterial
	if s.Surface.Lit() {
		p.meshes.Opaque(d)
		if !material {
			p.meshes.Blended(d)
		}
	} else {
		p.Values.Draw(d, s)
	}
	if s.NormalLines > 0 {
		p.drawLines(d.Model, s)
	}
	if s.Grid {
		p.contact.Bind()
		gl.BindVertexArray(p.empty)
		p.studio.Floor()
	}
	if material {
		p.meshes.Blended(d)
	}
	if s.Wireframe {
		p.meshes.Wireframe(d)
	}
	if s.Ghost {
		p.drawGhost(d.Model)
	}
	p.shadow.Unbind()
}

// BeginTiming binds a small target, for passes that are timed without a picture.
func (p *Painter) BeginTiming() error {
	const size = 16
	if err := p.target.Resize(size, size); err != nil {
		return err
	}
	gpu.ResetState()
	gl.BindFramebuffer(gl.FRAMEBUFFER, p.target.drawn)
	gl.Viewport(0, 0, size, size)
	return nil
}

// VertexStage runs the vertex stage of the mesh pass over every vertex, and sends them all behind the far plane.
func (p *Painter) VertexStage(s *Scene, from Posed) error {
	d := &p.Drawn
	d.Set(s, from)
	if err := ready(d, p.meshes.shaded); err != nil {
		return err
	}
	*p.block.Data = sceneBlock{}
	p.block.Data.viewProjection.SetCol(3, mgl32.Vec4{0, 0, 2, 1})
	p.block.Send(gpu.SceneBinding)
	d.Bind()
	skin, all := d.Streams.SkinVertices, d.Streams.All
	for _, part := range [...]struct {
		source       VertexSource
		first, count int
	}{{d.Skin, 0, skin}, {d.Rigid, skin, all - skin}} {
		if part.count > 0 && d.shaded(part.source) {
			p.meshes.shaded.Use(part.source)
			gl.DrawArraysInstanced(gl.POINTS, int32(part.first), int32(part.count), d.Instances)
		}
	}
	gl.BindVertexArray(0)
	return nil
}

// Delete is nil-safe.
func (p *Painter) Delete() {
	if p != nil {
		p.owner.Delete()
	}
}
