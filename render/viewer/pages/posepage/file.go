package posepage

import (
	"strings"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/saver"
	"skinlab/skinning"
)

// FileName is the file that a pose is proposed to be kept in, in the working directory.
const FileName = "pose.json"

// mostWarnings bounds what a notice says about a pose file.
const mostWarnings = 3

// fileRows draws the file of the pose and the buttons that write and read it.
func (p *Page) fileRows(in *ui.Rect) {
	if p.files.Save == nil && p.files.Load == nil {
		return
	}
	u, px := p.UI, p.UI.Px
	row := in.CutTop(px(numberRow))
	in.CutTop(px(5))
	u.TextField(ItemPath, row, p.path)
	buttons := in.CutTop(px(numberRow))
	in.CutTop(px(5))
	w := float32(int((buttons.W - px(5)) / 2))
	for k, b := range [...]struct {
		label string
		there bool
		run   func(*Page)
	}{
		{"Save pose", p.files.Save != nil, (*Page).save},
		{"Load pose", p.files.Load != nil, func(p *Page) { p.LoadFrom(strings.TrimSpace(p.path.Text())) }},
	} {
		at := buttons.CutLeft(w)
		buttons.CutLeft(px(5))
		look := ui.Plain
		if !b.there {
			look = ui.Off
		}
		if u.Button(ItemButton+ButtonSave+k, at, b.label, look, 0) {
			b.run(p)
			return
		}
	}
}

// SaveTo writes the pose that is seen to a file.
func (p *Page) SaveTo(path string) {
	p.path.SetText(path)
	p.save()
}

// save writes the pose that is seen to the file that the page names. A pose is a small file, so it is written
// at once.
func (p *Page) save() {
	p.UI.StopTyping()
	p.files.Saver.Save(&saver.File{Path: strings.TrimSpace(p.path.Text()), Ending: ".json",
		Failed: "Could not save the pose",
		Write: func(f *saver.File, path string, _ func() error) { // it has been checked this instant
			subject := p.host.First()
			if err := p.files.Save(path, subject.Model, subject.Pose); err != nil {
				p.files.Saver.NotSaved(f, path, err)
				return
			}
			p.Notify("Pose saved", path, desk.FileTime)
		}})
}

// Choose shows the pose of a file, which the page names from then on.
func (p *Page) Choose(path string) {
	p.path.SetText(path)
	p.LoadFrom(path)
}

// LoadFrom shows the pose of a file.
func (p *Page) LoadFrom(path string) {
	if p.files.Load == nil || path == "" {
		return
	}
	p.UI.StopTyping()
	m := p.host.First().Model
	m.ResetPose(p.after)
	warnings, err := p.files.Load(path, m, p.after)
	if err != nil {
		p.host.NotLoaded(path, err)
		return
	}
	p.Show(p.after)
	note := path
	if len(warnings) > 0 {
		note = strings.Join(warnings[:min(len(warnings), mostWarnings)], "\n")
		if len(warnings) > mostWarnings {
			note += "\n…"
		}
	}
	p.Notify("Pose loaded", note, desk.FileTime)
}

// Poses are written and read by functions that the window's caller gives: the window knows no file format.
type (
	// Save writes a pose of a model to a file.
	Save func(path string, m *skinning.Model, p *skinning.Pose) error
	// Load reads a pose of a model from a file into p, which is in the static pose. Warnings say what of the file the
	// model lacks.
	Load func(path string, m *skinning.Model, p *skinning.Pose) (warnings []string, err error)
)
