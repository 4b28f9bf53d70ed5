package kernel

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// packedRigid is the rigid parts of a palette as the assembly kernels of package simd read them.
type packedRigid struct {
	// There is a cache line per joint, which begins with its dual quaternion times its sign. The negated quaternion is
	// opposite lines after it. Opposite is a power of two, so that one bit of an entry's number flips a joint.
	entries  packedPalette
	opposite int
	// 1 or −1 by joint. Every joint's quaternion is brought into the hemisphere of its parent's, so that in most
	// poses of most skins few vertices, or none, have one to flip.
	sign     []float32
	order    []int  // of joints, parents first
	parent   []int  // negative for none
	stamp    uint64 // which entries these are: no other set has the same; 0 for none
	unrolled bool   // no quaternion is to be flipped

	// For vertices that are posed once: by pivot and joint, which of the joint's entries is in the pivot's hemisphere
	// ([simd.Signs]). The table grows with the square of the joints, and is made when a kernel first needs it. Several
	// workers may need it at once.
	signs   []uint16
	stride  int       // from one pivot to the next, joints rounded up to a whole number of vectors
	real    []float32 // the real parts and the signs by component, from which the table is made
	tabled  atomic.Bool
	filling sync.Mutex
}

// lastStamp is the latest stamp of any packedRigid. It only makes stamps unique: no result depends on it.
var lastStamp atomic.Uint64

// mostSigned is the largest number of joints for which there is a table of signs. The table grows with the square of
// that number, to 2 MB.
const mostSigned = 1024

// newPackedRigid is empty where no kernel can use it.
func newPackedRigid(parents, order []int) *packedRigid {
	joints := len(parents)
	if joints == 0 || joints > mostSigned || len(simd.Levels()) == 1 {
		return &packedRigid{}
	}
	return &packedRigid{
		opposite: 1 << bits.Len(uint(joints-1)),
		order:    order,
		parent:   parents,
		stride:   (joints + simd.SignsStep - 1) / simd.SignsStep * simd.SignsStep,
	}
}

// makeRoom makes room for everything except the table of signs.
func (p *packedRigid) makeRoom() {
	if joints := len(p.parent); joints > 0 {
		p.entries, p.sign, p.real = newPackedPalette(p.opposite+joints), make([]float32, joints), make([]float32, 5*p.stride)
	}
}

// set sets everything except the table of signs. No kernel may read the palette meanwhile.
func (p *packedRigid) set(rigid []geom.DualQuat32, unrolled bool) {
	if p.stride == 0 {
		return
	}
	for j := range rigid {
		for k := range 4 {
			p.real[k*p.stride+j] = rigid[j][k]
		}
	}
	p.unrolled = unrolled
	for _, j := range p.order {
		p.sign[j] = 1
		if up := p.parent[j]; up >= 0 && !unrolled {
			p.sign[j] = p.sign[up]
			if p.product(up, j) < HemisphereTie {
				p.sign[j] = -p.sign[up]
			}
		}
		e, opposite := p.entries[simd.EntryFloats*j:][:8], p.entries[simd.EntryFloats*(p.opposite+j):][:8]
		for k, x := range rigid[j] {
			x *= p.sign[j]
			e[k], opposite[k] = x, -x
		}
	}
	copy(p.real[4*p.stride:], p.sign)
	p.forget()
}

// isFar reports whether the entries of two joints are in opposite hemispheres. The product of the entries is that of
// the quaternions times both signs.
func (p *packedRigid) isFar(i, j int) bool {
	a, b := p.entries[simd.EntryFloats*i:][:4], p.entries[simd.EntryFloats*j:][:4]
	product := a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3]
	if p.sign[i] == p.sign[j] {
		return product < HemisphereTie && !p.unrolled
	}
	return !(-product < HemisphereTie)
}

// product returns the product of the quaternions of two joints' rotations.
func (p *packedRigid) product(i, j int) float32 {
	n, r := p.stride, p.real
	return r[i]*r[j] + r[n+i]*r[n+j] + r[2*n+i]*r[2*n+j] + r[3*n+i]*r[3*n+j]
}

// forget discards the table of signs, and makes every [Skin] read the entries again.
func (p *packedRigid) forget() {
	p.tabled.Store(false)
	p.stamp = lastStamp.Add(1)
}

// copy may run while src is posed by.
func (p *packedRigid) copy(src *packedRigid) {
	copy(p.entries, src.entries)
	copy(p.real, src.real)
	copy(p.sign, src.sign)
	p.unrolled = src.unrolled
	tabled := src.tabled.Load()
	if tabled {
		p.signs = append(p.signs[:0], src.signs...)
	}
	p.tabled.Store(tabled)
	p.stamp = src.stamp
}

// serve tells whether the kernels in assembly can pose a stream, and makes the table of signs where they need it first.
func (p *packedRigid) serve(s *Stream) bool {
	if p.stride == 0 {
		return false
	}
	if !s.knownEntries() && !p.tabled.Load() {
		p.fill()
	}
	return true
}

// fill makes the table of signs.
func (p *packedRigid) fill() {
	p.filling.Lock()
	defer p.filling.Unlock()
	if p.tabled.Load() {
		return
	}
	if p.signs == nil { // frames that other methods read have none
		p.signs = make([]uint16, len(p.sign)*p.stride)
	}
	tie := float32(HemisphereTie)
	if p.unrolled {
		tie = -2 // below every product
	}
	simd.Signs(&p.signs[0], &p.real[0], len(p.sign), p.stride, p.opposite, tie)
	p.tabled.Store(true)
}
