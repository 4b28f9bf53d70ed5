package skinning

import (
	"slices"

	"skinlab/skinning/simd"
)

// What [Rig] and [LinearRig] ask of an EnvelopeRig.

var _ LinearRig = (*EnvelopeRig)(nil)

// Key implements [Rig].
func (r *EnvelopeRig) Key() string { return envelopingKey }

// Names implements [Rig].
func (r *EnvelopeRig) Names() RigNames {
	return RigNames{Bone: "proxy bone", Title: "Enveloping", Short: "ENV",
		Note: "proxy bones, which follow what examples have taught"}
}

// Joints implements [Rig].
func (r *EnvelopeRig) Joints() []int { return r.Proxies }

// Reads implements [Rig].
func (r *EnvelopeRig) Reads() []int { return r.Masters }

// leastShare is the least share of a master that [EnvelopeRig.Shares] lists.
const leastShare = 0.02

// Shares returns the shares of the masters' translations that a proxy takes over, the larger ones, made to sum to 1.
func (r *EnvelopeRig) Shares(k int) (masters []uint16, weights []float64) {
	system, sum := r.Linear(), 0.0
	for n, j := range r.Masters {
		if w := system.Hold(k, n); w >= leastShare {
			masters, weights = append(masters, uint16(j)), append(weights, w)
			sum += w
		}
	}
	if sum == 0 {
		return []uint16{uint16(r.Masters[0])}, []float64{1}
	}
	for n := range weights {
		weights[n] /= sum
	}
	return masters, weights
}

// Remap implements [Rig].
func (r *EnvelopeRig) Remap(of func(joint int) int) Rig {
	out := *r
	out.Masters, out.Proxies = slices.Clone(r.Masters), slices.Clone(r.Proxies)
	for _, list := range [...][]int{out.Masters, out.Proxies} {
		for k, j := range list {
			list[k] = of(j)
		}
	}
	return &out
}

// Linear implements [LinearRig]: d is the key gradients.
func (r *EnvelopeRig) Linear() LinearSystem {
	return LinearSystem{Masters: r.Masters, Joints: r.Proxies, Gradients: len(r.Keys), C1: r.C1, C2: r.C2}
}

// Turn implements [LinearRig]: the first term of a proxy's own key gradient.
func (r *EnvelopeRig) Turn(k int) (joint int, u float64) {
	t := &r.Keys[k].Terms[0]
	return r.Masters[t.Joint], t.U
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
	d.masters.set(f, motionForm)
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
