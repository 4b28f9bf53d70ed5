package anatomy

import (
	"slices"
	"strings"

	"skinlab/skinning"
)

// Body is the joints of a humanoid by the part of the body that they move: nodes, from the trunk outwards. The names of
// the parts are those of VRM's humanoid bones: "hips", "leftUpperArm", "rightFoot". "spine" is the whole chain from
// above the hips to the chest, and "neck" that below the head.
type Body map[string][]int

// Parts of the limbs from the trunk outwards. A side comes before each: "leftUpperArm".
var (
	armParts = []string{"Shoulder", "UpperArm", "LowerArm", "Hand"}
	legParts = []string{"UpperLeg", "LowerLeg", "Foot", "Toes"}
)

// partWeights decide which joints of a chain are which part: the sum is the largest that is possible. Without the bones
// of a limb there is no limb; a collar or toes are the first that a chain goes without.
var partWeights = map[string]int{"UpperArm": 8, "LowerArm": 8, "UpperLeg": 8, "LowerLeg": 8, "Hand": 6, "Foot": 6,
	"Shoulder": 4, "Toes": 4}

// sidedWords are the names of joints of a limb, without side, numbers and separators, and the parts that each may mean.
// "Arm" is the upper arm beside "forearm", and any joint of the arm where all are called so.
var sidedWords = map[string][]string{
	"clavicle": {"Shoulder"}, "collar": {"Shoulder"}, "collarbone": {"Shoulder"},
	"shoulder": {"Shoulder", "UpperArm"}, "shldr": {"Shoulder", "UpperArm"},
	"arm": {"UpperArm", "LowerArm", "Hand"}, "upperarm": {"UpperArm"}, "uparm": {"UpperArm"}, "bicep": {"UpperArm"},
	"forearm": {"LowerArm"}, "lowerarm": {"LowerArm"}, "lowarm": {"LowerArm"}, "elbow": {"LowerArm"},
	"hand": {"Hand"}, "wrist": {"Hand"},
	"hip": {"UpperLeg"}, "thigh": {"UpperLeg"}, "upleg": {"UpperLeg"}, "upperleg": {"UpperLeg"},
	"leg": {"UpperLeg", "LowerLeg", "Foot", "Toes"}, "calf": {"LowerLeg"}, "shin": {"LowerLeg"}, "knee": {"LowerLeg"},
	"lowerleg": {"LowerLeg"}, "lowleg": {"LowerLeg"}, "foot": {"Foot"}, "ankle": {"Foot"},
	"toe": {"Toes"}, "toes": {"Toes"}, "toebase": {"Toes"}, "ball": {"Toes"},
}

// trunkWords are those of the trunk.
var trunkWords = map[string]string{
	"hips": "hips", "hip": "hips", "pelvis": "hips",
	"spine": "spine", "chest": "spine", "upperchest": "spine", "chestupper": "spine", "chestlower": "spine",
	"torso": "spine", "back": "spine", "lowerback": "spine", "upperback": "spine", "thorax": "spine", "waist": "spine",
	"abdomen": "spine", "abdomenlower": "spine", "abdomenupper": "spine", "belly": "spine", "ribcage": "spine",
	"neck": "neck", "necklower": "neck", "neckupper": "neck", "head": "head",
}

// fillers are words that say nothing of the body, as in "Bip01 L Thigh", "leg_joint_L_1" and "J_Bip_C_Hips".
var fillers = []string{"joint", "jnt", "bone", "skeleton", "armature", "bip", "def", "org", "b", "c", "j"}

// mostOfPart bounds the joints that are looked at for a limb or a part of the trunk, for the sake of hostile files.
const mostOfPart = 64

// Humanoid finds the parts of a body among nodes: those that the file declares (VRM), else by names. A part that is not
// found is missing. Names may be of any of the conventions in use: Mixamo, Unreal, Blender, Biped, SMPL, CMU.
func Humanoid(s *skinning.Skeleton, nodes []int) Body {
	if len(s.Humanoid) > 0 {
		return declared(s.Humanoid)
	}
	isNode := make([]bool, len(s.Nodes))
	names := make([]string, len(nodes))
	for k, i := range nodes {
		isNode[i], names[k] = true, s.Nodes[i].Name
	}
	prefix := commonWord(names)
	b, limbs := Body{}, map[string][]candidate{}
	for _, i := range s.Order { // parents first
		if !isNode[i] {
			continue
		}
		side, word := partWord(s.Nodes[i].Name, prefix)
		if part := trunkWords[word]; side == noSide && part != "" && len(b[part]) < mostOfPart {
			b[part] = append(b[part], i)
		}
		parts := sidedWords[word]
		if side == noSide || len(parts) == 0 {
			continue
		}
		limb := sideWord(side) + "arm"
		if slices.Contains(legParts, parts[len(parts)-1]) {
			limb = sideWord(side) + "leg"
		}
		if len(limbs[limb]) < mostOfPart {
			limbs[limb] = append(limbs[limb], candidate{i, parts, word == "hip"})
		}
	}
	for _, side := range []string{"left", "right"} {
		b.addLimb(s, side, armParts, limbs[side+"arm"])
		b.addLimb(s, side, legParts, limbs[side+"leg"])
	}
	b.straighten(s)
	return b
}

