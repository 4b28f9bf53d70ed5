package viewer

import (
	"errors"
	"path/filepath"
	"strings"
)

// exported is what an exporting goroutine hands over.
type exported struct {
	saving     *saving
	path, note string
	err        error
}

// startExport writes the shown fit to the path in the panel.
func (a *app) startExport() {
	if a.opt.Export == nil {
		return
	}
	a.ui.StopTyping()
	path := a.besideModel(strings.TrimSpace(a.export.path.Text()))
	a.save(&saving{path: path, ending: ".glb", failed: "Could not export", write: a.exportTo}, false)
}

// exportTo writes the shown fit beside the loop: clips are baked first, which may take a while.
func (a *app) exportTo(s *saving, path string, ready func() error) {
	switch {
	case a.export.running:
		a.notSaved(s, path, errors.New("another export is being written"))
		return
	case a.fitted == nil:
		a.notSaved(s, path, errors.New("nothing is fitted any more"))
		return
	}
	a.export.running = true
	export, master, fit, exports, wake := a.opt.Export, a.shown.source, a.fitted.model, a.export.done, a.waker.wake
	go func() {
		note, err := export(path, master, fit, ready)
		exports <- exported{s, path, note, err} // there is room: one export at a time
		wake()
	}()
	a.wake()
}

// receiveExport says what became of the export.
func (a *app) receiveExport() {
	select {
	case e := <-a.export.done:
		a.export.running = false
		if e.err != nil {
			a.notSaved(e.saving, e.path, e.err)
			return
		}
		note := e.path
		if e.note != "" {
			note += ": " + e.note
		}
		a.notify("Exported", note, exportTime)
	default:
	}
}

// besideModel returns a bare file name as one in the folder of the shown model's file, and any other path as it is: of
// a window that was opened from a desktop nobody knows the working directory.
func (a *app) besideModel(path string) string {
	if model := a.files.source.path; model != "" && !a.builtIn(model) && filepath.Base(path) == path {
		return filepath.Join(filepath.Dir(model), path)
	}
	return path
}

// proposeExport proposes a file for what the panel asks for.
func (a *app) proposeExport() {
	a.export.path.SetText(exportName(a.shown.model.Name, a.fit.suffix()))
}

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
