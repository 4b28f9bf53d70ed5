package gltftest

import (
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// HalfWay gives a model blend bones without a fit, up to most of them. There is one half-way between every joint and
// its parent that have common vertices. Such a vertex moves twice the smaller of its two weights to the bone. That
// approximates the operator well enough for tests of files.
func HalfWay(t testing.TB, m *skinning.Model, operator skinning.Method, most int) *skinning.Model {
	t.Helper()
	joints := m.Skeleton.Joints
	index := map[[2]uint16]uint16{}
	var bones []rig.BlendBone
	var out skinning.Influences
	for v := range m.Skin.Bindings {
		raw := m.Skin.Of(nil, v)
		for a := range raw {
			for b := range raw {
				child, parent := raw[a].Joint, raw[b].Joint
				if int(child) >= len(joints) || int(parent) >= len(joints) || joints[child].Parent != int(parent) {
					continue
				}
				key := [2]uint16{min(child, parent), max(child, parent)}
				k, ok := index[key]
				if !ok && len(bones) < most {
					k, ok = uint16(len(joints)+len(bones)), true
					index[key] = k
					bones = append(bones, rig.BlendBone{Masters: key[:], Weights: []float64{0.5, 0.5}})
				}
				if share := min(raw[a].Weight, raw[b].Weight); ok && share > 0 {
					raw[a].Weight -= share
					raw[b].Weight -= share
					raw = append(raw, skinning.Influence{Joint: k, Weight: 2 * share})
				}
			}
		}
		if len(raw) > 4 { // as a fit does
			var kept skinning.Influences
			kept.Append(raw, 0)
			raw = nil
			for k, j := range kept.Bindings[0].Joints {
				raw = append(raw, skinning.Influence{Joint: j, Weight: kept.Bindings[0].Weights[k]})
			}
		}
		out.Append(raw, 0)
	}
	fitted, err := rig.WithBlendBones(m, operator, bones, out)
	if err != nil {
		t.Fatal(err)
	}
	if len(bones) == 0 {
		t.Fatalf("%s: no joint shares vertices with its parent", m.Name)
	}
	return fitted
}

// Enveloped gives any skinned model a rig without a fit. Each joint that is the strongest influence of some vertex gets
// a proxy, up to most of them. The proxy moves with the joint, turns half as far, and is sheared in proportion to the
// angle. A vertex gives half its strongest weight to the proxy of that joint.
func Enveloped(t testing.TB, m *skinning.Model, most int) *skinning.Model {
	t.Helper()
	joints := m.Skeleton.Joints
	proxyOf := map[int]int{}
	var followed []int
	for v := range m.Skin.Bindings {
		joint := int(m.Skin.Bindings[v].Joints[0])
		if _, ok := proxyOf[joint]; !ok && len(followed) < most {
			proxyOf[joint] = len(followed)
			followed = append(followed, joint)
		}
	}
	j, p := len(joints), len(followed)
	envelope := rig.Enveloping{C1: make([]float64, 12*p*p), C2: make([]float64, 16*p*j)}
	for k := range joints {
		envelope.Masters, envelope.Parents = append(envelope.Masters, k), append(envelope.Parents, joints[k].Parent)
		envelope.Middle = append(envelope.Middle, mgl64.Vec3{0, 0.1 * float64(k%3), 0})
	}
	var places []mgl64.Vec3
	for b, joint := range followed {
		key := rig.GradientKey{Terms: []rig.RotationTerm{{Joint: joint, U: 0.5,
			W: geom.AxisAngle(mgl64.Vec3{1, 2, 3}, 0.1)}}, First: joint, Second: -1}
		if parent := joints[joint].Parent; parent >= 0 {
			key.Terms = append(key.Terms, rig.RotationTerm{Joint: parent, U: 0.25, W: geom.IdentityQuat()})
			key.Second = parent
		}
		key.Shear[0][6], key.Shear[4][6], key.Shear[8][6] = 1.1, 0.9, 1.01
		key.Shear[1][0], key.Shear[5][1], key.Shear[6][2], key.Shear[2][4] = 0.1, 0.2, -0.15, 0.1
		envelope.Keys = append(envelope.Keys, key)
		a := joints[joint].Position
		places = append(places, a)
		// t = [D | C·a − D·a]
		for k := range 3 {
			envelope.C1[(4*b+k)*3*p+3*b+k] = 1
			envelope.C1[(4*b+3)*3*p+3*b+k] = -a[k]
			envelope.C2[(4*b+3)*4*j+4*joint+k] = a[k]
		}
		envelope.C2[(4*b+3)*4*j+4*joint+3] = 1
	}
	var out skinning.Influences
	for v := range m.Skin.Bindings {
		raw := m.Skin.Of(nil, v)
		raw = raw[:min(len(raw), 3)]
		if b, ok := proxyOf[int(raw[0].Joint)]; ok {
			raw[0].Weight /= 2
			raw = append(raw, skinning.Influence{Joint: uint16(j + b), Weight: raw[0].Weight})
		}
		out.Append(raw, 0)
	}
	fitted, err := rig.WithEnveloping(m, envelope, places, out)
	if err != nil {
		t.Fatal(err)
	}
	return fitted
}

// EnvelopeOf returns a model's proxies, nil without.
func EnvelopeOf(m *skinning.Model) *rig.Enveloping {
	return skinning.RigOf[*rig.Enveloping](m)
}

// Helped gives any skinned model helper bones without a fit: for each of the joints that a vertex follows most, up to
// most of them, a child that slides, turns and, if scaled, bulges as the joint and its parent turn, by polynomials of
// degree 2. A vertex gives half its strongest weight to its joint's child.
func Helped(t testing.TB, m *skinning.Model, most int, scaled bool) *skinning.Model {
	t.Helper()
	joints, size := m.Skeleton.Joints, m.Diagonal()
	r := rand.New(rand.NewPCG(uint64(len(joints)), 61))
	var helpers rig.HelperBones
	inputOf := map[int]int{}
	input := func(joint int) int {
		i, ok := inputOf[joint]
		if !ok {
			i = len(helpers.Inputs)
			inputOf[joint] = i
			helpers.Inputs = append(helpers.Inputs, rig.NewHelperInput(&m.Skeleton, joint))
		}
		return i
	}
	motion := func(by float64) (out rig.HelperMotion) {
		for k := range out {
			out[k] = by * r.NormFloat64()
			switch {
			case k < 3:
				out[k] *= 0.1 * size
			case k == 6 && !scaled:
				out[k] = 0
			}
		}
		return out
	}
	boneOf := map[uint16]int{}
	var out skinning.Influences
	for v := range m.Skin.Bindings {
		raw := m.Skin.Of(nil, v)
		raw = raw[:min(len(raw), 3)]
		joint := raw[0].Joint
		k, ok := boneOf[joint]
		if !ok && len(helpers.Bones) < most {
			k, ok = len(helpers.Bones), true
			boneOf[joint] = k
			bone := rig.HelperBone{Parent: int(joint), Place: joints[joint].Position, Constant: motion(0.02)}
			turning := []int{int(joint)}
			if parent := joints[joint].Parent; parent >= 0 {
				turning = append(turning, parent)
			}
			for _, j := range turning {
				for _, powers := range [][3]uint8{{1}, {0, 1}, {0, 0, 1}, {2}, {1, 1}, {0, 1, 1}} {
					bone.Terms = append(bone.Terms, rig.HelperTerm{Input: input(j), Powers: powers, Coefficients: motion(0.1)})
				}
			}
			helpers.Bones = append(helpers.Bones, bone)
		}
		if ok {
			raw[0].Weight /= 2
			raw = append(raw, skinning.Influence{Joint: uint16(len(joints) + k), Weight: raw[0].Weight})
		}
		out.Append(raw, 0)
	}
	fitted, err := rig.WithHelperBones(m, helpers, out)
	if err != nil {
		t.Fatal(err)
	}
	return fitted
}

// HelpersOf returns a model's helper bones, nil without.
func HelpersOf(m *skinning.Model) *rig.HelperBones {
	return skinning.RigOf[*rig.HelperBones](m)
}
