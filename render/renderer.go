package render

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/skinning"
)

// Renderer draws scenes of one model. It belongs to the goroutine whose GL context was current when it was made.
type Renderer struct {
	info       Info
	timer      *Timer
	texelLimit int // texels of the largest texture buffer

	skinning Skinning // where Draw poses; never InBuffer
	poser    *poser
	shadow   *shadowMap
	contact  *contactMap
	meshes   *meshPass
	values   *valuePass
	normals  normalPass
	lines    linePass
	ghost    ghostPass
	studio   *studio
	target   pictureTarget // with samples
	quick    pictureTarget // without
	empty    uint32        // a vertex array without attributes, for triangles made in the shader

	block   *sceneBlock // apart from the Renderer: C may not see a block with Go pointers in it
	uniform uint32

	model  *gpuModel
	beside *gpuModel     // of another file in the same picture; nil where there is none
	drawn  drawn         // scratch of draw
	alike  Scene         // scratch of draw: a scene with what its crowd cannot show left out
	crowd  *crowdBuffers // nil until a crowd is drawn
	out    pictureOutput
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

// NewRenderer compiles the programs that all pictures need; those of a method are compiled when it is first drawn. A
// context of OpenGL 4.1 core or later must be current and its functions loaded ([NewHeadless] does both; a window calls
// gl.Init).
func NewRenderer() (*Renderer, error) {
	r := &Renderer{target: pictureTarget{most: pictureQuality().samples}, quick: pictureTarget{most: 1},
		block: new(sceneBlock), info: readInfo()}
	drainErrors()
	if !hasVersion(4, 1) {
		return nil, fmt.Errorf("render: OpenGL 4.1 is needed, the context of %s has %s", r.info.Renderer, r.info.Version)
	}
	var texels int32
	gl.GetIntegerv(gl.MAX_TEXTURE_BUFFER_SIZE, &texels)
	r.texelLimit = int(texels)
	gl.GenVertexArrays(1, &r.empty)
	gl.GenBuffers(1, &r.uniform)
	r.timer = newPassTimer(r.info.Software)
	r.poser = newPoser(r.info.Software)
	r.skinning = r.poser.best()
	var err error
	if r.shadow, err = newShadowMap(); err == nil {
		r.contact, err = newContactMap()
	}
	if err == nil {
		r.meshes, err = newMeshPass()
	}
	if err == nil {
		r.values, err = newValuePass()
	}
	if err == nil {
		r.studio, err = newStudio()
	}
	if err == nil {
		err = glError("new renderer on %s", r.info.Renderer)
	}
	if err != nil {
		r.Delete()
		return nil, err
	}
	return r, nil
}

// Info says what draws.
func (r *Renderer) Info() Info { return r.info }

// Timer returns what times the passes of Draw. It is off until it is switched on. Who draws calls its Frame once a
// frame.
func (r *Renderer) Timer() *Timer { return r.timer }

func readInfo() Info {
	i := Info{
		Renderer: gl.GoStr(gl.GetString(gl.RENDERER)),
		Version:  gl.GoStr(gl.GetString(gl.VERSION)),
	}
	for _, name := range []string{"llvmpipe", "softpipe", "swrast", "software", "swiftshader"} {
		i.Software = i.Software || strings.Contains(strings.ToLower(i.Renderer), name)
	}
	return i
}

// SetModel uploads a model's static streams and textures and lets go of the previous model's and of what was fitted to
// it. On error the previous model stays.
func (r *Renderer) SetModel(m *skinning.Model) error {
	g, err := newGPUModel(m, r.texelLimit)
	if err != nil {
		return err
	}
	r.model.Delete()
	r.model = g
	r.timer.Reset()
	return nil
}

// SetBeside uploads a second model, whose frames Draw takes as well: another file beside the first. Nil takes it away.
// On error the one before stays. What is fitted to it goes with it.
func (r *Renderer) SetBeside(m *skinning.Model) error {
	var g *gpuModel
	if m != nil {
		var err error
		if g, err = newGPUModel(m, r.texelLimit); err != nil {
			return err
		}
	}
	r.beside.Delete()
	r.beside = g
	return nil
}

// modelOf returns the model that a frame poses, nil where none of those that were set.
func (r *Renderer) modelOf(f *skinning.Frame) *gpuModel {
	if f == nil {
		return nil
	}
	return r.holds(f.Model)
}

// holds returns the model that was set, of which m is the model itself or the fitted one; nil for none.
func (r *Renderer) holds(m *skinning.Model) *gpuModel {
	for _, g := range [...]*gpuModel{r.model, r.beside} {
		if g != nil && g.of(m) != nil {
			return g
		}
	}
	return nil
}

var errNoModel = errors.New("render: SetModel has not been called")

// Draw draws the scene into the viewport of a framebuffer, 0 for the window. It neither waits for the GPU nor reads
// anything back, and allocates nothing once the size and the programs of the method have been seen. A scene without
// pixels is not drawn. The framebuffer stays bound, with depth test, culling and blending off.
//
// The frame must be of a model that was set, or of the fitted one; another one is a caller's bug and panics. A crowd
// that is larger than CrowdLimit is an [ErrCrowd], and nothing is drawn.
func (r *Renderer) Draw(s *Scene, framebuffer uint32) error {
	q := movingQuality(r.info.Software)
	if s.Fine {
		q = pictureQuality()
	}
	return r.draw(s, framebuffer, q)
}

// targetOf returns what pictures of a quality are drawn into.
func (r *Renderer) targetOf(q quality) *pictureTarget {
	if q.samples == 1 {
		return &r.quick
	}
	return &r.target
}

func (r *Renderer) draw(s *Scene, framebuffer uint32, q quality) error {
	if s.Width <= 0 || s.Height <= 0 {
		return nil
	}
	if r.model == nil {
		return errNoModel
	}
	s = r.plain(s)
	g := r.modelOf(s.Frame)
	if g == nil {
		panic("render: Draw: the scene's frame is not of a model given to SetModel, SetBeside or SetFitted")
	}
	target := r.targetOf(q)
	if err := target.Resize(s.Width, s.Height); err != nil {
		return err
	}
	t := r.timer
	t.beginPicture()
	defer t.endPicture()
	r.resetState()
	// not the one that a window lacks: passes that draw nothing want one too
	gl.BindFramebuffer(gl.FRAMEBUFFER, target.drawn)
	light := r.block.fillScene(s, g, q.taps)
	t.Begin(PassUpload)
	r.sendBlock()
	t.End(PassUpload)
	way := r.way(g, s)
	if err := r.prepareValues(g, s, way); err != nil { // before the scene's pose: they may share a palette
		return err
	}
	if err := r.pose(g, s, way, t); err != nil {
		return err
	}
	if s.Recomputed {
		t.Begin(PassNormals)
		err := r.normals.Run(g, s.Frame, r.texelLimit)
		t.End(PassNormals)
		if err != nil {
			return err
		}
	}
	d := &r.drawn
	d.set(g, s, way)
	if s.Crowd != nil {
		d.many(s.Crowd, r.crowd, way)
	}
	if err := r.readyPrograms(s); err != nil {
		return err
	}
	t.Begin(PassShadow)
	r.shadow.Draw(d, light)
	if s.Grid {
		r.contact.Draw(d, r.block.contact, r.empty)
	}
	t.End(PassShadow)
	t.Begin(PassShade)
	x, width := s.part()
	gl.Scissor(int32(x), 0, int32(width), int32(s.Height))
	setEnabled(gl.SCISSOR_TEST, width < s.Width)
	if s.Surface.numeric() {
		r.values.Fill(g, s)
	}
	gl.BindFramebuffer(gl.FRAMEBUFFER, target.drawn)
	r.drawPicture(d, s)
	t.End(PassShade)
	t.Begin(PassResolve)
	defer t.End(PassResolve)
	target.Resolve()

	gl.BindFramebuffer(gl.FRAMEBUFFER, framebuffer)
	gl.Viewport(int32(s.X), int32(s.Y), int32(s.Width), int32(s.Height))
	gl.Scissor(int32(s.X+x), int32(s.Y), int32(width), int32(s.Height))
	gl.Disable(gl.DEPTH_TEST)
	gl.BindVertexArray(r.empty)
	r.studio.Present(target.picture, s.X, s.Y)
	gl.Disable(gl.SCISSOR_TEST)
	gl.BindVertexArray(0)
	gl.UseProgram(0)
	gl.ActiveTexture(gl.TEXTURE0)
	return nil
}

// sendBlock sends the scene's block and binds it.
func (r *Renderer) sendBlock() {
	gl.BindBuffer(gl.UNIFORM_BUFFER, r.uniform)
	gl.BufferData(gl.UNIFORM_BUFFER, int(unsafe.Sizeof(*r.block)), unsafe.Pointer(r.block), gl.STREAM_DRAW)
	gl.BindBufferBase(gl.UNIFORM_BUFFER, sceneBinding, r.uniform)
}

// pose poses the scene's model or its crowd.
func (r *Renderer) pose(g *gpuModel, s *Scene, way Skinning, t *Timer) error {
	if s.Crowd != nil {
		return r.poseCrowd(g, s, way, t)
	}
	return r.poser.Pose(g, s.Frame, s.Method, way, t)
}

// readyPrograms compiles what the scene's passes need, before the first of them draws.
func (r *Renderer) readyPrograms(s *Scene) error {
	d := &r.drawn
	err := ready(d, r.shadow.programs)
	if s.Surface.lit() {
		err = errors.Join(err, ready(d, r.meshes.shaded))
	}
	if s.Grid {
		err = errors.Join(err, ready(d, r.contact.height))
	}
	if s.Wireframe {
		err = errors.Join(err, ready(d, r.meshes.wire))
	}
	if s.Ghost {
		err = errors.Join(err, r.ghost.Ready(d.gpuModel))
	}
	if s.NormalLines > 0 {
		err = errors.Join(err, r.lines.Ready(d.gpuModel, s.Recomputed))
	}
	return err
}

// drawPicture draws the linear picture into the target that is bound.
func (r *Renderer) drawPicture(d *drawn, s *Scene) {
	gl.Viewport(0, 0, int32(s.Width), int32(s.Height))
	gl.Clear(gl.DEPTH_BUFFER_BIT)
	gl.BindVertexArray(r.empty)
	r.studio.Backdrop()
	r.shadow.Bind()
	material := s.Surface == SurfaceMaterial
	if s.Surface.lit() {
		r.meshes.Opaque(d)
		if !material {
			r.meshes.Blended(d)
		}
	} else {
		r.values.Draw(d, s)
	}
	if s.NormalLines > 0 {
		r.lines.Draw(d.gpuModel, s)
	}
	if s.Grid {
		r.contact.Bind()
		gl.BindVertexArray(r.empty)
		r.studio.Floor()
	}
	if material {
		r.meshes.Blended(d)
	}
	if s.Wireframe {
		r.meshes.Wireframe(d)
	}
	if s.Ghost {
		r.ghost.Draw(d.gpuModel)
	}
	r.shadow.Unbind()
}

// resetState sets what passes rely on and others, an interface library for one, may have changed.
func (r *Renderer) resetState() {
	gl.Disable(gl.SCISSOR_TEST)
	gl.Disable(gl.STENCIL_TEST)
	gl.Disable(gl.BLEND)
	gl.Disable(gl.CULL_FACE)
	gl.Disable(gl.FRAMEBUFFER_SRGB) // present.frag.glsl encodes
	gl.Enable(gl.MULTISAMPLE)
	gl.ColorMask(true, true, true, true)
	gl.DepthMask(true)
	gl.DepthFunc(gl.LESS)
	gl.ClearDepth(1)
	gl.CullFace(gl.BACK)
	gl.FrontFace(gl.CCW)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.FILL)
	gl.BlendEquation(gl.FUNC_ADD)
	for unit := range unitCount {
		gl.BindSampler(unit, 0)
	}
}

// Delete releases everything in reverse order. It is nil-safe and may be called again.
func (r *Renderer) Delete() {
	if r == nil {
		return
	}
	r.out.Delete()
	r.beside.Delete()
	r.model.Delete()
	r.model, r.beside = nil, nil
	r.quick.Delete()
	r.target.Delete()
	r.studio.Delete()
	r.ghost.Delete()
	r.lines.Delete()
	r.normals.Delete()
	r.values.Delete()
	r.meshes.Delete()
	r.contact.Delete()
	r.shadow.Delete()
	r.crowd.Delete()
	r.poser.Delete()
	r.timer.Delete()
	if r.uniform != 0 {
		gl.DeleteBuffers(1, &r.uniform)
		gl.DeleteVertexArrays(1, &r.empty)
		r.uniform, r.empty = 0, 0
	}
}
