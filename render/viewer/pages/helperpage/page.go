// Package helperpage is the page on which the user reads and changes the controllers of helper bones: a list of the
// bones, a table of the chosen one's coefficients, a plot of one of its variables over a joint angle, the level of
// detail, and the poses that a fit suggests to sculpt next.
package helperpage

import (
	"maps"
	"math"
	"slices"
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

type Host interface {
	Undo(back bool)               // undoes a step, or does it again
	UndoSteps() (back, forth int) // numbers of steps that can be undone and redone
}

type Page struct {
	pages.Room
	pages.Still
	host  Host
	fits  *fitpage.Page
	edits *edits                      // of the shown rig; nil without helper bones
	shown *fitted.Model               // that the edits are of
	kept  map[*rig.HelperBones]*edits // of rigs that were shown, by the fitted rig

	Chosen int                // bone in the table
	Moving int                // the number of first bones that have a motion of their own: the level of detail
	group  int                // of the columns in the table
	units  [len(groups)]group // as they are shown
	picked coefficient        // that was touched last

	bones     []boneRow
	filter    *ui.Filter   // of bones
	lines     []line       // of the table
	variables [][3]float64 // of the inputs in the shown pose
	plot      plot
	levels    levels

	times   []float64 // of the keys of a clip of suggested poses
	timesOf *skinning.Clip
}

type boneRow struct {
	name, parent      string
	nonZero, vertices int
}

// New makes the page. A nil find shows no examples; a nil solve solves no weights for fewer bones.
func New(room pages.Room, host Host, fits *fitpage.Page, find FindExamples, solve SolveLevel) *Page {
	p := &Page{Room: room, host: host, fits: fits, filter: ui.NewFilter(), levels: levels{solve: solve}}
	p.plot.init(find)
	fits.WhenFreed(p.keep)
	fits.WithEdits(p.Edited)
	return p
}

// Forget lets the shown rig go. Edits of the rigs of fits that can be brought back stay.
func (p *Page) Forget() {
	p.plot.forget()
	p.levels.forget()
	p.edits, p.shown, p.Chosen = nil, nil, 0
}

func (p *Page) Receive() {
	if found, solved := p.plot.receive(), p.receiveLevel(); found || solved {
		p.Wake()
	}
}

func (p *Page) Busy() bool { return p.plot.job.Running() || p.levels.job.Running() }

func (p *Page) Close() {
	p.plot.job.Stop()
	p.levels.job.Stop()
	p.filter.Delete()
}

func (p *Page) Offered() bool {
	f := p.Models.Fitted()
	return f != nil && skinning.RigOf[*rig.HelperBones](f.Model) != nil
}

// Update follows the shown model, and paints the chosen bone's weights on the skin while the page is seen.
func (p *Page) Update(_ time.Time, seen bool) {
	p.follow()
	f, chosen := p.Models.Fitted(), -1
	if f == nil {
		return
	}
	if seen && p.edits != nil {
		p.findExamples()
		p.solveLevel()
		chosen = f.BoneOf(p.edits.now.Bones[p.Chosen].Joint)
	}
	if f.Chosen != chosen {
		f.Chosen = chosen
		p.Wake()
	}
}

// follow takes the rig of the shown fit or step, where it has changed, with the edits that were made of it.
func (p *Page) follow() {
	f := p.Models.Fitted()
	if f == nil {
		p.edits, p.shown = nil, nil
		return
	}
	if p.edits != nil && p.shown == f {
		return
	}
	r := skinning.RigOf[*rig.HelperBones](f.Written)
	p.shown = f
	if r == nil {
		p.edits = nil
		return
	}
	p.edits = p.kept[r]
	if p.edits == nil {
		p.edits = newEdits(f.Written, r)
	} else if p.edits.model != f.Written { // of another version of the file
		p.edits.model, p.edits.levels = f.Written, nil
	}
	p.Moving = len(r.Bones)
	p.Chosen = min(p.Chosen, len(r.Bones)-1)
	p.list(f)
	p.filter.SetNames(len(p.bones), func(i int) string { return p.bones[i].name + " " + p.bones[i].parent })
	p.choose(p.Chosen)
	if p.edits.now != r {
		p.install()
	}
}

// keep drops the edits of the rigs of all models but these.
func (p *Page) keep(models []*skinning.Model) {
	maps.DeleteFunc(p.kept, func(r *rig.HelperBones, _ *edits) bool {
		return !slices.ContainsFunc(models, func(m *skinning.Model) bool { return skinning.RigOf[*rig.HelperBones](m) == r })
	})
}

func (p *Page) list(f *fitted.Model) {
	r, m := p.edits.now, f.Model
	p.bones = make([]boneRow, len(r.Bones))
	p.variables = make([][3]float64, len(r.Inputs))
	bone := map[uint16]int{}
	for k := range r.Bones {
		bone[uint16(r.Bones[k].Joint)] = k
		p.bones[k] = boneRow{name: m.Skeleton.Joints[r.Bones[k].Joint].Name, parent: p.Models.JointName(r.Bones[k].Parent)}
	}
	var buf []skinning.Influence
	for v := range m.Skin.Bindings {
		buf = m.Skin.Of(buf[:0], v)
		for _, i := range buf {
			if k, ok := bone[i.Joint]; ok && i.Weight > 0 {
				p.bones[k].vertices++
			}
		}
	}
	p.count()
}

// count counts the coefficients of each bone that are not 0, those of the constants too.
func (p *Page) count() {
	for k := range p.bones {
		p.bones[k].nonZero = p.edits.now.Bones[k].NonZeros()
	}
}

// install shows the model with the rig as it is now, and with the chosen level of detail.
func (p *Page) install() {
	e := p.edits
	f, err := p.level()
	if err != nil { // a number that is too large
		p.Complain("Could not change the helper bones", err)
		e.now = e.before
		return
	}
	e.before = e.now
	f.Drawn = f.BoneOf(e.now.Bones[0].Joint) + p.Moving
	if p.kept == nil {
		p.kept = map[*rig.HelperBones]*edits{}
	}
	p.kept[e.fitted] = e
	p.Models.PutFitted(f)
	p.shown = p.Models.Fitted()
	p.count()
	p.Wake()
}

// Edited returns the shown rig as the user has changed it, nil if it is as it was fitted.
func (p *Page) Edited() *rig.HelperBones {
	if p.edits == nil || p.edits.now == p.edits.fitted {
		return nil
	}
	return p.edits.now
}

// Undo is the page's row of what the user can undo to: a rig as it was edited.
func (p *Page) Undo() pages.Undo {
	return pages.Undo{Restore: p.restore, Reopens: true, Renews: true, Moment: func() any {
		if r := p.Edited(); r != nil {
			return r
		}
		return nil
	}}
}

// restore shows a rig that Edited has returned.
func (p *Page) restore(moment any) {
	r, _ := moment.(*rig.HelperBones)
	p.follow()
	if p.edits == nil || r == p.Edited() || r != nil && !slices.Equal(r.Joints(), p.edits.fitted.Joints()) {
		return
	}
	p.edits.now = r
	if r == nil {
		p.edits.now = p.edits.fitted
	}
	p.install()
}

// Choose shows a bone in the table and its weights on the skin.
func (p *Page) Choose(bone int) {
	if p.edits == nil || bone < 0 || bone >= len(p.edits.now.Bones) {
		return
	}
	if !p.State.Shows(state.Fitted) {
		p.State.SetMethod(state.Fitted)
	}
	p.choose(bone)
}

// ChooseJoint chooses the bone of a joint of the fitted model, where it is a helper bone.
func (p *Page) ChooseJoint(joint int) {
	if p.edits != nil {
		p.Choose(slices.Index(p.edits.now.Joints(), joint))
	}
}

func (p *Page) choose(bone int) {
	p.Chosen = bone
	p.picked = coefficient{bone: bone, term: -1, column: groups[p.group].first}
	p.tabulate()
	most := 0.0
	g := &groups[p.group]
	for _, l := range p.lines { // the largest coefficient is plotted
		for column := g.first; l.term >= 0 && column < g.first+g.n; column++ {
			c := coefficient{bone, l.term, column}
			if x := math.Abs(*c.of(p.edits.now)); x > most {
				p.picked, most = c, x
			}
		}
	}
	p.Wake()
}
