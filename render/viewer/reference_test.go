package viewer

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skinlab/assets/gltf/export"
	"skinlab/internal/assetstest"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/pages/errorpage"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

// heart is demo:tube with a clip in which a joint scales.
func heart(t *testing.T) *skinning.Model {
	t.Helper()
	m := assetstest.Open(t, "demo:tube")
	m.Clips = []skinning.Clip{{Name: "beat", Seconds: 1, Channels: []skinning.Channel{{Node: m.Skeleton.Joints[2].Node,
		Path: skinning.PathScale, Width: 3, Times: []float32{0, 1}, Values: []float32{1, 1, 1, 1.3, 1.3, 1.3}}}}}
	return m
}

// TestReferenceNote: the page says why the reference is not the usual one, and what a chosen one loses.
func TestReferenceNote(t *testing.T) {
	d := desk.Desk{State: new(state.State)}
	s := models.New(&d, nil, false)
	s.File = models.Prepare(heart(t), 0)
	for reference, want := range map[skinning.Method]string{
		skinning.SDQS: "Chosen because joint bone3 scales by 1.3 in clip beat.",
		skinning.DQS:  "This reference has no scale, and joint bone3 scales by 1.3 in clip beat.",
		skinning.DIB:  "",
	} {
		d.State.Reference = reference
		if s.ReferenceNote() != want {
			t.Errorf("%v: %q, expected %q", reference, s.ReferenceNote(), want)
		}
	}
}

// TestOtherTeacher: the page and the picture of a fit say what it has learnt from, unless that is the reference.
func TestOtherTeacher(t *testing.T) {
	d := desk.Desk{State: new(state.State)}
	s := models.New(&d, nil, false)
	s.File = models.Prepare(assetstest.Open(t, "demo:box"), 0)
	fit := state.Pane{Method: state.Fitted}
	for _, reference := range []skinning.Method{skinning.DQS, skinning.SDQS} {
		d.State.Reference = reference
		s.Teach(skinning.SDQS.String())
		other, note := s.OtherTeacher(fit), s.ReferenceNote()
		if says := reference != skinning.SDQS; (other == "sdqs") != says ||
			strings.Contains(note, "learnt from sdqs, not from this reference") != says {
			t.Errorf("from %v: %q, and the page says %q", reference, other, note)
		}
		if s.Teach(""); s.OtherTeacher(fit) != "" || strings.Contains(s.ReferenceNote(), "learnt") {
			t.Errorf("of no teacher: %q, %q", s.OtherTeacher(fit), s.ReferenceNote())
		}
	}
}

// TestReferenceInAWindow: a model whose joints scale brings its reference. One that the user has chosen stays.
func TestReferenceInAWindow(t *testing.T) {
	t.Parallel()
	m := heart(t)
	file := filepath.Join(t.TempDir(), "heart.glb")
	data, err := export.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	w := openLive(t, file)
	w.until("the reference of a model that scales",
		func(s *Snapshot) bool { return s.State.Reference == skinning.SDQS })
	w.tell("drop " + "demo:box")
	w.until("that of a rigid model",
		func(s *Snapshot) bool { return strings.Contains(s.Model, "box") && s.State.Reference == skinning.DQS })
	w.do(t, "mousemove", "600", "300", "key", "r", "key", "r")
	w.until("a choice", func(s *Snapshot) bool { return s.State.Reference == skinning.DIB })
	w.tell("drop " + file)
	w.until("that the next model keeps",
		func(s *Snapshot) bool { return strings.Contains(s.Model, "heart") && s.State.Reference == skinning.DIB })
}

