// Package skin poses models on the GPU. Its input is a skinning.Frame, whose palette holds a matrix M_j per joint and
// the other forms that methods read. Its output is x' = Φ(x) for every vertex x; for linear blending Φ(x) = Σ_k
// w_k·M_k·x. The output goes to a buffer that all passes of a picture read.
//
// A [Model] holds the static data of a model: its vertices at rest, and a [Binding] of them to joints for the file's
// skin and for a fitted skin. A [Poser] sends the palette, solves for proxy bones if a rig has them, adds morph
// targets, and runs the method's GLSL function over all vertices. A [Way] says where the function runs: in a compute
// stage, in transform feedback, or in the vertex stages of the drawing passes. A [Crowd] is many instances. It has one
// palette per instance in one buffer, which the stages index by the instance's number.
package skin

import (
	"fmt"
	"time"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/passes"
	"skinlab/skinning"
)

// poseBlock mirrors the uniform block Pose of pose.glsl in std140 layout.
type poseBlock struct {
	instanceTexels, centerBase, morphTexels, unrolled int32
	skinVertices, vertices, instances, columns        int32
	firstProxy, proxies, proxyBase, proxyTexels       int32
	jointTexels                                       int32
	_                                                 [3]int32
	place                                             [4]float32
}

// Driver lists the abilities of an OpenGL driver that posing may use.
type Driver struct {
	Computes bool // it has compute stages
	Barriers bool // a barrier within a work group costs little: not so on software renderers
	Storage  int  // largest storage buffer of a compute stage, bytes
	Texels   int  // largest texture buffer, texels
}

// Poser poses models into buffers and sends the data that posing needs. Programs compile when they are first needed.
type Poser struct {
	Driver
	owner          gpu.Owner
	feedback       [][2]*gpu.Program // by method, without and with a second weight set
	compute        [][2]*gpu.Program // as feedback
	tangents       [][2]*gpu.Program // as feedback
	proxyFeedback  *gpu.Program
	ProxyCompute   *gpu.Program
	normals        *gpu.Program
	normalsCompute *gpu.Program
	empty          uint32 // a vertex array without attributes
	block          gpu.Block[poseBlock]
	Crowd          *CrowdBuffers // nil until a crowd is posed
}

// NewPoser asks the current context for its abilities.
func NewPoser(software bool) *Poser {
	methods := len(skinning.Methods())
	p := &Poser{feedback: make([][2]*gpu.Program, methods), compute: make([][2]*gpu.Program, methods),
		tangents: make([][2]*gpu.Program, methods)}
	p.Driver = Driver{Computes: gpu.HasVersion(4, 3), Barriers: !software}
	p.block = gpu.NewBlock[poseBlock](&p.owner)
	p.empty = p.owner.Array(func() {})
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

// Best returns the faster way of posing into a buffer.
func (p *Poser) Best() Way {
	if p.Computes {
		return InBufferCompute
	}
	return InBufferFeedback
}

// Way returns the way in which a model is posed if one is asked for. A model that is too large for a compute stage's
// storage buffers is posed by transform feedback.
func (p *Poser) Way(g *Model, asked Way) Way {
	if asked == InBufferCompute && g.Streams.All*int(VertexSize) > p.Storage {
		return InBufferFeedback
	}
	return asked
}

// Pose poses all vertices of g into g.Streams.Posed: the skin by the method, rigid meshes by their own matrices. With
// InShader it only sends what the drawing passes pose from.
func (p *Poser) Pose(g *Model, f *skinning.Frame, method skinning.Method, s Way, t *passes.Timer) error {
	if err := p.send(g, f, method, s, t); err != nil || s == InShader {
		return err
	}
	t.Begin(passes.Skin)
	defer t.End(passes.Skin)
	return p.run(g, g.Of(f.Model), method, s, g.Streams.Posed, g.Streams.All)
}

// PoseSkin poses the skin alone into another buffer.
func (p *Poser) PoseSkin(g *Model, f *skinning.Frame, method skinning.Method, s Way, into *gpu.Buffer[Vertex]) error {
	if err := p.send(g, f, method, s, nil); err != nil {
		return err
	}
	return p.run(g, g.Of(f.Model), method, s, into, g.Streams.SkinVertices)
}

// binding returns the binding with which a method poses frames like f.
func (p *Poser) binding(g *Model, f *skinning.Frame, method skinning.Method) (*Binding, error) {
	if int(method) >= len(p.feedback) {
		return nil, fmt.Errorf("render: %v has no GPU program", method)
	}
	b := g.Of(f.Model)
	if b.center == nil && method != skinning.LBS {
		return nil, fmt.Errorf("render: a fitted skin is posed by linear blending, not by %v", method)
	}
	return b, b.prepare(method, f.Centers)
}

// send sends the palette and the other inputs of one frame.
func (p *Poser) send(g *Model, f *skinning.Frame, method skinning.Method, s Way, t *passes.Timer) error {
	b, err := p.binding(g, f, method)
	if err != nil {
		return err
	}
	packing := time.Now()
	b.resize(1, method.Reads(), b.solves(f, method))
	b.pack(0, f)
	t.Add(passes.Palette, time.Since(packing))
	t.Begin(passes.Upload)
	b.Sent.set(&b.upload)
	g.morphs.upload(f.Morphs, g.morphs.first(f.Model), g.Streams)
	*p.block.Data = poseBlock{morphTexels: g.morphs.texels, unrolled: gpu.Bool(f.Unrolled), columns: 1}
	p.sendBlock(g, &b.upload)
	t.End(passes.Upload)
	return p.ready(g, b, inputs{&b.Sent, g.morphs.active, b.solved}, s, t)
}

// sendBlock completes the uniform block for a model and its palettes, and sends it.
func (p *Poser) sendBlock(g *Model, u *upload) {
	d := p.block.Data
	d.skinVertices, d.vertices, d.instances = int32(g.Streams.SkinVertices), int32(g.Streams.All), int32(u.instances)
	u.describe(d)
	p.block.Send(gpu.PoseBinding)
}

// inputs are what the stages that pose read of a frame.
type inputs struct {
	*uploadBuffers
	morphs *gpu.TextureBuffer[[4]uint32] // the active morph targets
	solve  bool                          // the palettes lack the proxy bones
}

// ready solves for proxy bones if the GPU has to, and binds the inputs of the stages that pose.
func (p *Poser) ready(g *Model, b *Binding, from inputs, s Way, t *passes.Timer) error {
	if from.solve {
		t.Begin(passes.Proxies)
		err := p.solve(b.proxies, from.uploadBuffers, s)
		t.End(passes.Proxies)
		if err != nil {
			return err
		}
	}
	from.Palettes.Bind(gpu.UnitPalette)
	from.morphs.Bind(gpu.UnitMorphActive)
	b.Further.Bind(gpu.UnitExtra)
	g.morphs.deltas.Bind(gpu.UnitMorphDeltas)
	return nil
}

// Delete is nil-safe.
func (p *Poser) Delete() {
	if p != nil {
		p.owner.Delete()
	}
}
