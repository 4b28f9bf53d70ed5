package anatomy_test

import (
	"slices"
	"strings"
	"testing"

	"skinlab/skinning"
	"skinlab/skinning/anatomy"
)

// skeletonOf makes a skeleton of lines of names, each joint a child of the one before, or of a joint named first as
// "parent/joint".
func skeletonOf(t *testing.T, lines ...string) (*skinning.Skeleton, []int) {
	t.Helper()
	s, at := &skinning.Skeleton{}, map[string]int{}
	var nodes []int
	for _, line := range lines {
		parent := -1
		for _, name := range strings.Split(line, "/") {
			if i, ok := at[name]; ok {
				parent = i
				continue
			}
			at[name] = len(s.Nodes)
			nodes = append(nodes, len(s.Nodes))
			s.Nodes = append(s.Nodes, skinning.Node{Name: name, Parent: parent})
			parent = at[name]
		}
	}
	if err := s.SortNodes(); err != nil {
		t.Fatal(err)
	}
	return s, nodes
}

// The parts of a body are found by the names that programs give to joints.
func TestHumanoid(t *testing.T) {
	for _, c := range []struct {
		what  string
		lines []string
		parts map[string]string // joints of a part
	}{
		{"Mixamo", []string{"mixamorig:Hips/mixamorig:Spine/mixamorig:Spine1/mixamorig:Neck/mixamorig:Head/mixamorig:HeadTop_End",
			"mixamorig:Spine1/mixamorig:LeftShoulder/mixamorig:LeftArm/mixamorig:LeftForeArm/mixamorig:LeftHand/mixamorig:LeftHandThumb1",
			"mixamorig:Hips/mixamorig:LeftUpLeg/mixamorig:LeftLeg/mixamorig:LeftFoot/mixamorig:LeftToeBase/mixamorig:LeftToe_End",
			"mixamorig:Hips/mixamorig:RightUpLeg/mixamorig:RightLeg"},
			map[string]string{"hips": "mixamorig:Hips", "spine": "mixamorig:Spine mixamorig:Spine1", "head": "mixamorig:Head",
				"leftShoulder": "mixamorig:LeftShoulder", "leftUpperArm": "mixamorig:LeftArm", "leftLowerArm": "mixamorig:LeftForeArm",
				"leftHand": "mixamorig:LeftHand", "leftUpperLeg": "mixamorig:LeftUpLeg", "leftLowerLeg": "mixamorig:LeftLeg",
				"leftFoot": "mixamorig:LeftFoot", "leftToes": "mixamorig:LeftToeBase", "rightLowerLeg": "mixamorig:RightLeg"}},
		{"Unreal", []string{"root/pelvis/spine_01/spine_02/neck_01/head", "spine_02/clavicle_l/upperarm_l/lowerarm_l/hand_l",
			"upperarm_l/upperarm_twist_01_l", "pelvis/thigh_l/calf_l/foot_l/ball_l", "pelvis/thigh_r", "root/ik_foot_root/ik_foot_l"},
			map[string]string{"hips": "pelvis", "spine": "spine_01 spine_02", "neck": "neck_01", "leftShoulder": "clavicle_l",
				"leftUpperArm": "upperarm_l", "leftHand": "hand_l", "leftFoot": "foot_l", "leftToes": "ball_l"}},
		{"SMPL", []string{"Pelvis/Spine1/Neck/Head", "Spine1/L_Collar/L_Shoulder/L_Elbow/L_Wrist", "Pelvis/L_Hip/L_Knee/L_Ankle/L_Foot",
			"Pelvis/R_Hip"},
			map[string]string{"hips": "Pelvis", "leftShoulder": "L_Collar", "leftUpperArm": "L_Shoulder", "leftLowerArm": "L_Elbow",
				"leftHand": "L_Wrist", "leftUpperLeg": "L_Hip", "leftLowerLeg": "L_Knee", "leftFoot": "L_Ankle"}},
		{"CMU", []string{"Hips/LHipJoint/LeftUpLeg/LeftLeg/LeftFoot", "Hips/RHipJoint/RightUpLeg", "Hips/LowerBack/Spine/Neck/Neck1/Head"},
			map[string]string{"hips": "Hips", "leftUpperLeg": "LeftUpLeg", "leftLowerLeg": "LeftLeg", "spine": "LowerBack Spine",
				"neck": "Neck Neck1"}},
		{"numbers alone", []string{"torso_joint_1/torso_joint_2/arm_joint_R/arm_joint_R__2_/arm_joint_R__3_",
			"torso_joint_1/leg_joint_L_1/leg_joint_L_2/leg_joint_L_3", "torso_joint_1/leg_joint_R_1", "torso_joint_2/neck_joint_1/neck_joint_2"},
			map[string]string{"hips": "torso_joint_1", "spine": "torso_joint_2", "rightUpperArm": "arm_joint_R",
				"rightLowerArm": "arm_joint_R__2_", "rightHand": "arm_joint_R__3_", "leftFoot": "leg_joint_L_3",
				"neck": "neck_joint_1", "head": "neck_joint_2"}},
		{"Biped", []string{"Bip01/Bip01 Pelvis/Bip01 Spine/Bip01 Neck/Bip01 Head", "Bip01 Pelvis/Bip01 L Thigh/Bip01 L Calf/Bip01 L Foot/Bip01 L Toe0",
			"Bip01 Pelvis/Bip01 R Thigh", "Bip01 Neck/Bip01 L Clavicle/Bip01 L UpperArm/Bip01 L Forearm/Bip01 L Hand/Bip01 L Finger0"},
			map[string]string{"hips": "Bip01 Pelvis", "leftToes": "Bip01 L Toe0", "leftHand": "Bip01 L Hand", "leftShoulder": "Bip01 L Clavicle"}},
		{"no body", []string{"root/ear_l/ear_l_2", "root/tail", "root/PoleTarget.L", "root/control-foot-roll.l"}, nil},
	} {
		s, nodes := skeletonOf(t, c.lines...)
		body := anatomy.Humanoid(s, nodes)
		for part, want := range c.parts {
			var have []string
			for _, i := range body[part] {
				have = append(have, s.Nodes[i].Name)
			}
			if strings.Join(have, " ") != want {
				t.Errorf("%s: %s is %q, expected %q", c.what, part, have, want)
			}
		}
		if c.parts == nil && len(body) > 0 {
			t.Errorf("%s: found %v", c.what, body)
		}
	}
	s, nodes := skeletonOf(t, "a/b/c/d")
	s.Humanoid = map[string]int{"hips": 0, "spine": 1, "upperChest": 2, "leftThumbDistal": 3}
	body := anatomy.Humanoid(s, nodes)
	if !slices.Equal(body["spine"], []int{1, 2}) || !slices.Equal(body["leftThumbDistal"], []int{3}) || len(body["upperChest"]) > 0 {
		t.Errorf("a file's own humanoid is read as %v", body)
	}
}

// Names of one joint by several programs become equal, those of others do not.
func TestLikeNames(t *testing.T) {
	like := func(name string) string { return anatomy.LikeNames([]string{name})[0] }
	for _, same := range [][]string{
		{"LeftHand", "mixamorig:LeftHand", "Armature|hand_l", "Hand.L", "L_Hand", "hand-L", "HAND_LEFT", "leftHand"},
		{"RightHandIndex1", "mixamorig9:RightHandIndex1", "hand_index1.R"}, {"Hips", "hips", "mixamorig:Hips"},
	} {
		for _, name := range same {
			if like(name) != like(same[0]) {
				t.Errorf("%q is like %q, %q like %q", name, like(name), same[0], like(same[0]))
			}
		}
	}
	if like("hand_l") == like("hand_r") || like("spine_01") == like("spine_02") {
		t.Error("other joints have like names")
	}
	of := anatomy.LikeNames([]string{"Bip01", "Bip01 L Hand", "Bip01 R Hand", "Bip01 Spine"})
	if !slices.Equal(of, []string{"bip01", "left hand", "right hand", "spine"}) {
		t.Errorf("a common prefix leaves %q", of)
	}
}
