package rig

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/kernel"
)

// BlendBones makes a nonlinear method linear: some joints of the skeleton are blend bones, samples Φ(u; C) of the
// operator over the other joints, the masters (ALNS section 3). The skin is posed by linear blending over all of them.
type BlendBones struct {
	Operator skinning.Method
	Bones    []BlendBone
	// LongWay is set if the bones were fitted to rotations that are followed through clips past 180 degrees, see
	// [skinning.Signs]. Otherwise rotations go the shorter way round.
	LongWay bool
	// Twists are the twist parents and axes of the model that was fitted, where the operator is twist-swing.
	Twists []skinning.TwistBone
}

// BlendBone is one sample of the operator.
type BlendBone struct {
	Joint   int       // the joint that it moves, index into Skeleton.Joints
	Masters []uint16  // the joints that drive it, at most four; none of them a blend bone
	Weights []float64 // its u-weights, one per master: non-negative, sum 1
	// Swings are the weights of the masters' swings if these differ from those of the twists. Then Weights are those of
	// the twists only. If Swings is nil, Weights serve for both. Only [skinning.TwistSwing] reads them. Non-negative,
	// sum 1.
	Swings []float64
	// Center is the centre of rotation of the weights in rest space, in the model that was fitted, where the operator is
	// [skinning.COR]. If Center is nil, there is none, and the bone blends linearly.
	Center *mgl64.Vec3
}

var (
	_ skinning.DividedRig = (*BlendBones)(nil)
	_ skinning.LongWayRig = (*BlendBones)(nil)
	_ skinning.TwistRig   = (*BlendBones)(nil)
)

// TwistBones implements [skinning.TwistRig].
func (r *BlendBones) TwistBones() []skinning.TwistBone { return r.Twists }

// GoesLongWay implements [skinning.LongWayRig].
func (r *BlendBones) GoesLongWay() bool { return r.LongWay }

// maxMasters is the most master joints of a blend bone (ALNS section 4.1).
const maxMasters = kernel.MostMotions

// Validate checks the rig against a skeleton.
func (r *BlendBones) Validate(s *skinning.Skeleton) error {
	added := make(map[int]bool)
	for k := range r.Bones {
		j := r.Bones[k].Joint
		if j < 0 || j >= len(s.Joints) || added[j] {
			return fmt.Errorf("blend bone %d: joint %d of %d is out of range or taken", k, j, len(s.Joints))
		}
		added[j] = true
	}
	for k, b := range r.Bones {
		if len(b.Masters) == 0 || len(b.Masters) > maxMasters || len(b.Masters) != len(b.Weights) {
			return fmt.Errorf("blend bone %d: %d masters and %d u-weights, from 1 to %d expected", k, len(b.Masters),
				len(b.Weights), maxMasters)
		}
		for _, j := range b.Masters {
			if int(j) >= len(s.Joints) || added[int(j)] {
				return fmt.Errorf("blend bone %d: master %d is not one of the %d master joints", k, j, len(s.Joints)-len(r.Bones))
			}
		}
		if err := checkConvex(b.Weights); err != nil {
			return fmt.Errorf("blend bone %d: u-weights: %w", k, err)
		}
		if b.Center != nil && r.Operator != skinning.COR {
			return fmt.Errorf("blend bone %d: a centre of rotation for %s", k, r.Operator)
		}
		if b.Swings == nil {
			continue
		}
		if r.Operator != skinning.TwistSwing || len(b.Swings) != len(b.Masters) {
			return fmt.Errorf("blend bone %d: %d weights of swings for %d masters and %s", k, len(b.Swings), len(b.Masters),
				r.Operator)
		}
		if err := checkConvex(b.Swings); err != nil {
			return fmt.Errorf("blend bone %d: weights of swings: %w", k, err)
		}
	}
	return r.checkTwists(s, added)
}

// checkTwists reports an error unless twist parents are a forest of joints that are no blend bones.
func (r *BlendBones) checkTwists(s *skinning.Skeleton, added map[int]bool) error {
	parents := make(map[int]int)
	for k, b := range r.Twists {
		_, twice := parents[b.Joint]
		if b.Joint < 0 || b.Joint >= len(s.Joints) || added[b.Joint] || twice {
			return fmt.Errorf("twist %d: joint %d of %d is out of range, taken or a blend bone", k, b.Joint, len(s.Joints))
		}
		if d := b.Axis.Len(); !(d == 0 || math.Abs(d-1) < 1e-6) {
			return fmt.Errorf("twist %d: an axis of length %g, expected 1 or 0", k, d)
		}
		parents[b.Joint] = b.Parent
	}
	for k, b := range r.Twists {
		steps := 0
		for up := b.Joint; up != -1; steps++ {
			next, there := parents[up]
			if !there || steps > len(parents) {
				return fmt.Errorf("twist %d: parent %d leads to no root", k, b.Parent)
			}
			up = next
		}
	}
	return nil
}

// checkConvex reports an error unless weights are non-negative and sum to 1.
func checkConvex(weights []float64) error {
	sum := 0.0
	for _, w := range weights {
		if !(w >= 0) {
			return fmt.Errorf("%g", w)
		}
		sum += w
	}
	if !(sum > 1-1e-6 && sum < 1+1e-6) {
		return fmt.Errorf("a sum of %g, not 1", sum)
	}
	return nil
}

// Key implements [skinning.Rig].
func (r *BlendBones) Key() string { return blendBonesKey }

