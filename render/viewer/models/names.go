package models

import (
	"strings"

	"skinlab/skinning"
)

// jointNames are the names of a model's joints in narrow places.
type jointNames struct {
	short   []string
	longest string // of the joints that move skin
}

// newJointNames shortens the names of joints: the words at their beginning that most joints share tell none apart, as
// in Skeleton_arm_joint_R or mixamorig:LeftUpLeg.
func newJointNames(m *skinning.Model) (all jointNames) {
	joints, count, shared := m.Skeleton.Joints, map[string]int{}, ""
	for i := range joints {
		name := joints[i].Name
		for k := range name {
			if strings.IndexByte("_:.-| ", name[k]) >= 0 && k+1 < len(name) {
				count[name[:k+1]]++
			}
		}
	}
	for words, n := range count {
		if 2*n > len(joints) && len(words) > len(shared) { // of two such beginnings one begins the other
			shared = words
		}
	}
	for i := range joints {
		name := skinning.Named(joints[i].Name, "Joint", i)
		if rest, cut := strings.CutPrefix(name, shared); cut && shared != "" && rest != "" {
			name = rest
		}
		all.short = append(all.short, name)
	}
	moves := make([]bool, len(joints))
	for i := range m.Skin.Bindings {
		b := &m.Skin.Bindings[i]
		for k, w := range b.Weights {
			moves[b.Joints[k]] = moves[b.Joints[k]] || w > 0
		}
	}
	for i := range joints {
		if name := skinning.Named(joints[i].Name, "Joint", i); moves[i] && len(name) > len(all.longest) {
			all.longest = name
		}
	}
	return all
}

// ShortJointName returns the name of a joint for a place in which JointName has no room.
func (s *Shown) ShortJointName(j int) string { return s.File.names.short[j] }

// LongestJointName returns the longest name of a joint that moves skin, "" for none.
func (s *Shown) LongestJointName() string { return s.File.names.longest }
