package fitpage

import (
	"slices"

	"skinlab/render/viewer/pages"
	"skinlab/skinning"
)

// moment is what the user can undo to: the list of fits, and the choice beside the shown one.
type moment struct {
	fits     *List
	compared Choice // nothing where a second file is
}

type past struct {
	now   any   // the moment at the last call
	list  *List // at the last frame
	frees bool  // the list of fits has changed
	freed []func(used []*skinning.Model)
}

func (p *Page) Undo() pages.Undo {
	return pages.Undo{Moment: p.moment, Restore: p.restoreMoment, Trim: p.trim, First: true, Reopens: true,
		Renews: true}
}

func (p *Page) moment() any {
	m := moment{fits: p.list}
	m.compared, _ = p.Compared()
	switch {
	case m == moment{}:
		return nil
	case p.past.now != m:
		p.past.now = m
	}
	return p.past.now
}

func (p *Page) restoreMoment(of any) {
	to, _ := of.(moment)
	if now, _ := p.Compared(); to.compared.Fit == nil && now.Fit != nil {
		p.EndCompare()
	}
	was := p.list
	p.Restore(to.fits)
	p.restoreClip(was)
	if now, _ := p.Compared(); to.compared.Fit != nil && to.compared != now {
		p.Compare(to.compared, to.fits.NameOf(to.compared))
	}
}

// restoreClip goes back to the clip from before a fit that is undone, and to that of a fit that is done again. Was is
// the list of fits before this step. A clip that the user has chosen since stays.
func (p *Page) restoreClip(was *List) {
	for _, f := range append(was.Fits(), p.list.Fits()...) {
		switch undone := !slices.Contains(p.list.Fits(), f); {
		case f.clip == f.before || undone == f.undone:
		case undone && p.State.Clip == f.clip:
			f.undone = true
			p.Models.SetClip(f.before)
			p.State.Seek(f.time)
		case !undone && p.State.Clip == f.before:
			f.undone = false
			p.Models.SetClip(f.clip)
		}
	}
}

// WhenFreed has a function told which fitted models are still in use whenever the data of others are freed.
func (p *Page) WhenFreed(tell func(used []*skinning.Model)) {
	p.past.freed = append(p.past.freed, tell)
}

// trim frees what fits that have been dropped from the list hold.
func (p *Page) trim(h pages.History) {
	if p.list != p.past.list {
		p.past.list, p.past.frees = p.list, true
		p.forgetDropped(h)
	}
	if p.past.frees && !p.Running() { // the models of a fit under way are not all known
		p.past.frees = false
		p.freeFits(h)
	}
}

func fitsOf(m any) []*Fit {
	of, _ := m.(moment)
	return append(of.fits.Fits(), of.compared.Fit)
}

// freeFits frees the data of the fits that are neither shown nor in a moment.
func (p *Page) freeFits(h pages.History) {
	if p.fits == nil {
		return
	}
	var used []*skinning.Model
	if f := p.Models.Fitted(); f != nil {
		used = append(used, f.Written)
	}
	known := map[*Fit]bool{nil: true}
	for _, m := range h.Moments() {
		for _, f := range fitsOf(m) {
			if !known[f] {
				known[f] = true
				used = append(used, f.steps()...)
			}
		}
	}
	p.fits.Keep(used)
	for _, tell := range p.past.freed {
		tell(used)
	}
}

// mostDropped is the number of fits that can be brought back. Each holds the models of all its steps.
const mostDropped = 4

// forgetDropped forgets the moments before the last few fits that have been dropped from the list.
func (p *Page) forgetDropped(h pages.History) {
	kept, dropped := p.list.Fits(), []*Fit(nil)
	h.DropBefore(func(m any) bool {
		for _, f := range fitsOf(m) {
			if f != nil && !slices.Contains(kept, f) && !slices.Contains(dropped, f) {
				dropped = append(dropped, f)
			}
		}
		return len(dropped) > mostDropped
	})
}
