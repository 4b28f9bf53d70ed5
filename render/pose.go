package render

import (
	"fmt"
	"time"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/skinning"
)

// poseBlock mirrors the uniform block Pose of pose.glsl: std140.
type poseBlock struct {
	instanceTexels, centerBase, morphTexels, unrolled int32
	skinVertices, vertices, instances, columns        int32
	firstProxy, proxies, proxyBase, proxyTexels       int32
	place                                             [4]float32
}

// driver is what an OpenGL driver can do of what posing may use.
type driver struct {
	computes bool // compute stages are there
	barriers bool // lanes of their groups wait for each other at little cost: not where the CPU takes their part
	storage  int  // the largest storage buffer that they take, bytes
	texels   int  // the most of a texture buffer
}

// poser poses a model's streams into a buffer, and sends what posing needs. Programs are compiled when they are first
// needed.
type poser struct {
	driver
	feedback []*program        // by method
	compute  []*computeProgram // likewise
	proxies  proxyPass
	normals  normalPass
	block    block[poseBlock]
	crowd    *crowdBuffers // nil until a crowd is posed
}

func newPoser(software bool) *poser {
	methods := len(skinning.Methods())
	p := &poser{driver: driver{computes: hasVersion(4, 3), barriers: !software}, feedback: make([]*program, methods),
		compute: make([]*computeProgram, methods), block: newBlock[poseBlock]()}
	var texels int32
	gl.GetIntegerv(gl.MAX_TEXTURE_BUFFER_SIZE, &texels)
	p.texels = int(texels)
	if p.computes {
		var storage int64
		gl.GetInteger64v(gl.MAX_SHADER_STORAGE_BLOCK_SIZE, &storage)
		p.storage = int(storage)
	}
	return p
}

// best returns the better way of posing into a buffer.
func (p *poser) best() Skinning {
	if p.computes {
		return InBufferCompute
	}
	return InBufferFeedback
}

// Way returns how a model is posed where so is asked for: one of a size that no compute stage reads in one piece is
// posed by transform feedback.
func (p *poser) Way(g *gpuModel, asked Skinning) Skinning {
	if asked == InBufferCompute && g.streams.all*int(vertexSize) > p.storage {
		return InBufferFeedback
	}
	return asked
}

// Pose poses all vertices of g into g.streams.posed, the skin by the method, rigid meshes by their own matrix. With
// InShader it only sends what the passes then pose from.
func (p *poser) Pose(g *gpuModel, f *skinning.Frame, method skinning.Method, s Skinning, t *Timer) error {
	if err := p.send(g, f, method, s, t); err != nil || s == InShader {
		return err
	}
	t.Begin(PassSkin)
	defer t.End(PassSkin)
	return p.run(g, g.of(f.Model), method, s, g.streams.posed, g.streams.all)
}

// PoseSkin poses the skin alone into another buffer.
func (p *poser) PoseSkin(g *gpuModel, f *skinning.Frame, method skinning.Method, s Skinning, into *buffer[restVertex],
	t *Timer) error {
	if err := p.send(g, f, method, s, t); err != nil {
		return err
	}
	t.Begin(PassSkin)
	defer t.End(PassSkin)
	return p.run(g, g.of(f.Model), method, s, into, g.streams.skinVertices)
}

// Recompute sums the normals of the posed surface anew, after Pose.
func (p *poser) Recompute(g *gpuModel, f *skinning.Frame, t *Timer) error {
	t.Begin(PassNormals)
	defer t.End(PassNormals)
	return p.normals.Run(g, f, p.texels)
}

// run poses the first vertices of g, the skin and what follows it, into a buffer. What it needs has been sent.
func (p *poser) run(g *gpuModel, b *bound, method skinning.Method, s Skinning, into *buffer[restVertex],
	vertices int) error {
	skin := g.streams.skinVertices
	pass := p.runFeedback
	if s == InBufferCompute {
		pass = p.runCompute
	}
	if err := pass(g, b, method, into, 0, skin); err != nil {
		return err
	}
	return pass(g, b, skinning.LBS, into, skin, vertices-skin)
}

