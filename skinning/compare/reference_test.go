package compare

import (
	"context"
	"strings"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/stress"
)

// beating is demo:tube with a clip in which a node scales once, briefly.
func beating(t *testing.T, node func(m *skinning.Model) int, by float32) *skinning.Model {
	t.Helper()
	m := assetstest.Open(t, "demo:tube")
	m.Clips = append(m.Clips, skinning.Clip{Name: "beat", Seconds: 60, Channels: []skinning.Channel{{Node: node(m),
		Path: skinning.PathScale, Width: 3, Times: []float32{0, 20.01, 20.02, 20.03, 60},
		Values: []float32{1, 1, 1, 1, 1, 1, by, by, by, 1, 1, 1, 1, 1, 1}}}})
	return m
}

func jointNode(j int) func(m *skinning.Model) int {
	return func(m *skinning.Model) int { return m.Skeleton.Joints[j].Node }
}

// TestReference: a joint that scales calls for dual quaternions with scale, however briefly it does. Rounding, the
// scale of an armature, joints that no vertex follows, and stress clips do not. Two weight sets call for twist-swing.
func TestReference(t *testing.T) {
	m := beating(t, jointNode(2), 1.3)
	method, why := Reference(m)
	if method != skinning.SDQS || !strings.HasSuffix(why, "scales by 1.3 in clip beat") {
		t.Errorf("%v: %s", method, why)
	}
	if method, why := Reference(stress.Append(m)); method != skinning.SDQS || !strings.Contains(why, "beat") {
		t.Errorf("with stress clips: %v, %s", method, why)
	}

	free := beating(t, jointNode(2), 1.3)
	free.Skin.Influences = skinning.Influences{}
	for range free.Skin.Positions {
		free.Skin.Append([]skinning.Influence{{Joint: 1, Weight: 1}}, 0)
	}
	for what, m := range map[string]*skinning.Model{
		"rounding": beating(t, jointNode(2), 1.0001), "nothing": beating(t, jointNode(2), 1),
		"an armature in centimetres": inCentimetres(t), "a joint without skin": free,
	} {
		if method, why := Reference(m); method != skinning.DQS || why != "no joint scales" {
			t.Errorf("%s: %v, %s", what, method, why)
		}
	}

	m.Skin.SetSecond(skinning.TwistSwing, &m.Skin.Influences)
	if method, why := Reference(m); method != skinning.TwistSwing {
		t.Errorf("two weight sets: %v, %s", method, why)
	}
}

// inCentimetres is demo:tube with a root that scales by a hundredth, as files in centimetres have it: all below is a
// hundred times as large.
func inCentimetres(t *testing.T) *skinning.Model {
	t.Helper()
	m := assetstest.Open(t, "demo:tube")
	for i := range m.Skeleton.Nodes {
		n := &m.Skeleton.Nodes[i]
		if n.Parent < 0 {
			n.Rest.Scale = n.Rest.Scale.Mul(0.01)
		} else {
			n.Rest.Translation = n.Rest.Translation.Mul(100)
		}
	}
	for j := range m.Skeleton.Joints {
		for k := range m.Skeleton.Joints[j].FromRest {
			m.Skeleton.Joints[j].FromRest[k] *= 100
		}
	}
	return m
}

// TestScaledReference: against the chosen reference the methods that keep scale have small errors, those that lose it
// large ones. Against dual quaternions it is the other way round.
func TestScaledReference(t *testing.T) {
	m := beating(t, jointNode(2), 1.3)
	clip := len(m.Clips) - 1
	against := func(reference skinning.Method) map[string]float64 {
		rows, err := Run(context.Background(), m, Options{Reference: reference, Clip: clip, Times: []float64{0, 20.02},
			Subjects: Direct(skinning.LBS, skinning.DQS, skinning.SDQS), ShortestPath: true})
		if err != nil {
			t.Fatal(err)
		}
		ee := map[string]float64{}
		for _, r := range rows {
			ee[r.Method] = float64(r.EE)
		}
		return ee
	}
	reference, _ := Reference(m)
	if ee := against(reference); !(ee["lbs"] < 1 && ee["sdqs"] == 0 && ee["dqs"] > 50) {
		t.Errorf("against %v: %v", reference, ee)
	}
	if ee := against(skinning.DQS); !(ee["lbs"] > 50 && ee["sdqs"] > 50) {
		t.Errorf("against dqs: %v", ee)
	}
}

// TestMirroredReference: a joint that mirrors its skin scales it by -1.
func TestMirroredReference(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	m.Skeleton.Nodes[m.Skeleton.Joints[1].Node].Rest.Scale[0] *= -1
	if method, why := Reference(m); method != skinning.SDQS || !strings.Contains(why, "scales by -1") {
		t.Errorf("%v, as %s", method, why)
	}
}

// TestFileNotes: a file whose keys are visibly coarse is named with their error, and one that has the weights of a fit
// and no bones of it warns where these count as the character's own.
func TestFileNotes(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	fine, rough := 1e-4, 2e-2
	for want, record := range map[string]*skinning.FitRecord{"none": nil, "fine": {KeyError: &fine}, "rough": {KeyError: &rough}} {
		m.Fit = record
		driven := *m
		driven.Rigs = make([]skinning.Rig, 1)
		if text := KeyNotes(&driven); strings.Contains(text, "In engines") != (want == "rough") {
			t.Errorf("%s keys: %q", want, text)
		}
		if text := KeyNotes(m); text != "" { // its keys are what is measured
			t.Errorf("%s keys of bones without a rig: %q", want, text)
		}
		if text := FittedWeights(m); (text != "") != (record != nil) {
			t.Errorf("%s keys: %q", want, text)
		}
	}
	if m.Fit = (&skinning.FitRecord{For: skinning.TwistSwing.String()}); FittedWeights(m) != "" {
		t.Error("a model that was made for a method is warned of")
	}
}
