package skinning

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/kernel"
)

// Evaluate returns Φ(u; C) in a posed frame, for u-weights over up to four joints: the same as [Frame.Phi], but fast
// enough for callers that sample the operator often. The two differ by rounding, and for DIB by less than 1e-9 of the
// motions' size. It allocates nothing.
func (f *Frame) Evaluate(operator Method, joints []uint16, u []float64) geom.Affine {
	f.need(operator.Reads() &^ Centers)
	return f.EvaluateSplit(operator, joints, u)
}

// EvaluateSplit is [Frame.Evaluate] for a [RigDriver]: the parts of these joints that the operator reads have been
// split by a [JointSplitter].
func (f *Frame) EvaluateSplit(operator Method, joints []uint16, u []float64) geom.Affine {
	return operator.row().evaluate(f, joints, u, PivotOf(u))
}

// evaluateLinear is Φ_LBS.
func (f *Frame) evaluateLinear(joints []uint16, u []float64, _ int) (m geom.Affine) {
	sumMatrices(&m, f.Matrices, joints, u)
	return m
}

// evaluateDual is Φ_DQS.
func (f *Frame) evaluateDual(joints []uint16, u []float64, pivot int) (m geom.Affine) {
	var d geom.DualQuat
	f.sumMotions(&d, joints, u, pivot)
	d.AffineTo(&m)
	return m
}

// evaluateScaleDual is Φ_SDQS.
func (f *Frame) evaluateScaleDual(joints []uint16, u []float64, pivot int) (m geom.Affine) {
	var d geom.DualQuat
	f.sumMotions(&d, joints, u, pivot)
	f.moveScaled(&m, &d, joints, u)
	return m
}

// evaluateMean is Φ_DIB.
func (f *Frame) evaluateMean(joints []uint16, u []float64, pivot int) (m geom.Affine) {
	var d geom.DualQuat
	if f.meanOf(&d, joints, u, pivot) {
		f.moveScaled(&m, &d, joints, u)
		return m
	}
	var buf [kernel.MostMotions]Share
	shares := buf[:0]
	for i, j := range joints {
		shares = append(shares, Share{j, u[i]})
	}
	shares[0], shares[pivot] = shares[pivot], shares[0]
	return iterativeReference(f, shares, mgl64.Vec3{})
}

// PivotOf returns the index of the pivot among joints with these weights. The quaternions of the others are flipped to
// its hemisphere.
func PivotOf(u []float64) (pivot int) {
	for i := range u {
		if u[i] > u[pivot] {
			pivot = i
		}
	}
	return pivot
}

// sumMatrices sets m to Σ u_i·of[j_i].
func sumMatrices(m *geom.Affine, of []geom.Affine, joints []uint16, u []float64) {
	var sum geom.Affine
	for i, j := range joints {
		a, w := &of[j], u[i]
		for k := range sum {
			sum[k] += w * a[k]
		}
	}
	*m = sum
}

// sumMotions sets d to Ψ = Σ ±u_i·q̂_i (ALNS appendix A).
func (f *Frame) sumMotions(d *geom.DualQuat, joints []uint16, u []float64, pivot int) {
	near := &f.rigid[joints[pivot]]
	var i, j, k, h, di, dj, dk, dh float64
	for n, joint := range joints {
		w := u[n]
		if w == 0 {
			continue
		}
		q := &f.rigid[joint]
		if f.opposite(near, q) {
			w = -w
		}
		i, j, k, h = i+w*q.Real[0], j+w*q.Real[1], k+w*q.Real[2], h+w*q.Real[3]
		di, dj, dk, dh = di+w*q.Dual[0], dj+w*q.Dual[1], dk+w*q.Dual[2], dh+w*q.Dual[3]
	}
	*d = geom.DualQuat{Real: geom.Quat{i, j, k, h}, Dual: geom.Quat{di, dj, dk, dh}}
}

// opposite tells whether q is to be flipped to the hemisphere of its pivot.
func (f *Frame) opposite(pivot, q *geom.DualQuat) bool {
	p := &pivot.Real
	return !f.Unrolled && q.Real[0]*p[0]+q.Real[1]*p[1]+q.Real[2]*p[2]+q.Real[3]*p[3] < kernel.HemisphereTie
}

// moveScaled sets m to the motion d of any length after the blended scales, the two phases of SDQS and DIB.
func (f *Frame) moveScaled(m *geom.Affine, d *geom.DualQuat, joints []uint16, u []float64) {
	var rigid, scale geom.Affine
	d.AffineTo(&rigid)
	sumMatrices(&scale, f.scale, joints, u)
	m.SetProduct(&rigid, &scale)
}

// meanOf sets d to the intrinsic mean of the joints of some weight, and reports whether it is that: motions far apart
// are left to the reference, and more than four.
func (f *Frame) meanOf(d *geom.DualQuat, joints []uint16, u []float64, pivot int) bool {
	f.sumMotions(d, joints, u, pivot)
	var m kernel.MotionMean
	near, count := &f.rigid[joints[pivot]], 0
	for i, j := range joints {
		w, q := u[i], &f.rigid[j]
		if w == 0 {
			continue
		}
		count++
		if w < 0 || count > kernel.MostMotions {
			return false
		}
		m.Add(q, w, f.opposite(near, q))
	}
	return m.Solve(d)
}

// turnAboutCenter is Φ_SBS: v -> Q(v − r_c) + Σ u_i·C_i·r_c (SBS equation 9).
func (f *Frame) turnAboutCenter(joints []uint16, u []float64, pivot int) geom.Affine {
	return f.turnAt(f.rotationCenter(joints), joints, u, pivot)
}

// turnAt is turnAboutCenter about a given centre.
func (f *Frame) turnAt(center mgl64.Vec3, joints []uint16, u []float64, pivot int) geom.Affine {
	var d geom.DualQuat
	f.sumMotions(&d, joints, u, pivot)
	q := d.Real.Mat3()
	x, y, z := center[0], center[1], center[2]
	var at [3]float64 // Σ u_i·C_i·r_c, as differences from the pivot's: centres may be far
	var base, c geom.Affine
	f.rigid[joints[pivot]].AffineTo(&base)
	for i, j := range joints {
		w := u[i]
		f.rigid[j].AffineTo(&c)
		for r := range at {
			k := 4 * r
			at[r] += w * ((c[k]-base[k])*x + (c[k+1]-base[k+1])*y + (c[k+2]-base[k+2])*z + c[k+3] - base[k+3])
		}
	}
	for r := range at {
		k := 4 * r
		at[r] += (base[k]-q[3*r])*x + (base[k+1]-q[3*r+1])*y + (base[k+2]-q[3*r+2])*z + base[k+3]
	}
	return geom.NewAffine(q, at)
}
