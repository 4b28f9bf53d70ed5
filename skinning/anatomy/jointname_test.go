package anatomy

import (
	"strings"
	"testing"

	"skinlab/skinning"
)

func TestJointIndex(t *testing.T) {
	s := skinning.Skeleton{}
	for _, name := range []string{"pelvis", "upper_arm.L", "forearm.L", "Forearm.R", "7", "head", "HEAD", "neck", "neck"} {
		s.Joints = append(s.Joints, skinning.Joint{Name: name, Node: len(s.Joints)})
	}
	s.Joints = append(s.Joints, skinning.Joint{Name: "pelvis", Skin: 1}) // of another skin over the same nodes
	for name, want := range map[string]int{"forearm.L": 2, "FOREARM.r": 3, "7": 4, "1": 1, "head": 5, "HEAD": 6,
		"pelvis": 0} {
		if got, err := JointIndex(&s, name); err != nil || got != want {
			t.Errorf("%q is joint %d, %v, want %d", name, got, err, want)
		}
	}
	for name, near := range map[string][2]string{
		"forarm.L":               {`the nearest: ["forearm.L"`, "pelvis"},
		"arm":                    {`the nearest: ["upper_arm.L" "forearm.L" "Forearm.R"]`, "pelvis"},
		"Head":                   {`choose one by its index, 5 or 6`, "pelvis"},
		"neck":                   {`2 joints have this name: choose one by its index, 7 or 8`, "pelvis"},
		"tail":                   {`among them: ["pelvis"`, "neck"},
		"99":                     {`among them`, "neck"},
		"-1":                     {`10 joints`, "neck"},
		"":                       {`among them`, "neck"},
		strings.Repeat("x", 1e6): {`among them`, "neck"},
	} {
		_, err := JointIndex(&s, name)
		if err == nil || !strings.Contains(err.Error(), near[0]) || strings.Contains(err.Error(), near[1]) {
			t.Errorf("%.20q: %v, want %s and no %s", name, err, near[0], near[1])
		}
	}
	s.Joints = []skinning.Joint{{Name: "two\nlines"}}
	if _, err := JointIndex(&s, "tail"); err == nil || !strings.HasSuffix(err.Error(), `among them: ["two\nlines"]`) {
		t.Errorf("%v, want the name quoted once", err)
	}
	if _, err := JointIndex((&skinning.Skeleton{}), "head"); err == nil || !strings.Contains(err.Error(), "no joints") {
		t.Errorf("without joints: %v", err)
	}
}
