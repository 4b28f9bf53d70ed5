// Package thirdrig is a rig for tests only: a joint that turns half as far as another. It shows that a new kind of rig
// needs one file, and one line in rig.Kinds, to be driven, written, read, baked, listed and drawn.
package thirdrig

import (
	"encoding/json"
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
	"skinlab/skinning/simd"
)

// Rig drives joints that copy half of others' rotations.
type Rig struct {
	Copies []Copy `json:"copies"`
}

// Copy is a joint that turns half as far as its master, about the master's place.
type Copy struct {
	Joint  int `json:"joint"`
	Master int `json:"master"`
}

// Kind is the line in rig.Kinds.
func Kind() skinning.RigKind { return skinning.RigKind{Key: key, Bone: bone, Read: read} }

const (
	key  = "halfTurns"
	bone = "half turn"
)

// Key implements [skinning.Rig], as all other methods.
func (r *Rig) Key() string { return key }

func (r *Rig) Names() skinning.RigNames {
	return skinning.RigNames{Bone: bone, Title: "Half turns", Note: "turning half as far"}
}

func (r *Rig) Joints() []int {
	return r.list(func(c Copy) int { return c.Joint })
}

func (r *Rig) Reads() []int {
	return r.list(func(c Copy) int { return c.Master })
}

func (r *Rig) list(of func(Copy) int) (out []int) {
	for _, c := range r.Copies {
		out = append(out, of(c))
	}
	return out
}

func (r *Rig) Shares(k int) (joints []uint16, weights []float64) {
	return []uint16{uint16(r.Copies[k].Master)}, []float64{1}
}

func (r *Rig) Remap(of func(joint int) int) skinning.Rig {
	out := &Rig{}
	for _, c := range r.Copies {
		out.Copies = append(out.Copies, Copy{of(c.Joint), of(c.Master)})
	}
	return out
}

func (r *Rig) Validate(s *skinning.Skeleton) error {
	driven := map[int]bool{}
	for k, c := range r.Copies {
		if c.Joint < 0 || c.Joint >= len(s.Joints) || driven[c.Joint] {
			return fmt.Errorf("half turn %d: joint %d of %d is out of range or taken", k, c.Joint, len(s.Joints))
		}
		driven[c.Joint] = true
	}
	for k, c := range r.Copies {
		if c.Master < 0 || c.Master >= len(s.Joints) || driven[c.Master] {
			return fmt.Errorf("half turn %d: master %d of %d is out of range or driven", k, c.Master, len(s.Joints))
		}
	}
	return nil
}

func (r *Rig) Encode(*skinning.Model) any { return r }

func read(text []byte, joints int) (skinning.Rig, error) {
	r := &Rig{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("not understood: %s", messages.Shortened(err.Error()))
	}
	for k, c := range r.Copies {
		if min(c.Joint, c.Master) < 0 || max(c.Joint, c.Master) >= joints {
			return nil, fmt.Errorf("half turn %d: joint %d of master %d, the skin has %d joints", k, c.Joint, c.Master, joints)
		}
	}
	if len(r.Copies) == 0 {
		return nil, nil
	}
	return r, nil
}

// NewDriver needs no memory: the rig itself drives all frames.
func (r *Rig) NewDriver(*skinning.Skeleton, simd.Level) skinning.RigDriver { return r }

// Drive implements [skinning.RigDriver].
func (r *Rig) Drive(f *skinning.Frame) {
	for _, c := range r.Copies {
		m := HalfTurn(&f.Matrices[c.Master], f.Model.Skeleton.Joints[c.Master].Position)
		f.SetMatrix(c.Joint, &m)
	}
}

// HalfTurn returns the rigid motion that takes a place where c does and turns half as far.
func HalfTurn(c *geom.Affine, at mgl64.Vec3) geom.Affine {
	turn, _ := geom.PolarDecompose(c.Linear())
	q := geom.QuatFromMat3(turn)
	if q[3] < 0 {
		q = q.Scale(-1)
	}
	q[3]++ // the sum with the identity is half way to it
	half := q.Normalize().Mat3()
	return geom.NewAffine(half, c.Apply(at).Sub(geom.NewAffine(half, mgl64.Vec3{}).Apply(at)))
}

// With returns the model with a half-turn joint for each joint that is the strongest influence of some vertex, up to
// most of them. These vertices follow the half-turn joint instead.
func With(m *skinning.Model, most int) (*skinning.Model, error) {
	var rig Rig
	var places []mgl64.Vec3
	copyOf := map[uint16]uint16{}
	weights := m.Skin.Influences
	weights.Bindings = append([]skinning.Binding(nil), weights.Bindings...)
	for v := range weights.Bindings {
		b := &weights.Bindings[v]
		joint, ok := copyOf[b.Joints[0]]
		if !ok && len(rig.Copies) < most {
			joint, ok = uint16(len(m.Skeleton.Joints)+len(rig.Copies)), true
			copyOf[b.Joints[0]] = joint
			rig.Copies = append(rig.Copies, Copy{int(joint), int(b.Joints[0])})
			places = append(places, m.Skeleton.Joints[b.Joints[0]].Position)
		}
		if ok {
			b.Joints[0] = joint
		}
	}
	return m.WithRig(&rig, places, weights)
}
