package viewer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skinlab/assets/gltf/export"
	"skinlab/internal/assetstest"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
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
