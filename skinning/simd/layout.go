package simd

// Kernels read and write the types of this file by offset. The generator takes the offsets from here.

const (
	Group        = 16 // vertices that a kernel takes at a time, at every level
	BindingBytes = 24 // of a vertex's binding
	EntryFloats  = 16 // of an entry of a packed palette: one cache line, of which a kernel may use less
	SignsStep    = 16 // joints that [Signs] takes at a time
	DriveLanes   = 4  // joints, bones or predictors that [Split], the Blend kernels and [PredictKeys] take at a time
	ProxyLanes   = 2  // proxy bones that [SolveProxies] takes at a time
)

// Vertices is a run of whole groups of vertices with the palettes that pose them. Palettes have entries of
// [EntryFloats], which each kernel describes.
type Vertices struct {
	Positions, Normals *float32 // written, three floats a vertex; Normals is nil where none are wanted
	Rest, RestNormals  *float32 // read likewise
	Bindings           *uint16  // of [BindingBytes] each
	Counts             *uint8   // the largest number of influences of each group, as [Scan] writes it
	Groups             int
	Palette            *float32
	Scales             *float32 // a palette of [ScaleDual], [Iterative] and [SphericalScaled]
	Sets               *uint32  // of [Spherical]: the centre of each vertex
	Centers            *float32 // of [Spherical] and its like: four floats a centre, the last unused
	Swings             *float32 // a palette of [TwistSwing]
	TwistBindings      *uint16  // of [TwistSwing]: those that twists are summed by, nil where Bindings are; as Bindings
	Short              uint32   // of [TwistSwing]: written, not 0 if a sum of twists may have no direction
}

// SplitGroup is four joints to be taken apart.
type SplitGroup struct {
	Matrix   [DriveLanes]int64      // bytes from the first matrix to each one's
	Position [3][DriveLanes]float64 // about which the scale acts
}

// JointRecord is a joint's matrix taken apart, rigid·scale: the real and dual part of a unit dual quaternion, and an
// affine matrix. The scale is set only if it was asked for.
type JointRecord struct {
	Real, Dual [4]float64
	Scale      [12]float64
}

// BlendGroup is four blend bones of up to four masters each, the pivot first. A bone with fewer masters repeats one of
// them at weight 0.
type BlendGroup struct {
	Master [4][DriveLanes]int64 // by master and bone, the bytes from the first [JointRecord] to its
	Weight [4][DriveLanes]float64
	Joint  [DriveLanes]int64 // 16 times the number of the joint that is moved
}

// CenterGroup is what spherical blending reads of four blend bones besides their [BlendGroup].
type CenterGroup struct {
	Share [4][DriveLanes]float64 // one over the number of a bone's masters, 0 for a repeated master
	Count [4][DriveLanes]float64 // the number of a bone's masters, 0 for a repeated master
	Rest  [3][DriveLanes]float64 // centres that do not depend on the pose
	Fixed [DriveLanes]int64      // −1 where the centre is Rest, else 0
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

// Proxies is the argument of [SolveProxies]. For each pair of proxy bones the program holds
//   - how many blocks of c₂ are multiplied, and for each the bytes behind Q where its joint's row of x begins,
//   - how many blocks of c₁ are multiplied, and for each the bytes behind D where its key gradient's row of x begins,
//   - 16 times the number of the joint that each of the two moves.
//
// The coefficients are those blocks in that order, column by column: four columns for a joint, three for a key
// gradient, and in each column the eight numbers of both proxies' four rows. Rows of y and of z lie one and two
// strides, in bytes, behind those of x. Matrices, Rounded and Packed are as in [Drive].
type Proxies struct {
	Program          *int64
	Pairs            int
	Coefficients     *float64
	Q, D             *float64
	StrideQ, StrideD int
	Matrices         *[12]float64
	Rounded, Packed  *float32
}

// TurnRecord is a joint as predictors read it.
type TurnRecord struct {
	Frame [4]float64 // the rotation of the frame that it turns in, a unit quaternion
	Theta [3]float64 // its rotation vector in that frame
	Other float64    // what another vector of the same rotation counts for
}

// KeyGroup is four predictors of key gradients. Places are bytes from the first [TurnRecord].
type KeyGroup struct {
	Turn  [2][DriveLanes]int64      // of the joint of each term
	Shear [2][DriveLanes]int64      // of the two joints that the shear is linear in
	Axis  [2][9][DriveLanes]float64 // of each term a quarter of u·W, row by row
	H     [9][7][DriveLanes]float64 // by row and feature
}

// Gradients are what a group predicts, row by row.
type Gradients [9][DriveLanes]float64
