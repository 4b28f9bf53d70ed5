package rig

import (
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// EnvelopingDriver evaluates a rig. It belongs to one goroutine and allocates nothing once it has seen a rig.
type EnvelopingDriver struct {
	level     simd.Level // of the kernels that it may use, for rigs that have been prepared
	turns     JointRotations
	rotations []geom.Quat
	d         []float64 // the key gradients: all first rows, all second rows, all third rows
	q         []float64 // the masters' matrices, in the same order
	t         []float64 // and the proxies'
	scratch   keyScratch
}

// Drive computes the proxies' matrices in a pose. Matrices, their rigid parts and dst have one entry per joint of the
// skeleton; dst and matrices may be the same.
func (s *EnvelopingDriver) Drive(r *Enveloping, matrices []geom.Affine, rigid []geom.DualQuat, dst []geom.Affine) {
	s.Predict(r, matrices, rigid)
	s.Solve(r, dst)
}

// Predict is the first half of Drive: it reads the masters and predicts the key gradients, d(q).
func (s *EnvelopingDriver) Predict(r *Enveloping, matrices []geom.Affine, rigid []geom.DualQuat) {
	n := len(r.Masters)
	s.rotations, s.q = s.rotations[:0], slices.Grow(s.q[:0], 12*n)[:12*n]
	for k, j := range r.Masters {
		s.rotations = append(s.rotations, rigid[j].Real)
		m := &matrices[j]
		for row := range 3 {
			copy(s.q[4*(n*row+k):], m[4*row:4*row+4])
		}
	}
	prepared := r.ready(s.level)
	s.turns.only = nil
	if prepared != nil {
		s.turns.only = prepared.read
	}
	s.turns.Set(r.Parents, r.Middle, s.rotations)
	n = len(r.Keys)
	s.d = slices.Grow(s.d[:0], 9*n)[:9*n]
	if prepared != nil {
		s.predictGroups(r, prepared.keys)
		return
	}
	for l := range r.Keys {
		s.setGradient(r, l)
	}
}

// setGradient predicts key gradient l.
func (s *EnvelopingDriver) setGradient(r *Enveloping, l int) {
	g := r.Keys[l].At(r.Parents, &s.turns)
	for row := range 3 {
		copy(s.d[3*(len(r.Keys)*row+l):], g[3*row:3*row+3])
	}
}

// Solve is the second half: t = c₁·d + c₂·q for what was predicted last. Dst has one entry per joint of the skeleton;
// those of proxies are written.
func (s *EnvelopingDriver) Solve(r *Enveloping, dst []geom.Affine) {
	p := len(r.Proxies)
	s.t = slices.Grow(s.t[:0], 12*p)[:12*p]
	system := r.Linear()
	system.Solve(s.t, s.d, s.q)
	for b, joint := range r.Proxies {
		for row := range 3 {
			copy(dst[joint][4*row:4*row+4], s.t[4*(p*row+b):])
		}
	}
}

// proxyDriver is the [skinning.LinearDriver] of [Enveloping].
type proxyDriver struct {
	EnvelopingDriver
	rig     *Enveloping
	masters *skinning.JointSplitter
}

// NewDriver implements [skinning.Rig].
func (r *Enveloping) NewDriver(s *skinning.Skeleton, level simd.Level) skinning.RigDriver {
	return &proxyDriver{EnvelopingDriver{level: level}, r, skinning.NewJointSplitter(s, r.Masters, level)}
}

// Drive implements [skinning.RigDriver].
func (d *proxyDriver) Drive(f *skinning.Frame) {
	d.Predict(f)
	d.Solve(f)
}

// Predict implements [skinning.LinearDriver].
func (d *proxyDriver) Predict(f *skinning.Frame) {
	d.EnvelopingDriver.Predict(d.rig, f.Matrices, d.masters.Rigid(f))
}

// Solve implements [skinning.LinearDriver].
func (d *proxyDriver) Solve(f *skinning.Frame) {
	if p := d.rig.ready(d.level); p != nil {
		p.blocks.solve(f, d.rig, &d.EnvelopingDriver)
		return
	}
	d.EnvelopingDriver.Solve(d.rig, f.Matrices)
	for _, j := range d.rig.Proxies {
		f.SetMatrix(j, &f.Matrices[j])
	}
}

// Known implements [skinning.LinearDriver].
func (d *proxyDriver) Known() (gradients, matrices []float64) { return d.d, d.q }

// Copy implements [skinning.LinearDriver].
func (d *proxyDriver) Copy(from skinning.LinearDriver) {
	gradients, matrices := from.Known()
	d.d, d.q = append(d.d[:0], gradients...), append(d.q[:0], matrices...)
}

// preparedRig is a rig as the kernels read it. All frames of a model share it, and it never changes.
type preparedRig struct {
	rig    *Enveloping // that it is of
	sizes  rigSizes    // as that was then
	keys   []simd.KeyGroup
	read   []bool // the masters whose rotation vectors keys read
	blocks proxyBlocks
}

// rigSizes are the sizes of a rig and its frames that the kernels rely on.
type rigSizes struct{ masters, keys, proxies, c1, c2 int }

func sizesOf(r *Enveloping) rigSizes {
	return rigSizes{len(r.Masters), len(r.Keys), len(r.Proxies), len(r.C1), len(r.C2)}
}

// Prepare lets the frames of all models with this rig drive its proxies by kernels. Call it once the rig is complete
// and has been validated, and again for a copy that is changed. [skinning.Model.SetRig] does.
func (r *Enveloping) Prepare() {
	r.prepared = &preparedRig{rig: r, sizes: sizesOf(r), keys: newKeyGroups(r.Keys), read: readBy(r.Keys, len(r.Masters)),
		blocks: newProxyBlocks(r)}
}

// ready returns the prepared data. It is nil if the level has no kernels, or if the data were prepared for another rig
// or for other sizes.
func (r *Enveloping) ready(level simd.Level) *preparedRig {
	if level == simd.Scalar || r.prepared == nil || r.prepared.rig != r || r.prepared.sizes != sizesOf(r) {
		return nil
	}
	return r.prepared
}
