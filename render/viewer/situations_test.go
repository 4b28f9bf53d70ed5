package viewer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/assets"
	"skinlab/fit"
	"skinlab/render/viewer/files"
	"skinlab/render/viewer/loader"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/saver"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// situation is what a window can be in that lasts. A test goes through all, each after the one before.
type situation struct {
	name    string
	prepare func()
}

// situations are all of a window whose fits are [updatedFits].
func situations(a *app) []situation {
	return []situation{
		{"lbs", func() { a.state.SetMethod(skinning.LBS) }},
		{"dqs", func() { a.state.SetMethod(skinning.DQS) }},
		{"sdqs", func() { a.state.SetMethod(skinning.SDQS) }},
		{"dib", func() { a.state.SetMethod(skinning.DIB) }},
		{"sbs", func() { a.state.SetMethod(skinning.SBS) }},
		{"skeleton with names", func() { a.state.Skeleton, a.state.Names = true, true }},
		{"posing", func() { a.state.Tab = state.TabPose; a.state.Playing = false; a.pose.Pick(0) }},
		{"search", func() { a.pose.Search.SetText("0") }},
		{"gizmo held", func() {
			a.pose.Search.SetText("")
			a.view.MouseX, a.view.MouseY = a.skeleton.Center[0], a.skeleton.Center[1]-a.skeleton.Radius*1.2
			a.ui.MouseMoved(a.view.MouseX, a.view.MouseY)
			a.input.MouseButton(0, true, 0)
		}},
		{"posed", func() { a.input.MouseButton(0, false, 0); a.state.HoldPose = true; a.state.Playing = true }},
		{"no skeleton", func() {
			a.state.Tab, a.state.Skeleton, a.state.Names, a.state.HoldPose = state.TabModel, false, false, false
		}},
		{"split", func() { a.state.SetLayout(state.Split) }},
		{"two", func() { a.state.SetLayout(state.Two) }},
		{"four", func() { a.state.SetLayout(state.Four) }},
		{"beside", func() {
			if err := a.models.ShowSecond(models.PrepareSecond(a.opt.Model), 2); err != nil {
				panic(err)
			}
		}},
		{"fitted", func() {
			a.models.DropSecond()
			a.state.SetLayout(state.Two)
			m, err := sampledBones(a.models.File.Model, skinning.DQS, 4)
			if err != nil {
				panic(err)
			}
			if a.win.Width < 1000 {
				a.win.SetSize(1000, 700) // the panel at the right has room
			}
			done := fit.Step{Added: 4, EE: 12, Model: of(m)}
			beginFit(a, "blend-bones", fitpage.Update{Done: true,
				Progress: fit.Progress{Now: done, History: []fit.Step{{EE: 30, Model: of(m)}, done}}})
			a.state.Tab, a.state.Paint = state.TabFit, true
		}},
		{"bone under the mouse", func() {
			at := a.firstBead()
			a.view.MouseX, a.view.MouseY = float32(at[0])-15, float32(at[1])
		}},
		{"enveloped", func() {
			m, err := sampledProxies(a.models.File.Model, 4)
			if err != nil {
				panic(err)
			}
			done := fit.Step{Added: 4, EE: 12, Model: of(m)}
			beginFit(a, "enveloping", fitpage.Update{Done: true,
				Progress: fit.Progress{Now: done, History: []fit.Step{{EE: 30, Model: of(m)}, done},
					Marks: []fit.Mark{{Name: "own weights", EE: 40}, {Name: "trained weights", EE: 30}}}})
			a.state.PaintView = state.PaintTurns
		}},
		{"helper bones", func() {
			m, err := sampledHelpers(a.models.File.Model, min(8, len(a.models.File.Model.Skeleton.Joints))) // with a filter
			if err != nil {
				panic(err)
			}
			done := fit.Step{Added: 2, EE: 12, Model: of(m)}
			beginFit(a, "enveloping", fitpage.Update{Done: true, Progress: fit.Progress{Now: done, History: []fit.Step{done}}})
			a.state.Tab = state.TabHelpers
			a.view.MouseX, a.view.MouseY = a.view.Rect.Right()+100, 100 // over a bone, whose tip is shown
			a.ui.MouseMoved(a.view.MouseX, a.view.MouseY)
		}},
		{"body", func() {
			var done fitpage.Update
			fakeBody(a.models.File.Model, func(u fitpage.Update) { done = u })
			beginFit(a, "enveloping", done)
			a.state.SetMethod(state.Fitted)
			a.state.Tab, a.state.Over = state.TabBody, true
		}},
		{"a part of the clip", func() { a.state.SetRange(0.5, 1.5) }},
		{"menu", func() {
			a.prefs.Settings.Recent = []string{"/models/a.glb", "/models/b.glb"}
			a.toggleMenu()
		}},
		{"path field", func() {
			a.menu.Close()
			a.loader.Dialogs.Own.Ask(files.Dialog{Title: "Open", Ends: []string{".glb"}, Propose: "/"}, "", func(string) {})
		}},
		{"loading", func() {
			a.loader.Dialogs.Own.Key(glfw.KeyEscape)
			a.loader.Options.Load = func(ctx context.Context, _, _ string, report func(string, float64)) (*skinning.Model, error) {
				report("Pictures", 0.4)
				<-ctx.Done()
				return nil, ctx.Err()
			}
			a.loader.Load(loader.Request{Path: "/models/a.glb"})
		}},
		{"settings", func() {
			a.loader.ForgetLoad()
			a.prefs.Path = filepath.Join(os.TempDir(), "never written")
			a.prefs.Settings.Choices = a.choices()
		}},
		{"heat", func() { a.prefs.Path, a.state.Heat, a.state.Tab, a.state.Vertex = "", true, state.TabErrors, 7 }},
		{"sweep", func() {
			a.state.Tab, a.state.Vertex, a.state.Joint = "sweep", -1, 0
			a.view.MouseX, a.view.MouseY = 900, 200 // over the curves
		}},
		{"times", func() { a.state.Tab = state.TabTiming }},
		{"measuring all methods", func() { a.times.Measure(time.Now()) }},
		{"crowd", func() {
			a.times.Stop()
			a.crowd.Set(8)
		}},
		{"help", func() {
			a.crowd.Set(1)
			a.state.Help = true
		}},
		{"palette", func() {
			a.state.Help = false
			a.palette.Open(a.paletteEntries())
		}},
		{"question", func() {
			a.palette.Close()
			a.saver.Ask(&saver.File{}, "/models/x.json")
		}},
		{"failure", func() {
			clearCards(a)
			a.notes.Notify("Pose saved", "/models/y.json", time.Hour)
			a.notes.Complain("Could not load x", errors.New("no such file"))
		}},
		{"orbit", func() { a.input.MouseButton(0, true, 0) }},
		{"no panels", func() { a.state.Panels = false }},
		{"minimised", func() { a.win.PixelsX, a.win.PixelsY = 0, 0 }},
		{"restored", func() {
			a.win.PixelsX, a.win.PixelsY = a.win.GetFramebufferSize()
			a.state.Panels = true
		}},
		{"nodes and morph targets", func() {
			m, err := assets.Open("demo:leg")
			if err != nil {
				panic(err)
			}
			if err := a.Show(models.Prepare(m, 0), 0); err != nil {
				panic(err)
			}
			a.state.Tab, a.state.Playing = state.TabModel, true
			a.pose.Edits.HoldMorph(0, 0.5)
		}},
	}
}
