package helperpage

import (
	"context"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/terms"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// SolveLevel makes a fitted model with its first helper bones alone and weights that are solved for these. It returns
// nil where the fit is not known any more, as for a file. It runs on a goroutine of its own.
type SolveLevel func(ctx context.Context, fitted *skinning.Model, bones int) (*skinning.Model, error)

type levels struct {
	solve SolveLevel // nil: none can be solved
	job   desk.Job[*skinning.Model]
	of    *edits // that the level under way is of; nil without one
	bones int    // of that level
}

// solveLevel solves the chosen level of detail, unless that is done, impossible, or another is under way.
func (p *Page) solveLevel() {
	l, e, n := &p.levels, p.edits, p.Moving
	if !p.wantsLevel() || l.of != nil || p.Models.FinishedFit() == nil {
		return
	}
	l.of, l.bones = e, n
	l.job.Start(p.Context, p.WakeLater,
		func(ctx context.Context) (*skinning.Model, error) { return l.solve(ctx, e.model, n) })
}

// wantsLevel reports whether the chosen level of detail is shown without weights of its own, which could be solved.
func (p *Page) wantsLevel() bool {
	e := p.edits
	return p.levels.solve != nil && e != nil && !e.unsolved && p.Moving < len(e.now.Bones) && e.levels[p.Moving] == nil
}

// receiveLevel keeps the weights of a level that has been solved, and shows them where it is still the chosen one.
func (p *Page) receiveLevel() bool {
	l := &p.levels
	m, err, ok := l.job.Take()
	if !ok {
		return false
	}
	e := l.of
	l.of = nil
	switch {
	case err != nil:
		e.unsolved = true
		p.Complain("Could not solve the weights of fewer helper bones", err)
	case m == nil:
		e.unsolved = true
	default:
		if e.levels == nil {
			e.levels = map[int]*skinning.Model{}
		}
		e.levels[l.bones] = m
		if e == p.edits && l.bones == p.Moving {
			p.install()
		}
	}
	return true
}

func (l *levels) forget() {
	l.job.Stop()
	l.of = nil
}

// level returns the shown model at the chosen level of detail, with the rig as it is now. Where the level's weights are
// solved, an export writes its bones alone; where not, it writes all bones.
func (p *Page) level() (*fitted.Model, error) {
	e, f, n := p.edits, p.Models.Fitted(), p.Moving
	written, model := e.now, e.model
	if solved := e.levels[n]; solved != nil && n < len(e.now.Bones) {
		model, written = solved, copyBones(e.now)
		written.Bones = written.Bones[:n]
	}
	if &f.Model.Skin.Bindings[0] != &model.Skin.Bindings[0] { // other weights
		all := *e.model
		all.Skin = model.Skin
		f = fitted.New(&all)
		f.Written = model
		p.list(f)
	}
	out, err := f.WithRig(firstBones(e.now, n), written)
	if err == nil && e.now == e.fitted {
		out.Written = model // as it was fitted
	}
	return out, err
}

// levelSlider draws the slider of the level of detail, and says where the weights of the dropped bones are.
func (p *Page) levelSlider(in *ui.Rect) {
	u, px, n := p.UI, p.UI.Px, len(p.bones)
	in.CutTop(px(4))
	r := in.CutTop(px(lineHeight))
	tip := terms.Level.Tip()
	u.Tip(r, tip)
	u.Text(r.CutLeft(px(labelWidth)), ui.Body, ui.ColorDim, ui.Left, "Bones")
	u.Text(r.CutRight(px(56)), ui.Body, ui.ColorText, ui.Right, p.Line.Start().I(p.Moving).S(" of ").I(n).View())
	r.CutRight(px(8))
	if to := int(u.Slider(ItemMoving, r, float64(p.Moving), ui.Track{Most: float64(n), Step: 1}, tip)); to != p.Moving {
		p.Moving = to
		p.install()
	}
	u.Text(in.CutTop(px(16)), ui.Small, ui.ColorFaint, ui.Left, p.LevelNote())
}

// LevelNote is a sentence on the weights of the chosen level of detail and on the bones that an export of it writes.
func (p *Page) LevelNote() string {
	switch {
	case p.Moving == len(p.bones):
		return "An export has all bones."
	case p.edits.levels[p.Moving] != nil:
		return "Weights solved for these; an export has them alone."
	case p.wantsLevel():
		return "Solving weights for these …"
	}
	return "No examples: parents take over; an export has all."
}

// firstBones returns a rig whose first n bones alone have a motion. The others move exactly as their parents.
func firstBones(r *rig.HelperBones, n int) *rig.HelperBones {
	if n >= len(r.Bones) {
		return r
	}
	out := copyBones(r)
	for k := n; k < len(out.Bones); k++ {
		out.Bones[k].Constant, out.Bones[k].Terms = rig.HelperMotion{}, nil
	}
	return out
}
