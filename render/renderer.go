package render

import (
	"errors"
	"fmt"

	"skinlab/render/gpu"
	"skinlab/render/passes"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Renderer draws scenes of one model. It belongs to the goroutine whose GL context was current when it was made.
type Renderer struct {
	info       gpu.Info
	timer      *passes.Timer
	chosen     skin.Way // where Draw poses; never InBuffer
	poser      *skin.Poser
	painter    *picture.Painter
	model      *picture.Model
	whole      *picture.Model // of a fit whose mesh or skeleton is its own; nil where there is none
	beside     *picture.Model // of another file in the same picture; nil where there is none
	plainScene picture.Scene  // scratch of draw: a scene with what its crowd cannot show left out
	out        pictureOutput
}

// NewRenderer compiles the programs that all pictures need; those of a method are compiled when it is first drawn. A
// context of OpenGL 4.1 core or later must be current and its functions loaded ([gpu.NewHeadless] does both; a window
// calls gl.Init).
func NewRenderer() (*Renderer, error) {
	r := &Renderer{info: gpu.ReadInfo()}
	gpu.DrainErrors()
	if !gpu.HasVersion(4, 1) {
		return nil, fmt.Errorf("render: OpenGL 4.1 is needed, the context of %s has %s", r.info.Renderer, r.info.Version)
	}
	r.timer = passes.New(r.info.Software)
	r.poser = skin.NewPoser(r.info.Software)
	r.chosen = r.poser.Best()
	var err error
	r.painter, err = picture.NewPainter(r.info.Software)
	if err == nil {
		err = gpu.Error("new renderer on %s", r.info.Renderer)
	}
	if err != nil {
		r.Delete()
		return nil, err
	}
	return r, nil
}

// Info says what draws.
func (r *Renderer) Info() gpu.Info { return r.info }

// Timer returns the timer of the passes of Draw. It is off until it is switched on. The caller of Draw must call its
// Frame once a frame.
func (r *Renderer) Timer() *passes.Timer { return r.timer }

// SetModel uploads a model's static streams and textures and frees those of the previous model and of the fit to it. On
// error the previous model stays.
func (r *Renderer) SetModel(m *skinning.Model) error {
	g, err := picture.NewModel(m, r.poser.Texels)
	if err != nil {
		return err
	}
	r.whole.Delete()
	r.model.Delete()
	r.model, r.whole = g, nil
	r.timer.Reset()
	return nil
}

// SetBeside uploads a second model, such as another file, whose frames Draw takes as well. Nil removes it. On error the
// previous one stays. A fit to it is freed with it.
func (r *Renderer) SetBeside(m *skinning.Model) error {
	var g *picture.Model
	if m != nil {
		var err error
		if g, err = picture.NewModel(m, r.poser.Texels); err != nil {
			return err
		}
	}
	r.beside.Delete()
	r.beside = g
	return nil
}

// modelOf returns the model that a frame poses, nil where that model was not set.
func (r *Renderer) modelOf(f *skinning.Frame) *picture.Model {
	if f == nil {
		return nil
	}
	return r.holds(f.Model)
}

// holds returns the uploaded model to which m belongs, as the model itself or as its fitted model; nil for none.
func (r *Renderer) holds(m *skinning.Model) *picture.Model {
	for _, g := range [...]*picture.Model{r.model, r.whole, r.beside} {
		if g != nil && g.Of(m) != nil {
			return g
		}
	}
	return nil
}

// SetFitted uploads a second binding of the model's skin beside its own: the same vertices over the same joints and
// more behind them ([rig.WithBlendBones]). Frames of m can then be drawn as well, by linear blending. A fit calls it
// many times a second, so only influences are uploaded. Tints are those of [Renderer.SetTints]. A nil m removes the
// binding. On error the old one stays.
//
// A fitted model with a mesh or a skeleton of its own, such as a body model, is uploaded whole instead of a binding,
// and its frames can be drawn by any method (see [skin.Model.Fits]).
func (r *Renderer) SetFitted(m *skinning.Model, tints []skin.Tint) error {
	if r.model == nil {
		return errNoModel
	}
	var whole *picture.Model
	if m != nil && !r.model.Fits(m) {
		var err error
		whole, err = picture.NewModel(m, r.poser.Texels)
		if err == nil && tints != nil {
			err = whole.SetTints(m, tints)
		}
		if err != nil {
			whole.Delete()
			return err
		}
		m, tints = nil, nil
	}
	if err := r.model.SetFitted(m, tints, r.poser.Texels); err != nil {
		return err
	}
	r.whole.Delete()
	r.whole = whole
	return nil
}

// SetTints sets the colours that SurfacePaint lays over frames of a model that was given to SetModel, SetBeside or
// SetFitted: one per vertex of the skin, nil for none. It copies them.
func (r *Renderer) SetTints(m *skinning.Model, tints []skin.Tint) error {
	g := r.holds(m)
	if g == nil || tints != nil && len(tints) != g.Streams.SkinVertices {
		panic(fmt.Sprintf("render: SetTints: %d tints for a model that is not shown or has another number of vertices",
			len(tints)))
	}
	return g.SetTints(m, tints)
}

// SetHidden hides the marked parts of a model that was given to SetModel, SetBeside or SetFitted. Hidden has one entry
// per part ([skinning.Model.EachPart]); nil hides none. The parts of a fit to the model are hidden too.
func (r *Renderer) SetHidden(m *skinning.Model, hidden []bool) {
	g := r.holds(m)
	if g == nil {
		panic("render: SetHidden: the model is not shown")
	}
	g.Hide(hidden)
}

// Binds reports whether a fitted model shares the vertices and joints of the model of SetModel, or is a whole model
// beside it: see [Renderer.SetFitted].
func (r *Renderer) Binds(m *skinning.Model) bool { return r.model != nil && r.model.Fits(m) }

var errNoModel = errors.New("render: SetModel has not been called")

// SetWay chooses where Draw poses vertices. If that changes, the timer's windows start again. On a context without
// compute stages InBufferCompute is an error, and nothing changes.
//
// Some scenes are always posed into a buffer, because the picture is computed from it: those whose surface shows
// numbers or normals, and those that recompute normals or draw them as lines.
func (r *Renderer) SetWay(s skin.Way) error {
	if s > skin.InShader {
		panic(fmt.Sprintf("render: SetWay: %d", s))
	}
	if s == skin.InBufferCompute && !r.poser.Computes {
		return fmt.Errorf("render: compute stages need OpenGL 4.3, the context has %s", r.info.Version)
	}
	if s == skin.InBuffer {
		s = r.poser.Best()
	}
	if s != r.chosen {
		r.chosen = s
		r.timer.Reset()
	}
	return nil
}

// Way returns where Draw poses vertices: never InBuffer, but which of the two it is.
func (r *Renderer) Way() skin.Way { return r.chosen }

// Draw draws the scene into the viewport of a framebuffer, 0 for the window. It neither waits for the GPU nor reads
// anything back, and allocates nothing once the size and the programs of the method have been seen. A scene without
// pixels is not drawn. The framebuffer stays bound, with depth test, culling and blending off.
//
// The frame must be of a model that was set, or of the fitted one; another one is a caller's bug and panics. A crowd
// that is larger than CrowdLimit is an [skin.ErrCrowd], and nothing is drawn.
func (r *Renderer) Draw(s *picture.Scene, framebuffer uint32) error {
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
	r.timer.Begin(passes.Picture)
	defer r.timer.End(passes.Picture)
	if err := r.painter.Begin(s, g, r.timer); err != nil {
		return err
	}
	way := r.way(g, s)
	if s.Surface == picture.SurfaceHeat { // before the scene's pose: they may share a palette
		if err := r.poseReference(g, s, way); err != nil {
			return err
		}
	}
	over, err := r.poseOver(g, s)
	if err != nil {
		return err
	}
	if err := r.pose(g, s, way, r.timer); err != nil {
		return err
	}
	return r.painter.Paint(s, picture.Posed{Model: g, Way: way, Crowd: r.poser.Crowd}, over, framebuffer, r.timer)
}

// poseOver poses the other model that a scene draws over its model, into its own buffer. It returns nil if there is
// none.
func (r *Renderer) poseOver(g *picture.Model, s *picture.Scene) (*picture.Model, error) {
	if s.Over == nil {
		return nil, nil
	}
	over := r.modelOf(s.Over.Frame)
	if over == nil || over == g {
		panic("render: Draw: the frame of Scene.Over is not of another shown model than the scene's")
	}
	way := r.poser.Way(over.Model, r.poser.Best())
	return over, r.poser.Pose(over.Model, s.Over.Frame, s.Over.Method, way, nil)
}

// WayOf returns how Draw would pose a scene's model: some surfaces want it in a buffer whatever SetWay chose.
func (r *Renderer) WayOf(s *picture.Scene) skin.Way {
	s = r.plain(s)
	return r.way(r.modelOf(s.Frame), s)
}

// SolvedRig returns the matrices from which the GPU solves for the proxy bones of a model that was set, nil where it
// does not.
func (r *Renderer) SolvedRig(m *skinning.Model) *skinning.LinearSystem {
	return r.holds(m).SolvedRig(m)
}

// way returns how a scene's model is posed.
func (r *Renderer) way(g *picture.Model, s *picture.Scene) skin.Way {
	way := r.chosen
	if way == skin.InShader && s.NeedsPosed() {
		way = r.poser.Best()
	}
	return r.poser.Way(g.Model, way)
}

// pose poses the scene's model or its crowd.
func (r *Renderer) pose(g *picture.Model, s *picture.Scene, way skin.Way, t *passes.Timer) error {
	if s.Crowd != nil {
		if err := r.poser.PoseCrowd(g.Model, s.Crowd, s.Method, way, t); err != nil || !s.Recomputed {
			return err
		}
		return r.poser.RecomputeCrowd(g.Model, s.Crowd, way, t)
	}
	if err := r.poser.Pose(g.Model, s.Frame, s.Method, way, t); err != nil {
		return err
	}
	if s.Surface == picture.SurfaceMaterial && way != skin.InShader {
		if err := r.poser.PoseTangents(g.Model, g.Of(s.Frame.Model), s.Method, t); err != nil {
			return err
		}
	}
	if !s.Recomputed {
		return nil
	}
	return r.poser.Recompute(g.Model, s.Frame, way, t)
}

// poseReference poses what a heat map compares with.
func (r *Renderer) poseReference(g *picture.Model, s *picture.Scene, way skin.Way) error {
	if s.Heat == nil {
		panic("render: Draw: SurfaceHeat without Scene.Heat")
	}
	if s.Heat.Distances != nil {
		if n := len(s.Heat.Distances); n != g.Streams.SkinVertices {
			panic(fmt.Sprintf("render: Draw: Scene.Heat has %d distances, the model %d skin vertices", n, g.Streams.SkinVertices))
		}
		return nil
	}
	from := r.modelOf(s.Heat.Frame)
	if from == nil || from.Streams.SkinVertices != g.Streams.SkinVertices {
		panic(fmt.Sprintf("render: Draw: the frame of Scene.Heat is not of a shown model with %d skin vertices",
			g.Streams.SkinVertices))
	}
	r.timer.Begin(passes.Shade) // what a heat map costs is no cost of the method that it is about
	defer r.timer.End(passes.Shade)
	if method, ok := s.Heat.Reference.(skinning.Method); ok || s.Heat.Reference == nil {
		return r.poser.PoseSkin(from.Model, s.Heat.Frame, method, way, g.Values.Reference)
	}
	shape := s.Heat.Reference.Positions(s.Heat.Frame)
	vertices := make([]skin.Vertex, len(shape))
	for v, p := range shape {
		vertices[v].Position = geom.Vec32(p)
	}
	g.Values.Reference.Set(vertices)
	return nil
}

// NewCrowd makes a crowd of one instance of a model that was given to SetModel, SetBeside or SetFitted, and starts
// workers, 0 for one a core. Close ends them.
//
// Centers are those of another frame of the model, or nil.
func (r *Renderer) NewCrowd(m *skinning.Model, centers *skinning.CenterSets, workers int) *skin.Crowd {
	g := r.holds(m)
	if g == nil {
		panic("render: NewCrowd: the model was not given to SetModel, SetBeside or SetFitted")
	}
	return skin.NewCrowd(g.Model, m, centers, workers)
}

// CrowdLimit returns the number of instances of a crowd's model, 1 to MaxInstances, that can be posed for methods that
// read these forms and drawn with the renderer's way of skinning. If it is below MaxInstances, it also returns the
// reason.
func (r *Renderer) CrowdLimit(c *skin.Crowd, reads skinning.Forms) (instances int, reason string) {
	g := r.holds(c.Model())
	if g == nil {
		panic("render: the crowd's model is not shown")
	}
	n, least := r.poser.CrowdLimit(g.Model, c, reads, r.poser.Way(g.Model, r.chosen))
	if n < skin.MaxInstances {
		reason = least.String()
	}
	return n, reason
}

// plain returns a scene that can be drawn. A crowd of one becomes a single model. A larger crowd loses the surfaces
// that are computed from one posed model: numbers and normals become clay.
func (r *Renderer) plain(s *picture.Scene) *picture.Scene {
	if s.Crowd == nil {
		return r.shadedAnew(s)
	}
	if s.Frame == nil || s.Crowd.Model() != s.Frame.Model {
		panic("render: Draw: the scene's crowd is of another model than its frame")
	}
	r.plainScene = *s
	if s.Crowd.Instances() == 1 {
		r.plainScene.Frame, r.plainScene.Crowd = s.Crowd.First(), nil
		return r.shadedAnew(&r.plainScene)
	}
	if !s.Surface.Lit() {
		r.plainScene.Surface = picture.SurfaceClay
	}
	r.plainScene.Ghost, r.plainScene.NormalLines = false, 0
	return r.shadedAnew(&r.plainScene)
}

// shadedAnew returns the scene with normals from the posed surface if it needs them
// ([skinning.Frame.WantsSurfaceNormals]). A crowd that is posed in the shader, because no buffer holds it, keeps the
// normals that the method transforms.
func (r *Renderer) shadedAnew(s *picture.Scene) *picture.Scene {
	g := r.modelOf(s.Frame)
	if g == nil {
		return s
	}
	want := s.Recomputed
	if !want && !s.Transformed {
		want = s.Frame.WantsSurfaceNormals(s.Method)
		if s.Crowd != nil {
			want = s.Crowd.WantsSurfaceNormals(s.Method)
		}
	}
	if want && s.Crowd != nil && r.chosen == skin.InShader {
		n, _ := r.poser.CrowdLimit(g.Model, s.Crowd, s.Method.Reads(), r.poser.Way(g.Model, r.poser.Best()))
		want = s.Crowd.Instances() <= n
	}
	if want != s.Recomputed {
		r.plainScene = *s
		s = &r.plainScene
		s.Recomputed = want
	}
	return s
}

// Delete releases everything in reverse order. It is nil-safe and may be called again.
func (r *Renderer) Delete() {
	if r == nil {
		return
	}
	r.out.owner.Delete()
	r.beside.Delete()
	r.whole.Delete()
	r.model.Delete()
	r.model, r.whole, r.beside = nil, nil, nil
	r.painter.Delete()
	r.poser.Delete()
	r.timer.Delete()
}
