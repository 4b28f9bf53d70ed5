package viewer

import (
	"path/filepath"
	"strings"

	"skinlab/render/ui"
	"skinlab/skinning"
)

// poseName is the file that a pose is proposed to be kept in, in the working directory.
const poseName = "pose.json"

// mostPoseWarnings bounds what a notice says about a pose file.
const mostPoseWarnings = 3

// poseFile draws the file of the pose and the buttons that write and read it.
func (a *app) poseFile(in *ui.Rect) {
	if a.opt.SavePose == nil && a.opt.LoadPose == nil {
		return
	}
	u, px, t := a.ui, a.ui.Px, &a.tools
	row := in.CutTop(px(numberRow))
	in.CutTop(px(5))
	u.TextField(itemPath, row, t.path)
	buttons := in.CutTop(px(numberRow))
	in.CutTop(px(5))
	w := float32(int((buttons.W - px(5)) / 2))
	for k, b := range [...]struct {
		label string
		there bool
		run   func(*app)
	}{
		{"Save pose", a.opt.SavePose != nil, (*app).savePose},
		{"Load pose", a.opt.LoadPose != nil, func(a *app) { a.loadPose(strings.TrimSpace(a.tools.path.Text())) }},
	} {
		at := buttons.CutLeft(w)
		buttons.CutLeft(px(5))
		look := ui.Plain
		if !b.there {
			look = ui.Off
		}
		if u.Button(itemPoseButton+buttonSave+k, at, b.label, look, 0) {
			b.run(a)
			return
		}
	}
}

// savePose writes the pose that is seen to the file that the page names. A pose is a small file: nobody waits for it.
func (a *app) savePose() {
	if a.opt.SavePose == nil {
		return
	}
	a.ui.StopTyping()
	a.save(&saving{path: strings.TrimSpace(a.tools.path.Text()), ending: ".json", failed: "Could not save the pose",
		write: func(s *saving, path string, _ func() error) { // it has been checked this instant
			if err := a.opt.SavePose(path, a.shown.model, a.shown.pose); err != nil {
				a.notSaved(s, path, err)
				return
			}
			a.notify("Pose saved", path, exportTime)
		}}, false)
}

// loadPose shows the pose of a file.
func (a *app) loadPose(path string) {
	if a.opt.LoadPose == nil || path == "" {
		return
	}
	a.ui.StopTyping()
	m, t := a.shown.model, &a.tools
	m.ResetPose(t.after)
	warnings, err := a.opt.LoadPose(path, m, t.after)
	if err != nil {
		a.fail(path, err)
		return
	}
	a.showPose(t.after)
	note := path
	if len(warnings) > 0 {
		note = strings.Join(warnings[:min(len(warnings), mostPoseWarnings)], "\n")
		if len(warnings) > mostPoseWarnings {
			note += "\n…"
		}
	}
	a.notify("Pose loaded", note, exportTime)
}

// showPose lays a pose over the clip, which is paused, as one step of the history.
func (a *app) showPose(p *skinning.Pose) {
	a.editing()
	a.setPose()
	a.shown.copyPose(a.tools.before)
	a.posing.putPose(p, a.tools.before)
}

// openPose stands the model that the window opens on in a pose, as if a person had made it.
func (a *app) openPose(p *skinning.Pose) {
	a.showPose(p)
	a.setPose()
	a.frameAll()
}

// isPose reports whether a dropped file is a pose and not a model.
func isPose(path string) bool { return strings.EqualFold(filepath.Ext(path), ".json") }

// Poses are written and read by functions that the viewer's caller gives: the viewer knows no file format.
type (
	// SavePose writes a pose of a model to a file.
	SavePose func(path string, m *skinning.Model, p *skinning.Pose) error
	// LoadPose reads a pose of a model from a file into p, which is in the static pose. Warnings say what of the file the
	// model lacks.
	LoadPose func(path string, m *skinning.Model, p *skinning.Pose) (warnings []string, err error)
)