// TestReferenceOfAFit: a fit is measured against the file that it comes from, whichever of the two is opened first.
func TestReferenceOfAFit(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	box, fit := filepath.Join(folder, "box.glb"), filepath.Join(folder, "fit.glb")
	modelFile(t, box, "demo:box")
	m, err := sampledBones(assetstest.Open(t, box), skinning.DQS, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := export.File(context.Background(), fit, box, m, export.Options{}); err != nil {
		t.Fatal(err)
	}
	var found [2]metrics.Percent
	for k, files := range [][2]string{{box, fit}, {fit, box}} {
		w := openLive(t, files[0], "-child.time", "1.5")
		x, y := middle(w.now().View)
		w.do(t, "mousemove", x, y, "key", "9")
		v := w.until("two pictures", func(s *Snapshot) bool { return s.State.Layout == state.Two }).View
		w.do(t, "mousemove", whole(v.Right()-30), y)
		w.untilRest()
		w.tell("drop " + files[1])
		s := w.until("both", func(s *Snapshot) bool {
			return s.Files.Beside == files[1] && s.Errors.Measured && s.Errors.EE[0] >= 0 && s.Errors.EE[1] >= 0 &&
				slices.Contains(s.State.Panes[:2], state.Pane{Method: state.Fitted, Beside: k == 0})
		})
		if s.State.ReferenceBeside != (k == 1) {
			t.Errorf("with %s first, the reference is that of the second file: %v", files[0], s.State.ReferenceBeside)
		}
		found[k] = s.Errors.EE[1-k]
	}
	if !(found[0] > 0) || math.Abs(float64(found[0]-found[1])) > 1e-3 { // per cent; the picture's pose is float32
		t.Errorf("the fit is %v from the file that it comes from, expected the same", found)
	}
}

// TestExamplesAsReference: in a clip of examples these are the reference unless another is chosen, and a picture, from
// which methods differ; in other clips they are neither. Undo and redo over clips keep to that.
func TestExamplesAsReference(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:arm")
	clip, err := assetstest.Open(t, "demo:arm").ClipIndex(skinning.ExampleClip)
	if err != nil {
		t.Fatal(err)
	}
	row := func(s *Snapshot) ui.Rect { return s.placed(desk.PanelLeft, itemMethod+len(skinning.Methods())) }
	measured := func(what string, ok func(*Snapshot) bool) {
		t.Helper()
		w.until(what, func(s *Snapshot) bool { return s.Errors.Measured && s.Errors.Surveyed && ok(s) })
	}
	apart := func(s *Snapshot) bool { return s.State.Reference == state.Examples && s.Errors.EE[0] > 1 }
	elsewhere := func(s *Snapshot) bool {
		return s.State.Clip != clip && s.State.Reference == skinning.DQS && s.State.Method() == skinning.LBS
	}
	w.do(t, "key", "space", "key", "v")
	w.clickOn("the examples", row)
	measured("the examples", func(s *Snapshot) bool {
		return s.State.Clip == clip && s.State.Method() == state.Examples && s.Errors.EE[0] == 0
	})
	w.do(t, "key", "1")
	measured("linear blending, from the examples", apart)
	w.clickOn("another reference", func(s *Snapshot) ui.Rect { return s.item(errorpage.ItemReference + int(skinning.DQS)) })
	w.until("dual quaternions", func(s *Snapshot) bool { return s.State.Reference == skinning.DQS })
	w.clickOn("the reference", func(s *Snapshot) ui.Rect {
		return s.item(errorpage.ItemReference + len(skinning.Methods()) + 1)
	})
	measured("the examples again", apart)
	w.clickOn("the examples", row)
	w.until("their picture", func(s *Snapshot) bool { return s.State.Method() == state.Examples })
	w.again("another clip", func() { w.do(t, "key", "Prior") }, elsewhere)
	for range 3 { // steps that were made in the clip of the examples
		w.do(t, "key", "ctrl+z")
		measured("undo", elsewhere)
	}
	w.do(t, "key", "ctrl+shift+z")
	measured("redo", elsewhere)
	w.again("the clip", func() { w.do(t, "key", "Next") }, func(s *Snapshot) bool { return s.State.Clip == clip })
}
