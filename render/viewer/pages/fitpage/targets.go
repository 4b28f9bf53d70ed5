package fitpage

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/skinning"
)

// Targets are example shapes from the files of a folder: of each a position per vertex of the model, metres.
type Targets struct {
	Folder string
	Files  []string
	Shapes [][]mgl64.Vec3
}

type TargetReader struct {
	Endings []string // of the files: ".obj"
	// Posed says that the shapes belong to poses of a clip. Else the fit finds the poses.
	Posed bool
	// Read reads a folder on a goroutine of its own. Its errors name the file and the fault. It reports the number of
	// files that are read.
	Read func(ctx context.Context, m *skinning.Model, folder string, report func(read, of int)) (*Targets, error)
}

// targetChoice is the user's choice of targets. All fits of a model share it, so that they can be compared.
type targetChoice struct {
	of       *Targets // nil before a folder is read
	clip     int      // of their poses
	times    *ui.TextField
	reading  desk.Job[*Targets]
	progress *desk.Progress // of reading
}

// forget drops the targets: they are those of another model.
func (t *targetChoice) forget() {
	t.reading.Stop()
	t.of, t.clip = nil, 0
	t.times.SetText("")
}

// ask makes the targets part of a request.
func (t *targetChoice) ask(q *Request, posed bool) {
	q.Targets = t.of
	if posed {
		q.Clip, q.Times = t.clip, t.times.Text()
	}
}

func (p *Page) readTargets(folder string) {
	form := p.form()
	if form == nil || form.row.Targets == nil || p.job != nil {
		return
	}
	t, read, m := &p.targets, form.row.Targets.Read, p.Models.File.Model
	progress := &desk.Progress{}
	t.progress = progress
	t.reading.Start(p.Context, p.WakeLater, func(ctx context.Context) (*Targets, error) {
		return read(ctx, m, folder, func(read, of int) {
			progress.Report("", float64(read)/float64(of))
			p.WakeLater()
		})
	})
	p.Wake()
}

// Targets returns the targets that the next fit from files learns, nil for none.
func (p *Page) Targets() *Targets { return p.targets.of }

// receiveTargets takes targets that have been read, with a clip that has a key for each, else the shown one.
func (p *Page) receiveTargets() {
	t := &p.targets
	got, err, ok := t.reading.Take()
	switch {
	case !ok:
	case err != nil:
		p.Complain("Could not read the shapes", err)
	default:
		t.of = got
		clips := p.Models.File.Model.Clips[:p.Models.File.Own]
		keyed := func(c skinning.Clip) bool { return len(c.KeyTimes()) == len(got.Shapes) }
		if t.clip >= len(clips) || !keyed(clips[t.clip]) {
			t.clip = slices.IndexFunc(clips, keyed)
			if t.clip < 0 {
				t.clip = max(p.State.Clip, 0)
			}
		}
	}
}

// askTargets draws the rows of targets: the folder, and for shapes that belong to poses their clip and times.
func (p *Page) askTargets(k *form, in *ui.Rect) {
	u, t, reader, share := p.UI, &p.targets, k.row.Targets, 0.0
	label, tip := "Choose a folder…", "A folder of OBJ or PLY files, the shapes by name, numbers by value."
	switch {
	case t.reading.Running():
		_, share = t.progress.Get()
		label, share = "Reading", max(share, 0.01)
	case t.of != nil:
		label = p.Line.Start().I(len(t.of.Shapes)).S(" in ").S(filepath.Base(t.of.Folder)).View()
		tip = "A click chooses another folder."
	}
	row := p.row(in, "Shapes")
	if u.Button(ItemTargets, row.Inset(0, u.Px(1)), label, ui.PlainIf(p.job == nil), share, tip) {
		p.host.AskShapes(reader.Endings, p.readTargets)
	}
	if !reader.Posed {
		return
	}
	clips := p.Models.File.Model.Clips
	name := "–"
	if t.clip < len(clips) {
		name = p.Models.File.ClipNames[t.clip]
	}
	by, open := u.Picker(ItemTargets+1, p.row(in, "Clip"), name, "The clip whose poses the shapes show. A click lists all.")
	if n := len(clips); by != 0 && n > 0 && p.job == nil {
		t.clip = (t.clip + by + n) % n
	}
	if open && p.job == nil {
		p.host.ChooseClip(nil, func(i int) { t.clip = i })
	}
	u.SearchField(ItemTargets+4, p.row(in, "Times"), t.times, "one shape for each key",
		"Where in the clip the shapes belong: seconds, comma-separated, or even, spread evenly over its keys. "+
			"Empty: one shape for each key.")
}
