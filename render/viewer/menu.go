package viewer

import (
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/files"
	"skinlab/render/viewer/loader"
	"skinlab/render/viewer/menu"
	"skinlab/render/viewer/pages/posepage"
)

// menuLine is a line of the menu that does not depend on recent files.
type menuLine struct {
	label, tip string            // the tip ends with the key
	there      func(a *app) bool // whether the line is there; nil: always
	run        func(a *app)
}

func menuLines() []menuLine {
	return []menuLine{
		{"Open…", "Opens a model in place of this one.\tCtrl O", nil, func(a *app) { a.loader.AskOpen() }},
		{"Open beside…", "Opens a model in the next picture, with the same motion.", nil,
			func(a *app) { a.loader.AskOpenBeside() }},
		{"Play motion of…", "Plays the clips of another file on this character: glTF, VRM animation, BVH.",
			func(a *app) bool { return a.loader.PlaysMotions() }, func(a *app) { a.loader.AskMotion() }},
		{"Reload", "Reads the files anew and keeps camera, clip and pose.\tF5", nil,
			func(a *app) { a.loader.Reload() }},
		{"Next scene", "Shows the next scene of the file.",
			func(a *app) bool { return len(a.models.File.Model.Scenes) > 1 }, func(a *app) {
				m := a.models.File.Model
				a.loader.LoadScene((m.Scene + 1) % len(m.Scenes))
			}},
		{"Close second file", "Closes the file that stands beside the first.",
			func(a *app) bool { return a.models.Second != nil }, func(a *app) { a.models.DropSecond() }},
		{"Save to folder…", "Chooses the folder of exports, poses and pictures. Without one they go beside the model's file.",
			nil, func(a *app) { a.loader.AskFolder(a.saver.Choose) }},
		{"Save picture as…", "Writes a PNG picture of the window to a file of your choice.", nil, (*app).askShot},
		{"Light or dark theme", "Changes the colours of panels and words. Z changes the background of pictures.\tShift Z", nil,
			func(a *app) { a.state.Light = !a.state.Light }},
		{"Next light of materials", "Lights the file's materials by a studio, evenly, by one lamp, or by the picture of --environment.",
			func(a *app) bool { return !a.models.Bare() }, (*app).nextEnvironment},
		{"Save pose as…", "Writes the pose of this moment to a JSON file.",
			func(a *app) bool { return a.opt.SavePose != nil }, func(a *app) {
				a.loader.Dialogs.Ask(files.Dialog{Title: "Save the pose", Kind: "Poses", Ends: []string{".json"},
					Propose: a.saver.Place(posepage.FileName), Save: true}, a.pose.SaveTo)
			}},
		{"Load pose…", "Shows the pose of a JSON file.",
			func(a *app) bool { return a.opt.LoadPose != nil }, func(a *app) {
				a.loader.Dialogs.Ask(files.Dialog{Title: "Load a pose", Kind: "Poses", Ends: []string{".json"}}, a.pose.Choose)
			}},
		{"Export glTF as…", "Writes the fitted model to a file that any engine plays.",
			func(a *app) bool { return a.opt.Export != nil && a.models.Fitted() != nil }, func(a *app) {
				a.loader.Dialogs.Ask(files.Dialog{Title: "Export as glTF", Kind: "glTF models", Ends: []string{".glb"}, Save: true,
					Propose: a.saver.Place(a.fit.ProposedName())}, a.fit.ExportTo)
			}},
	}
}

func (a *app) newMenu() menu.Menu {
	m := menu.Menu{Desk: &a.desk, BuiltIn: a.opt.BuiltIn, Reset: a.resetSettings, Missing: a.dropRecent,
		Open: func(path string) { a.loader.Load(loader.Request{Path: path}) }}
	for _, l := range menuLines() {
		line := menu.Line{Label: l.label, Tip: l.tip, Run: func() { l.run(a) }}
		if l.there != nil {
			line.There = func() bool { return l.there(a) }
		}
		m.Lines = append(m.Lines, line)
	}
	return m
}

func (a *app) toggleMenu() { a.menu.Toggle(a.prefs.Settings.Recent) }

// dropRecent takes a file that does not exist any more from the recent files.
func (a *app) dropRecent(path string) {
	a.notes.Notify("Recent files", path+" is not there any more", desk.NoticeTime)
	a.prefs.DropRecent(path)
}