// Names implements [skinning.Rig].
func (r *BlendBones) Names() skinning.RigNames {
	return skinning.RigNames{Bone: blendBonesName, Title: "Blend bones",
		Note: "sampling " + r.Operator.Short()}
}

// Joints implements [skinning.Rig].
func (r *BlendBones) Joints() []int {
	joints := make([]int, len(r.Bones))
	for k := range r.Bones {
		joints[k] = r.Bones[k].Joint
	}
	return joints
}

// Reads returns every master once.
func (r *BlendBones) Reads() (masters []int) {
	seen := make(map[uint16]bool)
	for k := range r.Bones {
		for _, j := range r.Bones[k].Masters {
			if !seen[j] {
				seen[j] = true
				masters = append(masters, int(j))
			}
		}
	}
	return masters
}

// Shares returns the u-weights of a bone.
func (r *BlendBones) Shares(k int) (masters []uint16, weights []float64) {
	return r.Bones[k].Masters, r.Bones[k].Weights
}

// Remap implements [skinning.Rig].
func (r *BlendBones) Remap(of func(joint int) int) skinning.Rig {
	out := &BlendBones{Operator: r.Operator, LongWay: r.LongWay}
	for _, b := range r.Bones {
		b.Joint, b.Masters = of(b.Joint), slices.Clone(b.Masters)
		for n, j := range b.Masters {
			b.Masters[n] = uint16(of(int(j)))
		}
		out.Bones = append(out.Bones, b)
	}
	for _, b := range r.Twists {
		b.Joint = of(b.Joint)
		if b.Parent >= 0 {
			b.Parent = of(b.Parent)
		}
		out.Twists = append(out.Twists, b)
	}
	return out
}

// Part implements [skinning.DividedRig].
func (r *BlendBones) Part(has func(joint int) bool) skinning.Rig {
	out := &BlendBones{Operator: r.Operator, LongWay: r.LongWay}
	for _, b := range r.Bones {
		if has(b.Joint) {
			out.Bones = append(out.Bones, b)
		}
	}
	for _, b := range r.Twists {
		if has(b.Joint) {
			out.Twists = append(out.Twists, b)
		}
	}
	return out
}

// Join implements [skinning.DividedRig].
func (r *BlendBones) Join(other skinning.Rig) (skinning.Rig, error) {
	with := other.(*BlendBones)
	if with.Operator != r.Operator {
		return nil, fmt.Errorf("operator %v, another skin has %v", with.Operator, r.Operator)
	}
	if with.LongWay != r.LongWay {
		return nil, fmt.Errorf("shortestPath %v, another skin has %v", !with.LongWay, !r.LongWay)
	}
	return &BlendBones{r.Operator, slices.Concat(r.Bones, with.Bones), r.LongWay, slices.Concat(r.Twists, with.Twists)}, nil
}

// WithBlendBones is [BlendBones.On] with a rig of these bones.
func WithBlendBones(m *skinning.Model, operator skinning.Method, bones []BlendBone,
	weights skinning.Influences) (*skinning.Model, error) {
	return (&BlendBones{Operator: operator, Bones: bones}).On(m, weights)
}

// On returns a copy of the model with the rig, whose Joint fields, twists and missing centres are filled in, and with
// new weights over all joints: see [skinning.Model.WithRig].
func (r *BlendBones) On(m *skinning.Model, weights skinning.Influences) (*skinning.Model, error) {
	rig, places := &BlendBones{Operator: r.Operator, LongWay: r.LongWay, Twists: r.Twists}, make([]mgl64.Vec3, len(r.Bones))
	joints := m.Skeleton.Joints
	var centers *skinning.CentersOfRotation
	for k, b := range r.Bones {
		for _, j := range b.Masters {
			if int(j) >= len(joints) {
				return nil, fmt.Errorf("blend bone %d: master %d of %d", k, j, len(joints))
			}
		}
		if r.Operator == skinning.COR && b.Center == nil {
			if centers == nil {
				centers = skinning.NewCentersOfRotation(&m.Skin)
			}
			if at, ok := centers.At(b.Masters, b.Weights); ok {
				b.Center = &at
			}
		}
		places[k] = b.place(joints)
		b.Joint = len(joints) + k
		rig.Bones = append(rig.Bones, b)
	}
	if r.Operator == skinning.TwistSwing && r.Twists == nil {
		axes, parents := m.BoneAxes()
		for j := range axes {
			rig.Twists = append(rig.Twists, skinning.TwistBone{Joint: j, Parent: parents[j], Axis: axes[j]})
		}
	}
	return m.WithRig(rig, places, weights)
}

// place returns the position of the bone's node at rest. If the masters are a joint and its parent, every blend of the
// two turns about the joint. A bone that is placed there only rotates relative to either of them, so that a clip needs
// no keys of its translation. With more masters, the place is the mean of such joints, weighted by the products of the
// weights of joint and parent. If no master is the parent of another, it is the middle of the masters.
func (b *BlendBone) place(joints []skinning.Joint) (at mgl64.Vec3) {
	total := 0.0
	for i, child := range b.Masters {
		for k, parent := range b.Masters {
			if joints[child].Parent == int(parent) {
				w := b.Weights[i] * b.Weights[k]
				at, total = at.Add(joints[child].Position.Mul(w)), total+w
			}
		}
	}
	if total > 0 {
		return at.Mul(1 / total)
	}
	for i, j := range b.Masters {
		at = at.Add(joints[j].Position.Mul(b.Weights[i]))
	}
	return at
}
