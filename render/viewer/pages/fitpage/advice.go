package fitpage

import (
	"context"

	"skinlab/fit/advise"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

type Question struct {
	Model     *skinning.Model    // with the stress clips
	File      *skinning.Model    // as in the file
	Reference skinning.Reference // what ways are measured against; nil for the model's own examples
}

type advice struct {
	job            desk.Job[*advise.Advice]
	doing          desk.Progress
	*advise.Advice                    // nil before there is one
	learns         skinning.Reference // what the fits learnt; nil for the model's examples
	texts          []string           // the recommendation with its reasons
	names, tips    []string           // of each way
	lives          bool               // a way drives added joints
	passed         bool               // a fit has been started since: it stands above the answer
}

// Advice returns the answer, nil while there is none, and what is done for it.
func (p *Page) Advice() (a *advise.Advice, doing string) {
	if p.advice.job.Running() {
		doing, _ = p.advice.doing.Get()
	}
	return p.advice.Advice, doing
}

// seekAdvice tries all ways against the user's reference, else the model's own examples or reference.
func (p *Page) seekAdvice() {
	a, wake := &p.advice, p.WakeLater
	q := Question{Model: p.Models.File.Model, File: p.Models.File.Original, Reference: p.Models.File.Reference}
	switch {
	case p.State.ReferenceChosen && p.State.Reference != state.Examples:
		q.Reference = p.Models.Reference()
	case p.exampleCount > 0:
		q.Reference = nil
	}
	a.Advice, a.passed, a.learns = nil, false, q.Reference
	a.doing.Report("starting", 0)
	a.job.Start(p.Context, wake, func(ctx context.Context) (*advise.Advice, error) {
		return p.fits.Advise(ctx, q, func(what string) {
			a.doing.Report(what, 0)
			wake()
		})
	})
}

func (p *Page) receiveAdvice() {
	found, err, ok := p.advice.job.Take()
	if !ok {
		return
	}
	p.Wake()
	if err != nil {
		p.Complain("Could not compare the ways", err)
		return
	}
	a := &p.advice
	a.Advice, a.lives = found, false
	a.texts = append([]string{"Recommended: " + found.Chosen().Title + "."}, found.Reasons...)
	a.names, a.tips = nil, nil
	for i := range found.Ways {
		name := found.Ways[i].Name
		if m, err := skinning.ParseMethod(name); err == nil {
			name = m.Short()
		}
		a.names = append(a.names, name)
		a.lives = a.lives || found.Ways[i].Live
		a.tips = append(a.tips, found.Ways[i].Title+". Shows this method, or chooses this fit.")
	}
	a.texts = append(a.texts, found.Notes...)
	a.texts = append(a.texts, "The command skinlab advise tries the baselines of the papers too.")
	if a.lives {
		a.texts = append(a.texts, "* In clips nothing; poses that are in no clip need a runtime that drives the added joints.")
	}
}

func (p *Page) forgetAdvice() {
	p.advice.job.Stop()
	p.advice.Advice = nil
}

// Sizes of the section in design pixels, and the numbers of its items.
const (
	adviceHead  = 10 + 14 + 6
	adviceRow   = 20
	adviceWidth = 168 // of the button
	ItemAdvice  = 540 // the button
	ItemWay     = 541 // and up: the ways
)

// adviceButton draws the button at the right of a row. It is off while a fit runs.
func (p *Page) adviceButton(row *ui.Rect) {
	r := row.CutRight(p.UI.Px(adviceWidth))
	row.CutRight(p.UI.Px(6))
	if p.job != nil {
		p.UI.Button(ItemAdvice, r, "Which one should I use?", ui.Off, 0, "Wait for the fit to end, or cancel it.")
		return
	}
	if p.advice.job.Running() {
		if p.UI.Button(ItemAdvice, r, "Stop comparing", ui.Plain, 0, "Stops the search; there is no answer then.") {
			p.forgetAdvice()
		}
		return
	}
	if p.UI.Button(ItemAdvice, r, "Which one should I use?", ui.Plain, 0, "Tries all methods and fits, each fit for a minute at "+
		"most, measures them alike, and recommends one with its reasons.") {
		p.seekAdvice()
	}
}

func (p *Page) heightOfAdvice(width float32) (h float32) {
	px := p.UI.Px
	switch a := &p.advice; {
	case a.job.Running():
		return px(adviceHead + adviceRow)
	case a.Advice != nil:
		h = px(adviceHead + adviceRow*float32(2+len(a.Ways)) + 6)
		for _, text := range a.texts {
			h += p.UI.TextHeight(ui.Small, text, width) + px(8)
		}
	}
	return h
}

// listAdvice draws the ways and the recommendation. A click shows a method, or chooses a fit.
func (p *Page) listAdvice(in *ui.Rect) {
	u, px, a := p.UI, p.UI.Px, &p.advice
	if p.heightOfAdvice(in.W) == 0 {
		return
	}
	p.CloseSection(in, 10, "WHICH ONE SHOULD I USE?")
	line := in.CutTop(px(adviceRow))
	if a.job.Running() {
		_, doing := p.Advice()
		u.Text(line, ui.Small, ui.ColorDim, ui.Left, p.Line.Start().S("Now: ").S(doing).View())
		return
	}
	head := p.Line.Start().Count(a.Poses, "pose", "poses")
	if a.LeftOut > 0 {
		head.S(" without ").Count(a.LeftOut, "half turn", "half turns")
	} else if head.S(" of "); a.Own > a.Clips {
		head.I(a.Clips).S(" of ").Count(a.Own, "clip", "clips")
	} else {
		head.Count(a.Clips, "clip", "clips")
	}
	u.Text(line, ui.Small, ui.ColorDim, ui.Left, head.S(", against ").S(a.Against).View())
	columns := func(r ui.Rect) (rms, needs ui.Rect) {
		r.W -= px(6)
		needs = r.CutRight(px(80))
		return r.CutRight(px(64)), needs
	}
	rms, needs := columns(in.CutTop(px(adviceRow)))
	u.Text(rms, ui.Small, ui.ColorFaint, ui.Right, p.Line.Start().S("RMS ").S(p.State.Unit.Mark()).View())
	u.Text(needs, ui.Small, ui.ColorFaint, ui.Right, "needs")
	for i := range a.Ways {
		w, r := &a.Ways[i], in.CutTop(px(adviceRow))
		rms, needs := columns(r)
		if u.ListRow(ItemWay+i, r, a.names[i], "", w.Name == a.Choose, a.tips[i]) {
			p.use(w.Name)
		}
		if w.Failed != "" {
			u.Text(needs, ui.Small, ui.ColorDim, ui.Right, "no result")
			u.Tip(needs, w.Failed)
			continue
		}
		u.Text(rms, ui.Body, ui.ColorText, ui.Right, p.Distance(w.RMS*a.Diagonal).View())
		text := p.Line.Start().S(string(w.Needs))
		if w.Live {
			text.S(" *")
		}
		u.Text(needs, ui.Small, ui.ColorDim, ui.Right, text.View())
	}
	in.CutTop(px(6))
	for _, text := range a.texts {
		p.Paragraph(in, text)
	}
}

// askAsAdvised puts into a form what the advice has measured, so that its fit has that error.
func (p *Page) askAsAdvised(f *form) {
	f.ask.Values, f.ask.Frames, f.ask.Clip, f.ask.Also = f.defaults(), usualFrames, p.everyClip(), nil
	f.ask.Own, f.ask.Files = p.advice.learns == nil, false
	switch method, direct := p.advice.learns.(skinning.Method); {
	case direct:
		f.ask.By = method
	case p.advice.learns != nil:
		f.ask.By = state.DeltaMush
	}
	p.propose()
}

// use shows a method, or chooses a fit, by the name of a way.
func (p *Page) use(name string) {
	if m, err := skinning.ParseMethod(name); err == nil {
		p.Models.SetMethod(m)
	}
	for k, f := range p.forms {
		if f.row.Name == name && p.job == nil {
			p.Chosen = k
			p.askAsAdvised(f)
		}
	}
}
