package transfer

import (
	"slices"
	"strings"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// TestShifts: clips that move or scale a joint below the root are named, since a transfer loses that; the root's
// motion, turns, and shifts of less than 1 % of the size are not, nor those of nodes that carry nothing.
func TestShifts(t *testing.T) {
	figure := assetstest.Open(t, "demo:figure")
	r, err := newRig(figure, true)
	if err != nil {
		t.Fatal(err)
	}
	root, limb := r.node[0], r.node[len(r.node)-1]
	size := float32(diagonal(r.body.Vertices))
	at := func(node int, by float32) (values []float32) {
		for _, x := range figure.Skeleton.Nodes[node].Rest.Translation {
			values = append(values, float32(x))
		}
		values[1] += by
		return values
	}
	for name, c := range map[string]struct {
		channel skinning.Channel
		says    string
	}{
		"the root":   {skinning.Channel{Node: root, Path: skinning.PathTranslation, Values: at(root, size)}, ""},
		"a limb":     {skinning.Channel{Node: limb, Path: skinning.PathTranslation, Values: at(limb, 0.02*size)}, "1 joint "},
		"hardly":     {skinning.Channel{Node: limb, Path: skinning.PathTranslation, Values: at(limb, 0.005*size)}, ""},
		"scaled":     {skinning.Channel{Node: limb, Path: skinning.PathScale, Values: []float32{1, 1, 1.5}}, "1 joint "},
		"not scaled": {skinning.Channel{Node: limb, Path: skinning.PathScale, Values: []float32{1, 1, 1}}, ""},
	} {
		c.channel.Width, c.channel.Times = 3, []float32{0}
		m := *figure
		m.Clips = append(slices.Clone(m.Clips), skinning.Clip{Channels: []skinning.Channel{c.channel}})
		r.model = &m
		if got := r.shifts(); (got == "") != (c.says == "") || !strings.Contains(got, c.says) {
			t.Errorf("%s: %q, expected %q", name, got, c.says)
		}
	}
}

// TestShiftsOfFeetOnTheRoot: the feet of an inverse-kinematics rig are moved by its clips.
func TestShiftsOfFeetOnTheRoot(t *testing.T) {
	r, err := newRig(assetstest.Open(t, "reports/q_Frog.glb"), true)
	if err != nil {
		t.Fatal(err)
	}
	if got := (&Result{Frames: make([]FrameFit, 2), SameTopology: true, rig: r}).Warnings(); len(got) != 1 ||
		!strings.Contains(got[0], "Foot") {
		t.Errorf("%q", got)
	}
}
