// Package picture draws models that package skin has posed. A [Scene] describes one picture: a frame of a [Model], a
// [Camera], what the [Surface] shows, and the overlays. A [Painter] draws it in passes: shadow map, contact map,
// backdrop, the model, the floor, overlays. These passes write linear half floats; the last one encodes them as sRGB
// into the viewport of a framebuffer.
//
// # Where vertices come from
//
// Each method has one GLSL file, which defines skinVertex. It reads the palette and the influences of the current
// vertex. skin.glsl adds morph targets before skinVertex and the place of a crowd's instance after it. attributes.glsl
// or storage.glsl declares the vertex streams of the stages that pose. The passes that draw call readVertex, which
// frombuffer.glsl, fromcrowd.glsl and frommethod.glsl define, so they do not depend on where vertices are posed.
// Programs of a method compile when they are first needed.
package picture

import (
	"errors"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/gpu"
	"skinlab/render/passes"
	"skinlab/render/skin"
)

// Painter draws pictures of posed models.
type Painter struct {
	owner    gpu.Owner
	software bool // OpenGL renders on the CPU
	shadow   *shadowMap
	contact  *contactMap
	meshes   meshPass
	Values   valuePass
	lines    *gpu.Program // nil until normals are drawn as lines
	ghost    *gpu.Program // nil until the rest pose is drawn
	studio   studio
	around   surroundings
	target   pictureTarget // multisampled, and supersampled for saved pictures
	quick    pictureTarget // with one sample per pixel
	empty    uint32        // a vertex array without attributes, for triangles made in the shader
	block    gpu.Block[sceneBlock]
	Drawn    Drawn          // used during Paint only
	over     Drawn          // likewise, of Scene.Over
	overlaid Scene          // likewise
	at       *pictureTarget // target of the current picture, set by Begin
	light    mgl32.Mat4     // world to the clip space of the shadow map, set by Begin
}

// sampling is how finely a picture is drawn.
type sampling struct {
	side    int   // it is drawn side × side times, shifted by parts of a pixel, and averaged
	samples int32 // per pixel each time
	taps    int   // samples per shadow look-up including its search for occluders, each time
}

// sampling returns how a quality is drawn. A saved picture takes the samples of a still one at four places in each
// pixel, and the turns of its 4 × 8 taps are spread evenly. A turntable of demo:figure of 1280 × 720 pixels by llvmpipe
// took 0.74 seconds of processor time a picture without, and takes 1.11, files included.
//
// On a software renderer shading is most of a frame's time, so there moving
// views take one sample and half of the taps. Processor time of a frame of 1280 × 720 pixels of demo:figure by
// llvmpipe, and how far pixels are from those of a still view in the mean square, of 255:
//
//	samples, taps    1, 8   1, 16   1, 32   4, 8   4, 16   4, 32
//	milliseconds       86      97     128    134     199     229
//	distance          2.3     2.2     2.1    0.9     0.6       0
//
// Eight taps stipple soft shadows, with one sample as with four; sixteen do not. llvmpipe takes four samples for two.
func (p *Painter) sampling(q Quality) sampling {
	switch {
	case q == Saved:
		return sampling{supersamples, multisamples, 8}
	case q == Moving && p.software:
		return sampling{1, 1, 16}
	}
	return sampling{1, multisamples, 32}
}

const (
	multisamples = 4
	supersamples = 2 // along each side of a pixel
)

// NewPainter compiles the programs that all pictures need.
func NewPainter(software bool) (*Painter, error) {
	p := &Painter{software: software, target: pictureTarget{most: multisamples},
		quick: pictureTarget{most: 1}}
	o := &p.owner
	o.Own(p.target.Delete)
	o.Own(p.quick.Delete)
	o.Own(p.around.Delete)
	p.block = gpu.NewBlock[sceneBlock](o)
	p.empty = o.Array(func() {})
	p.shadow, p.contact = newShadowMap(o), newContactMap(o)
	p.meshes, p.Values, p.studio = newMeshPass(o), newValuePass(o), newStudio(o)
	return gpu.Made(p, o)
}

