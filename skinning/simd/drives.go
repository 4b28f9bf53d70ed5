package simd

// DriveLanes is how many joints and bones [Split] and the Blend kernels take at a time.
const DriveLanes = 4

// SplitGroup is four joints to be taken apart.
type SplitGroup struct {
	Matrix   [DriveLanes]int64      // bytes from the first matrix to each one's
	Position [3][DriveLanes]float64 // about which the scale acts
}

// JointRecord is a joint's matrix taken apart, rigid·scale: the real and dual part of a unit dual quaternion, and an
// affine matrix. The scale is there only where it was asked for.
type JointRecord struct {
	Real, Dual [4]float64
	Scale      [12]float64
}

// BlendGroup is four blend bones of up to four masters each, the pivot first. One of fewer has others again at weight
// 0.
type BlendGroup struct {
	Master [4][DriveLanes]int64 // by master and bone, the bytes from the first [JointRecord] to its
	Weight [4][DriveLanes]float64
	Joint  [DriveLanes]int64 // 16 times the number of the joint that is moved
}

// CenterGroup is what spherical blending reads of four blend bones besides.
type CenterGroup struct {
	Matrix [4][DriveLanes]int64   // by master and bone, the bytes from the first matrix to its
	Share  [4][DriveLanes]float64 // one over the number of a bone's masters, 0 for those again
	Count  [4][DriveLanes]float64 // the number of a bone's masters, 0 for those again
	Rest   [3][DriveLanes]float64 // centres that do not depend on the pose
	Fixed  [DriveLanes]int64      // −1 for those, else 0
}

// Drive is where [Split] and the Blend kernels read and write. Matrices are row-major 3×4 matrices in float64, one
// per joint; Rounded are the same in float32, and Packed these as entries of [EntryFloats]. Failed has a bit for each
// lane of each group.
type Drive struct {
	Matrices        *[12]float64
	Records         *JointRecord
	Rounded, Packed *float32
	Failed          *uint8
}
