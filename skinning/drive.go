package skinning

import (
	"fmt"
	"unsafe"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// blendDriver is the [RigDriver] of a [BlendRig].
type blendDriver struct {
	rig     *BlendRig
	masters splitter    // each once
	kernels *boneDriver // nil where no kernel drives the bones
}

// NewDriver implements [Rig].
func (r *BlendRig) NewDriver(s *Skeleton, level simd.Level) RigDriver {
	masters := newSplitter(s, r.Reads(), level)
	return &blendDriver{r, masters, newBoneDriver(s, r, masters)}
}

// Drive implements [RigDriver].
func (d *blendDriver) Drive(f *Frame) {
	if d.kernels.serve(f) {
		return
	}
	d.masters.set(f, d.rig.Operator.Reads())
	for i := range d.rig.Bones {
		f.driveBone(d.rig, i)
	}
}

// driveBone drives one blend bone, whose masters are taken apart.
func (f *Frame) driveBone(r *BlendRig, bone int) {
	b := &r.Bones[bone]
	f.Matrices[b.Joint] = f.evaluate(r.Operator, b.Masters, b.Weights)
	f.roundMatrix(b.Joint)
}

// boneDriver evaluates the blend bones of a rig four at a time by the kernels of package simd: what a rig costs
// beyond linear blending must be little beside the skin, and one bone after the other it is mostly waiting. It has
// the operator and the u-weights of the time when it was made. What a kernel cannot do is left to [Frame.evaluate].
type boneDriver struct {
	rig     *BlendRig
	masters splitter
	scaled  bool  // the operator reads the masters' scales
	single  []int // where the operator reads rotation centres, bones of one master: they follow its matrix
	records []simd.JointRecord
	blends  []simd.BlendGroup
	centers []simd.CenterGroup // where the operator reads rotation centres
	bones   []int              // by lane of blends
	failed  []uint8            // by group of blends
}

// newBoneDriver returns nil where there is no kernel for the rig, or none at the level. Masters are the joints that it
// reads, each once.
func newBoneDriver(s *Skeleton, rig *BlendRig, masters splitter) *boneDriver {
	if masters.groups == nil || rig.Operator.row().drive == nil {
		return nil
	}
	reads := rig.Operator.Reads()
	d := &boneDriver{rig: rig, masters: masters, scaled: reads&Scales != 0}
	d.records = make([]simd.JointRecord, simd.DriveLanes*len(d.masters.groups))
	record := make(map[uint16]int)
	for i, j := range masters.joints {
		record[uint16(j)] = i
	}
	for i := range d.rig.Bones {
		if reads&Centers != 0 && len(d.rig.Bones[i].Masters) == 1 {
			d.single = append(d.single, i)
		} else {
			d.bones = append(d.bones, i)
		}
	}
	for len(d.bones)%simd.DriveLanes != 0 {
		d.bones = append(d.bones, d.bones[len(d.bones)-1])
	}
	d.blends = make([]simd.BlendGroup, len(d.bones)/simd.DriveLanes)
	if reads&Centers != 0 {
		d.centers = make([]simd.CenterGroup, len(d.blends))
	}
	for n, i := range d.bones {
		d.addBone(s, n, &d.rig.Bones[i], record)
	}
	d.failed = make([]uint8, max(1, len(d.blends)))
	return d
}

// addBone fills lane n of the groups of bones: the pivot first, and that one again for masters that are not there.
// One of no weight moves nothing but a rotation centre.
func (d *boneDriver) addBone(s *Skeleton, n int, b *BlendBone, record map[uint16]int) {
	g, lane := &d.blends[n/simd.DriveLanes], n%simd.DriveLanes
	pivot := pivotOf(b.Weights)
	g.Joint[lane] = 16 * int64(b.Joint)
	var c *simd.CenterGroup
	if d.centers != nil {
		c = &d.centers[n/simd.DriveLanes]
		if at, fixed := restCenter(b.Masters, s); fixed {
			c.Fixed[lane] = -1
			for k, x := range at {
				c.Rest[k][lane] = x
			}
		}
	}
	place := func(slot int, master uint16, weight float64, count int) {
		g.Master[slot][lane], g.Weight[slot][lane] = recordBytes*int64(record[master]), weight
		if c != nil {
			c.Matrix[slot][lane] = matrixOffset(int(master))
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

func matrixOffset(joint int) int64 { return int64(joint) * int64(unsafe.Sizeof(geom.Affine{})) }

// serve drives the bones of a frame, and reports false where it cannot.
func (d *boneDriver) serve(f *Frame) bool {
	if d == nil || f.Unrolled {
		return false
	}
	if least := min(len(f.Matrices), len(f.Palette32), f.packed.joints()); least < len(f.Model.Skeleton.Joints) {
		panic(fmt.Sprintf("skinning: blend bones: %d matrices of %d joints", least, len(f.Model.Skeleton.Joints)))
	}
	d.masters.split(f, d.records, 0, len(d.masters.groups), d.scaled)
	d.rig.Operator.row().drive(d, f)
	d.blendRest(f)
	return true
}

// memory is what kernels read and write of a frame.
func (d *boneDriver) memory(f *Frame) simd.Drive {
	return simd.Drive{Matrices: (*[12]float64)(&f.Matrices[0]), Records: &d.records[0],
		Rounded: &f.Palette32[0][0], Packed: &f.packed[0], Failed: &d.failed[0]}
}

// dual drives the groups by Φ_DQS, or Φ_SDQS where there are scales.
func (d *boneDriver) dual(f *Frame) {
	memory := d.memory(f)
	simd.BlendDual(&memory, d.blends, d.scaled)
}

// mean drives them by Φ_DIB.
func (d *boneDriver) mean(f *Frame) {
	memory := d.memory(f)
	simd.BlendMean(&memory, d.blends)
}

// center drives them by Φ_SBS.
func (d *boneDriver) center(f *Frame) {
	memory := d.memory(f)
	simd.BlendCenter(&memory, d.blends, d.centers)
}

// blendRest evaluates the bones that the kernel could not, and those that it was not given.
func (d *boneDriver) blendRest(f *Frame) {
	split := false
	for g, failed := range d.failed[:len(d.blends)] {
		if failed == 0 {
			continue
		}
		if !split {
			d.masters.set(f, d.rig.Operator.Reads())
			split = true
		}
		for lane := 0; failed>>lane != 0; lane++ {
			if failed>>lane&1 != 0 {
				f.driveBone(d.rig, d.bones[simd.DriveLanes*g+lane])
			}
		}
	}
	for _, i := range d.single {
		f.driveBone(d.rig, i)
	}
}
