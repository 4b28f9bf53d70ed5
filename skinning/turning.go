package skinning

import (
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// turning is a frame as the assembly kernel of spherical blending reads it.
type turning struct {
	// Two cache lines per joint: its matrix and the quaternion of its rigid part, then the matrix and the opposite
	// quaternion. One sum blends both, and the table of signs of [packedMotions] chooses the line.
	entries packedPalette
	near    packedPalette // one line per joint, as packedMotions.near
	centers []float32     // four per centre set: the centre, then −1 for a set of one joint, else 0
}

func newTurning(joints int, c *CenterSets) turning {
	t := turning{newPackedPalette(2 * joints), newPackedPalette(joints), make([]float32, 4*len(c.Joints))}
	for k, set := range c.Joints {
		if len(set) == 1 {
			t.centers[4*k+3] = -1
		}
	}
	return t
}

func (t *turning) setMatrix(joint int, m *geom.Mat34) {
	e := t.entries[2*simd.EntryFloats*joint:]
	copy(e, m[:])
	copy(e[simd.EntryFloats:], m[:])
	copy(t.near[simd.EntryFloats*joint:], m[:])
}

// setQuaternions takes the signs of [packedMotions], of which there are none where no kernel can use them.
func (t *turning) setQuaternions(rigid []geom.DualQuat32, sign []float32) {
	for j := range rigid {
		e := t.entries[2*simd.EntryFloats*j:][:2*simd.EntryFloats]
		for k, x := range rigid[j][:4] {
			e[12+k], e[simd.EntryFloats+12+k] = x, -x
		}
	}
	for j := range sign {
		e := t.near[simd.EntryFloats*j:][:simd.EntryFloats]
		for k, x := range rigid[j][:4] {
			e[12+k] = sign[j] * x
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
	copy(t.near, src.near)
	copy(t.centers, src.centers)
}
