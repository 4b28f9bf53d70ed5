package command

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skinlab/assets"
	"skinlab/fit"
	"skinlab/fit/methods"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/skinning"
)

// stick is a fit that is in no table: a new model with the vertices of the job's and two joints of its own, in the two
// weight sets.
func stick() *fit.Method {
	return &fit.Method{Name: "stick", Title: "Stick", Noun: "joint", Suffix: "-stick", Learns: fit.Operator,
		Help: "Make a stick", Example: "-o stick.glb",
		Run: func(_ context.Context, job *fit.Job) (*fit.Result, error) {
			m := *job.Model
			m.Rigs, m.Clips, m.Rigid = nil, nil, nil
			m.Skeleton = skinning.Skeleton{Nodes: []skinning.Node{{Name: "mesh", Parent: -1}, {Name: "limb_1", Parent: -1},
				{Name: "limb_2", Parent: 1}}}
			for i := range m.Skeleton.Nodes {
				m.Skeleton.Nodes[i].Rest.Rotation[3], m.Skeleton.Nodes[i].Rest.Scale = 1, [3]float64{1, 1, 1}
			}
			for j := range 2 {
				joint := skinning.Joint{Name: m.Skeleton.Nodes[1+j].Name, Node: 1 + j, Parent: j - 1}
				joint.FromRest[0], joint.FromRest[5], joint.FromRest[10] = 1, 1, 1
				m.Skeleton.Joints = append(m.Skeleton.Joints, joint)
			}
			if err := m.Skeleton.SortNodes(); err != nil {
				return nil, err
			}
			m.Skin.Parts, m.Skin.Morphs, m.MorphSlots = slices.Clone(m.Skin.Parts), nil, nil
			for i := range m.Skin.Parts {
				m.Skin.Parts[i].Node = 0
			}
			weights, twist := skinning.Influences{}, skinning.Influences{}
			for range m.Skin.Positions {
				weights.Append([]skinning.Influence{{Joint: 0, Weight: 1}}, 0)
				twist.Append([]skinning.Influence{{Joint: 1, Weight: 1}}, 0)
			}
			m.Skin.SetWeights(weights)
			m.Skin.SetSecond(skinning.TwistSwing, &twist)
			last := fit.Progress{Now: fit.Step{Added: 2, EE: 10, Model: func() *skinning.Model { return &m }}}
			last.History = []fit.Step{last.Now}
			poses, err := job.Training.Choose(job.Model, nil)
			if err != nil {
				return nil, err
			}
			r := fit.NewReport(job, poses, &m, &last.Now)
			r.EE, r.RMS, r.Reason = 10, 1e-3, "done"
			return &fit.Result{Model: &m, Report: r, Last: last, Whole: true}, nil
		}}
}

// TestWholeFit: a fit that makes a new model has that written as it is, by the command and by the window, and not into
// the file that it learnt from.
func TestWholeFit(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "stick.glb")
	var report struct{ Output, Note string }
	text := runWith(t, stick(), "fit", "stick", "demo:tube", "--json", "-o", out)
	if err := json.Unmarshal(text, &report); err != nil || report.Output != out ||
		!strings.HasPrefix(report.Note, "a new model: ") {
		t.Errorf("%v: %s", err, text)
	}
	check := func(path string) {
		t.Helper()
		m, err := assets.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Skeleton.Joints) != 2 || m.Skin.Second(skinning.TwistSwing) == nil || m.Skin.Second(skinning.TwistSwing).Bindings[0].Joints[0] != 1 ||
			m.Skin.Bindings[0].Joints[0] != 0 {
			t.Errorf("%s: %d joints, second weight set %v", path, len(m.Skeleton.Joints), m.Skin.Second(skinning.TwistSwing) != nil)
		}
	}
	check(out)

	fits := newViewerFits(append(methods.All(), stick()))
	row := slices.IndexFunc(fits.Fits(), func(r fitpage.Row) bool { return r.Name == "stick" })
	files := &viewerFiles{fits: fits}
	m, err := files.load(t.Context(), "demo:tube", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var last fitpage.Update
	fits.Fit(t.Context(), m, fitpage.Request{Row: row, By: skinning.DQS, Clip: fitpage.AllClips},
		func(u fitpage.Update) { last = u })
	if last.Err != nil || last.Now.Model == nil {
		t.Fatalf("the window's last update is %+v", last)
	}
	out = filepath.Join(dir, "window.glb")
	note, err := files.export(out, m, last.Now.Model(), func() error { return nil })
	if err != nil || !strings.HasPrefix(note, "a new model: ") {
		t.Errorf("the window's export: %q, %v", note, err)
	}
	check(out)
}
