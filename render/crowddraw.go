package render

import (
	"errors"
	"fmt"

	"skinlab/skinning"
)

// ErrCrowd reports a crowd that is larger than what its way of skinning can hold; the text says why and how many fit.
var ErrCrowd = errors.New("render: the crowd is too large")

// crowdMemory bounds the palettes of a crowd, and its posed vertices, each in bytes.
const crowdMemory = 512 << 20

// crowdCap is what limits a crowd.
type crowdCap struct {
	each, most int // of one instance, and of all
	what       string
}

// crowdCaps returns what limits crowds of a model with these forms and the renderer's way of skinning.
func (r *Renderer) crowdCaps(c *Crowd, reads skinning.Forms) [8]crowdCap {
	g := r.holds(c.model)
	if g == nil {
		panic("render: the crowd's model is not shown")
	}
	texels := c.layout.centerBase()
	if reads&skinning.Centers != 0 {
		texels += c.layout.centers
	}
	most, each := r.texelLimit, 0
	if n := len(c.layout.proxies); n > 0 {
		texels += jointTexels * n
		most -= proxyAlign
		if c.proxies != nil {
			each = c.proxies.columns()
		}
	}
	caps := [8]crowdCap{
		{16 * texels, crowdMemory, "bytes of palettes, a limit of skinlab"},
		{texels, most, "texels of palettes, the driver's limit"},
		{1 + 2*len(g.morphs.ranges), r.texelLimit, "texels of morph targets, the driver's limit"},
	}
	if g.morphs.base != nil {
		caps[3] = crowdCap{1, 1, "model whose morph targets are added on the CPU, since they exceed the driver's limit"}
	}
	if r.skinning != InShader {
		caps[4] = crowdCap{int(vertexSize) * g.streams.all, crowdMemory,
			"bytes of posed vertices, a limit of skinlab; skinning in the shader needs none"}
		caps[5] = crowdCap{2 * g.streams.all, r.texelLimit,
			"texels of posed vertices, the driver's limit; skinning in the shader needs none"}
	}
	if r.skinning == InBufferCompute {
		caps[6] = crowdCap{int(vertexSize) * g.streams.all, r.poser.storage,
			"bytes of posed vertices, the driver's limit for compute stages"}
	}
	caps[7] = crowdCap{each, r.texelLimit, "texels of what proxy bones are solved for from, the driver's limit"}
	return caps
}

// CrowdLimit returns how many instances of a crowd's model can be posed for methods that read these forms and drawn with
// the renderer's way of skinning, 1 to MaxInstances, and where it is fewer than that, why.
func (r *Renderer) CrowdLimit(c *Crowd, reads skinning.Forms) (instances int, reason string) {
	n, least := r.crowdLimit(c, reads)
	if n < MaxInstances {
		reason = fmt.Sprintf("%d instances fit into %d %s", n, least.most, least.what)
	}
	return n, reason
}

func (r *Renderer) crowdLimit(c *Crowd, reads skinning.Forms) (instances int, least crowdCap) {
	instances = MaxInstances
	for _, k := range r.crowdCaps(c, reads) {
		if k.each > 0 && k.most/k.each < instances {
			instances, least = max(k.most/k.each, 1), k // one is drawn as a model is, whatever its size
		}
	}
	return instances, least
}

// plain returns a scene as it can be drawn: a crowd of one as the model that it is, and a larger one without what is
// computed from one posed model: surfaces of numbers and of normals become clay.
func (r *Renderer) plain(s *Scene) *Scene {
	if s.Crowd == nil {
		return r.shadedAnew(s)
	}
	if s.Frame == nil || s.Crowd.model != s.Frame.Model {
		panic("render: Draw: the scene's crowd is of another model than its frame")
	}
	r.alike = *s
	if s.Crowd.instances == 1 {
		r.alike.Frame, r.alike.Crowd = s.Crowd.workers[0].frame, nil
		return r.shadedAnew(&r.alike)
	}
	if !s.Surface.lit() {
		r.alike.Surface = SurfaceClay
	}
	r.alike.Ghost, r.alike.Recomputed, r.alike.NormalLines = false, false, 0
	return &r.alike
}

