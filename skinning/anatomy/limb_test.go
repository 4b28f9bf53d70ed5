package anatomy_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
)

// TestLimbs: the limbs of people and animals, by the joints that a person would name; and joints where none ends.
func TestLimbs(t *testing.T) {
	for _, c := range []struct{ model, end, root, middle string }{
		{"demo:figure", "left_hand", "left_upper_arm", "left_forearm"},
		{"demo:figure", "right_fingertips", "right_upper_arm", "right_forearm"},
		{"demo:figure", "right_foot", "right_thigh", "right_shin"},
		{"demo:figure", "left_toes", "left_thigh", "left_shin"},
		{"demo:figure", "left_forearm", "", ""},
		{"demo:figure", "head", "", ""},
		{"demo:figure", "hips", "", ""},
		{"demo:arm", "hand", "upper_arm", "forearm"},
		{"demo:leg", "ankle", "hip", "knee"},
		{"demo:leg", "knee", "", ""},
		{"demo:box", "", "", ""},
		{"human_male.glb", "hand_l", "upperarm_l", "lowerarm_l"},
		{"human_male.glb", "foot_r", "thigh_r", "calf_r"},
		{"human_male.glb", "lowerarm_r", "", ""},
		{"Fox.glb", "b_LeftHand_011", "b_LeftUpperArm_09", "b_LeftForeArm_010"},
		{"Fox.glb", "b_RightFoot01_021", "b_RightLeg01_019", "b_RightLeg02_020"},
		{"Fox.glb", "b_RightFoot02_022", "b_RightLeg01_019", "b_RightLeg02_020"},
		{"Fox.glb", "b_Tail03_014", "", ""},
		{"CesiumMan.glb", "leg_joint_L_3", "leg_joint_L_1", "leg_joint_L_2"},
		{"Knight.glb", "wrist.l", "upperarm.l", "lowerarm.l"},
		{"RobotExpressive.glb", "Palm1.R", "UpperArm.R", "LowerArm.R"},
		{"RobotExpressive.glb", "Foot.L", "", ""},
	} {
		t.Run(c.model+" "+c.end, func(t *testing.T) {
			m := assetstest.Open(t, c.model)
			end := 0
			if c.end != "" {
				var err error
				end, err = anatomy.JointIndex(&m.Skeleton, c.end)
				if err != nil && c.model != "RobotExpressive.glb" {
					t.Fatal(err)
				}
			}
			l, err := anatomy.NewMirror(m).LimbOf(&m.Skeleton, end)
			if c.root == "" {
				if !errors.Is(err, anatomy.ErrNoLimb) {
					t.Fatalf("%+v, %v, expected no limb", l, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := [2]string{m.Skeleton.Joints[l.Root].Name, m.Skeleton.Joints[l.Middle].Name}; got !=
				[2]string{c.root, c.middle} || l.End != end {
				t.Errorf("%v and %d, expected %s, %s and %d", got, l.End, c.root, c.middle, end)
			}
			along := m.Skeleton.Joints[l.End].Position.Sub(m.Skeleton.Joints[l.Root].Position).Normalize()
			// 1e-12: float64.
			if !(math.Abs(l.Pole.Len()-1) <= 1e-12) || !(math.Abs(l.Pole.Dot(along)) <= 1e-12) {
				t.Errorf("the pole is %v beside %v", l.Pole, along)
			}
		})
	}
}

// TestPoles: knees come forward and elbows go back, in straight limbs too.
func TestPoles(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	flat := *m
	flat.Skeleton.Joints = append([]skinning.Joint(nil), m.Skeleton.Joints...)
	for j := range flat.Skeleton.Joints { // all limbs are straight, in one plane
		flat.Skeleton.Joints[j].Position[2] = 0
	}
	r := anatomy.NewMirror(m)
	for end, forward := range map[string]float64{"left_hand": -1, "right_foot": 1} {
		j, err := anatomy.JointIndex(&flat.Skeleton, end)
		if err != nil {
			t.Fatal(err)
		}
		l, err := r.LimbOf(&flat.Skeleton, j)
		if err != nil {
			t.Fatal(err)
		}
		at := flat.Skeleton.Joints[l.Root].Position.Add(flat.Skeleton.Joints[l.End].Position).Mul(0.5)
		flat.Skeleton.Joints[l.Middle].Position = at
		l, err = r.LimbOf(&flat.Skeleton, j)
		if err != nil || !(l.Pole[2]*forward > 0.9) {
			t.Errorf("%s: the middle comes out to %v, %v", end, l.Pole, err)
		}
	}
}

// TestCopySide: the copied side is the mirror image of the other, which stays bit for bit; twice is once; the middle
// stays. Exactly, since both are made by the same function of the same numbers.
func TestCopySide(t *testing.T) {
	for _, name := range []string{"demo:figure", "human_male.glb", "Fox.glb"} {
		m := assetstest.Open(t, name)
		r := anatomy.NewMirror(m)
		rng := rand.New(rand.NewPCG(9, 1))
		pose, image, copied, again := m.NewPose(), m.NewPose(), m.NewPose(), m.NewPose()
		for i := range pose.Local {
			for c := range pose.Local[i].Rotation {
				pose.Local[i].Rotation[c] += 0.3 * rng.NormFloat64()
			}
			pose.Local[i].Rotation = pose.Local[i].Rotation.Normalize()
		}
		r.Apply(image, pose)
		for _, left := range []bool{true, false} {
			r.CopySide(copied, pose, left)
			changed := 0
			for i := range pose.Local {
				want := pose.Local[i]
				k := r.Pair[i]
				// Left is +X in all three models.
				if k >= 0 && k != i && (r.Plane.Distance(place(m, i)) > 0) != left {
					want = image.Local[i]
					changed++
				}
				if copied.Local[i] != want {
					t.Fatalf("%s: %s, left %v: %v, expected %v", name, m.Skeleton.Nodes[i].Name, left, copied.Local[i], want)
				}
			}
			if changed == 0 || !r.HasSides() {
				t.Errorf("%s: nothing is copied", name)
			}
			r.CopySide(again, copied, left)
			if again.Local[0] != copied.Local[0] {
				t.Errorf("%s: copied twice, it is another pose", name)
			}
		}
	}
}

// place returns where a node is at rest, by its joint, else by its own transform.
func place(m *skinning.Model, node int) (at [3]float64) {
	for _, j := range m.Skeleton.Joints {
		if j.Node == node {
			return j.Position
		}
	}
	return m.Skeleton.Nodes[node].Rest.Translation
}
