package kernel

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// Palette is one pose of a skeleton as kernels read it, rounded to float32. All kernels read the matrices. Each
// kernel says what else it reads; its caller sets that first. A part that was never set is nil. Its first setting
// makes room for it, and later ones allocate nothing. The setters copy and pack, so the slices here must only be
// read. The exception are drivers of joints, which may write to both Matrices and Packed.
type Palette struct {
	Matrices []geom.Mat34      // by joint
	Rigid    []geom.DualQuat32 // by joint, the rigid parts of the matrices: unit, of either sign
	Scales   []geom.Mat34      // by joint, the scale part of the matrices: x -> a + S(x − a), a the joint's rest position
	Centers  []mgl32.Vec3      // by set of joints, the rotation centres of spherical blending
	Motions  []geom.Mat34      // by joint, Rigid as matrices
	Twists   []geom.DualQuat32 // by joint, the accumulated twists of twist-swing skinning: unit
	Swings   []geom.Mat34      // by joint, the swing P_j of the matrices: C_j = P_j·T̄_j

	Packed       packedPalette // Matrices for the kernels in assembly
	packedScales packedPalette
	packedTwists packedPalette // Twists and Swings for them
	packedSwings packedPalette
	packedRigid  *packedRigid     // Rigid for them
	spherical    sphericalPalette // Motions, Rigid and Centers, packed for spherical blending
	unscaled     bool             // no joint has a scale: see isRigid
	unrolled     bool             // quaternions are not flipped to the pivot's hemisphere
	sets         int              // of joints, for Centers
}

// NewPalette makes a palette for joints whose parents, −1 for none, are given, and for rotation centres of a number of
// sets of joints. Order lists the joints, parents first.
func NewPalette(parents, order []int, sets int) *Palette {
	return &Palette{Matrices: make([]geom.Mat34, len(parents)), Packed: newPackedPalette(len(parents)), sets: sets,
		packedRigid: newPackedRigid(parents, order)}
}

// makeRoom makes room for the parts that have none yet.
func (p *Palette) makeRoom(parts Parts) {
	joints, doubled := len(p.Matrices), p.packedRigid.opposite+len(p.Matrices)
	if parts.Rigid && p.Rigid == nil {
		p.Rigid = make([]geom.DualQuat32, joints)
		p.packedRigid.makeRoom()
	}
	if parts.Scales && p.Scales == nil {
		p.Scales, p.packedScales = make([]geom.Mat34, joints), newPackedPalette(doubled)
	}
	if parts.Centers && p.Centers == nil {
		p.Centers, p.spherical.centers = make([]mgl32.Vec3, p.sets), make([]float32, 4*p.sets)
	}
	if parts.Motions && p.Motions == nil {
		p.Motions = make([]geom.Mat34, joints)
		if p.packedRigid.stride > 0 {
			p.spherical.entries = newPackedPalette(doubled)
		}
	}
	if parts.Twists && p.Twists == nil {
		p.Twists, p.packedTwists = make([]geom.DualQuat32, joints), newPackedPalette(joints)
		p.Swings, p.packedSwings = make([]geom.Mat34, joints), newPackedPalette(joints)
	}
}

// SetMatrix sets the matrix of a joint.
func (p *Palette) SetMatrix(joint int, c *geom.Affine) {
	m := &p.Matrices[joint]
	c.Float32To(m)
	p.Packed.set(joint, m)
}

// SetRigid sets the rigid parts. Unrolled says that their signs follow the rotations continuously through a clip, so
// that kernels must not flip them to the pivot's hemisphere.
func (p *Palette) SetRigid(rigid []geom.DualQuat, unrolled bool) {
	p.makeRoom(Parts{Rigid: true})
	for j := range rigid {
		p.Rigid[j] = rigid[j].Float32()
	}
	p.unrolled = unrolled
	p.packedRigid.set(p.Rigid, unrolled)
}

// SetScales sets the scales.
func (p *Palette) SetScales(scales []geom.Affine) {
	p.makeRoom(Parts{Scales: true})
	for j := range scales {
		m := &p.Scales[j]
		scales[j].Float32To(m)
		p.packedScales.set(j, m)
		p.packedScales.set(p.packedRigid.opposite+j, m)
	}
	p.unscaled = isRigid(scales)
}

