package viewer

import (
	"skinlab/render"
	"skinlab/render/ui"
	"skinlab/render/viewer/pages/modelpage"
	"skinlab/render/viewer/pages/timing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// What pages see of the window: each declares the part that it needs.

// Model returns the model of the first file.
func (a *app) Model() *skinning.Model { return a.shown.model }

// FinishedFit returns what a fit has made of the first file, nil for none, and while it goes on: it makes a new model
// several times a second.
func (a *app) FinishedFit() *skinning.Model {
	if a.fitted == nil || a.fit.job != nil {
		return nil
	}
	return a.fitted.model
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
func (a *app) Short(m skinning.Method) string { return a.card(m).short }

// SweptJoint returns the joint that is swept: the picked one, or the one that moves most skin; −1 for none.
func (a *app) SweptJoint() int {
	if j := a.state.Joint; j >= 0 && j < len(a.shown.model.Skeleton.Joints) {
		return j
	}
	return a.shown.mostSkin
}

// JointName names a joint of the first file.
func (a *app) JointName(j int) string {
	if n := a.shown.model.Skeleton.Joints[j].Name; n != "" {
		return n
	}
	return "unnamed"
}

// StepBone picks the bone so many after the one of the swept joint, around at the ends.
func (a *app) StepBone(by int) {
	n := len(a.shown.bones.bones)
	a.pickBone((max(a.shown.bones.of(a.SweptJoint()), 0) + by + n) % max(n, 1))
}

// PutPose poses the model by hand. Where that begins, it is a new step of the history, and the clip pauses.
func (a *app) PutPose(p *skinning.Pose, begins bool) {
	if begins {
		a.state.Playing = false
		a.editing()
	}
	a.posing.putPose(p, a.shown.pose)
	a.wake()
}

// Posed reports whether the model is posed by hand.
func (a *app) Posed() bool { return a.posing.active() }

// Renderer returns what draws the pictures.
func (a *app) Renderer() *render.Renderer { return a.gpu }

// Fit returns what a fit has made of the first file so far, nil for none.
func (a *app) Fit() *skinning.Model {
	if a.fitted == nil {
		return nil
	}
	return a.fitted.model
}

// Beside returns the second file, nil for none.
func (a *app) Beside() *skinning.Model {
	if a.beside == nil {
		return nil
	}
	return a.beside.model
}

// ModelName names the first file.
func (a *app) ModelName() string {
	if n := a.shown.model.Name; n != "" {
		return n
	}
	return "Untitled model"
}

// View returns where the pictures are.
func (a *app) View() ui.Rect { return a.layout.view }

// Crowd counts how often the first file is shown.
func (a *app) Crowd() timing.Crowd {
	return timing.Crowd{Asked: a.crowd.many, Drawn: a.crowd.drawn, Most: a.crowd.most}
}

// PoseAnew lets the next frame pose what it shows, whether or not that stands still.
func (a *app) PoseAnew() {
	a.shown.at.ok = false
	if a.fitted != nil {
		a.fitted.at.ok = false
	}
	if a.beside != nil {
		a.beside.at.ok = false
	}
	a.crowd.posed.ok = false
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
	x, y := a.win.density()
	return int(a.layout.view.W*x + 0.5), int(a.layout.view.H*y + 0.5)
}