// binding returns the binding that poses frames of a model by a method.
func (p *poser) binding(g *gpuModel, m *skinning.Model, method skinning.Method) (*bound, error) {
	if int(method) >= len(p.feedback) {
		return nil, fmt.Errorf("render: %v has no GPU program", method)
	}
	b := g.of(m)
	if b.center == nil && method != skinning.LBS {
		return nil, fmt.Errorf("render: a fitted skin is posed by linear blending, not by %v", method)
	}
	return b, nil
}

// send sends palette, morph weights and the block, solves for proxy bones, and binds all that.
func (p *poser) send(g *gpuModel, f *skinning.Frame, method skinning.Method, s Skinning, t *Timer) error {
	b, err := p.binding(g, f.Model, method)
	if err != nil {
		return err
	}
	packing := time.Now()
	solved := b.solves(f, method)
	b.palette.pack(f, method, solved)
	if solved {
		b.proxies.pack(b.proxies.data, f)
	}
	t.Add(PassPalette, time.Since(packing))
	t.Begin(PassUpload)
	b.palette.send(solved)
	if solved {
		b.proxies.inputs.buffer.Set(b.proxies.data)
	}
	g.morphs.Upload(f.Morphs, g.morphs.first(f.Model), g.streams.rest)
	*p.block.data = poseBlock{
		centerBase: int32(b.palette.centerBase()), morphTexels: g.morphs.texels,
		skinVertices: int32(g.streams.skinVertices), vertices: int32(g.streams.all), instances: 1, columns: 1,
	}
	p.block.data.unrolled = boolean(f.Unrolled)
	b.palette.fill(p.block.data, 1, b.palette.instance(), solved)
	p.block.Send(poseBinding)
	t.End(PassUpload)
	if solved {
		t.Begin(PassProxies)
		err = p.proxies.Run(b.proxies, b.proxies.inputs, b.palette.texels.buffer, p.block.data, p.proxyStorage(s))
		t.End(PassProxies)
		if err != nil {
			return err
		}
	}
	b.palette.texels.Bind(unitPalette)
	b.further.Bind(unitExtra)
	g.morphs.deltas.Bind(unitMorphDeltas)
	g.morphs.active.Bind(unitMorphActive)
	return nil
}

// runFeedback poses a range of vertices by transform feedback.
func (p *poser) runFeedback(g *gpuModel, b *bound, method skinning.Method, into *buffer[restVertex], first,
	count int) error {
	if count == 0 {
		return nil
	}
	if p.feedback[method] == nil {
		prog, err := newProgram("pose "+method.String(),
			[]string{"attributes.glsl", method.Shader(), "pose.vert.glsl"}, nil,
			"posedPosition", "posedNormal")
		if err != nil {
			return err
		}
		p.feedback[method] = prog
	}
	instances := int(p.block.data.instances)
	gl.UseProgram(p.feedback[method].id)
	gl.BindVertexArray(b.poseArray)
	gl.VertexAttribI4ui(attributeExtra, 0, 0, 0, 0) // read where the model has no further influences
	feedback{into.id, first * instances * int(vertexSize), int(vertexSize)}.run(first, count, instances)
	gl.BindVertexArray(0)
	return nil
}

// proxyStorage returns the largest storage buffer that the proxies' pass may write by a compute stage, 0 where it is
// not to. On llvmpipe that takes 0.3 to 1 ms for 30 to 80 proxies, and transform feedback a tenth of it.
func (p *poser) proxyStorage(s Skinning) int {
	if s == InShader {
		s = p.best()
	}
	if s == InBufferCompute && p.barriers {
		return p.storage
	}
	return 0
}

// Delete is nil-safe and releases in reverse order.
func (p *poser) Delete() {
	if p == nil {
		return
	}
	p.crowd.Delete()
	p.normals.Delete()
	p.proxies.Delete()
	for i := len(p.feedback) - 1; i >= 0; i-- {
		p.feedback[i].Delete()
		p.compute[i].Delete()
	}
	p.block.Delete()
}
