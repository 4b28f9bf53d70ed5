package skinning

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
)

// BlendRig makes a nonlinear method linear: some joints of the skeleton are blend bones, samples Φ(u; C) of the
// operator over the other joints, the masters (ALNS section 3). The skin is posed by linear blending over all of them.
type BlendRig struct {
	Operator Method
	Bones    []BlendBone
}

// BlendBone is one sample of the operator.
type BlendBone struct {
	Joint   int       // the joint that it moves, index into Skeleton.Joints
	Masters []uint16  // the joints that drive it, at most four; none of them a blend bone
	Weights []float64 // its u-weights, one per master: non-negative, sum 1
}

// maxMasters is the most master joints of a blend bone (ALNS section 4.1).
const maxMasters = 4

// Validate checks the rig against a skeleton.
func (r *BlendRig) Validate(s *Skeleton) error {
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
		sum := 0.0
		for i, j := range b.Masters {
			if int(j) >= len(s.Joints) || added[int(j)] {
				return fmt.Errorf("blend bone %d: master %d is not one of the %d master joints", k, j, len(s.Joints)-len(r.Bones))
			}
			if !(b.Weights[i] >= 0) {
				return fmt.Errorf("blend bone %d: u-weight %g", k, b.Weights[i])
			}
			sum += b.Weights[i]
		}
		if !(sum > 1-1e-6 && sum < 1+1e-6) {
			return fmt.Errorf("blend bone %d: u-weights sum to %g, not 1", k, sum)
		}
	}
	return nil
}

// WithBlendBones returns a copy of the model whose skin has new weights over its joints and, behind them, one added
// joint per bone; the Joint fields of the bones are filled in. Added joints hang on nodes of their own behind the
// model's: roots at the bones' middles. The copy shares everything else with m.
func (m *Model) WithBlendBones(operator Method, bones []BlendBone, weights Influences) (*Model, error) {
	out := *m
	s := &out.Skeleton
	first := len(s.Joints)
	s.Nodes = append(append([]Node(nil), s.Nodes...), make([]Node, len(bones))...)
	s.Joints = append(append([]Joint(nil), s.Joints...), make([]Joint, len(bones))...)
	rig := &BlendRig{Operator: operator}
	for k, b := range bones {
		var at mgl64.Vec3
		skin := 0
		for i, j := range b.Masters {
			if int(j) >= first {
				return nil, fmt.Errorf("blend bone %d: master %d of %d", k, j, first)
			}
			at = at.Add(s.Joints[j].Position.Mul(b.Weights[i]))
			skin = s.Joints[b.Masters[0]].Skin
		}
		node := len(m.Skeleton.Nodes) + k
		name := fmt.Sprintf("blend-bone-%d", k)
		s.Nodes[node] = Node{Name: name, Parent: -1, Rest: IdentityTransform()}
		s.Nodes[node].Rest.Translation = at
		s.Joints[first+k] = Joint{Name: name, Node: node, Skin: skin, Parent: -1, Position: at,
			FromRest: NewAffine(Identity3(), at.Mul(-1))}
		b.Joint = first + k
		rig.Bones = append(rig.Bones, b)
	}
	if err := s.SortNodes(); err != nil {
		return nil, err
	}
	out.Skin.Influences = weights
	out.Blend = rig
	if err := rig.Validate(s); err != nil {
		return nil, err
	}
	return &out, weights.Validate(len(s.Joints))
}
