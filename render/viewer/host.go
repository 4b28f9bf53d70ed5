package viewer

import (
	"slices"

	"path/filepath"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/ui"
	"skinlab/render/viewer/cliplist"
	"skinlab/render/viewer/loader"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/notes"
	"skinlab/render/viewer/palette"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/window"
	"skinlab/skinning"
)

// These are the methods of the window that its parts call. Each declares those that it needs in its interface Host,
// which documents them.

// Show replaces the first file. On an error the old one stays.
func (a *app) Show(p *models.File, clip int) error {
	old := a.models.File
	if err := a.models.Put(p); err != nil {
		return err
	}
	a.saver.TakeBack()
	a.notes.Drop(func(m notes.Message) bool { return m.Tone == ui.Neutral && m.Action.Label != "" }) // offers about the old one
	a.past.ForgetModel(old)
	for i := range a.tabs {
		a.tabs[i].Forget()
	}
	a.clips.Set(p.ClipNames, p.Seconds, p.Own)
	a.models.Under(a.pose.Edits)
	a.distances.Forget()
	if p.Fitted != nil {
		a.models.PutFitted(p.Fitted)
		if a.models.Fitted() != nil && a.state.Method() == skinning.LBS {
			a.state.SetMethod(state.Fitted) // the skin of the file
		}
	}
	if method, ok := p.Model.MadeFor(); ok && p.Fitted == nil && a.state.Method() == skinning.LBS {
		a.state.SetMethod(method) // whose skin it is
	}
	if clip < 0 || clip >= len(p.Model.Clips) {
		clip = -1
	}
	a.models.SetClip(clip)
	if a.state.Method() == skinning.LBS && a.state.Layout == state.One {
		a.state.SetMethod(a.models.Scan()) // what other viewers show
	}
	a.state.Release()
	a.outer.Stop()
	a.view.Frame(p.Outline)
	a.view.Reset()
	title := window.Title
	if p.Model.Name != "" {
		title = p.Model.Name + " – " + window.Title
	}
	a.win.SetTitle(title)
	a.desk.Wake()
	return nil
}

// ShowNewer replaces the model by a newer version of itself, but not the user's view of it. On an error the old stays.
func (a *app) ShowNewer(p *models.File) error {
	was, looked, kept, old, edits := a.state, *a.view, a.facts.Keep(), a.models.File.Model, a.pose.Edits
	size, fits := a.models.File.Diagonal, a.fit.Keep()
	if err := a.Show(p, models.SameClip(old, was.Clip, p.Model)); err != nil {
		a.fit.Resume(fits)
		return err
	}
	a.carryFits(fits)
	s := &a.state
	s.KeepPanes(&was, func(q state.Pane) bool {
		return q.Beside || q.Method < state.Fitted || slices.Contains(a.models.Offered(), q.Method)
	})
	if was.Clip >= 0 && s.Clip >= 0 && old.Clips[was.Clip].Name == p.Model.Clips[s.Clip].Name {
		s.Range = was.Range
		if s.Range.To > s.Seconds {
			s.Range = state.Range{}
		}
		s.Seek(was.Time)
	}
	s.Playing = was.Playing
	a.view.Keep(&looked, p.Diagonal/max(size, 1e-12))
	a.facts.Restore(kept)
	a.pose.Carry(edits, was.Joint)
	a.past.ForgetVersion()
	a.past.Amends()
	return nil
}

func (a *app) Poses() bool                           { return a.page().Tab == state.TabPose }
func (a *app) PutPose(p *skinning.Pose, begins bool) { a.pose.PutPose(p, begins) }

func (a *app) Snaps() bool {
	return a.win.GetKey(glfw.KeyLeftControl) == glfw.Press || a.win.GetKey(glfw.KeyRightControl) == glfw.Press
}

func (a *app) PickNode(node int) {
	if i := a.models.File.Bones.OfNode(node); i >= 0 {
		a.pose.Pick(i)
	}
}

// ChooseJoint opens the list of joints. The one that the user takes is picked.
func (a *app) ChooseJoint() {
	var entries []palette.Entry
	for i, b := range a.models.File.Bones.Bones {
		above := "no other"
		if b.Parent >= 0 {
			above = a.models.File.Bones.Bones[b.Parent].Name
		}
		entries = append(entries, palette.Entry{Name: b.Name, Group: above, Run: func() { a.pose.Pick(i) }})
	}
	a.palette.OpenFor("joint", "Picks this joint, below ", entries)
}

// ChooseClip lists the clips behind other entries, and calls run with a clip's index, or −1, −2 and so on.
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
		for i, name := range a.models.File.ClipNames {
			if (i >= a.models.File.Own) == stress {
				entries = append(entries, palette.Entry{Name: name, Group: group, Run: func() { run(i) }})
			}
		}
	}
	a.palette.OpenFor("clip", "Takes this one, of ", entries)
}

func (a *app) StepBone(by int) {
	n := len(a.models.File.Bones.Bones)
	a.pose.Pick((max(a.models.File.Bones.Of(a.models.SweptJoint()), 0) + by + n) % max(n, 1))
}

// Click picks the bone or the vertex at a place of the picture.
func (a *app) Click(x, y float32) {
	if a.crowd.On() {
		return
	}
	if f := a.models.Fitted(); a.seesPage(state.TabHelpers) && f != nil && f.Touched >= 0 {
		a.helpers.ChooseJoint(f.Joints[f.Touched])
		return
	}
	if i := a.skeleton.BoneUnder(x, y); i >= 0 {
		a.pose.Pick(i)
		return
	}
	a.distances.Pick(x, y)
}

// Drop starts to load dropped files. One file replaces the first file, or if it was dropped on another pane than the
// first, it stands beside it. Of two files, the second stands beside the first.
func (a *app) Drop(paths []string) {
	a.desk.Wake()
	switch {
	case len(paths) >= 2:
		a.loader.Load(loader.Request{Path: paths[0], Then: paths[1]})
	case len(paths) == 1 && strings.EqualFold(filepath.Ext(paths[0]), ".json"):
		a.pose.LoadFrom(paths[0])
	case len(paths) == 1:
		a.loader.Load(loader.Request{Path: paths[0], Pane: max(a.view.PaneAt(a.view.MouseX, a.view.MouseY), 0), Dropped: true})
	}
}

func (a *app) ViewPixels() (width, height int) {
	x, y := a.win.Density()
	return int(a.view.Rect.W*x + 0.5), int(a.view.Rect.H*y + 0.5)
}

func (a *app) MethodKeys() string       { return a.lists.methodKeys }
func (a *app) SetClipboard(text string) { a.win.SetClipboardString(text) }

func (a *app) FrameFile(f *models.File)         { a.view.Frame(f.Outline) }
func (a *app) Amends()                          { a.past.Amends() }
func (a *app) Undo(back bool)                   { a.past.Undo(back) }
func (a *app) UndoSteps() (back, forth int)     { return a.past.UndoSteps() }
func (a *app) GoOn(opened *loader.Loaded)       { a.past.GoOn(opened) }
func (a *app) NotLoaded(path string, err error) { a.loader.NotLoaded(path, err) }
func (a *app) AskShapes(endings []string, read func(folder string)) {
	a.loader.AskShapes(endings, read)
}
