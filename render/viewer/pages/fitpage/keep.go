package fitpage

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/models"
	"skinlab/skinning"
)

// renew makes the fit's model one over the version of the file that is shown. Both have the same shape.
func (f *Fit) renew(now *skinning.Model) {
	if f.model != nil && f.on != now {
		f.model, f.on = fitted.New(fitted.Onto(f.Last.Now.Model(), f.of, now)), now
	}
}

// Kept is what the page carries over to a newer version of its file.
type Kept struct {
	list     *List
	job      *job
	compared Choice
}

// Keep takes the fits off the page before a newer version of the file is shown. The one under way goes on. Where the
// page has no fits, Keep takes those that wait for a version of their shape.
func (p *Page) Keep() Kept {
	k := Kept{list: cmp.Or(p.list, p.waiting), job: p.job}
	k.compared, _ = p.Compared()
	p.job = nil
	return k
}

// Resume goes on with the fits that Keep has taken off, because no newer version is shown.
func (p *Page) Resume(k Kept) { p.job = k.job }

// Carry puts fits back where a newer file has their shape, stale if of older weights; else it returns them, gone.
func (p *Page) Carry(k Kept) (gone []*Fit, stale bool) {
	m := p.Models.File.Model
	fits := k.list.Fits()
	if len(fits) == 0 {
		return nil, false
	}
	if p.Models.File.Fitted != nil || !fitted.SameShape(fits[0].of, m) {
		if k.job != nil {
			k.job.cancel()
		}
		p.waiting = k.list.keep(func(f *Fit) bool { return f.model != nil })
		return fits, false
	}
	p.list, p.job = k.list, k.job
	p.open()
	if k.compared.Fit != nil {
		k.compared.Fit.renew(m)
		p.Compare(k.compared, p.list.NameOf(k.compared))
	}
	of := &fits[0].of.Skin.Influences
	return nil, !slices.Equal(of.Bindings, m.Skin.Bindings)
}

// Again fits the shown file once more with the options of fits of an older version of it.
func (p *Page) Again(fits []*Fit) {
	p.again = slices.Clone(fits)
	p.fitNext()
}

// askAgain puts what the fit was asked for into its form.
func (f *Fit) askAgain() {
	f.ran.ask = f.asked
	f.ran.ask.Values = maps.Clone(f.asked.Values)
}

// fitNext starts the next of the fits that are to be made once more.
func (p *Page) fitNext() {
	for p.job == nil && len(p.again) > 0 {
		f := p.again[0]
		p.again = p.again[1:]
		k := slices.Index(p.forms, f.ran)
		if k < 0 || f.asked.Files || p.Models.File.Fitted != nil { // shapes of files are of the older vertices
			continue
		}
		p.Chosen = k
		f.askAgain()
		now := func(clip int) int { return models.SameClip(f.of, clip, p.Models.File.Model) }
		f.ran.ask.Clip, f.ran.ask.Also = now(f.asked.Clip), nil
		for _, c := range f.asked.Also {
			f.ran.ask.Also = append(f.ran.ask.Also, now(c))
		}
		p.start(time.Now())
	}
}
