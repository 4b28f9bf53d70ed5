package bodymodel

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// PoseEquations are the normal equations of one pose of a body. They minimise the weighted squared distances of points
// of its surface from their targets, linearised in the pose's unknowns (see [PoseRates]). Unknowns 0 to 2 are the shift
// of the root's place, 3+3k to 5+3k the rotation vector of limb k, all in the scan's axes.
//
// Use: Set at a pose, Add the targets, Step, [Body.Moved] by the step. Keep the new pose only if the true sum of
// squares is lower, and otherwise Step again with more damping.
type PoseEquations struct {
	Rates    *PoseRates
	Matrix   []float64 // JᵀWJ, n×n, row-major; only the lower half is kept
	Right    []float64 // JᵀWr
	Squares  float64   // Σ rᵀWr over the targets that were added
	vertex   VertexRates
	columns  []int32      // of the unknowns that move a point
	jacobian []mgl64.Vec3 // their derivatives of the point
	slots    []int32      // of each unknown its place in columns + 1, or 0
	solution []float64
	factor   []float64
	diagonal []float64
}

// NewPoseEquations makes memory for a body's poses: n = 3 + 3·limbs unknowns.
func (b *Body) NewPoseEquations() *PoseEquations {
	n := 3 + 3*len(b.Joints)
	return &PoseEquations{
		Rates: b.newPoseRates(), Matrix: make([]float64, n*n), Right: make([]float64, n), slots: make([]int32, n),
		factor: make([]float64, n*n), solution: make([]float64, n), diagonal: make([]float64, n),
	}
}

// Set begins anew at a pose.
func (e *PoseEquations) Set(pose *Pose) {
	e.Rates.Set(pose)
	clear(e.Matrix)
	clear(e.Right)
	e.Squares = 0
}

// SurfacePoint is a point of a body's surface: Σ weight·vertex, of weights with sum 1. A corner of weight 0 is not
// read.
type SurfacePoint struct {
	Vertices [3]int32
	Weights  [3]float64
}

// place sets the point's derivatives, and returns where it is in the scan.
func (e *PoseEquations) place(at *SurfacePoint) (place mgl64.Vec3) {
	for _, c := range e.columns {
		e.slots[c] = 0
	}
	e.columns, e.jacobian = append(e.columns[:0], 0, 1, 2), append(e.jacobian[:0],
		mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0, 0, 1})
	for c, weight := range at.Weights {
		if weight == 0 {
			continue
		}
		e.Rates.vertex(int(at.Vertices[c]), &e.vertex)
		place = place.Add(e.vertex.Place.Mul(weight))
		for i, k := range e.vertex.Limbs {
			first, turn := 3+3*k, &e.vertex.Turns[i]
			if e.slots[first] == 0 {
				e.slots[first] = int32(len(e.columns)) + 1
				e.columns = append(e.columns, first, first+1, first+2)
				e.jacobian = append(e.jacobian, mgl64.Vec3{}, mgl64.Vec3{}, mgl64.Vec3{})
			}
			j := e.jacobian[e.slots[first]-1:][:3]
			for axis := range j {
				j[axis] = j[axis].Add(mgl64.Vec3{turn[axis], turn[3+axis], turn[6+axis]}.Mul(weight))
			}
		}
	}
	return place
}

// AddPoint adds weight·|target − point|². Target is in the scan's space, metres. It returns the unknowns that move the
// point and the point's derivatives by these, valid until the next call.
func (e *PoseEquations) AddPoint(at *SurfacePoint, target mgl64.Vec3, weight float64) (unknowns []int32, rates []mgl64.Vec3) {
	off := target.Sub(e.place(at))
	e.Squares += weight * off.Dot(off)
	n := len(e.Right)
	for i, c := range e.columns {
		j := e.jacobian[i].Mul(weight)
		e.Right[c] += j.Dot(off)
		for o, d := range e.columns[:i+1] {
			e.Matrix[int(max(c, d))*n+int(min(c, d))] += j.Dot(e.jacobian[o])
		}
	}
	return e.columns, e.jacobian
}

// AddPlane adds weight·(normal·(target − point))²: the point's distance to the plane through target.
func (e *PoseEquations) AddPlane(at *SurfacePoint, target, normal mgl64.Vec3, weight float64) {
	off := normal.Dot(target.Sub(e.place(at)))
	e.Squares += weight * off * off
	n := len(e.Right)
	for i, c := range e.columns {
		j := normal.Dot(e.jacobian[i])
		e.jacobian[i][0] = j
		j *= weight
		e.Right[c] += j * off
		for o, d := range e.columns[:i+1] {
			e.Matrix[int(max(c, d))*n+int(min(c, d))] += j * e.jacobian[o][0]
		}
	}
}

// Step returns the damped Gauss-Newton step: the diagonal of the matrix is multiplied by 1 + damping. Unknowns that
// nothing depends on stay. The result is valid until the next call.
func (e *PoseEquations) Step(damping float64) []float64 {
	n := len(e.Right)
	copy(e.factor, e.Matrix)
	copy(e.solution, e.Right)
	for i := range n {
		e.diagonal[i] = e.Matrix[i*n+i]
	}
	damp(e.factor, e.diagonal, damping)
	solveDense(e.factor, e.solution)
	return e.solution
}

// Moved sets to to a pose moved by a step: its place shifted, and limb k turned about its joint by the rotation vector
// step[3+3k:] in the scan's axes, before limbs above it turn. To may be pose itself.
func (b *Body) Moved(to, pose *Pose, step []float64) {
	turns := make([]geom.Quat, len(pose.Turns)) // of the limbs in the scan, before the step
	if len(to.Turns) != len(turns) {
		to.Turns = make([]geom.Quat, len(turns))
	}
	to.Place = pose.Place.Add(mgl64.Vec3(step[:3]))
	for k, parent := range b.Parents {
		w, q := mgl64.Vec3(step[3+3*k:][:3]), pose.Turns[k]
		turns[k] = q
		if parent >= 0 {
			w = turns[parent].Conjugate().Rotate(w)
			turns[k] = turns[parent].Mul(q)
		}
		to.Turns[k] = geom.AxisAngle(w, w.Len()).Mul(q).Normalize()
	}
}
