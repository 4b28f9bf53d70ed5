package fitpage

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/saver"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// Export writes a fitted model to a file. master is the model that was fitted. note is a sentence about the file for
// the user. Export runs on its own goroutine. Right before it writes it calls ready, and writes nothing if ready
// returns an error.
type Export func(path string, master, fitted *skinning.Model, ready func() error) (note string, err error)

func (p *Page) suffix() string {
	if p.Models.File.Fitted != nil { // its rig has been edited
		return "-edited"
	}
	if p.list != nil {
		return p.suffixOf()
	}
	if f := p.form(); f != nil {
		return f.row.Suffix
	}
	return ""
}

func (p *Page) ProposedName() string { return exportName(p.Models.File.Model.Name, p.suffix()) }

func (p *Page) propose() { p.path.SetText(p.ProposedName()) }

func (p *Page) ExportTo(path string) {
	p.path.SetText(path)
	p.startExport()
}

func (p *Page) Exporting() bool { return p.writing.Running() }

func (p *Page) startExport() {
	if p.export == nil {
		return
	}
	p.UI.StopTyping()
	p.Saver.Save(p.exported(strings.TrimSpace(p.path.Text())))
}

func (p *Page) exported(path string) *saver.File {
	return &saver.File{Path: path, Ending: ".glb", Failed: "Could not export", Write: p.write}
}

// write bakes the clips and writes the shown fit on a goroutine, because baking may take a while.
func (p *Page) write(f *saver.File, path string, ready func() error) {
	switch {
	case p.Exporting():
		p.Saver.NotSaved(f, path, errors.New("another export is being written"))
		return
	case p.Models.Fitted() == nil:
		p.Saver.NotSaved(f, path, errors.New("nothing is fitted any more"))
		return
	}
	export, master, fit := p.export, p.Models.File.Original, p.Models.Fitted().Written
	p.written, p.at, p.source, p.editsWriting = f, path, p.Fit, p.edited()
	p.writing.Start(p.Context, p.WakeLater,
		func(context.Context) (string, error) { return export(path, master, fit, ready) })
	p.Wake()
}

func (p *Page) receiveExport() {
	note, err, ok := p.writing.Take()
	if ok && err == nil {
		p.source.saved, p.editsSaved = true, p.editsWriting
		defer p.saveNext()
	}
	switch {
	case !ok:
	case err != nil:
		p.Saver.NotSaved(p.written, p.at, err)
	case note != "":
		p.Notify("Exported", p.at+": "+note, desk.FileTime)
	default:
		p.Notify("Exported", p.at, desk.FileTime)
	}
}

type saving struct {
	file *saver.File // that is being written; nil for none
	done func()      // is called when all fits have been written; nil without a series
}

// WithEdits takes what returns the shown rig as a person has changed it, nil if it is as the fit or the file has it.
func (p *Page) WithEdits(edited func() *rig.HelperBones) { p.edited = edited }

// editsUnsaved reports whether no file holds the edits of the shown rig.
func (p *Page) editsUnsaved() bool { return p.edited() != nil && p.edited() != p.editsSaved }

// Unsaved returns the fits that no file holds, the one under way too, and the edits of the shown rig.
func (p *Page) Unsaved() (names []string) {
	edited := p.editsUnsaved()
	if p.list == nil && edited {
		return []string{"with edited coefficients"} // of the file
	}
	for k, f := range p.list.named() {
		edits := edited && k == p.list.shown
		if !f.saved && (f.model != nil || f.Fit == p.Fit && p.job != nil) || edits {
			name := f.name
			if edits {
				name += " with edits"
			}
			names = append(names, name)
		}
	}
	return append(names, p.Waiting()...)
}

// Waiting names the fits of an older version of the file that no file holds. They come back with a version that has the
// older one's vertices and joints, unless the file has been fitted again.
func (p *Page) Waiting() (names []string) {
	if p.list != nil {
		return nil
	}
	for _, f := range p.waiting.named() {
		if !f.saved && f.model != nil {
			names = append(names, f.name)
		}
	}
	return names
}

// SaveAll writes the fits that no file holds under their proposed names, and calls done when all have been written. A
// fit under way ends first. A file that cannot be written, or may not be replaced, ends the series.
func (p *Page) SaveAll(done func()) {
	p.saving = saving{done: done}
	p.again = nil
	p.stop()
	p.saveNext()
}

func (p *Page) saveNext() {
	s := &p.saving
	if s.done == nil || p.job != nil || s.file != nil && (p.written != s.file || !p.source.saved) {
		return
	}
	k := -1
	if p.list != nil {
		k = slices.IndexFunc(p.list.fits, func(f namedFit) bool { return !f.saved && f.model != nil })
	}
	if k < 0 && !p.editsUnsaved() {
		done := s.done
		*s = saving{}
		done()
		return
	}
	if k >= 0 && k != p.list.shown {
		p.choose(k)
	}
	s.file = p.exported(p.ProposedName())
	p.Saver.Save(s.file)
}

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
