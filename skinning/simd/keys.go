package simd

// TurnRecord is a joint as predictors read it: the rotation of the frame that it turns in, a unit quaternion, its
// rotation vector in that frame, and what another vector of the same rotation counts for.
type TurnRecord struct {
	Frame [4]float64
	Theta [3]float64
	Other float64
}

// KeyGroup is four predictors of key gradients. Places are bytes from the first [TurnRecord].
type KeyGroup struct {
	Turn  [2][DriveLanes]int64      // of the joint of each term
	Shear [2][DriveLanes]int64      // and of the two that the shear is linear in
	Axis  [2][9][DriveLanes]float64 // of each term a quarter of u·W, row by row
	H     [9][7][DriveLanes]float64 // by row and feature
}

// Gradients are what a group predicts, row by row.
type Gradients [9][DriveLanes]float64
