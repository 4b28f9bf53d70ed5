package skin

import (
	"fmt"
	"time"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/passes"
	"skinlab/skinning"
)

// poseBlock mirrors the uniform block Pose of pose.glsl: std140.
type poseBlock struct {
	instanceTexels, centerBase, morphTexels, unrolled int32
	skinVertices, vertices, instances, columns        int32
	firstProxy, proxies, proxyBase, proxyTexels       int32
	place                                             [4]float32
}

// Driver is what an OpenGL driver can do of what posing may use.
type Driver struct {
	Computes bool // compute stages are there
	Barriers bool // lanes of their groups wait for each other at little cost: not where the CPU takes their part
	Storage  int  // the largest storage buffer that they take, bytes
	Texels   int  // the most of a texture buffer
}

// Poser poses a model's streams into a buffer, and sends what posing needs. Programs are compiled when they are first
// needed.
type Poser struct {
	Driver
	feedback []*gpu.Program    // by method
	compute  []*computeProgram // likewise
	Proxies  proxyPass
	normals  normalPass
	block    gpu.Block[poseBlock]
	Crowd    *CrowdBuffers // nil until a crowd is posed
}

func NewPoser(software bool) *Poser {
	methods := len(skinning.Methods())
	p := &Poser{Driver: Driver{Computes: gpu.HasVersion(4, 3), Barriers: !software},
		feedback: make([]*gpu.Program, methods),
		compute:  make([]*computeProgram, methods), block: gpu.NewBlock[poseBlock]()}
	var texels int32
	gl.GetIntegerv(gl.MAX_TEXTURE_BUFFER_SIZE, &texels)
	p.Texels = int(texels)
	if p.Computes {
		var storage int64
		gl.GetInteger64v(gl.MAX_SHADER_STORAGE_BLOCK_SIZE, &storage)
		p.Storage = int(storage)
	}
	return p
}

// Best returns the better way of posing into a buffer.
func (p *Poser) Best() Way {
	if p.Computes {
		return InBufferCompute
	}
	return InBufferFeedback
}

// Way returns how a model is posed where so is asked for: one of a size that no compute stage reads in one piece is
// posed by transform feedback.
func (p *Poser) Way(g *Model, asked Way) Way {
	if asked == InBufferCompute && g.Streams.All*int(VertexSize) > p.Storage {
		return InBufferFeedback
	}
	return asked
}

// Pose poses all vertices of g into g.streams.posed, the skin by the method, rigid meshes by their own matrix. With
// InShader it only sends what the passes then pose from.
func (p *Poser) Pose(g *Model, f *skinning.Frame, method skinning.Method, s Way, t *passes.Timer) error {
	if err := p.send(g, f, method, s, t); err != nil || s == InShader {
		return err
	}
	t.Begin(passes.Skin)
	defer t.End(passes.Skin)
	return p.run(g, g.Of(f.Model), method, s, g.Streams.Posed, g.Streams.All)
}

// PoseSkin poses the skin alone into another buffer.
func (p *Poser) PoseSkin(g *Model, f *skinning.Frame, method skinning.Method, s Way, into *gpu.Buffer[RestVertex],
	t *passes.Timer) error {
	if err := p.send(g, f, method, s, t); err != nil {
		return err
	}
	t.Begin(passes.Skin)
	defer t.End(passes.Skin)
	return p.run(g, g.Of(f.Model), method, s, into, g.Streams.SkinVertices)
}

// Recompute sums the normals of the posed surface anew, after Pose.
func (p *Poser) Recompute(g *Model, f *skinning.Frame, t *passes.Timer) error {
	t.Begin(passes.Normals)
	defer t.End(passes.Normals)
	return p.normals.Run(g, f, p.Texels)
}

