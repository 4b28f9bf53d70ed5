package viewer

import (
	"path/filepath"
	"slices"

	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/files"
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
		{"Open…", "Opens a model in place of this one.\tCtrl O", nil, (*app).askOpen},
		{"Open beside…", "Opens a model in the next picture, with the same motion.", nil, (*app).askOpenBeside},
		{"Reload", "Reads the files anew and keeps camera, clip and pose.\tF5", nil, (*app).reload},
		{"Close second file", "Closes the file that stands beside the first.",
			func(a *app) bool { return a.beside != nil }, (*app).dropBeside},
		{"Save picture as…", "Writes a PNG picture of the window to a file of your choice.", nil, (*app).askShot},
		{"Save pose as…", "Writes the pose of this moment to a JSON file.",
			func(a *app) bool { return a.opt.SavePose != nil }, (*app).askSavePose},
		{"Load pose…", "Shows the pose of a JSON file.",
			func(a *app) bool { return a.opt.LoadPose != nil }, (*app).askLoadPose},
		{"Export glTF as…", "Writes the fitted model to a file that any engine plays.",
			func(a *app) bool { return a.opt.Export != nil && a.fitted != nil }, (*app).askExport},
	}
}

// newMenu makes the menu under the model's name.
func (a *app) newMenu() menu.Menu {
	m := menu.Menu{Desk: &a.desk, BuiltIn: a.opt.BuiltIn, Reset: a.resetSettings, Missing: a.dropRecent,
		Open: func(path string) { a.load(request{path: path}) }}
	for _, l := range menuLines() {
		line := menu.Line{Label: l.label, Tip: l.tip, Run: func() { l.run(a) }}
		if l.there != nil {
			line.There = func() bool { return l.there(a) }
		}
		m.Lines = append(m.Lines, line)
	}
	return m
}

// toggleMenu opens or closes the menu.
func (a *app) toggleMenu() { a.menu.Toggle(a.prefs.Settings.Recent) }

// dropRecent takes a file that does not exist any more from the recent files.
func (a *app) dropRecent(path string) {
	a.notes.Notify("Recent files", path+" is not there any more", desk.NoticeTime)
	a.prefs.DropRecent(path)
}

// builtIn reports whether a name names a built-in model.
func (a *app) builtIn(name string) bool { return slices.Contains(a.opt.BuiltIn, name) }

// askOpen asks the user for a model to show.
func (a *app) askOpen() {
	a.askModel("Open a model", func(path string) request { return request{path: path} })
}

// askOpenBeside asks the user for a model to show beside the first one.
func (a *app) askOpenBeside() {
	a.askModel("Open a model beside this one",
		func(path string) request { return request{path: path, pane: a.besidePane()} })
}

// askModel asks the user for a model and loads it.
func (a *app) askModel(title string, how func(path string) request) {
	if a.opt.Load == nil {
		a.NotLoaded("a file", errNoLoading)
		return
	}
	d := files.Dialog{Title: title, Kind: "Models", Ends: a.opt.Endings}
	if path := a.files.source.Path; path != "" && !a.builtIn(path) {
		d.Propose = filepath.Dir(path) + string(filepath.Separator)
	}
	a.files.dialogs.Ask(d, func(path string) { a.load(how(path)) })
}

// AskShapes asks the user for a folder of shapes.
func (a *app) AskShapes(endings []string, read func(folder string)) {
	d := files.Dialog{Title: "Choose a folder of shapes", Kind: "Shapes", Ends: endings, Folder: true}
	if path := a.files.source.Path; path != "" && !a.builtIn(path) {
		d.Propose = filepath.Dir(path) + string(filepath.Separator)
	}
	a.files.dialogs.Ask(d, read)
}

// askSavePose asks the user for the file in which to save the seen pose.
func (a *app) askSavePose() {
	a.files.dialogs.Ask(files.Dialog{Title: "Save the pose", Kind: "Poses", Ends: []string{".json"},
		Propose: posepage.FileName, Save: true}, a.pose.SaveTo)
}

// askLoadPose asks the user for a pose to show.
func (a *app) askLoadPose() {
	a.files.dialogs.Ask(files.Dialog{Title: "Load a pose", Kind: "Poses", Ends: []string{".json"}}, a.pose.Choose)
}

// askExport asks the user for the file of the fitted model.
func (a *app) askExport() {
	a.files.dialogs.Ask(files.Dialog{Title: "Export as glTF", Kind: "glTF models", Ends: []string{".glb"}, Save: true,
		Propose: a.InFolder(a.fit.ProposedName())}, a.fit.ExportTo)
}
