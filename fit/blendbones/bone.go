package blendbones

import (
	"slices"

	"skinlab/fit/linear"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// bone is a blend bone while it is being fitted, placed or only tried.
type bone struct {
	joints   []uint16
	u        []float64
	span     []uint16      // joints and those that it had before: the vertices that may follow it never become fewer
	matrices []geom.Affine // Φ(u; C), one per frame, times its root
	placing  int           // tells these matrices from all others that a placed bone has had; 0 where it is only tried
	reach    []uint16      // the masters that its vertices may follow
	sets     []uint64      // a bit for each vertex set that may follow it
}

// meets reports whether there are vertices that may follow both bones. The others have no use for their moments.
func (b *bone) meets(other *bone) bool {
	for i, bits := range b.sets {
		if bits&other.sets[i] != 0 {
			return true
		}
	}
	return false
}

// relation is a bone's moments with what a vertex may follow beside it. They stay at one address while the bone is
// placed.
type relation struct {
	own    *linear.Form
	master []linear.Form  // by joint; those out of reach are stale
	bone   []*linear.Form // of the bones placed before it; those that it does not meet are stale
}

// newBone makes a bone without matrices.
func (d *data) newBone(joints []uint16, u []float64, span []uint16) *bone {
	b := &bone{joints: joints, u: slices.Clone(u), span: span, sets: make([]uint64, (len(d.sets)+63)/64)}
	within, count := make([]bool, d.joints), 0
	for i := range d.sets {
		if !d.sets[i].mayFollow(b) {
			continue
		}
		b.sets[i/64] |= 1 << (i % 64)
		for _, j := range d.sets[i].near {
			if !within[j] {
				within[j] = true
				count++
			}
		}
	}
	b.reach = make([]uint16, 0, count)
	for j, is := range within {
		if is {
			b.reach = append(b.reach, uint16(j))
		}
	}
	return b
}

// mayFollow reports whether the set's vertices may follow the bone: those that share a master with it (ALNS section 4.2).
func (s *vertexSet) mayFollow(b *bone) bool { return shareJoint(s.joints, b.span) }

// place computes the bone's matrices for its u-weights.
func (d *data) place(b *bone) {
	if b.matrices == nil {
		b.matrices = make([]geom.Affine, len(d.frames))
	}
	for f, frame := range d.frames {
		b.matrices[f] = d.about(frame.Evaluate(d.method, b.joints, b.u), f)
	}
}

// relate computes the moments of b with the masters in reach and the given bones.
func (d *data) relate(r *relation, b *bone, placed []*bone) {
	if r.master == nil {
		r.own, r.master = new(linear.Form), make([]linear.Form, d.joints)
	}
	*r.own = linear.FormOf(b.matrices, b.matrices)
	for _, j := range b.reach {
		r.master[j] = linear.FormOf(b.matrices, d.masters[j])
	}
	for i, other := range placed {
		if i == len(r.bone) {
			r.bone = append(r.bone, new(linear.Form))
		}
		if b.meets(other) {
			*r.bone[i] = linear.FormOf(b.matrices, other.matrices)
		}
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

// Rig is a fit's outcome: blend bones, numbered behind the master joints, and weights over both.
type Rig struct {
	Operator   skinning.Method
	Bones      []rig.BlendBone
	Influences skinning.Influences // w'-weights; indices from the number of master joints on are blend bones
}

// Model returns m with the rig's bones and weights: plain linear blending of it looks like the operator on m.
func (r *Rig) Model(m *skinning.Model) (*skinning.Model, error) {
	return rig.WithBlendBones(m, r.Operator, r.Bones, r.Influences)
}