// run poses the first vertices of g, the skin and what follows it, into a buffer. What it needs has been sent.
func (p *Poser) run(g *Model, b *Binding, method skinning.Method, s Way, into *gpu.Buffer[RestVertex],
	vertices int) error {
	skin := g.Streams.SkinVertices
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
func (p *Poser) binding(g *Model, m *skinning.Model, method skinning.Method) (*Binding, error) {
	if int(method) >= len(p.feedback) {
		return nil, fmt.Errorf("render: %v has no GPU program", method)
	}
	b := g.Of(m)
	if b.center == nil && method != skinning.LBS {
		return nil, fmt.Errorf("render: a fitted skin is posed by linear blending, not by %v", method)
	}
	return b, nil
}

// send sends palette, morph weights and the block, solves for proxy bones, and binds all that.
func (p *Poser) send(g *Model, f *skinning.Frame, method skinning.Method, s Way, t *passes.Timer) error {
	b, err := p.binding(g, f.Model, method)
	if err != nil {
		return err
	}
	packing := time.Now()
	solved := b.solves(f, method)
	b.Palette.pack(f, method, solved)
	if solved {
		b.proxies.pack(b.proxies.data, f)
	}
	t.Add(passes.Palette, time.Since(packing))
	t.Begin(passes.Upload)
	b.Palette.send(solved)
	if solved {
		b.proxies.inputs.Buffer.Set(b.proxies.data)
	}
	g.morphs.Upload(f.Morphs, g.morphs.first(f.Model), g.Streams.rest)
	*p.block.Data = poseBlock{
		centerBase: int32(b.Palette.centerBase()), morphTexels: g.morphs.texels,
		skinVertices: int32(g.Streams.SkinVertices), vertices: int32(g.Streams.All), instances: 1, columns: 1,
	}
	p.block.Data.unrolled = gpu.Bool(f.Unrolled)
	b.Palette.fill(p.block.Data, 1, b.Palette.instance(), solved)
	p.block.Send(gpu.PoseBinding)
	t.End(passes.Upload)
	if solved {
		t.Begin(passes.Proxies)
		err = p.Proxies.Run(b.proxies, b.proxies.inputs, b.Palette.Texels.Buffer, p.block.Data, p.proxyStorage(s))
		t.End(passes.Proxies)
		if err != nil {
			return err
		}
	}
	b.Palette.Texels.Bind(gpu.UnitPalette)
	b.Further.Bind(gpu.UnitExtra)
	g.morphs.deltas.Bind(gpu.UnitMorphDeltas)
	g.morphs.active.Bind(gpu.UnitMorphActive)
	return nil
}

// runFeedback poses a range of vertices by transform feedback.
func (p *Poser) runFeedback(g *Model, b *Binding, method skinning.Method, into *gpu.Buffer[RestVertex], first,
	count int) error {
	if count == 0 {
		return nil
	}
	if p.feedback[method] == nil {
		prog, err := gpu.NewProgram("pose "+method.String(),
			[]string{"attributes.glsl", method.Shader(), "pose.vert.glsl"}, nil,
			"posedPosition", "posedNormal")
		if err != nil {
			return err
		}
		p.feedback[method] = prog
	}
	instances := int(p.block.Data.instances)
	gl.UseProgram(p.feedback[method].ID)
	gl.BindVertexArray(b.PoseArray)
	gl.VertexAttribI4ui(AttributeExtra, 0, 0, 0, 0) // read where the model has no further influences
	gpu.Feedback{Buffer: into.ID, Offset: first * instances * int(VertexSize), Point: int(VertexSize)}.Run(first, count,
		instances)
	gl.BindVertexArray(0)
	return nil
}

// proxyStorage returns the largest storage buffer that the proxies' pass may write by a compute stage, 0 where it is
// not to. On llvmpipe that takes 0.3 to 1 ms for 30 to 80 proxies, and transform feedback a tenth of it.
func (p *Poser) proxyStorage(s Way) int {
	if s == InShader {
		s = p.Best()
	}
	if s == InBufferCompute && p.Barriers {
		return p.Storage
	}
	return 0
}

// Delete is nil-safe and releases in reverse order.
func (p *Poser) Delete() {
	if p == nil {
		return
	}
	p.Crowd.Delete()
	p.normals.Delete()
	p.Proxies.Delete()
	for i := len(p.feedback) - 1; i >= 0; i-- {
		p.feedback[i].Delete()
		p.compute[i].Delete()
	}
	p.block.Delete()
}
