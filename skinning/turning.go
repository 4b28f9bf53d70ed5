package skinning

import (
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// turning is a frame as the assembly kernel of spherical blending reads it.
type turning struct {
	// A cache line per joint: its matrix and the quaternion of its motion in [packedMotions], then, as far away as there,
	// lines with the opposite quaternions. One sum blends both.
	entries packedPalette
	centers []float32 // four per centre set: the centre, then −1 for a set of one joint, else 0
}

func newTurning(m *packedMotions, c *CenterSets) turning {
	t := turning{newPackedPalette(m.entries.joints()), make([]float32, 4*len(c.Joints))}
	for k, set := range c.Joints {
		if len(set) == 1 {
			t.centers[4*k+3] = -1
		}
	}
	return t
}

// set takes matrices and motions. It does nothing where no kernel can use those.
func (t *turning) set(matrices []geom.Mat34, m *packedMotions) {
	for j := range m.sign {
		for _, k := range [2]int{j, m.opposite + j} {
			e := t.entries[simd.EntryFloats*k:][:simd.EntryFloats]
			copy(e, matrices[j][:])
			copy(e[12:], m.entries[simd.EntryFloats*k:][:4])
		}
	}
}

func (t *turning) setCenters(centers []mgl32.Vec3) {
	for k, c := range centers {
		copy(t.centers[4*k:], c[:])
	}
}

func (t *turning) copy(src *turning) {
	copy(t.entries, src.entries)
	copy(t.centers, src.centers)
}
