package bodymodel

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// reducedEquations are the equations of a scan with its pose eliminated. The matrix is (A, Bᵀ; B, C), with A for
// the pose and C for the joints, and the right side (a, c). The result of the elimination is kept: L of A = L·Lᵀ, W =
// B·L⁻ᵀ, C − W·Wᵀ, y = L⁻¹·a and c − W·y. A scan's equations do not contain the poses of other scans, so the matrix of
// all scans is a block arrow matrix.
type reducedEquations struct {
	factor    blas64.Triangular // L
	cross     blas64.General    // W
	joints    blas64.Symmetric  // C − W·Wᵀ
	pose      blas64.Vector     // y
	jointSide blas64.Vector     // c − W·y
	diagonal  []float64
}

func newReducedEquations(limbs int, joints bool) *reducedEquations {
	e := newScanEquations(limbs, joints)
	n, m := len(e.poseRight), len(e.jointRight)
	return &reducedEquations{
		factor:    blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: n, Stride: n, Data: e.pose},
		cross:     blas64.General{Rows: m, Cols: n, Stride: n, Data: e.cross},
		joints:    blas64.Symmetric{Uplo: blas.Lower, N: m, Stride: max(m, 1), Data: e.joints},
		pose:      blas64.Vector{N: n, Inc: 1, Data: e.poseRight},
		jointSide: blas64.Vector{N: m, Inc: 1, Data: e.jointRight},
		diagonal:  make([]float64, n),
	}
}

// reduce eliminates the pose of a scan's equations.
func (r *reducedEquations) reduce(e *scanEquations) {
	n := r.pose.N
	copy(r.factor.Data, e.pose)
	copy(r.cross.Data, e.cross)
	copy(r.joints.Data, e.joints)
	copy(r.pose.Data, e.poseRight)
	copy(r.jointSide.Data, e.jointRight)
	for i := range n {
		r.diagonal[i] = e.pose[i*n+i]
	}
	damp(r.factor.Data, r.diagonal, 0)
	lapack64.Potrf(blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: r.factor.Data})
	blas64.Trsv(blas.NoTrans, r.factor, r.pose)
	if r.jointSide.N == 0 {
		return
	}
	blas64.Trsm(blas.Right, blas.Trans, 1, r.factor, r.cross)
	blas64.Syrk(blas.NoTrans, -1, r.cross, 1, r.joints)
	blas64.Gemv(blas.NoTrans, -1, r.cross, r.pose, 1, r.jointSide)
}

// solve sets step to the step of the pose that goes with a shift of the joints.
func (r *reducedEquations) solve(step, shift []float64) {
	copy(step, r.pose.Data)
	to := blas64.Vector{N: r.pose.N, Inc: 1, Data: step}
	if len(shift) > 0 {
		blas64.Gemv(blas.Trans, -1, r.cross, blas64.Vector{N: len(shift), Inc: 1, Data: shift}, 1, to)
	}
	blas64.Trsv(blas.Trans, r.factor, to)
}

// solveDense replaces b by A⁻¹·b, and the lower half of the positive definite A, n×n and row-major, by its factor.
func solveDense(a, b []float64) {
	n := len(b)
	factor := blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: n, Stride: n, Data: a}
	lapack64.Potrf(blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: a})
	to := blas64.Vector{N: n, Inc: 1, Data: b}
	blas64.Trsv(blas.NoTrans, factor, to)
	blas64.Trsv(blas.Trans, factor, to)
}

// leastDamping is the least damping of an unknown, as a fraction of the mean of the diagonal. It is far below the
// contribution of a single vertex and far above rounding. So a matrix of finite numbers is definite, and unknowns that
// move nothing do not change.
const leastDamping = 1e-9

// damp adds damping times a matrix's diagonal, as it was before anything was eliminated, to its diagonal now.
func damp(matrix, diagonal []float64, damping float64) {
	n := len(diagonal)
	least := leastDamping * floats.Sum(diagonal) / float64(n)
	if !(least > 0) {
		least = 1
	}
	for i, d := range diagonal {
		matrix[i*n+i] += damping*d + least
	}
}
