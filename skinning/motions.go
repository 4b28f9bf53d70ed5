package skinning

import (
	"math"
	"sync"
	"sync/atomic"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// packedMotions is the rigid parts of a frame as the assembly kernels of package simd read them.
type packedMotions struct {
	entries  packedPalette // a cache line per joint: its dual quaternion, then the opposite one
	signs    []uint16      // by pivot and joint, the entry in the pivot's hemisphere, see [simd.Signs]
	stride   int           // from one pivot to the next, joints rounded up to a whole number of vectors
	unrolled bool          // no entry is the opposite one
	real     []float32     // the real parts by component, from which the signs are told

	// The table grows with the square of the joints, so it waits until a kernel asks: who poses by linear blending never
	// pays for it. Several workers may ask at once.
	tabled  atomic.Bool // signs are of these entries
	filling sync.Mutex

	// Of most skins in most poses no vertex, or few, have a motion to flip, once every joint's is in the hemisphere of its
	// parent's. For the others kernels read near and no table, which nobody has to make where it is for all: with AVX-512
	// DQS takes 0.87 of the time, SBS 0.93, DIB and SDQS 0.97.
	near   packedPalette // a cache line per joint, which begins with its dual quaternion times its sign
	sign   []float32     // 1 or −1 by joint
	order  []int         // of joints, parents first
	parent []int         // negative for none
	stamp  uint64        // another for every other entries, 0 for none
}

// lastStamp is the latest that any packedMotions has.
var lastStamp atomic.Uint64

// mostSigned is up to how many joints there is a table of signs: it grows with their square, to 2 MB.
const mostSigned = 1024

// newPackedMotions is empty where no kernel can use it.
func newPackedMotions(s *Skeleton) *packedMotions {
	joints := len(s.Joints)
	if joints == 0 || joints > mostSigned || len(simd.Levels()) == 1 {
		return &packedMotions{}
	}
	stride := (joints + simd.SignsStep - 1) / simd.SignsStep * simd.SignsStep
	parent := make([]int, joints)
	for j := range parent {
		parent[j] = s.Joints[j].Parent
	}
	return &packedMotions{
		near:    newPackedPalette(joints),
		sign:    make([]float32, joints),
		order:   jointOrder(s),
		parent:  parent,
		entries: newPackedPalette(joints),
		signs:   make([]uint16, joints*stride),
		stride:  stride,
		real:    make([]float32, 4*stride),
	}
}

// set brings all but the table of signs to the motions. It allocates nothing, and nobody may be posing by them.
func (p *packedMotions) set(rigid []geom.DualQuat32, unrolled bool) {
	if p.stride == 0 {
		return
	}
	for j := range rigid {
		e := p.entries[simd.EntryFloats*j:][:simd.EntryFloats]
		for k, x := range rigid[j] {
			e[k], e[8+k] = x, -x
		}
		for k := range 4 {
			p.real[k*p.stride+j] = rigid[j][k]
		}
	}
	p.unrolled = unrolled
	p.setNear(rigid)
	p.forget()
}

// setNear sets sign and near. Unrolled motions have the signs that they are to have.
func (p *packedMotions) setNear(rigid []geom.DualQuat32) {
	for _, j := range p.order {
		p.sign[j] = 1
		if up := p.parent[j]; up >= 0 && !p.unrolled && p.sign[up]*p.product(up, j) < 0 {
			p.sign[j] = -1
		}
		e := p.near[simd.EntryFloats*j:][:8]
		for k, x := range rigid[j] {
			e[k] = p.sign[j] * x
		}
	}
}

// product returns the product of the quaternions of two joints' rotations.
func (p *packedMotions) product(i, j int) float32 {
	n, r := p.stride, p.real
	return r[i]*r[j] + r[n+i]*r[n+j] + r[2*n+i]*r[2*n+j] + r[3*n+i]*r[3*n+j]
}

// forget makes nothing known of the entries.
func (p *packedMotions) forget() {
	p.tabled.Store(false)
	p.stamp = lastStamp.Add(1)
}

// copy may run while src is posed by.
func (p *packedMotions) copy(src *packedMotions) {
	copy(p.entries, src.entries)
	copy(p.real, src.real)
	copy(p.near, src.near)
	copy(p.sign, src.sign)
	p.unrolled = src.unrolled
	tabled := src.tabled.Load()
	if tabled {
		copy(p.signs, src.signs)
	}
	p.tabled.Store(tabled)
	p.stamp = src.stamp
}

// serve tells whether the kernels can pose vertices of the frame with it, and fills the table of signs where they are
// the first to need it.
func (p *packedMotions) serve(f *Frame, table bool) bool {
	if p.stride == 0 || p.unrolled != f.Unrolled {
		return false
	}
	if table && !p.tabled.Load() {
		p.fill()
	}
	return true
}

// nearProduct is the product of two unit quaternions from which on nobody takes them for opposite, by whatever
// rounding: far above hemisphereTie.
const nearProduct = 1e-3

// farBlocks returns the blocks of a skin that have vertices with motions in both hemispheres, or that nothing is known
// of: kernels pose those by the table of signs.
func (p *packedMotions) farBlocks(of *scannedBindings) (far blockSet) {
	if p.unrolled {
		return far
	}
	for k := range of.pairs {
		pair := &of.pairs[k]
		i, j := simd.EntryFloats*int(pair.joints[0]), simd.EntryFloats*int(pair.joints[1])
		if max(i, j) >= len(p.near) { // of another model: who calls the kernel finds out
			far.addAll(&pair.blocks)
			continue
		}
		a, b := p.near[i:][:4], p.near[j:][:4]
		if !(a[0]*b[0]+a[1]*b[1]+a[2]*b[2]+a[3]*b[3] >= nearProduct) {
			far.addAll(&pair.blocks)
		}
	}
	return far
}

func (p *packedMotions) fill() {
	p.filling.Lock()
	defer p.filling.Unlock()
	if p.tabled.Load() {
		return
	}
	tie := float32(hemisphereTie)
	if p.unrolled {
		tie = -2 // below every product
	}
	simd.Signs(&p.signs[0], &p.real[0], len(p.signs)/p.stride, p.stride, tie)
	p.tabled.Store(true)
}

// isRigid tells whether every scale is the identity within 2e-7, what is left of float32 inverse bind matrices: leaving
// the scale phase out moves a vertex by no more than that fraction of its distance from a joint. A scale acts about a
// joint, so its linear part decides.
func isRigid(scales []geom.Affine) bool {
	const least = 2e-7
	for j := range scales {
		s := &scales[j]
		for _, d := range [9]float64{s[0] - 1, s[5] - 1, s[10] - 1, s[1], s[2], s[4], s[6], s[8], s[9]} {
			if !(math.Abs(d) <= least) {
				return false
			}
		}
	}
	return true
}
