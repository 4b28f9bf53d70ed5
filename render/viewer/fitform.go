package viewer

import (
	"slices"

	"skinlab/render/ui"
	"skinlab/skinning"
)

// fitForm is a way to fit and what the panel asks of it.
type fitForm struct {
	row FitRow
	ask FitRequest
}

// Ranges of the training poses that the panel asks for.
const (
	leastFrames = 2
	mostFrames  = 60
	usualFrames = 24
)

// most is how many bones a request adds at most; 0 where the row does not ask that.
func (r *FitRow) most(q *FitRequest) int {
	if r.Count < 0 {
		return 0
	}
	return int(q.Values[r.Count])
}

// shows returns the method that shows what is imitated: LBS for the model's own examples, which it shows in their clip.
func (q *FitRequest) shows() skinning.Method {
	if q.Own {
		return skinning.LBS
	}
	return q.By
}

// request is what is asked for, to be kept.
func (k *fitForm) request() FitRequest {
	q := k.ask
	q.Values = slices.Clone(q.Values)
	return q
}

// askRows is how many rows of the panel ask for a fit: the source, its options, poses and clip.
func (r *FitRow) askRows() int { return len(r.Options) + 3 }

// askFit draws the rows that ask for a fit. They change the next one's request, where changes is true.
func (a *app) askFit(k *fitForm, in *ui.Rect, changes bool) {
	ask := k.ask
	if k.row.Shapes {
		a.askShapes(in, &ask)
	} else {
		operators := &a.lists.operators
		chosen := max(slices.Index(operators.methods, ask.By), 0)
		chosen = a.ui.Segments(itemFitSource, a.fitRow(in, "Look like"), operators.names, chosen)
		ask.By = operators.methods[chosen]
	}
	for i := range k.row.Options {
		o := &k.row.Options[i]
		x := ask.Values[i]
		text := a.line.Start()
		switch {
		case x == 0 && o.Nothing != "":
			text.S(o.Nothing)
		case o.Step >= 1:
			text.I(int(x))
		default:
			text.F(x, 1)
		}
		if o.Unit != "" && !(x == 0 && o.Nothing != "") {
			text.S(" ").S(o.Unit)
		}
		x = a.fitSlider(itemFitSlider+i, in, o.Title, text.View(), x, o.Least, o.Most, o.Step)
		if o.Step >= 1 {
			x = float64(int(x))
		}
		if changes {
			k.ask.Values[i] = x
		}
	}
	if ask.Own {
		a.tellExamples(in)
	} else {
		ask.Frames, ask.Clip = a.askPoses(in, ask.Frames, ask.Clip)
	}
	if changes {
		k.ask.Own, k.ask.By, k.ask.Frames, k.ask.Clip = ask.Own, ask.By, ask.Frames, ask.Clip
	}
}

// askShapes asks whose shapes are learnt, in a ring: the model's own examples, where it has them, then the methods that
// can teach.
func (a *app) askShapes(in *ui.Rect, ask *FitRequest) {
	at, own, teachers := -1, 0, &a.lists.operators
	if a.fit.count > 0 {
		own = 1
	}
	if !ask.Own {
		at = slices.Index(teachers.methods, ask.By)
	}
	name := "its examples"
	if at >= 0 {
		name = teachers.names[at]
	}
	row := a.fitRow(in, "Learn from")
	if by := a.ui.Stepper(itemFitSource, row, name); by != 0 {
		n := len(teachers.methods) + own
		at = (at+own+by+n)%n - own
		if ask.Own = at < 0; !ask.Own {
			ask.By = teachers.methods[at]
		}
	}
}

// tellExamples says which examples are learnt.
func (a *app) tellExamples(in *ui.Rect) {
	r := in.CutTop(a.ui.Px(2 * fitRow))
	r.CutLeft(a.ui.Px(fitLabel))
	words := " shapes that go with the poses of the clip "
	if a.fit.count == 1 {
		words = " shape that goes with the pose of the clip "
	}
	a.ui.TextWrapped(r.Inset(0, a.ui.Px(5)), ui.Small, ui.ColorDim,
		a.line.Start().I(a.fit.count).S(words).S(a.shown.clipNames[a.fit.examples]).View())
}
