package figure

import (
	"slices"
	"strings"

	"skinlab/internal/packed"
	"skinlab/lab/sculpt/implicit"
)

// region is a part of the body for the weights: heat enters a vertex only from the bones of its own region.
type region uint8

const (
	trunk region = iota
	leftArm
	rightArm
	leftLeg
	rightLeg
)

// rigJoint is a joint with the segments whose heat it is the source of.
type rigJoint struct {
	packed.Joint
	region region
	bones  []implicit.Bone
}

// rig is the skeleton, parents first: six joints along the spine, eight in each arm, four in each leg. The forearm
// twists in a joint of its own halfway to the wrist; four fingers move together in two rows, the thumb by itself.
func rig() []rigJoint {
	var joints []rigJoint
	index := map[string]int{"": -1}
	add := func(r region, name, parent string, at vec, bones ...implicit.Bone) {
		p, ok := index[parent]
		if !ok {
			panic("figure: no joint " + parent)
		}
		index[name] = len(joints)
		joints = append(joints, rigJoint{packed.Joint{Name: name, Parent: p, At: at}, r, bones})
	}
	addSpine(add)
	addLimbs(add)
	return joints
}

// addSpine adds the joints from the hips to the head. The trunk is wide. If heat came only from the spine, it would be
// so weak at the skin that the heat of an arm would spread down the side of the chest, and a raised arm would lift a
// flap of skin. So each joint also has sources nearer to the skin on both sides. Those of the chest are the nearest and
// surround the armpit. Those of waist and spine are deep enough for a twist to spread over a hand's breadth.
func addSpine(add func(r region, name, parent string, at vec, bones ...implicit.Bone)) {
	pair := func(from, to vec) []implicit.Bone { return both(implicit.Bone{From: from, To: to}) }
	add(trunk, "hips", "", atHips, pair(vec{0.055, 0.985, 0.015}, vec{0.075, 0.905, 0})...)
	add(trunk, "waist", "hips", atWaist,
		append(pair(vec{0.050, 1.050, 0.012}, vec{0.060, 1.125, 0.012}), implicit.Bone{From: atWaist, To: atSpine})...)
	add(trunk, "spine", "waist", atSpine,
		append(pair(vec{0.065, 1.165, 0.008}, vec{0.080, 1.225, 0.005}), implicit.Bone{From: atSpine, To: atChest})...)
	add(trunk, "chest", "spine", atChest, slices.Concat(
		pair(vec{0, 1.290, -0.005}, vec{0.075, 1.335, 0}),
		pair(vec{0.108, 1.262, -0.020}, vec{0.118, 1.310, -0.020}), // ribs below the armpit
		pair(vec{0.050, 1.320, 0.050}, vec{0.095, 1.335, 0.050}),   // below pectoralis
		pair(vec{0.050, 1.310, -0.070}, vec{0.090, 1.320, -0.070}), // below the shoulder blade
		[]implicit.Bone{{From: atChest, To: vec{0, 1.430, -0.018}}},
	)...)
	add(trunk, "neck", "chest", atNeck, implicit.Bone{From: atNeck, To: atHead})
	add(trunk, "head", "neck", atHead, implicit.Bone{From: atHead, To: vec{0, 1.690, 0.020}},
		implicit.Bone{From: vec{0, 1.600, 0.030}, To: vec{0, 1.560, 0.070}})
}

// addLimbs adds the joints of both arms and legs.
func addLimbs(add func(r region, name, parent string, at vec, bones ...implicit.Bone)) {
	arm, leg, hand, foot := armFrame(), legFrame(), handFrame(), footFrame()
	elbow, twist, wrist := arm.At(0, upperArm, -0.006), arm.At(0, upperArm+0.55*foreArm, 0.006),
		arm.At(0, upperArm+foreArm, 0.010)
	knee, ball := leg.At(0, thigh, 0), foot.At(0, 0.140, 0.018)
	local := func(p vec) vec { return hand.At(p[0], p[1], p[2]) }
	for _, side := range []struct {
		prefix   string
		arm, leg region
		flip     func(p vec) vec
	}{
		{"left_", leftArm, leftLeg, func(p vec) vec { return p }},
		{"right_", rightArm, rightLeg, mirrored},
	} {
		bone := func(a, b vec) implicit.Bone { return implicit.Bone{From: side.flip(a), To: side.flip(b)} }
		put := func(r region, name, parent string, at vec, bones ...implicit.Bone) {
			if parent != "chest" && parent != "hips" {
				parent = side.prefix + parent
			}
			add(r, side.prefix+name, parent, side.flip(at), bones...)
		}
		put(trunk, "clavicle", "chest", atClavicle, bone(vec{0.105, 1.420, -0.005}, atShoulder.Sub(vec{0.020, 0, 0})),
			bone(vec{0.112, 1.452, -0.025}, vec{0.140, 1.445, -0.018})) // trapezius
		put(side.arm, "upper_arm", "clavicle", atShoulder, bone(arm.At(0, 0.040, 0), elbow)) // starts within deltoid, to share it
		put(side.arm, "forearm", "upper_arm", elbow, bone(elbow, twist))
		put(side.arm, "forearm_twist", "forearm", twist, bone(twist, wrist))
		put(side.arm, "hand", "forearm_twist", wrist, handBones(local, bone)...)
		var near, far []implicit.Bone
		for _, f := range fingers() {
			p := f.joints()
			near = append(near, bone(local(p[0]), local(p[1])))
			far = append(far, bone(local(p[1]), local(p[2])), bone(local(p[2]), local(p[3])))
		}
		put(side.arm, "fingers", "hand", local(vec{0, 0.090, 0}), near...)
		put(side.arm, "fingertips", "fingers", local(vec{0, 0.130, -0.011}), far...)
		t := thumbJoints()
		put(side.arm, "thumb", "hand", local(t[0].Add(t[1]).Mul(0.5)), bone(local(t[0].Add(t[1]).Mul(0.5)), local(t[2])),
			bone(local(t[2]), local(t[3])))

		put(side.leg, "thigh", "hips", atHip, bone(atHip, knee))
		put(side.leg, "shin", "thigh", knee, bone(knee, atAnkle))
		put(side.leg, "foot", "shin", atAnkle, bone(atAnkle, ball), bone(atAnkle, foot.At(0, -0.030, 0.025)))
		put(side.leg, "toes", "foot", ball, bone(ball, foot.At(-0.010, 0.190, 0.012)),
			bone(ball, foot.At(0.030, 0.165, 0.010)))
	}
}

// handBones are the metacarpals.
func handBones(local func(p vec) vec, bone func(a, b vec) implicit.Bone) []implicit.Bone {
	var out []implicit.Bone
	for _, f := range fingers() {
		out = append(out, bone(local(vec{f.knuckle[0] * 0.5, 0.005, 0}), local(f.knuckle)))
	}
	t := thumbJoints()
	return append(out, bone(local(vec{0.010, 0.010, -0.004}), local(t[0].Add(t[1]).Mul(0.5))))
}

func mirrored(p vec) vec { return vec{-p[0], p[1], p[2]} }

func both(b implicit.Bone) []implicit.Bone {
	return []implicit.Bone{b, {From: mirrored(b.From), To: mirrored(b.To)}}
}

// counterpart returns the name of the joint on the other side.
func counterpart(name string) string {
	if s, ok := strings.CutPrefix(name, "left_"); ok {
		return "right_" + s
	}
	if s, ok := strings.CutPrefix(name, "right_"); ok {
		return "left_" + s
	}
	return name
}
