package viewer

import (
	"path/filepath"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render"
	"skinlab/render/ui"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/pages/modelpage"
	"skinlab/render/viewer/pages/timing"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// What pages see of the window: each declares the part that it needs.

// Model returns the model of the first file.
func (a *app) Model() *skinning.Model { return a.shown.Model }

// FinishedFit returns what a fit has made of the first file, nil for none, and while it goes on: it makes a new model
// several times a second.
func (a *app) FinishedFit() *skinning.Model {
	if a.fitted == nil || a.fit.Running() {
		return nil
	}
	return a.fitted.Model
}

// Offered returns the methods that the first file can be shown by now.
func (a *app) Offered() []skinning.Method {
	all := a.lists.methods
	if a.fitted == nil {
		return all[:len(all)-1]
	}
	return all
}

// Short returns the name of a method of the first file in a word.
func (a *app) Short(m skinning.Method) string { return a.cardOf(m).short }

// SweptJoint returns the joint that is swept: the picked one, or the one that moves most skin; −1 for none.
func (a *app) SweptJoint() int {
	if j := a.state.Joint; j >= 0 && j < len(a.shown.Model.Skeleton.Joints) {
		return j
	}
	return a.shown.mostSkin
}

// JointName names a joint of the first file.
func (a *app) JointName(j int) string {
	if n := a.shown.Model.Skeleton.Joints[j].Name; n != "" {
		return n
	}
	return "unnamed"
}

// StepBone picks the bone so many after the one of the swept joint, around at the ends.
func (a *app) StepBone(by int) {
	n := len(a.shown.bones.Bones)
	a.pose.Pick((max(a.shown.bones.Of(a.SweptJoint()), 0) + by + n) % max(n, 1))
}

// PutPose poses the model by hand. Where that begins, it is a new step of the history, and the clip pauses.
func (a *app) PutPose(p *skinning.Pose, begins bool) { a.pose.PutPose(p, begins) }

// Posed reports whether the model is posed by hand.
func (a *app) Posed() bool { return a.pose.Edits.Active() }

// First returns the first file as it is posed.
func (a *app) First() *posing.Subject { return &a.shown.Subject }

// Bones returns its joints as a person sees and picks them.
func (a *app) Bones() *posing.Skeleton { return a.shown.bones }

// Poses reports whether the page is shown on which joints are posed.
func (a *app) Poses() bool { return a.page().Tab == state.TabPose }

// Snaps reports whether Control is held.
func (a *app) Snaps() bool {
	return a.win.GetKey(glfw.KeyLeftControl) == glfw.Press || a.win.GetKey(glfw.KeyRightControl) == glfw.Press
}

// Source returns the model of the first file as that has it, without the clips that are made for it.
func (a *app) Source() *skinning.Model { return a.shown.source }

// OwnClips returns how many of the first model's clips are the file's.
func (a *app) OwnClips() int { return a.shown.own }

// ClipName names a clip of the first model.
func (a *app) ClipName(clip int) string { return a.shown.clipNames[clip] }

// Came reports whether the first file came with added bones.
func (a *app) Came() bool { return a.shown.fitted != nil }

// Fitted returns what is shown of a fit of the first file, nil for none.
func (a *app) Fitted() *fitted.Model { return a.fitted }

// MethodKeys names the keys of the direct methods.
func (a *app) MethodKeys() string { return a.lists.methodKeys }

// Renderer returns what draws the pictures.
func (a *app) Renderer() *render.Renderer { return a.gpu }

// Fit returns what a fit has made of the first file so far, nil for none.
func (a *app) Fit() *skinning.Model {
	if a.fitted == nil {
		return nil
	}
	return a.fitted.Model
}

// Beside returns the second file, nil for none.
func (a *app) Beside() *skinning.Model {
	if a.beside == nil {
		return nil
	}
	return a.beside.Model
}

// ModelName names the first file.
func (a *app) ModelName() string {
	if n := a.shown.Model.Name; n != "" {
		return n
	}
	return "Untitled model"
}

// View returns where the pictures are.
func (a *app) View() ui.Rect { return a.view.Rect }

// Crowd counts how often the first file is shown.
func (a *app) Crowd() timing.Crowd {
	return timing.Crowd{Asked: a.crowd.Many, Drawn: a.crowd.Drawn, Most: a.crowd.Most}
}

// SetCrowd asks for a crowd.
func (a *app) SetCrowd(many int) { a.crowd.Set(many) }

// CrowdNote says what there is to know about it.
func (a *app) CrowdNote() string { return a.crowd.Note() }

// PoseAnew lets the next frame pose what it shows, whether or not that stands still.
func (a *app) PoseAnew() {
	a.shown.At.OK = false
	if a.fitted != nil {
		a.fitted.At.OK = false
	}
	if a.beside != nil {
		a.beside.At.OK = false
	}
	a.crowd.PoseAnew()
}

// SetClipboard puts a text on the clipboard.
func (a *app) SetClipboard(text string) { a.win.SetClipboardString(text) }

// BesideName names the second file.
func (a *app) BesideName() string { return a.beside.name }

// BesideFitted reports whether the second file came with bones of a fit.
func (a *app) BesideFitted() bool { return a.beside.fitted }

// PaneName returns the name of what a pane shows in a word.
func (a *app) PaneName(p state.Pane) string { return a.paneCard(p).short }

// ShowPane shows a method of a file: in the active picture where that shows this file, else in the first that does.
func (a *app) ShowPane(p state.Pane) {
	if a.state.Panes[a.state.Active].Beside != p.Beside {
		for i, seen := range a.state.Seen() {
			if seen.Beside == p.Beside {
				a.state.Activate(i)
				break
			}
		}
	}
	if a.state.Panes[a.state.Active].Beside == p.Beside {
		a.setMethod(p.Method)
	}
}

// Facts returns what there is to say about the first file.
func (a *app) Facts() []modelpage.Fact { return a.shown.facts }

// ViewPixels returns the size of what is seen of the pictures in pixels.
func (a *app) ViewPixels() (width, height int) {
	x, y := a.win.Density()
	return int(a.view.Rect.W*x + 0.5), int(a.view.Rect.H*y + 0.5)
}

// InFolder returns a bare file name as one in the folder of the shown model's file, and any other path as it is: of
// a window that was opened from a desktop nobody knows the working directory.
func (a *app) InFolder(path string) string {
	if model := a.files.source.Path; model != "" && !a.builtIn(model) && filepath.Base(path) == path {
		return filepath.Join(filepath.Dir(model), path)
	}
	return path
}

// ProposeName proposes a file name for the first model, with an end before its ending.
func (a *app) ProposeName(end string) string { return exportName(a.shown.Model.Name, end) }

// exportName proposes a file name for a model's name, which may be a path or a built-in model's.
func exportName(model, suffix string) string {
	base := filepath.Base(model)
	switch ext := filepath.Ext(base); strings.ToLower(ext) {
	case ".glb", ".gltf":
		base = strings.TrimSuffix(base, ext)
	}
	base = strings.Trim(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '-'
		}
		return r
	}, base), " .-")
	if base == "" {
		base = "model"
	}
	return base + suffix + ".glb"
}