// shadedAnew returns a scene with normals from the posed surface where none that are stored go with it: of a skin with
// a linear rig, which is the third pass of enveloping, and of morph targets that move vertices and say nothing of
// normals. Those of the rest shape would paint the folds of linear blending on an example in which the surface is
// round.
func (r *Renderer) shadedAnew(s *Scene) *Scene {
	if s.Frame == nil || s.Recomputed || s.Transformed {
		return s
	}
	m := s.Frame.Model
	linear := skinning.RigOf[skinning.LinearRig](m) != nil && s.Method.Reads() == 0
	if !linear && !bareMorphs(&m.Skin, s.Frame.Morphs) {
		return s
	}
	r.alike = *s
	r.alike.Recomputed = true
	return &r.alike
}

// bareMorphs reports whether a morph target without normals has a weight.
func bareMorphs(mesh *skinning.Mesh, weights []float64) bool {
	for i := range mesh.Morphs {
		if t := &mesh.Morphs[i]; t.Normals == nil && weights[t.Slot] != 0 {
			return true
		}
	}
	return false
}

// box returns the box of what the scene shows.
func (s *Scene) box(g *gpuModel) box {
	if s.Crowd != nil {
		return s.Crowd.box
	}
	return g.of(s.Frame.Model).bounds.Of(s.Frame)
}

// poseCrowd sends the scene's crowd and poses it into its buffer, unless the passes pose it.
func (r *Renderer) poseCrowd(g *gpuModel, s *Scene, way Skinning, t *Timer) (err error) {
	c := s.Crowd
	if missing := s.Method.Reads() &^ c.reads; missing != 0 {
		panic(fmt.Sprintf("render: Draw: the crowd was posed without forms %b, which %v reads", missing, s.Method))
	}
	if n, _ := r.crowdLimit(c, c.reads); c.instances > n {
		_, why := r.CrowdLimit(c, c.reads)
		return fmt.Errorf("%w: %d instances, posed by way of %v: %s", ErrCrowd, c.instances, way, why)
	}
	if r.crowd == nil {
		if r.crowd, err = newCrowdBuffers(); err != nil {
			return err
		}
	}
	if way != InShader {
		if err := r.crowd.reserve(c.instances * g.streams.all); err != nil {
			return err
		}
	}
	return r.poser.poseCrowd(g, c, s.Method, way, r.crowd, t)
}

func (p *poser) poseCrowd(g *gpuModel, c *Crowd, method skinning.Method, s Skinning, into *crowdBuffers,
	t *Timer) error {
	b, err := p.binding(g, c.model, method)
	if err != nil {
		return err
	}
	t.Begin(PassUpload)
	sent, err := into.send(c)
	if err != nil {
		t.End(PassUpload)
		return err
	}
	first := c.first()
	*p.block = poseBlock{
		instanceTexels: int32(c.texels), centerBase: int32(c.layout.centerBase()),
		skinVertices: int32(g.streams.skinVertices), vertices: int32(g.streams.all),
		instances: int32(c.instances), columns: int32(c.columns), place: [4]float32{first[0], first[1], c.step[0], c.step[1]},
	}
	if c.morphed {
		p.block.morphTexels = int32(c.morphTexels)
	}
	c.layout.fill(p.block, c.instances, c.texels, c.solved)
	p.sendBlock()
	t.End(PassUpload)
	if sent && c.solved {
		t.Begin(PassProxies)
		err := p.proxies.Run(b.proxies, into.inputs, into.palettes.buffer, p.block, p.proxyStorage(s))
		t.End(PassProxies)
		if err != nil {
			into.sent = nil
			return err
		}
	}
	into.palettes.Bind(unitPalette)
	into.lists.Bind(unitMorphActive)
	b.further.Bind(unitExtra)
	g.morphs.deltas.Bind(unitMorphDeltas)
	if s == InShader {
		return nil
	}
	t.Begin(PassSkin)
	defer t.End(PassSkin)
	into.read.Bind(unitPosedCrowd)
	return p.run(g, b, method, s, into.posed, g.streams.all)
}
