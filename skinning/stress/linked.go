package stress

import (
	"slices"
	"sort"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// The 25 joints of the W3C's WebXR Hand Input module are all roots, because headsets report each joint by itself.
// Turning them one by one would tear the hand apart. The module fixes their names, so the names give the parents.
func webXRHand() [][]string {
	chains := [][]string{{"wrist", "thumb-metacarpal", "thumb-phalanx-proximal", "thumb-phalanx-distal", "thumb-tip"}}
	for _, finger := range []string{"index-finger", "middle-finger", "ring-finger", "pinky-finger"} {
		chains = append(chains, []string{"wrist", finger + "-metacarpal", finger + "-phalanx-proximal",
			finger + "-phalanx-intermediate", finger + "-phalanx-distal", finger + "-tip"})
	}
	return chains
}

// linked returns m. For a hand whose joints are all roots, it returns a copy whose joints have parents.
func linked(m *skinning.Model) *skinning.Model {
	named := make(map[string]int, len(m.Skeleton.Joints))
	for j, joint := range m.Skeleton.Joints {
		if joint.Parent >= 0 {
			return m
		}
		named[m.Skeleton.Nodes[joint.Node].Name] = j
	}
	joints := slices.Clone(m.Skeleton.Joints)
	for _, chain := range webXRHand() {
		for i, name := range chain {
			j, ok := named[name]
			if !ok {
				return m
			}
			parent := m.Skeleton.Nodes[joints[j].Node].Parent
			if slices.ContainsFunc(joints, func(above skinning.Joint) bool { return above.Node == parent }) {
				return m
			}
			if i > 0 {
				joints[j].Parent = named[chain[i-1]]
			}
		}
	}
	out := *m
	out.Skeleton.Joints = joints
	return &out
}

// bakeRate is the number of keys a second of a joint whose parent bone is not an ancestor of its node. At the fastest
// motion, 120 degrees in 0.4 s, a chord between keys cuts the arc by 0.4 percent of the radius.
const bakeRate = 30

// baked returns the channels of a timeline over a rig whose bones are not all linked by nodes. Bones below another one
// get keys of rotation and translation.
func (t *timeline) baked() []skinning.Channel {
	r := t.rig
	var times []float32
	nodes := r.model.Skeleton.Nodes
	static := make([]geom.Affine, len(nodes))
	r.model.Skeleton.Globals(static, r.model.NewPose())
	rotations := make([]skinning.Channel, len(r.bones))
	translations := make([][]float32, len(r.bones))
	motion := make([]geom.Affine, len(r.bones)) // from the static pose
	for _, at := range t.times() {
		times = append(times, float32(at))
		for b := range r.bones {
			n := &nodes[r.bones[b].node]
			carried, above := geom.IdentityAffine(), geom.IdentityAffine()
			if p := r.bones[b].parent; p >= 0 {
				carried = motion[p]
			}
			if n.Parent >= 0 {
				above = static[n.Parent]
			}
			local := n.Rest
			local.Rotation = local.Rotation.Mul(t.turn(b, at)).Normalize()
			global := carried.Mul(above).Mul(local.Affine())
			back, ok := static[r.bones[b].node].Inverse()
			inverse, okAbove := above.Inverse()
			if !ok || !okAbove {
				return nil
			}
			motion[b] = global.Mul(back)
			moved := inverse.Mul(carried).Mul(above)
			turned, _ := geom.PolarDecompose(moved.Linear())
			rotations[b].AddRotation(geom.QuatFromMat3(turned).Mul(local.Rotation).Normalize())
			place := moved.Apply(local.Translation)
			translations[b] = append(translations[b], float32(place[0]), float32(place[1]), float32(place[2]))
		}
	}
	var out []skinning.Channel
	for b := range r.bones {
		node := r.bones[b].node
		out = append(out,
			skinning.Channel{Node: node, Path: skinning.PathRotation, Width: 4, Times: times, Values: rotations[b].Values},
			skinning.Channel{Node: node, Path: skinning.PathTranslation, Width: 3, Times: times, Values: translations[b]})
	}
	return out
}

// times returns when to key: regularly, and at every key.
func (t *timeline) times() []float64 {
	var times []float64
	for i := range int(t.end*bakeRate) + 1 {
		times = append(times, float64(i)/bakeRate)
	}
	for _, keys := range t.keys {
		for _, k := range keys {
			times = append(times, k.at)
		}
	}
	sort.Float64s(times)
	out := times[:0]
	for i, at := range times {
		if i == 0 || at-out[len(out)-1] > 1e-4 {
			out = append(out, at)
		}
	}
	return out
}

// turn returns a bone's turn at a time.
func (t *timeline) turn(b int, at float64) geom.Quat {
	last := key{0, geom.IdentityQuat()}
	for _, k := range t.keys[b] {
		if k.at > at {
			if k.at-last.at > 1e-9 {
				return geom.Slerp(last.turn, k.turn, (at-last.at)/(k.at-last.at))
			}
			return k.turn
		}
		last = k
	}
	return last.turn
}
