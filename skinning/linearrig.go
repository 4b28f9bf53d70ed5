package skinning

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// LinearRig is a rig that makes its matrices in two steps: it predicts gradients from the pose, and solves for the
// matrices, which are linear in these and in the masters' matrices ([LinearSystem]). The GPU may do the second step.
// The matrices may have shear: files have two nodes for each of the rig's joints, and the normals of the skin are
// summed from the posed surface.
//
// Its driver is a [LinearDriver].
type LinearRig interface {
	Rig
	Linear() LinearSystem
	// Turn returns the joint with which the part of the skin that joint number k of Joints moves turns, and the ratio
	// of the two angles: 0 if it does not turn, 1 if it turns as far.
	Turn(k int) (joint int, u float64)
}

// LinearSystem gives P driven joints' matrices as t = c₁·d + c₂·q: q is the matrices of J masters, and d is K
// gradients, 3×3 matrices that the rig predicts from the pose. The coordinates x, y and z share c₁ and c₂ (RTER
// equation 6).
type LinearSystem struct {
	Masters   []int // J joints
	Joints    []int // P joints
	Gradients int   // K
	// C1 is 4P×3K and C2 is 4P×4J, row by row. A coordinate of t is that row of every driven joint's matrix, four
	// numbers each; of d that row of every gradient, three each; of q that row of every master's matrix, four each.
	C1, C2 []float64
}

// Size returns the number of entries of c₁ and c₂, and that of C₁ and C₂, which map all three coordinates at once (RTER
// equation 6).
func (s LinearSystem) Size() (numbers, dense int) {
	return len(s.C1) + len(s.C2), 12 * len(s.Joints) * (9*s.Gradients + 12*len(s.Masters))
}

// Hold returns the distance by which driven joint k moves when a master moves by 1 without turning: the entry of c₂
// that maps one translation to the other. If all masters move alike, a driven joint moves with them. So its entries sum
// to 1, except for the error of regularisation.
func (s *LinearSystem) Hold(k, master int) float64 {
	return s.C2[(4*k+3)*4*len(s.Masters)+4*master+3]
}

// drivenRows is the number of rows that are computed at a time. They are few, so that their entries are still in the
// cache for y and z after x.
const drivenRows = 16

// Solve sets t to c₁·d + c₂·q for each of x, y and z, whose columns lie one after the other in t, d and q. The time is
// that of reading the matrices once: for 80 driven joints they have a megabyte, more than the nearest caches hold.
func (s *LinearSystem) Solve(t, d, q []float64) { solveLinear(t, s.C1, s.C2, d, q) }

func solveLinear(t, c1, c2, d, q []float64) {
	rows, n, m := len(t)/3, len(d)/3, len(q)/3
	column := func(x []float64, n, c, lo, hi int) blas64.Vector {
		return blas64.Vector{N: hi - lo, Data: x[n*c+lo : n*c+hi], Inc: 1}
	}
	for lo := 0; lo < rows; lo += drivenRows {
		hi := min(lo+drivenRows, rows)
		a := blas64.General{Rows: hi - lo, Cols: n, Stride: n, Data: c1[lo*n : hi*n]}
		b := blas64.General{Rows: hi - lo, Cols: m, Stride: m, Data: c2[lo*m : hi*m]}
		for c := range 3 {
			to := column(t, rows, c, lo, hi)
			blas64.Gemv(blas.NoTrans, 1, a, column(d, n, c, 0, n), 0, to)
			blas64.Gemv(blas.NoTrans, 1, b, column(q, m, c, 0, m), 1, to)
		}
	}
}

// LinearDriver is the driver of a [LinearRig]. Its matrices must not depend on the signs of rotations
// ([Frame.Unrolled]).
type LinearDriver interface {
	RigDriver
	Predict(f *Frame) // brings q and d to the frame's pose
	Solve(f *Frame)   // computes the matrices of the rig's joints from q and d
	// Known returns d and q, which the driver keeps: coordinate c of d is d[3K·c : 3K·(c+1)], of q q[4J·c : 4J·(c+1)].
	Known() (d, q []float64)
	// Copy takes over q and d from a driver of the same rig in another frame.
	Copy(from LinearDriver)
}

// SolvedRig returns the rig whose matrices a frame need not compute itself ([Frame.LazyProxies]): a [LinearRig] whose
// joints no later rig reads. It returns nil if there is none.
func (m *Model) SolvedRig() LinearRig {
	if i := m.solvedRig(); i >= 0 {
		return m.Rigs[i].(LinearRig)
	}
	return nil
}

// solvedRig is SolvedRig by its index, −1 for none.
func (m *Model) solvedRig() int {
next:
	for i, rig := range m.Rigs {
		if _, ok := rig.(LinearRig); !ok {
			continue
		}
		for _, later := range m.Rigs[i+1:] {
			if readsAny(later, rig.Joints()) {
				continue next
			}
		}
		return i
	}
	return -1
}

// ProxyPlaces follows a point on each joint of a [LinearRig] without computing the joint's matrix, which may be left to
// the GPU ([Frame.LazyProxies]). A point on a joint is linear in the joint's matrix, and so in d and q. It takes one
// row, where the matrix takes four rows of c₁ and c₂: a quarter of the work.
type ProxyPlaces struct{ c1, c2, at []float64 }

// NewProxyPlaces prepares for points, one per driven joint of r in their order, metres, rest space.
func NewProxyPlaces(r LinearSystem, points []mgl64.Vec3) *ProxyPlaces {
	if len(points) != len(r.Joints) {
		panic(fmt.Sprintf("skinning: NewProxyPlaces: %d points for %d joints", len(points), len(r.Joints)))
	}
	n, q := 3*r.Gradients, 4*len(r.Masters)
	p := &ProxyPlaces{c1: make([]float64, len(points)*n), c2: make([]float64, len(points)*q),
		at: make([]float64, 3*len(points))}
	for b, at := range points {
		for k, x := range [4]float64{at[0], at[1], at[2], 1} {
			row := 4*b + k
			for i, v := range r.C1[row*n : (row+1)*n] {
				p.c1[b*n+i] += x * v
			}
			for i, v := range r.C2[row*q : (row+1)*q] {
				p.c2[b*q+i] += x * v
			}
		}
	}
	return p
}

// At writes the positions of the points in a frame, in world space. The points must be on the SolvedRig of the frame's
// model, whose matrices need not have been computed. The frame must not be baked. It allocates nothing.
func (p *ProxyPlaces) At(dst []mgl64.Vec3, f *Frame) {
	d, q := f.linear.Known()
	solveLinear(p.at, p.c1, p.c2, d, q)
	for b := range dst {
		for c := range 3 {
			dst[b][c] = p.at[len(dst)*c+b]
		}
	}
}
