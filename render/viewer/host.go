package viewer

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render"
	"skinlab/render/ui"
	"skinlab/render/viewer/cliplist"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/modelpage"
	"skinlab/render/viewer/pages/timing"
	"skinlab/render/viewer/palette"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// These are the methods of the window that pages and overlays call. Each of them declares the part that it needs in its
// interface Host, which documents the methods.

// Of the first file.

func (a *app) Model() *skinning.Model   { return a.shown.Model }
func (a *app) Source() *skinning.Model  { return a.shown.source }
func (a *app) First() *posing.Subject   { return &a.shown.Subject }
func (a *app) Edits() *posing.Edits     { return a.pose.Edits }
func (a *app) Bones() *posing.Skeleton  { return a.shown.bones }
func (a *app) Facts() []modelpage.Fact  { return a.shown.facts }
func (a *app) OwnClips() int            { return a.shown.own }
func (a *app) ClipName(clip int) string { return a.shown.clipNames[clip] }
func (a *app) ModelName() string        { return cmp.Or(a.shown.Model.Name, "Untitled model") }
func (a *app) JointName(j int) string {
	return skinning.Named(a.shown.Model.Skeleton.Joints[j].Name, "Joint", j)
}
func (a *app) CameFitted() bool               { return a.shown.fitted != nil }
func (a *app) Fitted() *fitted.Model          { return a.fitted }
func (a *app) Short(m skinning.Method) string { return a.cardOf(m).short }

// FittedClip returns the clip in which the fitted model is posed.
func (a *app) FittedClip() int { return a.fitted.ClipOf(a.shown.Model, a.state.Clip, a.fit.Examples()) }

// Fit returns the fitted model where it has the vertices and joints of the first file's, and more behind these.
func (a *app) Fit() *skinning.Model {
	if a.fitted == nil || a.fitted.Whole {
		return nil
	}
	return a.fitted.Model
}

func (a *app) FinishedFit() *skinning.Model {
	if a.fit.Running() { // a running fit makes a new model several times a second
		return nil
	}
	return a.Fit()
}

func (a *app) Offered() []skinning.Method {
	all := a.lists.methods
	if a.fitted == nil {
		return all[:len(all)-1]
	}
	return all
}

func (a *app) SweptJoint() int {
	if j := a.state.Joint; j >= 0 && j < len(a.shown.Model.Skeleton.Joints) {
		return j
	}
	return a.shown.mostSkin
}

func (a *app) ExportRow(in *ui.Rect)            { a.fit.ExportRow(in) }
func (a *app) Examples() int                    { return a.fit.Examples() }
func (a *app) Phases() []fitted.Phase           { return a.fit.Phases() }
func (a *app) MovedJoints() []fitted.MovedJoint { return a.fit.Moved() }

// DropFitted shows no model of a fit any more.
func (a *app) DropFitted() {
	if a.fitted == nil {
		return
	}
	a.fitted = nil
	a.state.CloseFitted()
	if err := a.gpu.SetFitted(nil, nil); err != nil {
		a.notes.Complain("Could not drop the fit", err)
	}
	a.wake()
}

// Compare shows a choice beside the shown fit: as a second file is shown, in whose place it comes. If it is shown there
// already, it goes.
func (a *app) Compare(c fitpage.Choice, name string) {
	if now, _ := a.Compared(); now == c {
		a.dropBeside()
		return
	}
	if c.Other >= 0 {
		a.beginStill(c, name)
		return
	}
	b := prepareBeside(c.Fit.Model().Written)
	b.name, b.choice = name, c
	if err := a.showBeside(b, 1); err != nil {
		a.notes.Complain("Could not show the fit", err)
		return
	}
	a.state.Panes[0] = state.Pane{Method: state.Fitted}
	a.state.Activate(0)
}

func (a *app) Compared() (fitpage.Choice, fitpage.Beside) {
	switch {
	case a.still != nil:
		return a.still.choice, a.still.Beside
	case a.beside != nil:
		return a.beside.choice, fitpage.Beside{}
	}
	return fitpage.Choice{}, fitpage.Beside{}
}

func (a *app) Amends() { a.past.amends = true }

// Of the second file, where there is one.

func (a *app) BesideName() string { return a.beside.name }
func (a *app) BesideFitted() bool { return a.beside.fitted }
func (a *app) SharesSkin() bool   { return a.beside != nil && a.beside.sameSkin }

func (a *app) Beside() *skinning.Model {
	if a.beside == nil {
		return nil
	}
	return a.beside.Model
}

// Posing.

func (a *app) Posed() bool                           { return a.pose.Edits.Active() }
func (a *app) Poses() bool                           { return a.page().Tab == state.TabPose }
func (a *app) PutPose(p *skinning.Pose, begins bool) { a.pose.PutPose(p, begins) }

func (a *app) Snaps() bool {
	return a.win.GetKey(glfw.KeyLeftControl) == glfw.Press || a.win.GetKey(glfw.KeyRightControl) == glfw.Press
}

func (a *app) PickNode(node int) {
	if i := a.shown.bones.OfNode(node); i >= 0 {
		a.pose.Pick(i)
	}
}

