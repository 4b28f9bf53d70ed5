package simd

// ProxyLanes is how many proxy bones [SolveProxies] takes at a time.
const ProxyLanes = 2

// Proxies is where [SolveProxies] reads and writes. The program says for each of so many pairs of proxy bones how many
// blocks of c₂ are to be multiplied and, for each, how many bytes behind Q the first number of its joint's row of x
// is; the same of c₁, for key gradients behind D; and 16 times the number of the joint that each moves. The
// coefficients are those blocks in that order, column by column, the eight numbers of a column being those of both
// proxies' four rows: four columns for a joint, three for a key gradient. Rows of y and of z lie one and two strides,
// in bytes, behind those of x. Matrices, Rounded and Packed are as in [Drive].
type Proxies struct {
	Program          *int64
	Pairs            int
	Coefficients     *float64
	Q, D             *float64
	StrideQ, StrideD int
	Matrices         *[12]float64
	Rounded, Packed  *float32
}
