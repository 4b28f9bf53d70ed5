package skinning

import (
	"fmt"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// splitter takes the matrices of joints apart, C = rigid·scale, four at a time by the kernel of package simd; what that
// cannot do, and all at simd.Scalar, as SetRigidPart and SetScalePart do.
type splitter struct {
	joints []int
	groups []simd.SplitGroup // none at simd.Scalar; the last one filled up with the last joint
	failed []uint8           // by group
}

func newSplitter(s *Skeleton, joints []int, level simd.Level) splitter {
	p := splitter{joints: joints}
	if level == simd.Scalar || len(joints) == 0 {
		return p
	}
	p.groups = make([]simd.SplitGroup, (len(joints)+simd.DriveLanes-1)/simd.DriveLanes)
	p.failed = make([]uint8, len(p.groups))
	for n := range simd.DriveLanes * len(p.groups) {
		j := p.joint(n)
		g, lane := &p.groups[n/simd.DriveLanes], n%simd.DriveLanes
		g.Matrix[lane] = matrixOffset(j)
		for k, x := range s.Joints[j].Position {
			g.Position[k][lane] = x
		}
	}
	return p
}

// joint is the joint of record n.
func (p *splitter) joint(n int) int { return p.joints[min(n, len(p.joints)-1)] }

// split writes the records of groups lo up to hi, their scales only if scaled.
func (p *splitter) split(f *Frame, records []simd.JointRecord, lo, hi int, scaled bool) {
	if len(f.Matrices) < len(f.Model.Skeleton.Joints) || len(records) < simd.DriveLanes*(hi-lo) {
		panic(fmt.Sprintf("skinning: %d matrices of %d joints, %d records", len(f.Matrices), len(f.Model.Skeleton.Joints),
			len(records)))
	}
	if lo == hi {
		return
	}
	failed := p.failed[lo:hi]
	memory := simd.Drive{Matrices: (*[12]float64)(&f.Matrices[0]), Records: &records[0], Failed: &failed[0]}
	simd.Split(&memory, p.groups[lo:hi], scaled)
	for g, bits := range failed {
		for lane := 0; bits>>lane != 0; lane++ {
			if bits>>lane&1 == 0 {
				continue
			}
			n := simd.DriveLanes*g + lane
			splitOne(&records[n], f, p.joint(simd.DriveLanes*lo+n), scaled)
		}
	}
}

// splitOne writes the record of a joint.
func splitOne(r *simd.JointRecord, f *Frame, j int, scaled bool) {
	var rigid geom.DualQuat
	c, at := &f.Matrices[j], &f.Model.Skeleton.Joints[j].Position
	rigid.SetRigidPart(c, at)
	r.Real, r.Dual = rigid.Real, rigid.Dual
	if scaled {
		(*geom.Affine)(&r.Scale).SetScalePart(c, rigid.Real, at)
	}
}

// splitGroups is how many groups are split at a time, so that their records stay in the fastest cache.
const splitGroups = 16

// set makes those forms current of the joints in the frame that are not: their motions, their scales, or both.
func (p *splitter) set(f *Frame, want Forms) {
	want &^= Forms(f.made.Load())
	motions, scaled := want&Motions != 0, want&Scales != 0
	if !motions && !scaled {
		return
	}
	var records [splitGroups * simd.DriveLanes]simd.JointRecord
	for lo := 0; lo < len(p.joints); lo += len(records) {
		hi := min(lo+len(records), len(p.joints))
		if p.groups == nil {
			for n := range hi - lo {
				splitOne(&records[n], f, p.joints[lo+n], scaled)
			}
		} else {
			p.split(f, records[:], lo/simd.DriveLanes, (hi+simd.DriveLanes-1)/simd.DriveLanes, scaled)
		}
		for n, j := range p.joints[lo:hi] {
			r := &records[n]
			if motions {
				f.rigid[j] = geom.DualQuat{Real: r.Real, Dual: r.Dual}
			}
			if scaled {
				f.scale[j] = r.Scale
			}
		}
	}
}
