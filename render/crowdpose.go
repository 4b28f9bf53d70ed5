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

// crowdCaps returns what limits crowds of a model that are posed for methods that read these forms, in one way.
func (p *poser) crowdCaps(g *gpuModel, c *Crowd, reads skinning.Forms, way Skinning) [8]crowdCap {
	texels := c.layout.centerBase()
	if reads&skinning.Centers != 0 {
		texels += c.layout.centers
	}
	most, each := p.texels, 0
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
		{1 + 2*len(g.morphs.ranges), p.texels, "texels of morph targets, the driver's limit"},
	}
	if g.AddsMorphs() {
		caps[3] = crowdCap{1, 1, "model whose morph targets are added on the CPU, since they exceed the driver's limit"}
	}
	if way != InShader {
		caps[4] = crowdCap{int(vertexSize) * g.streams.all, crowdMemory,
			"bytes of posed vertices, a limit of skinlab; skinning in the shader needs none"}
		caps[5] = crowdCap{2 * g.streams.all, p.texels,
			"texels of posed vertices, the driver's limit; skinning in the shader needs none"}
	}
	if way == InBufferCompute {
		caps[6] = crowdCap{int(vertexSize) * g.streams.all, p.storage,
			"bytes of posed vertices, the driver's limit for compute stages"}
	}
	caps[7] = crowdCap{each, p.texels, "texels of what proxy bones are solved for from, the driver's limit"}
	return caps
}

// String says how many instances fit, and into what.
func (k crowdCap) String() string {
	return fmt.Sprintf("%d instances fit into %d %s", max(k.most/k.each, 1), k.most, k.what)
}

// CrowdLimit returns how many instances of a crowd can be posed for methods that read these forms in one way, 1 to
// MaxInstances, and where it is fewer than that, what limits them.
func (p *poser) CrowdLimit(g *gpuModel, c *Crowd, reads skinning.Forms, way Skinning) (instances int, least crowdCap) {
	instances = MaxInstances
	for _, k := range p.crowdCaps(g, c, reads, way) {
		if k.each > 0 && k.most/k.each < instances {
			instances, least = max(k.most/k.each, 1), k // one is drawn as a model is, whatever its size
		}
	}
	return instances, least
}

// PoseCrowd sends a crowd and poses it into a buffer of its own; with InShader it only sends what the passes then pose
// from. A crowd that is larger than CrowdLimit is an [ErrCrowd].
func (p *poser) PoseCrowd(g *gpuModel, c *Crowd, method skinning.Method, s Skinning, t *Timer) error {
	if missing := method.Reads() &^ c.reads; missing != 0 {
		panic(fmt.Sprintf("render: Draw: the crowd was posed without forms %b, which %v reads", missing, method))
	}
	if n, least := p.CrowdLimit(g, c, c.reads, s); c.instances > n {
		return fmt.Errorf("%w: %d instances, posed by way of %v: %v", ErrCrowd, c.instances, s, least)
	}
	b, err := p.binding(g, c.model, method)
	if err != nil {
		return err
	}
	if p.crowd == nil {
		if p.crowd, err = newCrowdBuffers(); err != nil {
			return err
		}
	}
	into := p.crowd
	if s != InShader {
		if err := into.reserve(c.instances * g.streams.all); err != nil {
			return err
		}
	}
	t.Begin(PassUpload)
	sent, err := into.send(c)
	if err != nil {
		t.End(PassUpload)
		return err
	}
	first := c.first()
	*p.block.data = poseBlock{
		instanceTexels: int32(c.texels), centerBase: int32(c.layout.centerBase()),
		skinVertices: int32(g.streams.skinVertices), vertices: int32(g.streams.all),
		instances: int32(c.instances), columns: int32(c.columns), place: [4]float32{first[0], first[1], c.step[0], c.step[1]},
	}
	if c.morphed {
		p.block.data.morphTexels = int32(c.morphTexels)
	}
	c.layout.fill(p.block.data, c.instances, c.texels, c.solved)
	p.block.Send(poseBinding)
	t.End(PassUpload)
	if sent && c.solved {
		t.Begin(PassProxies)
		err := p.proxies.Run(b.proxies, into.inputs, into.palettes.buffer, p.block.data, p.proxyStorage(s))
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
