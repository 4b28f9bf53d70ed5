package anatomy

import "testing"

func TestSideName(t *testing.T) {
	for _, c := range []struct {
		left, right string // one word for the side apart
	}{
		{"LeftArm", "RightArm"}, {"mixamorig:LeftArm", "mixamorig:RightArm"}, {"left_upper_arm", "right_upper_arm"},
		{"upperarm_l", "upperarm_r"}, {"upperarm.l", "upperarm.r"}, {"Foot.L", "Foot.R"}, {"L_Foot", "R_Foot"},
		{"Bip01 L Thigh", "Bip01 R Thigh"}, {"lShldr", "rShldr"}, {"LArm", "RArm"}, {"arm.L.001", "arm.R.001"},
		{"leftarm", "rightarm"}, {"control-toe-roll.l", "control-toe-roll.r"}, {"LEFT_ARM", "RIGHT_ARM"},
		{"armLeft", "armRight"},
	} {
		a, stemA := sideName(c.left)
		b, stemB := sideName(c.right)
		if a != leftSide || b != rightSide || stemA != stemB {
			t.Errorf("%q is side %d with stem %q, %q side %d with %q", c.left, a, stemA, c.right, b, stemB)
		}
	}
	for _, name := range []string{"", "Root", "spine_01", "pelvis", "Lamp", "RigidBody", "lower", "Ball", "upright",
		"joint4"} {
		if s, stem := sideName(name); s != noSide {
			t.Errorf("%q is side %d with stem %q", name, s, stem)
		}
	}
	_, a := sideName("b_LeftLeg01_015")
	_, b := sideName("b_RightLeg01_019")
	if a == b || looseStem(a) != looseStem(b) {
		t.Errorf("stems %q and %q: only their loose stems are equal", a, b)
	}
}
