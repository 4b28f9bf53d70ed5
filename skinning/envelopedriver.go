package skinning

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// EnvelopeDriver evaluates a rig. It belongs to one goroutine and allocates nothing once it has seen a rig.
type EnvelopeDriver struct {
	level     simd.Level // of the kernels that it may use, for rigs that have been prepared
	turns     JointRotations
	rotations []geom.Quat
	d         []float64 // the key gradients: all first rows, all second rows, all third rows
	q         []float64 // the masters' matrices likewise
	t         []float64 // and the proxies'
	scratch   keyScratch
}

// Drive computes the proxies' matrices in a pose. Matrices, their rigid parts and dst have one entry per joint of the
// skeleton; dst and matrices may be the same.
func (s *EnvelopeDriver) Drive(r *EnvelopeRig, matrices []geom.Affine, rigid []geom.DualQuat, dst []geom.Affine) {
	s.Predict(r, matrices, rigid)
	s.Solve(r, dst)
}

// Predict is the first half of Drive: it reads the masters and predicts the key gradients, d(q).
func (s *EnvelopeDriver) Predict(r *EnvelopeRig, matrices []geom.Affine, rigid []geom.DualQuat) {
	n := len(r.Masters)
	s.rotations, s.q = s.rotations[:0], room(s.q, 12*n)
	for k, j := range r.Masters {
		s.rotations = append(s.rotations, rigid[j].Real)
		m := &matrices[j]
		for row := range 3 {
			copy(s.q[4*(n*row+k):], m[4*row:4*row+4])
		}
	}
	prepared := r.ready(s.level)
	if s.turns.only = nil; prepared != nil {
		s.turns.only = prepared.read
	}
	s.turns.Set(r.Parents, r.Middle, s.rotations)
	n = len(r.Keys)
	s.d = room(s.d, 9*n)
	if prepared != nil {
		s.predictGroups(r, prepared.keys)
		return
	}
	for l := range r.Keys {
		s.setGradient(r, l)
	}
}

// setGradient predicts key gradient l.
func (s *EnvelopeDriver) setGradient(r *EnvelopeRig, l int) {
	g := r.Keys[l].At(r.Parents, &s.turns)
	for row := range 3 {
		copy(s.d[3*(len(r.Keys)*row+l):], g[3*row:3*row+3])
	}
}

// Solve is the second half: t = c₁·d + c₂·q for what was predicted last. Dst has one entry per joint of the skeleton;
// those of proxies are written.
func (s *EnvelopeDriver) Solve(r *EnvelopeRig, dst []geom.Affine) {
	p := len(r.Proxies)
	s.t = room(s.t, 12*p)
	driven(s.t, r.C1, r.C2, s.d, s.q)
	for b, joint := range r.Proxies {
		for row := range 3 {
			copy(dst[joint][4*row:4*row+4], s.t[4*(p*row+b):])
		}
	}
}

// room returns x with n elements.
func room(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}

// drivenRows is how many rows are driven at a time: few, so that what was read of them for x is still near for y and z.
const drivenRows = 16

// driven sets t to c₁·d + c₂·q for each of x, y and z, which share the matrices and whose columns lie one after the
// other in t, d and q. A megabyte of matrices for 80 proxies is more than the nearest caches hold: reading it once is
// what this takes.
func driven(t, c1, c2, d, q []float64) {
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

// proxyDriver is the [LinearDriver] of an EnvelopeRig.
type proxyDriver struct {
	EnvelopeDriver
	rig     *EnvelopeRig
	masters splitter
}

// NewDriver implements [Rig].
func (r *EnvelopeRig) NewDriver(s *Skeleton, level simd.Level) RigDriver {
	return &proxyDriver{EnvelopeDriver{level: level}, r, newSplitter(s, r.Masters, level)}
}

// Drive implements [RigDriver].
func (d *proxyDriver) Drive(f *Frame) {
	d.Predict(f)
	d.Solve(f)
}

// Predict implements [LinearDriver].
func (d *proxyDriver) Predict(f *Frame) {
	d.masters.set(f, Motions)
	d.EnvelopeDriver.Predict(d.rig, f.Matrices, f.rigid)
}

// Solve implements [LinearDriver].
func (d *proxyDriver) Solve(f *Frame) {
	if p := d.rig.ready(d.level); p != nil {
		p.blocks.solve(f, d.rig, &d.EnvelopeDriver)
		return
	}
	d.EnvelopeDriver.Solve(d.rig, f.Matrices)
	for _, j := range d.rig.Proxies {
		f.roundMatrix(j)
	}
}

// Known implements [LinearDriver].
func (d *proxyDriver) Known() (gradients, matrices []float64) { return d.d, d.q }

// Copy implements [LinearDriver].
func (d *proxyDriver) Copy(from LinearDriver) {
	gradients, matrices := from.Known()
	d.d, d.q = append(d.d[:0], gradients...), append(d.q[:0], matrices...)
}

// preparedRig is a rig as the kernels read it. All frames of a model share it, and it never changes.
type preparedRig struct {
	rig    *EnvelopeRig // that it is of
	sizes  rigSizes     // as that was then
	keys   []simd.KeyGroup
	read   []bool // the masters whose rotation vectors keys read
	blocks proxyBlocks
}

// rigSizes bounds what the kernels read and write of a rig and its frames.
type rigSizes struct{ masters, keys, proxies, c1, c2 int }

func sizesOf(r *EnvelopeRig) rigSizes {
	return rigSizes{len(r.Masters), len(r.Keys), len(r.Proxies), len(r.C1), len(r.C2)}
}

// Prepare lets the frames of all models with this rig drive its proxies by kernels. Call it once the rig is complete
// and has been validated; who copies it and changes the copy calls it for that again.
func (r *EnvelopeRig) Prepare() {
	r.prepared = &preparedRig{rig: r, sizes: sizesOf(r), keys: newKeyGroups(r.Keys), read: readBy(r.Keys, len(r.Masters)),
		blocks: newProxyBlocks(r)}
}

// ready returns what was prepared where a level has kernels, nil where the rig is another than the one that it is of,
// or of other sizes.
func (r *EnvelopeRig) ready(level simd.Level) *preparedRig {
	if level == simd.Scalar || r.prepared == nil || r.prepared.rig != r || r.prepared.sizes != sizesOf(r) {
		return nil
	}
	return r.prepared
}
