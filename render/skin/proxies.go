package skin

import (
	"math"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/skinning"
)

// proxyMatrices is what solving for the joints of a model's SolvedRig needs on the GPU (RTER section 6): c₂ and c₁
// side by side, sent once, and q and d one above the other, sent with every pose. d is predicted on the CPU, as in the
// paper: of 80 proxies over 53 joints that takes 11 µs (skinning.BenchmarkProxies), needs float64's rotations about the
// joints, which the CPU has anyway, and on the GPU it would be one more pass of a hundred invocations, for which this
// one would have to wait.
type proxyMatrices struct {
	rig    skinning.LinearSystem
	terms  int // columns of [c₂ c₁], a texel each for the four rows of a proxy
	width  int // texels of a column of [q d], four terms each, the last one filled up with zeros
	rows   *gpu.TextureBuffer[[4]float32]
	inputs *gpu.TextureBuffer[[4]float32] // of a model by itself
	data   [][4]float32
}

// newProxyMatrices uploads a model's rig. It returns nil where there is none, where it is larger than a texture buffer
// of limit texels, and where the model is so far from the origin that float32 cannot hold c₁ and c₂: the CPU solves
// then.
func newProxyMatrices(m *skinning.Model, limit int) (p *proxyMatrices, err error) {
	rig := m.SolvedRig()
	if rig == nil || len(rig.Joints()) == 0 {
		return nil, nil
	}
	r := rig.Linear()
	p = &proxyMatrices{rig: r, terms: 4*len(r.Masters) + 3*r.Gradients}
	p.width = (p.terms + 3) / 4
	if _, far := m.RestMiddle(); far || p.terms*len(r.Joints) > limit {
		return nil, nil
	}
	if p.rows, err = gpu.NewTextureBuffer("c2 and c1", gl.RGBA32F, gl.STATIC_DRAW, p.coefficients()); err != nil {
		return nil, err
	}
	p.data = make([][4]float32, p.columns())
	if p.inputs, err = gpu.NewTextureBuffer("q and d", gl.RGBA32F, gl.STREAM_DRAW, p.data); err != nil {
		p.Delete()
		return nil, err
	}
	return p, nil
}

// columns is the texels of the columns of one instance.
func (p *proxyMatrices) columns() int { return 3 * p.width }

// coefficients lays c₂ and c₁ out as proxies.glsl reads them, without a number more than they have.
func (p *proxyMatrices) coefficients() [][4]float32 {
	r := &p.rig
	n, q := 3*r.Gradients, 4*len(r.Masters)
	out := make([][4]float32, p.terms*len(r.Joints))
	for row := range 4 * len(r.Joints) {
		terms := out[p.terms*(row/4) : p.terms*(row/4+1)]
		for k, v := range r.C2[row*q : (row+1)*q] {
			terms[k][row%4] = float32(v)
		}
		for k, v := range r.C1[row*n : (row+1)*n] {
			terms[q+k][row%4] = float32(v)
		}
	}
	return out
}

// pack writes the columns of a frame, into the room of one instance.
func (p *proxyMatrices) pack(data [][4]float32, f *skinning.Frame) {
	d, n, masters := f.Gradients(), 3*p.rig.Gradients, len(p.rig.Masters)
	for c := range 3 {
		column := data[p.width*c : p.width*(c+1)]
		for k, j := range p.rig.Masters {
			copy(column[k][:], f.Float32(0).Matrices[j][4*c:4*c+4])
		}
		for k, v := range d[n*c : n*(c+1)] {
			column[masters+k/4][k%4] = float32(v)
		}
	}
}

// Delete is nil-safe and releases in reverse order.
func (p *proxyMatrices) Delete() {
	if p != nil {
		p.inputs.Delete()
		p.rows.Delete()
	}
}

// solves reports whether the GPU solves for the proxies of a frame.
func (b *Binding) solves(f *skinning.Frame, method skinning.Method) bool {
	return b.proxies != nil && method.Reads() == 0 && !f.Baked
}

// proxyPass solves for proxy bones, of all instances at once. Its programs compile when they are first needed.
type proxyPass struct {
	feedback, Compute         *gpu.Program
	feedbackSize, computeSize proxySize
	array                     uint32 // without attributes
}

// proxySize is where a program has the sizes of the matrices.
type proxySize struct{ width, terms int32 }

