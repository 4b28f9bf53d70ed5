package blendbones

import (
	"slices"

	"skinlab/skinning"
)

// bone is a blend bone while it is being fitted, placed or only tried.
type bone struct {
	joints   []uint16
	u        []float64
	matrices []skinning.Affine // Φ(u; C), one per frame
	reach    []uint16          // the masters that its vertices may follow
}

// relation is a bone's moments with what a vertex may follow beside it.
type relation struct {
	own    moment
	master []moment // by joint; those out of reach are stale
	bone   []moment // of all placed bones
}

// newBone makes a bone without matrices.
func (d *data) newBone(joints []uint16, u []float64) *bone {
	b := &bone{joints: joints, u: slices.Clone(u)}
	for i := range d.sets {
		if shareJoint(d.sets[i].joints, joints) {
			b.reach = append(b.reach, d.sets[i].near...)
		}
	}
	slices.Sort(b.reach)
	b.reach = slices.Clip(slices.Compact(b.reach))
	return b
}

// place computes the bone's matrices for its u-weights.
func (d *data) place(b *bone) {
	if b.matrices == nil {
		b.matrices = make([]skinning.Affine, len(d.frames))
	}
	for f, frame := range d.frames {
		b.matrices[f] = frame.Evaluate(d.method, b.joints, b.u)
	}
}

// relate computes the moments of b with the masters in reach and the placed bones.
func (d *data) relate(r *relation, b *bone, placed []*bone) {
	if r.master == nil {
		r.master = make([]moment, d.joints)
	}
	r.own = momentOf(b.matrices, b.matrices)
	for _, j := range b.reach {
		r.master[j] = momentOf(b.matrices, d.masters[j])
	}
	r.bone = r.bone[:0]
	for _, other := range placed {
		r.bone = append(r.bone, momentOf(b.matrices, other.matrices))
	}
}

func shareJoint(a, b []uint16) bool {
	for _, j := range a {
		if slices.Contains(b, j) {
			return true
		}
	}
	return false
}
