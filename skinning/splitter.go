package skinning

import (
	"fmt"
	"unsafe"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// JointSplitter takes the matrices of some joints apart, C = rigid·scale: four at a time by the kernel of package simd,
// and by SetRigidPart and SetScalePart at simd.Scalar and where the kernel fails. A [RigDriver] gets the parts of its
// masters from a splitter and not from the frame's forms, which include joints that may not have been driven yet.
type JointSplitter struct {
	joints  []int
	groups  []simd.SplitGroup  // none at simd.Scalar; the last one filled up with the last joint
	failed  []uint8            // by group
	records []simd.JointRecord // of Records, by joint and what fills the last group
}

// NewJointSplitter makes a splitter of joints, by the kernel of a level.
func NewJointSplitter(s *Skeleton, joints []int, level simd.Level) *JointSplitter {
	p := &JointSplitter{joints: joints}
	if level == simd.Scalar || len(joints) == 0 {
		return p
	}
	p.groups = make([]simd.SplitGroup, (len(joints)+simd.DriveLanes-1)/simd.DriveLanes)
	p.failed = make([]uint8, len(p.groups))
	for n := range simd.DriveLanes * len(p.groups) {
		j := p.joint(n)
		g, lane := &p.groups[n/simd.DriveLanes], n%simd.DriveLanes
		g.Matrix[lane] = int64(j) * int64(unsafe.Sizeof(geom.Affine{}))
		for k, x := range s.Joints[j].Position {
			g.Position[k][lane] = x
		}
	}
	return p
}

// joint is the joint of record n.
func (p *JointSplitter) joint(n int) int { return p.joints[min(n, len(p.joints)-1)] }

// split writes the records of groups lo up to hi, their scales only if scaled.
func (p *JointSplitter) split(f *Frame, records []simd.JointRecord, lo, hi int, scaled bool) {
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

// splitGroups is the number of groups that are split at a time. It is small, so that their records stay in the fastest
// cache.
const splitGroups = 16

// Split brings the rigid parts of the joints, their scales, or both to the frame's pose, if they are not of it yet. The
// frame keeps them for [Frame.EvaluateSplit], but not as forms: these are of all joints. Twists are brought to the pose
// as well, of all joints that no rig drives.
func (p *JointSplitter) Split(f *Frame, want Forms) {
	want &^= Forms(f.made.Load())
	f.makeRoom(want)
	if want&Twists != 0 { // a twist is relative to joints that may be none of the splitter's
		f.joints.Split(f, RigidParts)
		f.setTwists()
	}
	motions, scaled := want&RigidParts != 0, want&Scales != 0
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

// Rigid returns the rigid parts of the frame's joints, of which only those of the splitter's joints need be of its
// pose.
func (p *JointSplitter) Rigid(f *Frame) []geom.DualQuat {
	p.Split(f, RigidParts)
	return f.rigid
}

// Records returns the parts of the joints, in their order, as kernels that drive others by them read it; with scales if
// scaled. It is nil where no kernel splits them.
func (p *JointSplitter) Records(f *Frame, scaled bool) []simd.JointRecord {
	if p.groups == nil {
		return nil
	}
	if p.records == nil {
		p.records = make([]simd.JointRecord, simd.DriveLanes*len(p.groups))
	}
	p.split(f, p.records, 0, len(p.groups), scaled)
	return p.records
}