// Posed is the posed model of a scene, from which its picture is drawn.
type Posed struct {
	*Model
	Way   skin.Way
	Crowd *skin.CrowdBuffers // the scene's crowd
}

// Begin prepares the picture of a scene before its model is posed. It makes the render target, the scene's uniform
// block and what the surface needs.
func (p *Painter) Begin(s *Scene, g *Model, t *passes.Timer) error {
	q := p.sampling(s.Quality)
	p.at = &p.target
	if q.samples == 1 {
		p.at = &p.quick
	}
	err := p.at.resize(s.Width, s.Height, q.side)
	if err != nil && q.side > 1 { // the GPU has no memory for it
		q = p.sampling(Still)
		err = p.at.resize(s.Width, s.Height, q.side)
	}
	if err != nil {
		return err
	}
	p.resetState()
	// A context without a window has no framebuffer, and posing passes need one although they draw nothing.
	gl.BindFramebuffer(gl.FRAMEBUFFER, p.at.drawn)
	p.light = p.block.Data.fillScene(s, g.Model, q.taps)
	t.Begin(passes.Upload)
	p.block.Send(gpu.SceneBinding)
	t.End(passes.Upload)
	return p.Values.Ready(g, s.Surface)
}

// resetState sets the state that passes rely on.
func (p *Painter) resetState() {
	gpu.ResetState()
	p.shadow.bind()
}

// Paint draws the picture that Begin prepared into the viewport of a framebuffer. The model must have been posed, or
// its palette sent if the passes pose it themselves.
//
// Over is the posed model of Scene.Over, nil for none.
func (p *Painter) Paint(s *Scene, from Posed, over *Model, framebuffer uint32, t *passes.Timer) error {
	d := &p.Drawn
	d.Set(s, from)
	if over != nil {
		p.overlaid = Scene{Frame: s.Over.Frame, Method: s.Over.Method, Surface: SurfacePaint}
		p.over.Set(&p.overlaid, Posed{Model: over, Way: skin.InBuffer})
	}
	if err := p.readyPrograms(s); err != nil {
		return err
	}
	t.Begin(passes.Shadow)
	p.shadow.Draw(d, p.light)
	if s.Grid && !s.Transparent {
		p.contact.Draw(d, p.block.Data.contact, p.empty)
	}
	t.End(passes.Shadow)
	t.Begin(passes.Shade)
	if s.Surface.numeric() {
		p.Values.Fill(from.Model, s)
	}
	x, width := s.part()
	p.drawSamples(d, s, x, width, t)
	t.Begin(passes.Resolve)
	defer t.End(passes.Resolve)
	gl.BindFramebuffer(gl.FRAMEBUFFER, framebuffer)
	gl.Viewport(int32(s.X), int32(s.Y), int32(s.Width), int32(s.Height))
	gl.Scissor(int32(s.X+x), int32(s.Y), int32(width), int32(s.Height))
	gpu.SetEnabled(gl.SCISSOR_TEST, width < s.Width)
	gl.Disable(gl.DEPTH_TEST)
	gl.BindVertexArray(p.empty)
	p.studio.Present(p.at, s.X, s.Y, s.Transparent)
	gl.Disable(gl.SCISSOR_TEST)
	gl.BindVertexArray(0)
	gl.UseProgram(0)
	gl.ActiveTexture(gl.TEXTURE0)
	return nil
}

