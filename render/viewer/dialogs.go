package viewer

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/ncruces/zenity"
)

// fileDialog asks for a file. Dialogs are the system's own: on Linux those of zenity, qarma or matedialog, in a process
// of their own.
type fileDialog struct {
	title   string
	kind    string   // what the files are: "Models"
	ends    []string // of the files' names: "*.glb"
	propose string   // a name or path to start from; empty for none
	save    bool
	instead string // what a person can do where there are no dialogs
}

// askFile shows a dialog and gives then the path that was chosen. It returns at once: the window lives on meanwhile.
// There is one dialog at a time; a second is not shown.
func (a *app) askFile(d fileDialog, then func(path string)) {
	if a.files.asking {
		return
	}
	a.files.asking = true
	ctx := a.ctx
	go func() {
		path, err := d.show(ctx)
		a.later(func() {
			a.files.asking = false
			switch {
			case errors.Is(err, zenity.ErrCanceled) || ctx.Err() != nil:
			case errors.Is(err, exec.ErrNotFound):
				a.notify("No file dialog", "The programs that show one (zenity, qarma, matedialog) are not installed. "+d.instead,
					adviceTime)
			case err != nil:
				a.complain("The file dialog does not work", fmt.Errorf("%w. %s", err, d.instead))
			case path != "":
				then(path)
			}
		})
	}()
}

func (d *fileDialog) show(ctx context.Context) (string, error) {
	options := []zenity.Option{ // zenity writes into the patterns
		zenity.Context(ctx), zenity.Title(d.title),
		zenity.FileFilters{{Name: d.kind, Patterns: slices.Clone(d.ends), CaseFold: true},
			{Name: "All files", Patterns: []string{"*"}}},
	}
	if d.propose != "" {
		options = append(options, zenity.Filename(d.propose))
	}
	if !d.save {
		return zenity.SelectFile(options...)
	}
	return zenity.SelectFileSave(options...) // whether a file may be replaced the window asks itself
}

// askOpen lets a person choose a model to show.
func (a *app) askOpen() {
	if a.opt.Load == nil {
		a.fail("a file", errNoLoading)
		return
	}
	d := fileDialog{
		title: "Open a model", kind: "glTF models", ends: []string{"*.glb", "*.gltf"},
		instead: "Drop a file on the window instead, or name it on the command line.",
	}
	if a.files.source.path != "" && !a.builtIn(a.files.source.path) {
		d.propose = filepath.Dir(a.files.source.path) + string(filepath.Separator)
	}
	a.askFile(d, func(path string) { a.load(request{path: path}) })
}

// askSavePose lets a person choose where the pose goes that is seen.
func (a *app) askSavePose() {
	a.askFile(fileDialog{
		title: "Save the pose", kind: "Poses", ends: []string{"*.json"}, propose: poseName, save: true,
		instead: "The page Pose saves it in the file that is named there.",
	}, func(path string) {
		a.tools.path.SetText(path)
		a.savePose()
	})
}

// askLoadPose lets a person choose a pose to show.
func (a *app) askLoadPose() {
	a.askFile(fileDialog{
		title: "Load a pose", kind: "Poses", ends: []string{"*.json"},
		instead: "Drop the file on the window instead, or name it on the page Pose.",
	}, func(path string) {
		a.tools.path.SetText(path)
		a.loadPose(path)
	})
}

// askExport lets a person choose where the fitted model goes.
func (a *app) askExport() {
	a.askFile(fileDialog{
		title: "Export as glTF", kind: "glTF models", ends: []string{"*.glb"}, save: true,
		propose: a.besideModel(exportName(a.shown.model.Name, a.fit.suffix())),
		instead: "The page Fit exports into the file that is named there.",
	}, func(path string) {
		a.export.path.SetText(path)
		a.startExport()
	})
}