// declared takes over what a file says of its humanoid bones.
func declared(bones map[string]int) Body {
	b := Body{}
	for name, node := range bones {
		if name != "spine" && name != "chest" && name != "upperChest" {
			b[name] = []int{node}
		}
	}
	for _, name := range []string{"spine", "chest", "upperChest"} {
		if node, ok := bones[name]; ok {
			b["spine"] = append(b["spine"], node)
		}
	}
	return b
}

func sideWord(s side) string {
	return map[side]string{leftSide: "left", rightSide: "right"}[s]
}

// partWord returns the side of a joint's name, and the rest of it without prefix, fillers and numbers.
func partWord(name, prefix string) (side, string) {
	found, words := sideWords(likeWords(name, prefix))
	word := ""
	for _, w := range words {
		if w = strings.Trim(w, "0123456789"); !slices.Contains(fillers, w) {
			word += w
		}
	}
	return found, word
}

// candidate is a node that may be one of several parts.
type candidate struct {
	node  int
	parts []string
	weak  bool // "hip" beside "thigh" is a joint between pelvis and leg
}

// addLimb chooses the part of each joint of a limb. Parts follow each other from the trunk outwards, as joints do from
// parent to child. Of two equal choices it takes that of the first joints.
func (b Body) addLimb(s *skinning.Skeleton, side string, parts []string, joints []candidate) {
	type state struct{ joint, part int }
	score, before := map[state]int{}, map[state]state{}
	best, most := state{-1, -1}, 0
	for k, c := range joints {
		for _, name := range c.parts {
			at := state{k, slices.Index(parts, name)}
			from := state{-1, -1}
			for p := range score {
				if p.part < at.part && isAbove(s, joints[p.joint].node, c.node) && (score[p] > score[from] ||
					score[p] == score[from] && (p.joint < from.joint || p.joint == from.joint && p.part < from.part)) {
					from = p
				}
			}
			value := score[from] + 2*partWeights[name]
			if c.weak {
				value--
			}
			score[at], before[at] = value, from
			if value > most {
				best, most = at, value
			}
		}
	}
	for ; best.joint >= 0; best = before[best] {
		b[side+parts[best.part]] = []int{joints[best.joint].node}
	}
}

// straighten makes of the words of the trunk one chain from the hips to the head. The hips are the joint from which
// both legs branch, whatever its name.
func (b Body) straighten(s *skinning.Skeleton) {
	if l, r := b["leftUpperLeg"], b["rightUpperLeg"]; len(l) > 0 && len(r) > 0 {
		at := s.Nodes[l[0]].Parent
		for at >= 0 && !isAbove(s, at, r[0]) {
			at = s.Nodes[at].Parent
		}
		if at >= 0 {
			b["hips"] = []int{at}
		}
	}
	if n := b["neck"]; len(b["head"]) == 0 && len(n) > 1 {
		b["neck"], b["head"] = n[:len(n)-1], n[len(n)-1:]
	}
	var ends []int
	for _, end := range []string{"head", "neck", "leftUpperArm", "rightUpperArm"} {
		ends = append(ends, b[end]...)
	}
	for _, part := range []string{"hips", "spine", "neck", "head"} {
		b[part] = slices.DeleteFunc(b[part], func(i int) bool {
			bears := slices.ContainsFunc(ends, func(end int) bool { return isAbove(s, i, end) })
			switch part {
			case "spine":
				return slices.Contains(b["hips"], i) || len(ends) > 0 && !bears ||
					len(b["hips"]) > 0 && !isAbove(s, b["hips"][0], i)
			case "neck":
				return len(b["head"]) > 0 && !isAbove(s, i, b["head"][0])
			}
			return false
		})
		if part == "hips" || part == "head" {
			b[part] = b[part][:min(len(b[part]), 1)]
		}
		if len(b[part]) == 0 {
			delete(b, part)
		}
	}
}

// isAbove reports whether a node is an ancestor of another.
func isAbove(s *skinning.Skeleton, above, node int) bool {
	for p := s.Nodes[node].Parent; p >= 0; p = s.Nodes[p].Parent {
		if p == above {
			return true
		}
	}
	return false
}