// ChooseJoint opens the list of joints. The one that the user takes is picked.
func (a *app) ChooseJoint() {
	var entries []palette.Entry
	bones := a.shown.bones.Bones
	for i := range bones {
		above := "no other"
		if bones[i].Parent >= 0 {
			above = bones[bones[i].Parent].Name
		}
		entries = append(entries, palette.Entry{Name: bones[i].Name, Group: above, Run: func() { a.pose.Pick(i) }})
	}
	a.palette.OpenFor("joint", "Picks this joint, below ", entries)
}

// ChooseClip opens the list of clips behind some other entries, and calls run with the one that the user takes: the
// index of a clip, or −1, −2 and so on for the others.
func (a *app) ChooseClip(others []string, run func(i int)) {
	var entries []palette.Entry
	for k, name := range others {
		entries = append(entries, palette.Entry{Name: name, Group: "poses", Run: func() { run(-1 - k) }})
	}
	for _, stress := range []bool{true, false} { // as the list at the left has them
		group := "the file"
		if stress {
			group = cliplist.StressHeading
		}
		for i, name := range a.shown.clipNames {
			if (i >= a.shown.own) == stress {
				entries = append(entries, palette.Entry{Name: name, Group: group, Run: func() { run(i) }})
			}
		}
	}
	a.palette.OpenFor("clip", "Takes this one, of ", entries)
}

func (a *app) StepBone(by int) {
	n := len(a.shown.bones.Bones)
	a.pose.Pick((max(a.shown.bones.Of(a.SweptJoint()), 0) + by + n) % max(n, 1))
}

// The pictures.

func (a *app) Renderer() *render.Renderer   { return a.gpu }
func (a *app) View() ui.Rect                { return a.view.Rect }
func (a *app) SetCrowd(many int)            { a.crowd.Set(many) }
func (a *app) CrowdNote() string            { return a.crowd.Note() }
func (a *app) PaneName(p state.Pane) string { return a.paneCard(p).short }

func (a *app) Crowd() timing.Crowd {
	return timing.Crowd{Asked: a.crowd.Many, Drawn: a.crowd.Drawn, Most: a.crowd.Most}
}

// Hide hides parts of the first file, and of a second one that has the same.
func (a *app) Hide(parts []bool) {
	a.gpu.SetHidden(a.shown.Model, parts)
	if a.beside != nil {
		a.gpu.SetHidden(a.beside.Model, a.hiddenBeside(parts))
	}
}

func (a *app) Hides() bool { return a.facts.Hidden() != nil }

// hiddenBeside returns the hidden parts of the second file: those of the first where it has the same.
func (a *app) hiddenBeside(hidden []bool) []bool {
	if a.beside.sameSkin && a.beside.Model.PartCount() == len(hidden) {
		return hidden
	}
	return nil
}

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

func (a *app) ViewPixels() (width, height int) {
	x, y := a.win.Density()
	return int(a.view.Rect.W*x + 0.5), int(a.view.Rect.H*y + 0.5)
}

// Distances from the reference.

func (a *app) OpenEdges() int                 { return a.distances.reading.OpenEdges[0] }
func (a *app) HasOpenEdges(p state.Pane) bool { return a.distances.reading.OpenEdges[fileOf(p)] > 0 }
func (a *app) Clip() *measure.Clip            { return a.distances.clip }
func (a *app) VertexClip() *measure.Clip      { return a.distances.vertex }
func (a *app) HeatScale() (auto, top float64) { return a.distances.auto, a.distances.top }

// fileOf is 0 for a pane of the first file, and 1 for one of the second.
func fileOf(p state.Pane) int {
	if p.Beside {
		return 1
	}
	return 0
}

func (a *app) MeasuredCost(m skinning.Method) (perVertex float64, ok bool) {
	cost := a.times.CostOf(m)
	return cost.PerVertex, cost.There
}

func (a *app) Device() (label string, software bool) {
	return a.gpu.Timer().Label(), a.gpu.Info().Software
}

func (a *app) IsReference(p state.Pane) bool {
	return p.Method == a.state.Reference && (!p.Beside || !a.SharesSkin())
}

// ReferenceNote says why the reference was chosen, or what a reference that the user has chosen loses; "" for nothing.
func (a *app) ReferenceNote() string {
	switch s := &a.state; {
	case s.Reference == a.shown.reference:
		return a.shown.why
	case s.Reference.LosesScale():
		return a.shown.loses
	}
	return ""
}

func (a *app) Row(p state.Pane) *measure.Row {
	r := &a.distances.reading
	if row := r.Row(measure.OfPane(p)); row != nil && r.Reference == a.state.Reference {
		return row
	}
	return nil
}

func (a *app) ClearVertex() {
	a.state.Vertex = -1
	a.wake()
}

// The rest.

func (a *app) MethodKeys() string       { return a.lists.methodKeys }
func (a *app) SetClipboard(text string) { a.win.SetClipboardString(text) }

// InFolder returns a bare file name as a path in the folder of the model's file, and any other path unchanged. If the
// window was opened from a desktop, the user does not expect its working directory.
func (a *app) InFolder(path string) string {
	if model := a.files.source.Path; model != "" && !a.builtIn(model) && filepath.Base(path) == path {
		return filepath.Join(filepath.Dir(model), path)
	}
	return path
}

func (a *app) ProposeName(end string) string { return exportName(a.shown.Model.Name, end) }

// exportName proposes a file name for the name of a model, which may be a path or the name of a built-in model.
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
