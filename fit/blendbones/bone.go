package blendbones

import (
	"slices"

	"skinlab/fit/linear"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// bone is a blend bone, either one of the model or a candidate.
type bone struct {
	joints   []uint16
	u        []float64
	swings   []float64     // the weights of its swings, where u are those of its twists alone; nil where u are both
	span     []uint16      // its joints, and all that it had before; a vertex may follow it if it follows one of them
	matrices []geom.Affine // Φ(u; C) in each frame, times the frame's root
	placing  int           // the number of this set of matrices among those of all placed bones; 0 for a candidate
	reach    []uint16      // the masters that its vertices may follow
	sets     []uint64      // bit k is set if the vertices of set k may follow it
}

// meets reports whether any vertex may follow both bones. Only then are moments between them needed.
func (b *bone) meets(other *bone) bool {
	for i, bits := range b.sets {
		if bits&other.sets[i] != 0 {
			return true
		}
	}
	return false
}

// relation is a bone's moments with the bones that its vertices may follow too. They keep their address while the bone
// is placed.
type relation struct {
	own    *linear.Form
	master []linear.Form  // by joint; those outside of the bone's reach are stale
	bone   []*linear.Form // with the bones placed before it; those that it does not meet are stale
}

// newBone makes a bone without matrices.
func (d *data) newBone(joints []uint16, u, swings []float64, span []uint16) *bone {
	b := &bone{joints: joints, u: slices.Clone(u), swings: swings, span: span, sets: make([]uint64, (len(d.sets)+63)/64)}
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

// mayFollow reports whether the set's vertices may follow the bone, because they share a master with it (ALNS section
// 4.2).
func (s *vertexSet) mayFollow(b *bone) bool { return shareJoint(s.joints, b.span) }

// place computes the bone's matrices from its u-weights.
func (d *data) place(b *bone) {
	if b.matrices == nil {
		b.matrices = make([]geom.Affine, len(d.frames))
	}
	for f, frame := range d.frames {
		b.matrices[f] = d.about(d.evaluate(frame, b.joints, b.u, b.swings), f)
	}
}

// evaluate returns Φ(u; C) in a frame, with swings blended by weights of their own unless these are nil.
func (d *data) evaluate(f *skinning.Frame, joints []uint16, u, swings []float64) geom.Affine {
	if swings == nil {
		return f.Evaluate(d.method, joints, u)
	}
	return f.EvaluateTwoSets(joints, swings, u)
}

// relate computes b's moments with the masters in reach and with the given bones.
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

// Rig is the result of a fit: blend bones, numbered after the master joints, and weights over both.
type Rig struct {
	Operator   skinning.Method
	LongWay    bool // see [rig.BlendBones]
	Bones      []rig.BlendBone
	Influences skinning.Influences // w'-weights; indices from the number of master joints on are blend bones
}

// Model returns m with the rig's bones and weights. Linear blending of the result looks like the operator on m.
func (r *Rig) Model(m *skinning.Model) (*skinning.Model, error) {
	return (&rig.BlendBones{Operator: r.Operator, Bones: r.Bones, LongWay: r.LongWay}).On(m, r.Influences)
}