// drawSamples draws these columns of the linear pictures whose mean is shown. The shifts are the middles of the squares
// into which the pixel is divided.
func (p *Painter) drawSamples(d *Drawn, s *Scene, x, width int, t *passes.Timer) {
	still, side := *p.block.Data, p.at.side
	for k := range side * side {
		if side > 1 {
			middle := func(i int) float32 { return (float32(i)+0.5)/float32(side) - 0.5 }
			p.block.Data.shift(mgl32.Vec2{middle(k % side), middle(k / side)}, float32(k)/float32(side*side))
			p.block.Send(gpu.SceneBinding)
		}
		gl.Scissor(int32(x), 0, int32(width), int32(s.Height))
		gpu.SetEnabled(gl.SCISSOR_TEST, width < s.Width)
		gl.BindFramebuffer(gl.FRAMEBUFFER, p.at.drawn)
		p.drawPicture(d, s)
		gl.Disable(gl.SCISSOR_TEST) // it would cut what is resolved
		t.End(passes.Shade)
		t.Begin(passes.Resolve)
		p.at.Resolve(k)
		t.End(passes.Resolve)
		t.Begin(passes.Shade)
		*p.block.Data = still
	}
	t.End(passes.Shade)
}

// readyPrograms compiles the programs of the scene's passes before the first of them draws.
func (p *Painter) readyPrograms(s *Scene) error {
	d := &p.Drawn
	err := ready(d, p.shadow.programs)
	switch {
	case s.Surface == SurfaceMaterial:
		err = errors.Join(err, ready(d, p.meshes.material), p.around.ready(s.light()))
	case s.Surface.Lit():
		err = errors.Join(err, ready(d, p.meshes.shaded))
	}
	if s.Grid && !s.Transparent {
		err = errors.Join(err, ready(d, p.contact.height))
	}
	if s.Wireframe {
		err = errors.Join(err, ready(d, p.meshes.wire))
	}
	if s.Ghost {
		err = errors.Join(err, p.readyGhost(d.Model))
	}
	if s.Over != nil {
		err = errors.Join(err, ready(&p.over, p.meshes.shaded))
	}
	if s.NormalLines > 0 {
		err = errors.Join(err, p.readyLines(d.Model, s.Recomputed))
	}
	return err
}

// drawPicture draws the linear picture into the bound target.
func (p *Painter) drawPicture(d *Drawn, s *Scene) {
	gl.Viewport(0, 0, int32(s.Width), int32(s.Height))
	gl.Clear(gl.DEPTH_BUFFER_BIT)
	gl.BindVertexArray(p.empty)
	if s.Transparent {
		gl.ClearColor(0, 0, 0, 0)
		gl.Clear(gl.COLOR_BUFFER_BIT)
	} else {
		x, y, width, height := s.share()
		p.studio.Backdrop(s.Background, x, y, width, height)
	}
	p.shadow.bind()
	material := s.Surface == SurfaceMaterial
	if material {
		p.around.bind()
		d.sortBlended(s)
	}
	if s.Surface.Lit() {
		p.meshes.Opaque(d)
		if !material {
			p.meshes.blended(d)
		}
	} else {
		p.Values.Draw(d, s)
	}
	if s.Over != nil {
		p.meshes.Opaque(&p.over)
	}
	if s.NormalLines > 0 {
		p.drawLines(d.Model, s)
	}
	if s.Grid && !s.Transparent {
		p.contact.bind()
		gl.BindVertexArray(p.empty)
		p.studio.Floor(s.Background)
	}
	if material {
		p.meshes.blended(d)
	}
	if s.Wireframe {
		p.meshes.wireframe(d)
	}
	if s.Ghost {
		p.drawGhost(d.Model)
	}
}

// BeginTiming binds a small target. Passes that are timed alone, without a picture, draw into it.
func (p *Painter) BeginTiming() error {
	const size = 16
	if err := p.target.resize(size, size, 1); err != nil {
		return err
	}
	p.resetState()
	gl.BindFramebuffer(gl.FRAMEBUFFER, p.target.drawn)
	gl.Viewport(0, 0, size, size)
	return nil
}

// VertexStage runs the vertex stage of the mesh pass over every vertex. The stage places all vertices behind the far
// plane, so nothing is rasterised.
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
			p.meshes.shaded.use(part.source)
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
