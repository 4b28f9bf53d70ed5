package posepage

import (
	"strings"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/saver"
	"skinlab/skinning"
)

const FileName = "pose.json"

// mostWarnings limits the warnings about a pose file in a notice.
const mostWarnings = 3

func (p *Page) fileRows(in *ui.Rect) {
	if p.files.Save == nil && p.files.Load == nil {
		return
	}
	u, px := p.UI, p.UI.Px
	row := in.CutTop(px(numberRow))
	in.CutTop(px(5))
	u.TextField(ItemPath, row, p.path, "The pose file: a name in the folder below, or a whole path.")
	u.Text(in.CutTop(px(whereRow)), ui.Small, ui.ColorDim, ui.Left, p.Saver.Where(p.path.View()))
	buttons := in.CutTop(px(numberRow))
	in.CutTop(px(5))
	w := float32(int((buttons.W - px(5)) / 2))
	for k, b := range [...]struct {
		label, tip string
		there      bool
		run        func(*Page)
	}{
		{"Save pose", "Writes the pose of this moment to the file above.", p.files.Save != nil, (*Page).save},
		{"Load pose", "Shows the pose of the file above.", p.files.Load != nil,
			func(p *Page) { p.LoadFrom(p.Saver.Place(strings.TrimSpace(p.path.Text()))) }},
	} {
		at := buttons.CutLeft(w)
		buttons.CutLeft(px(5))
		if u.Button(ItemButton+ButtonSave+k, at, b.label, ui.PlainIf(b.there), 0, b.tip) {
			b.run(p)
			return
		}
	}
}

func (p *Page) SaveTo(path string) {
	p.path.SetText(path)
	p.save()
}

// save writes the seen pose to the file in the page's field, at once: a pose file is small.
func (p *Page) save() {
	p.UI.StopTyping()
	p.Saver.Save(&saver.File{Path: strings.TrimSpace(p.path.Text()), Ending: ".json",
		Failed: "Could not save the pose",
		Write: func(f *saver.File, path string, _ func() error) { // the path has just been checked
			subject := &p.Models.File.Subject
			if err := p.files.Save(path, subject.Model, subject.Pose); err != nil {
				p.Saver.NotSaved(f, path, err)
				return
			}
			p.Notify("Pose saved", path, desk.FileTime)
		}})
}

// Choose shows the pose in a file and puts the file's name into the page's field.
func (p *Page) Choose(path string) {
	p.path.SetText(path)
	p.LoadFrom(path)
}

func (p *Page) LoadFrom(path string) {
	if p.files.Load == nil || path == "" {
		return
	}
	p.UI.StopTyping()
	m := p.Models.File.Model
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

// Functions of the window's caller write and read poses. The window knows no file format.
type (
	// Save writes a pose of a model to a file.
	Save func(path string, m *skinning.Model, p *skinning.Pose) error
	// Load reads a pose of a model from a file into p, which holds the static pose before. Warnings name the parts of
	// the file that the model lacks.
	Load func(path string, m *skinning.Model, p *skinning.Pose) (warnings []string, err error)
)