func (s *proxySize) find(p *gpu.Program) {
	s.width, s.terms = p.Uniform("proxyWidth"), p.Uniform("proxyTerms")
}

// set is for the program in use.
func (s *proxySize) set(m *proxyMatrices) {
	gl.Uniform1i(s.width, int32(m.width))
	gl.Uniform1i(s.terms, int32(m.terms))
}

// proxyTile is TILE of proxies.comp.glsl.
const proxyTile = 4

// Run writes the matrices of the proxies into a palette, where the block, which has been sent, says. Storage is the
// largest storage buffer in bytes, 0 for none.
func (p *proxyPass) Run(m *proxyMatrices, inputs *gpu.TextureBuffer[[4]float32], palette *gpu.Buffer[[4]float32],
	block *poseBlock, storage int) error {
	m.rows.Bind(gpu.UnitProxyRows)
	inputs.Bind(gpu.UnitProxyInputs)
	proxies, instances := int(block.proxies), int(block.instances)
	base, size := 16*int(block.proxyBase), 16*proxyTexels*proxies*instances
	if size <= storage && proxies <= math.MaxUint16 {
		return p.runCompute(m, palette.ID, base, size, proxies, instances)
	}
	return p.runFeedback(m, palette.ID, base, proxies, instances)
}

func (p *proxyPass) runFeedback(m *proxyMatrices, palette uint32, base, proxies, instances int) (err error) {
	if p.feedback == nil {
		if p.feedback, err = gpu.NewProgram("proxy bones", []string{"proxies.vert.glsl"}, nil, "proxyRowX", "proxyRowY",
			"proxyRowZ"); err != nil {
			return err
		}
		p.feedbackSize.find(p.feedback)
		gl.GenVertexArrays(1, &p.array)
	}
	gl.UseProgram(p.feedback.ID)
	p.feedbackSize.set(m)
	gl.BindVertexArray(p.array)
	gpu.Feedback{Buffer: palette, Offset: base, Point: 16 * proxyTexels}.Run(0, proxies, instances)
	gl.BindVertexArray(0)
	return nil
}

func (p *proxyPass) runCompute(m *proxyMatrices, palette uint32, base, size, proxies, instances int) (err error) {
	if p.Compute == nil {
		if p.Compute, err = gpu.NewComputeProgram("proxy bones compute", "proxies.comp.glsl"); err != nil {
			return err
		}
		p.computeSize.find(p.Compute)
	}
	gl.UseProgram(p.Compute.ID)
	p.computeSize.set(m)
	gl.BindBufferRange(gl.SHADER_STORAGE_BUFFER, 0, palette, base, size)
	gl.DispatchCompute(uint32(proxies), uint32((instances+proxyTile-1)/proxyTile), 1)
	gl.MemoryBarrier(gl.TEXTURE_FETCH_BARRIER_BIT | gl.BUFFER_UPDATE_BARRIER_BIT)
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, 0)
	return nil
}

// Delete is nil-safe.
func (p *proxyPass) Delete() {
	if p == nil {
		return
	}
	if p.array != 0 {
		gl.DeleteVertexArrays(1, &p.array)
		p.array = 0
	}
	p.Compute.Delete()
	p.feedback.Delete()
}

// carried is the share of the largest from which on a joint's hold on a proxy counts for its box.
const carried = 0.3

// carryProxies gives the boxes of proxy bones to the joints that carry them, since nobody asks the GPU where they are.
// How far a proxy goes along when a joint is moved without turning is an entry of c₂, and those of a proxy sum to 1.
func (b *bounds) carryProxies(m *skinning.Model) {
	rig := m.SolvedRig()
	if rig == nil {
		return
	}
	r := rig.Linear()
	b.driven = append([]Box(nil), b.joints...)
	for k, j := range r.Joints {
		b.driven[j] = EmptyBox()
		if b.joints[j].empty() {
			continue
		}
		hold := func(master int) float64 { return math.Abs(r.Hold(k, master)) }
		most := 0.0
		for master := range r.Masters {
			most = max(most, hold(master))
		}
		for master, joint := range r.Masters {
			if hold(master) >= carried*most {
				b.driven[joint].Add(b.joints[j].Lo)
				b.driven[joint].Add(b.joints[j].Hi)
			}
		}
	}
}
