package training

import (
	"strings"
	"testing"

	"skinlab/assets/demo"
	"skinlab/skinning"
)

// TestOperator: a joint that scales calls for dual quaternions with scale, and a warning where they are without. The
// scale of an armature, rounding, and joints that no vertex follows do not.
func TestOperator(t *testing.T) {
	scaled := func(node func(m *skinning.Model) int, by float32) *skinning.Model {
		m, err := demo.New("demo:tube")
		if err != nil {
			t.Fatal(err)
		}
		m.Clips = append(m.Clips, skinning.Clip{Name: "beat", Seconds: 1, Channels: []skinning.Channel{{Node: node(m),
			Path: skinning.PathScale, Width: 3, Times: []float32{0, 0.5, 1}, Values: []float32{1, 1, 1, by, by, by, 1, 1, 1}}}})
		return m
	}
	joint := func(j int) func(m *skinning.Model) int {
		return func(m *skinning.Model) int { return m.Skeleton.Joints[j].Node }
	}
	m := scaled(joint(2), 1.3)
	operator, why := Operator(m)
	if operator != skinning.SDQS || !strings.Contains(why, "1.3 in clip beat") {
		t.Errorf("%v: %s", operator, why)
	}
	for _, by := range skinning.Operators() {
		if says := OperatorWarning(m, by) != ""; says != (by == skinning.DQS || by == skinning.SBS) {
			t.Errorf("%v: %q", by, OperatorWarning(m, by))
		}
	}
	for what, m := range map[string]*skinning.Model{
		"rounding": scaled(joint(2), 1.00001), "nothing": scaled(joint(2), 1),
	} {
		if operator, why := Operator(m); operator != skinning.DQS || OperatorWarning(m, skinning.DQS) != "" {
			t.Errorf("%s: %v, %s", what, operator, why)
		}
	}
	m.Skin.Twist = &m.Skin.Influences
	if operator, why := Operator(m); operator != skinning.TwistSwing {
		t.Errorf("two weight sets: %v, %s", operator, why)
	}
}
