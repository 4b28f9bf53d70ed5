package fitpage

import (
	"context"
	"errors"
	"strings"

	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/saver"
	"skinlab/skinning"
)

// Export writes a fitted model to a file, for a model that was shown; note says what there is to say about it. It runs
// on a goroutine of its own. Right before it writes, it asks ready, whose error keeps it from that.
type Export func(path string, master, fitted *skinning.Model, ready func() error) (note string, err error)

// suffix is that of the proposed name of an exported file.
func (p *Page) suffix() string {
	if f := p.form(); f != nil {
		return f.row.Suffix
	}
	return ""
}

// ProposedName is what an exported file would be called.
func (p *Page) ProposedName() string { return p.host.ProposeName(p.suffix()) }

// propose proposes a file for what the page asks for.
func (p *Page) propose() { p.path.SetText(p.ProposedName()) }

// ExportTo writes the shown fit to a path.
func (p *Page) ExportTo(path string) {
	p.path.SetText(path)
	p.startExport()
}

// Exporting reports whether a fit is being written.
func (p *Page) Exporting() bool { return p.writing.Running() }

// startExport writes the shown fit to the path on the page.
func (p *Page) startExport() {
	if p.export == nil {
		return
	}
	p.UI.StopTyping()
	path := p.host.InFolder(strings.TrimSpace(p.path.Text()))
	p.saver.Save(&saver.File{Path: path, Ending: ".glb", Failed: "Could not export", Write: p.write})
}

// write writes the shown fit beside the loop: clips are baked first, which may take a while.
func (p *Page) write(f *saver.File, path string, ready func() error) {
	switch {
	case p.Exporting():
		p.saver.NotSaved(f, path, errors.New("another export is being written"))
		return
	case p.host.Fitted() == nil:
		p.saver.NotSaved(f, path, errors.New("nothing is fitted any more"))
		return
	}
	export, master, fit := p.export, p.host.Source(), p.host.Fitted().Model
	p.written, p.at = f, path
	p.writing.Start(p.Context, p.WakeLater,
		func(context.Context) (string, error) { return export(path, master, fit, ready) })
	p.Wake()
}

// receiveExport says what became of an export.
func (p *Page) receiveExport() {
	note, err, ok := p.writing.Take()
	switch {
	case !ok:
	case err != nil:
		p.saver.NotSaved(p.written, p.at, err)
	case note != "":
		p.Notify("Exported", p.at+": "+note, desk.FileTime)
	default:
		p.Notify("Exported", p.at, desk.FileTime)
	}
}
