package skin

import (
	"errors"
	"fmt"

	"skinlab/render/gpu"
	"skinlab/render/passes"
	"skinlab/skinning"
)

// ErrCrowd reports a crowd that is too large for a way of skinning. Its text says how many instances fit and why.
var ErrCrowd = errors.New("render: the crowd is too large")

// crowdMemory limits the palettes of a crowd, its posed vertices, and these with normals of the posed surface where
// such are needed, in bytes each.
const crowdMemory = 512 << 20

// crowdCap is one limit on the size of a crowd.
type crowdCap struct {
	each, most int // amounts that one instance takes and that all may take
	what       string
}

// crowdCaps returns the limits of a crowd that is posed in one way for methods that read these forms.
func (p *Poser) crowdCaps(g *Model, c *Crowd, reads skinning.Forms, way Way) [8]crowdCap {
	texels := c.layout.instance(reads)
	most, each := p.Texels, 0
	if n := len(c.layout.proxies); n > 0 {
		texels += entryTexels(reads) * n
		most -= proxyAlign
		if c.proxies != nil {
			each = c.proxies.columns()
		}
	}
	caps := [8]crowdCap{
		{16 * texels, crowdMemory, "bytes of palettes, a limit of skinlab"},
		{texels, most, "texels of palettes, the driver's limit"},
		{1 + 2*len(g.morphs.ranges), p.Texels, "texels of morph targets, the driver's limit"},
	}
	if g.AddsMorphs() {
		caps[3] = crowdCap{1, 1, "model whose morph targets are added on the CPU, since they exceed the driver's limit"}
	}
	if way != InShader {
		caps[4] = crowdCap{int(VertexSize) * g.Streams.All, crowdMemory,
			"bytes of posed vertices, a limit of skinlab; skinning in the shader needs none"}
		caps[5] = crowdCap{2 * g.Streams.All, p.Texels,
			"texels of posed vertices, the driver's limit; skinning in the shader needs none"}
	}
	if way == InBufferCompute {
		caps[6] = crowdCap{int(VertexSize) * g.Streams.All, p.Storage,
			"bytes of posed vertices, the driver's limit for compute stages"}
	}
	caps[7] = crowdCap{each, p.Texels, "texels of what proxy bones are solved for from, the driver's limit"}
	return caps
}

// String says which resource is limited and how many instances fit.
func (k crowdCap) String() string {
	return fmt.Sprintf("%d instances fit into %d %s", max(k.most/k.each, 1), k.most, k.what)
}

// CrowdLimit returns how many instances can be posed in one way for methods that read these forms, 1 to MaxInstances.
// If it is less than MaxInstances, least is the limit that decides.
func (p *Poser) CrowdLimit(g *Model, c *Crowd, reads skinning.Forms, way Way) (instances int, least crowdCap) {
	instances = MaxInstances
	for _, k := range p.crowdCaps(g, c, reads, way) {
		if k.each > 0 && k.most/k.each < instances {
			instances, least = max(k.most/k.each, 1), k // a crowd of one is drawn like a model of any size
		}
	}
	return instances, least
}

// PoseCrowd sends a crowd's palettes and poses the instances into their own buffer. With InShader it only sends what
// the drawing passes pose from. A crowd larger than CrowdLimit is an [ErrCrowd].
func (p *Poser) PoseCrowd(g *Model, c *Crowd, method skinning.Method, s Way, t *passes.Timer) error {
	if missing := method.Reads() &^ c.reads; missing != 0 {
		panic(fmt.Sprintf("render: Draw: the crowd was posed without forms %b, which %v reads", missing, method))
	}
	if n, least := p.CrowdLimit(g, c, c.reads, s); c.instances > n {
		return fmt.Errorf("%w: %d instances, posed by way of %v: %v", ErrCrowd, c.instances, s, least)
	}
	b, err := p.binding(g, c.First(), method)
	if err != nil {
		return err
	}
	if p.Crowd == nil {
		if p.Crowd, err = newCrowdBuffers(&p.owner); err != nil {
			return err
		}
	}
	into := p.Crowd
	if s != InShader {
		if err := into.posed.Reserve(c.instances * g.Streams.All); err != nil {
			return err
		}
	}
	t.Begin(passes.Upload)
	fresh, first := into.send(c), c.first()
	*p.block.Data = poseBlock{columns: int32(c.columns), place: [4]float32{first[0], first[1], c.step[0], c.step[1]}}
	if c.morphed {
		p.block.Data.morphTexels = int32(c.morphTexels)
	}
	p.sendBlock(g, &c.upload)
	t.End(passes.Upload)
	if err := p.ready(g, b, inputs{&into.uploadBuffers, into.lists, fresh && c.solved}, s, t); err != nil {
		into.sent = nil
		return err
	}
	if s == InShader {
		return nil
	}
	t.Begin(passes.Skin)
	defer t.End(passes.Skin)
	into.read.Bind(gpu.UnitPosedCrowd)
	return p.run(g, b, method, s, into.posed, g.Streams.All)
}
