package viewer

import (
	"context"
	"slices"

	"skinlab/render/ui"
	"skinlab/skinning"
)

// envelopeFit is the fit of enveloping, as the panel asks for it.
type envelopeFit struct {
	EnvelopeRequest
	examples int // the clip of the model's own; −1 for none
	count    int // of them
}

func (*envelopeFit) name() string   { return "Enveloping" }
func (*envelopeFit) nouns() string  { return "proxy bones" }
func (*envelopeFit) suffix() string { return "-envelope" }

// mostProxies is the most proxy bones that the panel asks for.
const mostProxies = 120

func (k *envelopeFit) ask(a *app, in *ui.Rect, changes bool) {
	ask := k.EnvelopeRequest
	// The sources in a ring: the model's own examples, then the methods that can teach.
	at, own, teachers := -1, 0, &a.lists.operators
	if k.count > 0 {
		own = 1
	}
	name := "its examples"
	if !ask.Own {
		at = slices.Index(teachers.methods, ask.Teacher)
		name = teachers.names[at]
	}
	row := a.fitRow(in, "Learn from")
	a.fit.at.source = row
	if by := a.ui.Stepper(itemFitSource, row, name); by != 0 {
		n := len(teachers.methods) + own
		at = (at+own+by+n)%n - own
		if ask.Own = at < 0; !ask.Own {
			ask.Teacher = teachers.methods[at]
		}
	}
	ask.Proxies = int(a.fitSlider(itemFitSlider, in, "Most bones", a.line.Start().I(ask.Proxies).View(),
		float64(ask.Proxies), 1, mostProxies, 1))
	if ask.Own {
		r := in.CutTop(a.ui.Px(2 * fitRow))
		r.CutLeft(a.ui.Px(fitLabel))
		words := " shapes that go with the poses of the clip "
		if k.count == 1 {
			words = " shape that goes with the pose of the clip "
		}
		a.ui.TextWrapped(r.Inset(0, a.ui.Px(5)), ui.Small, ui.ColorDim,
			a.line.Start().I(k.count).S(words).S(a.shown.clipNames[k.examples]).View())
	} else {
		ask.Frames, ask.Clip = a.askPoses(in, ask.Frames, ask.Clip)
	}
	if changes {
		k.EnvelopeRequest = ask
	}
}

func (k *envelopeFit) model(_ *skinning.Model, clip, examples, count int, operator skinning.Method) {
	k.Clip, k.examples, k.count, k.Own, k.Teacher = clip, examples, count, count > 0, operator
}

func (k *envelopeFit) run(fit Fitter) func(context.Context, *skinning.Model, func(FitUpdate)) {
	request := k.EnvelopeRequest
	return func(ctx context.Context, m *skinning.Model, update func(FitUpdate)) {
		fit.Envelope(ctx, m, request, update)
	}
}

// shows returns LBS for the model's own examples: it shows them in their clip.
func (k *envelopeFit) shows() skinning.Method {
	if k.Own {
		return skinning.LBS
	}
	return k.Teacher
}

func (k *envelopeFit) clip() int {
	if k.Own {
		return k.examples
	}
	return -1
}

func (k *envelopeFit) most() int                { return k.Proxies }
func (k *envelopeFit) done(*fitting) float64    { return 0 } // the fit says so itself
func (k *envelopeFit) refining(*fitting) string { return "" }
