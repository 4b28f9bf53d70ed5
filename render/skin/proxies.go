package skin

import (
	"math"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/skinning"
)

// proxyMatrices holds the constants c₁ and c₂ of a model's SolvedRig on the GPU (RTER section 6). The matrices t of all
// proxy bones are t = c₁·d + c₂·q. q are the matrices of the joints that drive them, and d are the key deformation
// gradients. [c₂ c₁] is sent once, q above d with every pose.
//
// The CPU predicts d, as in the paper. It has the joints' rotations in float64 already, and takes 11 µs for 80 proxy
// bones over 53 joints (skinning.BenchmarkProxies). On the GPU it would take one more pass, for which the solving pass
// would have to wait.
type proxyMatrices struct {
	rig   skinning.LinearSystem
	terms int // columns of [c₂ c₁]; a column has one texel for the four rows of a proxy bone
	width int // texels of a column of [q d]; a texel holds four terms, and zeros fill the last one
	rows  *gpu.TextureBuffer[[4]float32]
}

// newProxyMatrices uploads a model's rig. It returns nil if the CPU has to solve: there is no rig, the rig is larger
// than a texture buffer of limit texels, or the model is so far from the origin that float32 is too coarse for c₁ and
// c₂.
func newProxyMatrices(o *gpu.Owner, m *skinning.Model, limit int) *proxyMatrices {
	rig := m.SolvedRig()
	if rig == nil || len(rig.Joints()) == 0 {
		return nil
	}
	r := rig.Linear()
	p := &proxyMatrices{rig: r, terms: 4*len(r.Masters) + 3*r.Gradients}
	p.width = (p.terms + 3) / 4
	if _, far := m.RestMiddle(); far || p.terms*len(r.Joints) > limit {
		return nil
	}
	p.rows = gpu.NewTextureBuffer(o, "c2 and c1", gl.RGBA32F, gl.STATIC_DRAW, p.coefficients())
	return p
}

// columns returns the number of texels of one instance's columns.
func (p *proxyMatrices) columns() int { return 3 * p.width }

// coefficients returns [c₂ c₁] in the layout that proxies.glsl reads.
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

// pack writes the columns of a frame into data, the room of one instance.
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

// solves reports whether the GPU solves for the proxy bones of a frame.
func (b *Binding) solves(f *skinning.Frame, method skinning.Method) bool {
	return b.proxies != nil && method.Reads() == 0 && !f.Baked
}

// proxyTile is the constant TILE of proxies.comp.glsl.
const proxyTile = 4

// solve writes the matrices of the proxy bones of all instances into the palettes, at the place in the uniform block,
// which must have been sent. It uses a compute stage if the storage buffers are large enough, else transform feedback.
func (p *Poser) solve(m *proxyMatrices, from *uploadBuffers, s Way) error {
	m.rows.Bind(gpu.UnitProxyRows)
	from.inputs.Bind(gpu.UnitProxyInputs)
	proxies, instances := int(p.block.Data.proxies), int(p.block.Data.instances)
	base, size := 16*int(p.block.Data.proxyBase), 16*proxyTexels*proxies*instances
	computed := size <= p.proxyStorage(s) && proxies <= math.MaxUint16
	program, err := p.proxyProgram(computed)
	if err != nil {
		return err
	}
	program.Use()
	program.SetInt("proxyWidth", int32(m.width))
	program.SetInt("proxyTerms", int32(m.terms))
	if !computed {
		gl.BindVertexArray(p.empty)
		gpu.Feedback{Buffer: from.Palettes.ID, Offset: base, Point: 16 * proxyTexels}.Run(0, proxies, instances)
		gl.BindVertexArray(0)
		return nil
	}
	gl.BindBufferRange(gl.SHADER_STORAGE_BUFFER, 0, from.Palettes.ID, base, size)
	gl.DispatchCompute(uint32(proxies), uint32((instances+proxyTile-1)/proxyTile), 1)
	gl.MemoryBarrier(gl.TEXTURE_FETCH_BARRIER_BIT | gl.BUFFER_UPDATE_BARRIER_BIT)
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, 0)
	return nil
}

// proxyStorage returns the largest storage buffer that the compute stage for proxy bones may write, 0 to not use that
// stage. On llvmpipe it takes 0.3 to 1 ms for 30 to 80 proxy bones, ten times as long as transform feedback.
func (p *Poser) proxyStorage(s Way) int {
	if s == InShader {
		s = p.Best()
	}
	if s == InBufferCompute && p.Barriers {
		return p.Storage
	}
	return 0
}

// proxyProgram compiles the program that solves for proxy bones unless it is compiled already.
func (p *Poser) proxyProgram(computed bool) (*gpu.Program, error) {
	if computed {
		err := gpu.Compile(&p.owner, &p.ProxyCompute, "proxy bones compute",
			gpu.Stages{Compute: "proxies.comp.glsl"})
		return p.ProxyCompute, err
	}
	err := gpu.Compile(&p.owner, &p.proxyFeedback, "proxy bones", gpu.Stages{Vertex: "proxies.vert.glsl",
		Captured: "proxyRowX proxyRowY proxyRowZ"})
	return p.proxyFeedback, err
}

// carried is the least hold at which a joint carries a proxy bone, as a share of the largest hold on that bone.
const carried = 0.3

// carryProxies adds the boxes of proxy bones to the boxes of the joints that carry them, because the CPU does not know
// where the GPU places proxy bones. A joint's hold on a proxy bone is how far the bone moves when the joint moves by 1
// without turning, an entry of c₂. The holds on one proxy bone sum to 1.
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
				b.driven[joint].Join(b.joints[j])
			}
		}
	}
}