// SetMotions sets the rigid parts as matrices, after these themselves.
func (p *Palette) SetMotions(motions []geom.Affine) {
	p.makeRoom(Parts{Motions: true})
	for j := range motions {
		motions[j].Float32To(&p.Motions[j])
	}
	p.spherical.set(p.Motions, p.packedRigid)
}

// SetCenters sets the rotation centres.
func (p *Palette) SetCenters(centers []mgl64.Vec3) {
	p.makeRoom(Parts{Centers: true})
	for k, c := range centers {
		p.Centers[k] = geom.Vec32(c)
		copy(p.spherical.centers[4*k:], p.Centers[k][:])
	}
}

// SetTwists sets the accumulated twists and the swing matrices.
func (p *Palette) SetTwists(twists []geom.DualQuat, swings []geom.Affine) {
	p.makeRoom(Parts{Twists: true})
	for j := range twists {
		p.Twists[j] = twists[j].Float32()
		copy(p.packedTwists[simd.EntryFloats*j:], p.Twists[j][:])
		m := &p.Swings[j]
		swings[j].Float32To(m)
		p.packedSwings.set(j, m)
	}
}

// Forget says that the matrices are of another pose than all else.
func (p *Palette) Forget() { p.packedRigid.forget() }

// Parts says which parts of a palette are meant beside its matrices.
type Parts struct{ Rigid, Scales, Motions, Centers, Twists bool }

// Copy copies the matrices and the named parts of another palette of the same joints. Kernels may read src meanwhile,
// and its other parts may be set.
func (p *Palette) Copy(src *Palette, parts Parts) {
	p.makeRoom(parts)
	copy(p.Matrices, src.Matrices)
	copy(p.Packed, src.Packed)
	if parts.Rigid {
		copy(p.Rigid, src.Rigid)
		p.unrolled = src.unrolled
		p.packedRigid.copy(src.packedRigid)
	}
	if parts.Scales {
		copy(p.Scales, src.Scales)
		copy(p.packedScales, src.packedScales)
		p.unscaled = src.unscaled
	}
	if parts.Motions {
		copy(p.Motions, src.Motions)
		copy(p.spherical.entries, src.spherical.entries)
	}
	if parts.Centers {
		copy(p.Centers, src.Centers)
		copy(p.spherical.centers, src.spherical.centers)
	}
	if parts.Twists {
		copy(p.Twists, src.Twists)
		copy(p.Swings, src.Swings)
		copy(p.packedTwists, src.packedTwists)
		copy(p.packedSwings, src.packedSwings)
	}
}

// Memory returns where the kernels that drive joints write their matrices: Rounded and Packed of a [simd.Drive]. It
// panics where the palette has fewer joints than the given number.
func (p *Palette) Memory(joints int) simd.Drive {
	if least := min(len(p.Matrices), p.Packed.joints()); least < joints || least == 0 {
		panic(fmt.Sprintf("kernel: Palette.Memory: %d matrices, expected %d", least, joints))
	}
	return simd.Drive{Rounded: &p.Matrices[0][0], Packed: &p.Packed[0]}
}

// isRigid reports whether every scale is the identity within 2e-6. Float32 inverse bind matrices and keys round to
// that in chains of joints: models of CesiumMan's and Knight's kind have scales of 1.7e-6 that nobody asked for. A scale
// acts about a joint, so its linear part decides: leaving it out moves a vertex by no more than that fraction of its
// distance from the joint, a rounding of these kernels.
func isRigid(scales []geom.Affine) bool {
	const least = 2e-6
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

// sphericalPalette is a palette as the assembly kernel of spherical blending reads it.
type sphericalPalette struct {
	// A cache line per joint: its motion as a matrix, and that's quaternion in [packedRigid], then, as far away as
	// there, lines with the opposite quaternions. One sum blends both.
	entries packedPalette
	centers []float32 // four per centre set, of which the last is unused
}

// set copies motions as matrices and in packed form. It does nothing if no kernel can use them.
func (t *sphericalPalette) set(matrices []geom.Mat34, m *packedRigid) {
	for j := range m.sign {
		for _, k := range [2]int{j, m.opposite + j} {
			e := t.entries[simd.EntryFloats*k:][:simd.EntryFloats]
			copy(e, matrices[j][:])
			copy(e[12:], m.entries[simd.EntryFloats*k:][:4])
		}
	}
}
