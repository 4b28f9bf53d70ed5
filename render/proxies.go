package render

import (
	"math"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/skinning"
)

// proxyMatrices is what solving for the proxy bones of an envelope rig needs on the GPU (RTER section 6): c₁ and c₂
// side by side, sent once, and d and q one above the other, sent with every pose. d is predicted on the CPU, as in the
// paper: of 80 proxies over 53 joints that takes 50 µs where solving takes 390 (skinning.BenchmarkProxies), needs
// float64's rotations about the joints, which the CPU has anyway, and on the GPU it would be one more pass of a hundred
// invocations, for which this one would have to wait.
type proxyMatrices struct {
	rig    *skinning.EnvelopeRig
	width  int // texels of a row of [c₁ c₂] and of a column of [d q]; of c₁ and d they are padded to whole ones
	rows   *textureBuffer[[4]float32]
	inputs *textureBuffer[[4]float32] // of a model by itself
	data   [][4]float32
}

// newProxyMatrices uploads a model's rig. It returns nil where there is none, and where it is larger than a texture
// buffer of limit texels: the CPU solves then.
func newProxyMatrices(m *skinning.Model, limit int) (p *proxyMatrices, err error) {
	r := m.Envelope
	if r == nil || len(r.Proxies) == 0 {
		return nil, nil
	}
	p = &proxyMatrices{rig: r}
	p.width = p.keyTexels() + len(r.Masters)
	if 4*p.width*len(r.Proxies) > limit {
		return nil, nil
	}
	if p.rows, err = newTextureBuffer("c1 and c2", gl.RGBA32F, gl.STATIC_DRAW, p.coefficients()); err != nil {
		return nil, err
	}
	p.data = make([][4]float32, p.columns())
	if p.inputs, err = newTextureBuffer("d and q", gl.RGBA32F, gl.STREAM_DRAW, p.data); err != nil {
		p.Delete()
		return nil, err
	}
	return p, nil
}

// keyTexels is the texels of c₁'s part of a row.
func (p *proxyMatrices) keyTexels() int { return (3*len(p.rig.Keys) + 3) / 4 }

// columns is the texels of the columns of one instance.
func (p *proxyMatrices) columns() int { return 3 * p.width }

// coefficients lays c₁ and c₂ out as proxies.glsl reads them.
func (p *proxyMatrices) coefficients() [][4]float32 {
	r := p.rig
	n, q := 3*len(r.Keys), 4*len(r.Masters)
	out := make([][4]float32, 4*p.width*len(r.Proxies))
	for row := range 4 * len(r.Proxies) {
		texel := func(k int) *[4]float32 { return &out[4*(p.width*(row/4)+k)+row%4] }
		for k, v := range r.C1[row*n : (row+1)*n] {
			texel(k / 4)[k%4] = float32(v)
		}
		for k, v := range r.C2[row*q : (row+1)*q] {
			texel(p.keyTexels() + k/4)[k%4] = float32(v)
		}
	}
	return out
}

// pack writes the columns of a frame, into the room of one instance.
func (p *proxyMatrices) pack(data [][4]float32, f *skinning.Frame) {
	d, n := f.Gradients(), 3*len(p.rig.Keys)
	for c := range 3 {
		column := data[p.width*c : p.width*(c+1)]
		for k, v := range d[n*c : n*(c+1)] {
			column[k/4][k%4] = float32(v)
		}
		for k, j := range p.rig.Masters {
			copy(column[p.keyTexels()+k][:], f.Palette32[j][4*c:4*c+4])
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
func (b *bound) solves(f *skinning.Frame, method skinning.Method) bool {
	return b.proxies != nil && method == skinning.LBS && !f.Baked
}

// proxyPass solves for proxy bones, of all instances at once. Its programs compile when they are first needed.
type proxyPass struct {
	feedback, compute           *program
	feedbackWidth, computeWidth int32
	array                       uint32 // without attributes
}

// proxyTile is TILE of proxies.comp.glsl.
const proxyTile = 4

// Run writes the matrices of the proxies into a palette, where the block, which has been sent, says. Storage is the
// largest storage buffer in bytes, 0 for none.
func (p *proxyPass) Run(m *proxyMatrices, inputs *textureBuffer[[4]float32], palette *buffer[[4]float32],
	block *poseBlock, storage int) error {
	m.rows.Bind(unitProxyRows)
	inputs.Bind(unitProxyInputs)
	proxies, instances := int(block.proxies), int(block.instances)
	base, size := 16*int(block.proxyBase), 16*proxyTexels*proxies*instances
	if size <= storage && proxies <= math.MaxUint16 {
		return p.runCompute(m, palette.id, base, size, proxies, instances)
	}
	return p.runFeedback(m, palette.id, base, proxies, instances)
}

func (p *proxyPass) runFeedback(m *proxyMatrices, palette uint32, base, proxies, instances int) (err error) {
	if p.feedback == nil {
		if p.feedback, err = newProgram("proxy bones", []string{"proxies.vert.glsl"}, nil, "proxyRowX", "proxyRowY",
			"proxyRowZ"); err != nil {
			return err
		}
		p.feedbackWidth = p.feedback.Uniform("proxyWidth")
		gl.GenVertexArrays(1, &p.array)
	}
	gl.UseProgram(p.feedback.id)
	gl.Uniform1i(p.feedbackWidth, int32(m.width))
	gl.BindVertexArray(p.array)
	feedback{palette, base, 16 * proxyTexels}.run(0, proxies, instances)
	gl.BindVertexArray(0)
	return nil
}

func (p *proxyPass) runCompute(m *proxyMatrices, palette uint32, base, size, proxies, instances int) (err error) {
	if p.compute == nil {
		if p.compute, err = newComputeProgram("proxy bones compute", "proxies.comp.glsl"); err != nil {
			return err
		}
		p.computeWidth = p.compute.Uniform("proxyWidth")
	}
	gl.UseProgram(p.compute.id)
	gl.Uniform1i(p.computeWidth, int32(m.width))
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
	p.compute.Delete()
	p.feedback.Delete()
}

// carried is the share of the largest from which on a joint's hold on a proxy counts for its box.
const carried = 0.3

// carryProxies gives the boxes of proxy bones to the joints that carry them, since nobody asks the GPU where they are.
// How far a proxy goes along when a joint is moved without turning is an entry of c₂, and those of a proxy sum to 1.
func (b *bounds) carryProxies(m *skinning.Model) {
	r := m.Envelope
	if r == nil {
		return
	}
	b.driven = append([]box(nil), b.joints...)
	for k, j := range r.Proxies {
		b.driven[j] = emptyBox()
		if b.joints[j].empty() {
			continue
		}
		hold := func(master int) float64 { return math.Abs(r.C2[(4*k+3)*4*len(r.Masters)+4*master+3]) }
		most := 0.0
		for master := range r.Masters {
			most = max(most, hold(master))
		}
		for master, joint := range r.Masters {
			if hold(master) >= carried*most {
				b.driven[joint].add(b.joints[j].lo)
				b.driven[joint].add(b.joints[j].hi)
			}
		}
	}
}
