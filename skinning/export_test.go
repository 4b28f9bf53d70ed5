package skinning

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// For tests, as all of this file.
var (
	LeastCenter     = leastCenter
	CenterEquations = centerEquations
)

// RotationCenterOf is the least-squares centre of joints.
func RotationCenterOf(joints []uint16, c []geom.Affine) mgl64.Vec3 {
	center, _ := rotationCenter(joints, c)
	return center
}

// AboutCenter is SBS equation 9.
func (f *Frame) AboutCenter(q geom.Mat3, shares []Share, center mgl64.Vec3) geom.Affine {
	f.need(RigidParts)
	return f.aboutCenter(q, shares, center)
}

// Forget makes no form of a frame current.
func (f *Frame) Forget() { f.forget() }

// Made returns the forms of a frame that are current.
func (f *Frame) Made() Forms { return Forms(f.made.Load()) }

// SetCenters replaces the rotation centres of a frame.
func (f *Frame) SetCenters(to []mgl64.Vec3) {
	f.need(Centers)
	f.center = to
}

// BlendIterative returns the intrinsic mean of shares.
func (f *Frame) BlendIterative(shares []Share) geom.DualQuat {
	f.need(RigidParts)
	return f.blendIterative(shares)
}

// IsEvaluated tells whether the intrinsic mean is found without the reference.
func (f *Frame) IsEvaluated(joints []uint16, u []float64) bool {
	var d geom.DualQuat
	return f.meanOf(&d, joints, u, PivotOf(u))
}

// Failed returns the joints that the kernel has left over, by group.
func (p *JointSplitter) Failed() []uint8 { return p.failed }

// Move copies what the kernel reads and writes of a splitter to other memory.
func (p *JointSplitter) Move(groups func([]simd.SplitGroup) []simd.SplitGroup, failed func([]uint8) []uint8,
	records func([]simd.JointRecord) []simd.JointRecord) {
	p.groups, p.failed, p.records = groups(p.groups), failed(p.failed), records(p.records)
}

// RowGaps tells what a method's row lacks.
func (m Method) RowGaps() (gaps []string) {
	r := m.row()
	for what, missing := range map[string]bool{"note": r.note == "",
		"cost": r.cost == "", "shader": r.shader == "",
		"reference": r.reference == nil, "evaluate": r.evaluate == nil, "kernel": r.kernel == nil} {
		if missing {
			gaps = append(gaps, what)
		}
	}
	return gaps
}
