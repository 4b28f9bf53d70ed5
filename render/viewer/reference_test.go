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

// TestExamplesAsReference: a clip of examples offers them as a picture and as the reference, in that clip alone, and they
// are the reference there again. Methods have none of their shapes.
func TestExamplesAsReference(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:arm")
	clip, err := assetstest.Open(t, "demo:arm").ClipIndex(skinning.ExampleClip)
	if err != nil {
		t.Fatal(err)
	}
	w.do(t, "key", "space", "key", "v")
	to := func(key string, want func(*Snapshot) bool) {
		t.Helper()
		w.again(key, func() { w.do(t, "key", key) }, want)
	}
	to("Next", func(s *Snapshot) bool { return s.State.Clip == clip })
	w.clickOn("the reference", func(s *Snapshot) ui.Rect {
		return s.item(errorpage.ItemReference + len(skinning.Methods()) + 1)
	})
	w.until("the error of linear blending", func(s *Snapshot) bool {
		return s.State.Reference == state.Examples && s.Errors.Measured && s.Errors.Surveyed && s.Errors.EE[0] > 1
	})
	w.clickOn("examples", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelLeft, itemMethod+len(skinning.Methods())) })
	w.until("the examples", func(s *Snapshot) bool {
		return s.State.Method() == state.Examples && s.Errors.Measured && s.Errors.EE[0] == 0
	})
	to("Prior", func(s *Snapshot) bool { return s.State.Clip != clip })
	if s := w.now(); s.State.Reference != skinning.DQS || s.State.Method() != skinning.LBS {
		t.Errorf("in another clip %v is compared with %v", s.State.Method(), s.State.Reference)
	}
	to("Next", func(s *Snapshot) bool { return s.State.Clip == clip && s.State.Reference == state.Examples })
}
