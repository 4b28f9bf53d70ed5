package rig

import (
	"unsafe"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// blendBonesDriver is the [skinning.RigDriver] of [BlendBones]. It evaluates the bones four at a time by the kernels of
// package simd, because single bones would mostly wait for the results of slow instructions. So a rig costs little
// compared with the skin. The driver copies the operator and the u-weights when it is made. Bones that a kernel cannot
// evaluate are left to [skinning.Frame.EvaluateSplit].
type blendBonesDriver struct {
	rig     *BlendBones
	masters *skinning.JointSplitter
	kernel  skinning.BoneKernel // nil where none drives the bones: all below is then empty
	scaled  bool                // the operator reads the masters' scales
	blends  []simd.BlendGroup
	centers []simd.CenterGroup // where the operator reads rotation centres
	bones   []int              // by lane of blends
	failed  []uint8            // by group of blends
}

// NewDriver implements [skinning.Rig].
func (r *BlendBones) NewDriver(s *skinning.Skeleton, level simd.Level) skinning.RigDriver {
	masters := r.Reads()
	d := &blendBonesDriver{rig: r, masters: skinning.NewJointSplitter(s, masters, level)}
	if level == simd.Scalar || len(masters) == 0 {
		return d
	}
	d.kernel = r.Operator.BoneKernel()
	if d.kernel == nil {
		return d
	}
	reads := r.Operator.Reads()
	d.scaled = reads&skinning.Scales != 0
	record := make(map[uint16]int)
	for i, j := range masters {
		record[uint16(j)] = i
	}
	for i := range r.Bones {
		d.bones = append(d.bones, i)
	}
	for len(d.bones)%simd.DriveLanes != 0 {
		d.bones = append(d.bones, d.bones[len(d.bones)-1])
	}
	d.blends = make([]simd.BlendGroup, len(d.bones)/simd.DriveLanes)
	if reads&skinning.Centers != 0 {
		d.centers = make([]simd.CenterGroup, len(d.blends))
	}
	for n, i := range d.bones {
		d.addBone(s, n, &r.Bones[i], record)
	}
	d.failed = make([]uint8, max(1, len(d.blends)))
	return d
}

// addBone fills lane n of the groups of bones. The pivot comes first, and it also fills the slots of missing masters,
// with weight 0. A master of weight 0 has no effect except on a rotation centre.
func (d *blendBonesDriver) addBone(s *skinning.Skeleton, n int, b *BlendBone, record map[uint16]int) {
	g, lane := &d.blends[n/simd.DriveLanes], n%simd.DriveLanes
	pivot := skinning.PivotOf(b.Weights)
	g.Joint[lane] = 16 * int64(b.Joint)
	var c *simd.CenterGroup
	if d.centers != nil {
		c = &d.centers[n/simd.DriveLanes]
		if at, fixed := skinning.RestCenter(b.Masters, s); fixed {
			c.Fixed[lane] = -1
			for k, x := range at {
				c.Rest[k][lane] = x
			}
		}
	}
	place := func(slot int, master uint16, weight float64, count int) {
		g.Master[slot][lane], g.Weight[slot][lane] = recordBytes*int64(record[master]), weight
		if c != nil {
			c.Share[slot][lane], c.Count[slot][lane] = float64(min(count, 1))/float64(len(b.Masters)), float64(count)
		}
	}
	for slot := range maxMasters {
		place(slot, b.Masters[pivot], 0, 0)
	}
	place(0, b.Masters[pivot], b.Weights[pivot], len(b.Masters))
	slot := 1
	for i, master := range b.Masters {
		if i != pivot && (b.Weights[i] != 0 || c != nil) {
			place(slot, master, b.Weights[i], len(b.Masters))
			slot++
		}
	}
}

const recordBytes = int64(unsafe.Sizeof(simd.JointRecord{}))

// Drive implements [skinning.RigDriver].
func (d *blendBonesDriver) Drive(f *skinning.Frame) {
	if d.kernel == nil || f.Unrolled {
		d.masters.Split(f, d.rig.Operator.Reads())
		for i := range d.rig.Bones {
			d.driveBone(f, i)
		}
		return
	}
	memory := f.DriveMemory()
	memory.Records, memory.Failed = &d.masters.Records(f, d.scaled)[0], &d.failed[0]
	d.kernel(memory, d.blends, d.centers, d.scaled)
	d.driveRest(f)
}

// driveBone drives one blend bone, whose masters have been split.
func (d *blendBonesDriver) driveBone(f *skinning.Frame, bone int) {
	b := &d.rig.Bones[bone]
	var c geom.Affine
	switch {
	case b.Swings != nil:
		c = f.EvaluateTwoSetsSplit(b.Masters, b.Swings, b.Weights)
	case d.rig.Operator == skinning.COR:
		c = f.EvaluateAboutSplit(b.Masters, b.Weights, b.Center)
	default:
		c = f.EvaluateSplit(d.rig.Operator, b.Masters, b.Weights)
	}
	f.SetMatrix(b.Joint, &c)
}

// driveRest drives the bones that the kernel could not.
func (d *blendBonesDriver) driveRest(f *skinning.Frame) {
	split := false
	for g, failed := range d.failed[:len(d.blends)] {
		if failed == 0 {
			continue
		}
		if !split {
			d.masters.Split(f, d.rig.Operator.Reads())
			split = true
		}
		for lane := 0; failed>>lane != 0; lane++ {
			if failed>>lane&1 != 0 {
				d.driveBone(f, d.bones[simd.DriveLanes*g+lane])
			}
		}
	}
}
