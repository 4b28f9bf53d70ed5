package skin

import (
	"math"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/gpu"
	"skinlab/skinning"
)

// morphRange is one morph target of one mesh on the GPU: the place of its deltas and the vertices that they move.
type morphRange struct {
	slot                      int
	firstVertex, count, texel uint32
	follow                    uint32 // deltas that follow: 1 of normals, 2 of tangents
	target                    *skinning.Morph
}

// morphs applies morph targets before skinning. The GPU reads all deltas from a texture buffer, and the list of active
// targets that is sent once a frame. If the deltas exceed GL_MAX_TEXTURE_BUFFER_SIZE, the CPU adds them instead. It
// then sends the vertices at rest whenever a weight changes.
type morphs struct {
	ranges []morphRange
	skin   int // number of ranges of the skin, which come first
	deltas *gpu.TextureBuffer[mgl32.Vec3]
	active *gpu.TextureBuffer[[4]uint32]
	list   [][4]uint32 // number of active targets, followed by two elements per target
	texels int32       // length of the last uploaded list, 0 without active targets

	// For the CPU only, else nil. The pose pass reads rest; base are the vertices of the file.
	base, rest            []Vertex
	baseTangent, tangents []mgl32.Vec4 // likewise; nil without
	weights               []float64    // of the last upload
	from                  int          // index of its first range
}

// newMorphs collects the targets of a model's meshes. first[0] is the first vertex of the skin in the shared streams;
// first[i] is that of rigid mesh i−1. limit is the largest texture buffer in texels.
func newMorphs(o *gpu.Owner, m *skinning.Model, first []int, rest []Vertex, tangents []mgl32.Vec4, limit int) *morphs {
	p := &morphs{weights: make([]float64, len(m.MorphSlots))}
	var deltas []mgl32.Vec3
	collect := func(mesh *skinning.Mesh, base int) {
		for i := range mesh.Morphs {
			t := &mesh.Morphs[i]
			r := morphRange{t.Slot, uint32(base + t.FirstVertex), uint32(len(t.Positions)), uint32(len(deltas)), 0, t}
			deltas = append(deltas, t.Positions...)
			if t.Normals != nil {
				r.follow = 1
				deltas = append(deltas, t.Normals...)
			}
			if t.Tangents != nil {
				r.follow |= 2
				deltas = append(deltas, t.Tangents...)
			}
			p.ranges = append(p.ranges, r)
		}
	}
	collect(&m.Skin, first[0])
	p.skin = len(p.ranges)
	for i := range m.Rigid {
		collect(&m.Rigid[i], first[i+1])
	}
	if len(deltas) > limit {
		p.base, p.rest = rest, make([]Vertex, len(rest))
		p.baseTangent, p.tangents = tangents, make([]mgl32.Vec4, len(tangents))
		for i := range p.weights {
			p.weights[i] = math.NaN() // NaN differs from every weight, so the first upload is not skipped
		}
		deltas = nil
	}
	p.deltas = gpu.NewTextureBuffer(o, "morph deltas", gl.RGB32F, gl.STATIC_DRAW, deltas)
	p.list = make([][4]uint32, 1+2*len(p.ranges))
	p.active = gpu.NewTextureBuffer(o, "active morphs", gl.RGBA32UI, gl.STREAM_DRAW, p.list)
	return p
}

// first returns the index of the first range that applies to a model: a fitted skin may lack the targets of the file's
// skin.
func (p *morphs) first(m *skinning.Model) int {
	if len(m.Skin.Morphs) == 0 {
		return p.skin
	}
	return 0
}

// upload sends the list of active targets for the weights of a frame, of the ranges with index from and above. If the
// CPU adds the targets, it writes the vertices at rest into the streams instead.
func (p *morphs) upload(weights []float64, from int, streams *Streams) {
	if p.base != nil {
		p.uploadRest(weights, from, streams)
		return
	}
	p.texels = int32(p.pack(p.list, weights, from))
	if p.texels > 0 {
		p.active.Set(p.list[:p.texels])
	}
}

// pack writes the list of active targets and returns its length. Without active targets it returns 0, and the list's
// first element is 0.
func (p *morphs) pack(list [][4]uint32, weights []float64, from int) int {
	n := 0
	for i := from; i < len(p.ranges); i++ {
		r := &p.ranges[i]
		w := float32(weights[r.slot])
		if w == 0 {
			continue
		}
		list[1+2*n] = [4]uint32{r.firstVertex, r.count, r.texel, r.follow}
		list[2+2*n] = [4]uint32{math.Float32bits(w)}
		n++
	}
	list[0] = [4]uint32{uint32(n)}
	if n == 0 {
		return 0
	}
	return 1 + 2*n
}

func (p *morphs) uploadRest(weights []float64, from int, streams *Streams) {
	same := p.from == from
	for i, w := range weights {
		same = same && p.weights[i] == w
	}
	if same {
		return
	}
	p.from = from
	copy(p.weights, weights)
	copy(p.rest, p.base)
	copy(p.tangents, p.baseTangent)
	for i := from; i < len(p.ranges); i++ {
		r := &p.ranges[i]
		w := float32(weights[r.slot])
		if w == 0 {
			continue
		}
		out := p.rest[r.firstVertex : r.firstVertex+r.count]
		for k, d := range r.target.Positions {
			out[k].Position = out[k].Position.Add(d.Mul(w))
		}
		for k, d := range r.target.Normals {
			out[k].Normal = out[k].Normal.Add(d.Mul(w))
		}
		for k, d := range r.target.Tangents {
			t := &p.tangents[int(r.firstVertex)+k]
			*t = t.Add(d.Mul(w).Vec4(0))
		}
	}
	streams.rest.Set(p.rest)
	if len(p.tangents) > 0 {
		streams.tangents.Set(p.tangents)
	}
}
