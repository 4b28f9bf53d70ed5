package export

import (
	"slices"
	"strings"
	"testing"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/gltf"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// TestFitRecord: a file says which fit has made it, with how many bones and which error between keys, also after an
// export that leaves its rig as it is.
func TestFitRecord(t *testing.T) {
	arm, _, _ := source(t, "demo:arm")
	fitted := gltftest.HalfWay(t, arm, skinning.DQS, 4)
	again, report, data := export(t, fitted, nil, nil, Options{RMS: 1e-3, Extras: map[string]any{gltf.FitKey: "half-way"}})
	check := func(m *skinning.Model) {
		t.Helper()
		r := m.Fit
		if r == nil || r.Method != "half-way" || r.Bone != "blend bone" || r.Bones != report.Bones || r.RigLost ||
			r.KeyError == nil || *r.KeyError != report.MaxError || r.KeyErrorClip != report.WorstClip {
			t.Errorf("the record is %+v, expected %d bones and an error of %g", r, report.Bones, report.MaxError)
		}
		if d := m.Describe(); d.Fit == nil || !strings.Contains(d.Fit.Text(d.Diagonal()), "half-way, ") ||
			report.Bones > 0 && !strings.HasSuffix(d.Fit.Text(d.Diagonal()), " mm in flex") {
			t.Errorf("described as %q", d.Fit.Text(d.Diagonal()))
		}
	}
	check(again)
	once, _, _ := export(t, again, data, nil, Options{})
	check(once)
	if arm.Fit != nil {
		t.Errorf("the model without a fit has %v", arm.Fit)
	}
}

// TestFitRecordCounts: bones are counted as the export counts them, where one bone is a joint of two skins and where two
// kinds of rigs drive them.
func TestFitRecordCounts(t *testing.T) {
	b := gltftest.Beam()
	b.Push("skins", object{"joints": list{1, 2, 3},
		"inverseBindMatrices": b.Doc["skins"].(list)[0].(object)["inverseBindMatrices"]})
	b.Set("scenes.0.nodes", list{0, 1, b.Push("nodes", object{"name": "clothes", "mesh": 0, "skin": 1})})
	clothes := decoded(t, "clothes.glb", b.Glb())
	figure, _, _ := source(t, "demo:figure")
	for bone, c := range map[string]struct {
		fitted *skinning.Model
		source []byte
	}{
		"blend bone": {fit(t, clothes), b.Glb()},
		"added bone": {gltftest.Helped(t, gltftest.HalfWay(t, figure, skinning.DQS, 3), 4, false), nil},
	} {
		again, report, _ := export(t, c.fitted, c.source, nil, Options{RMS: 1e-3, Extras: map[string]any{gltf.FitKey: "x"}})
		r := again.Fit
		count, name := again.AddedBones()
		if r == nil || r.Bones != report.Bones || r.Bone != bone || count != r.Bones || name != bone {
			t.Errorf("%d bones written, the record is %+v, the model has %d, each a %s", report.Bones, r, count, name)
		}
		if bone == "blend bone" && len(again.Added()) == report.Bones {
			t.Errorf("no bone is a joint of two skins: %d", report.Bones)
		}
	}
}

// TestUnlearntClips: a clip of which a fit knows no motion is left out, and the others keep theirs.
func TestUnlearntClips(t *testing.T) {
	arm, _, _ := source(t, "demo:arm")
	fitted := *gltftest.HalfWay(t, arm, skinning.DQS, 4)
	fitted.Clips = slices.Clone(fitted.Clips)
	fitted.Clips[1].Unlearnt = true
	again, report, _ := export(t, &fitted, nil, nil, Options{RMS: 1e-3})
	if len(again.Clips) != len(fitted.Clips)-1 || len(report.Clips) != len(again.Clips) {
		t.Fatalf("%d clips of %d, %d reported", len(again.Clips), len(fitted.Clips), len(report.Clips))
	}
	for i, want := range slices.Delete(slices.Clone(fitted.Clips), 1, 2) {
		if got := &again.Clips[i]; got.Name != want.Name || got.Seconds != want.Seconds || report.Clips[i].Name != want.Name {
			t.Errorf("clip %d is %q of %g s, %q reported; expected %q of %g s", i, got.Name, got.Seconds, report.Clips[i].Name,
				want.Name, want.Seconds)
		}
	}
}

// TestMadeFor: a file says for which method its weights are made. The name of no method says nothing.
func TestMadeFor(t *testing.T) {
	bar, _, _ := source(t, "demo:bar")
	for name, want := range map[string]string{"sbs": "sbs", "paint": ""} {
		again, _, _ := export(t, bar, nil, nil, Options{Extras: map[string]any{gltf.FitKey: "ssd", gltf.ForKey: name}})
		method, ok := again.MadeFor()
		if again.Fit == nil || again.Fit.For != want || ok != (want != "") || ok && method.String() != want {
			t.Errorf("%q: the record is %+v, made for %v, %v", name, again.Fit, method, ok)
		}
		if text := again.Fit.Text(1); strings.Contains(text, "made for") != ok {
			t.Errorf("%q is described as %s", name, text)
		}
	}
}

// TestLostRigs: another program has dropped the extras and kept the names of added joints. The file plays, and a
// warning and the record say that the rig is lost. Names that only look alike say nothing.
func TestLostRigs(t *testing.T) {
	for name, data := range fittedFiles(t) {
		bone := strings.TrimSuffix(name, "s")
		lose := func(d *qgltf.Document) {
			for _, s := range d.Skins {
				s.Extras = nil
			}
		}
		m := decoded(t, name, rewritten(t, data, nil, lose))
		want := decoded(t, name, data)
		if r := m.Fit; r == nil || !r.RigLost || r.Bone != bone || r.Bones != len(want.Rigs[0].Joints()) ||
			!gltftest.HasWarning(m, "what drove its "+bone+"s is lost") {
			t.Errorf("%s: the record is %+v, warnings %q", name, m.Fit, m.Warnings)
		}
		m = decoded(t, name, rewritten(t, data, nil, func(d *qgltf.Document) {
			lose(d)
			for _, n := range d.Nodes {
				n.Name = strings.ReplaceAll(n.Name, "-", "_")
			}
		}))
		if m.Fit != nil || gltftest.HasWarning(m, "is lost") {
			t.Errorf("%s with other names: the record is %+v, warnings %q", name, m.Fit, m.Warnings)
		}
	}
}
