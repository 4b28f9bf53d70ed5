package fitpage

import (
	"maps"
	"slices"

	"skinlab/fit"
	"skinlab/render/ui"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/terms"
	"skinlab/skinning"
	"skinlab/skinning/deltamush"
)

// form is a row with the request that the user edits.
type form struct {
	row     Row
	sliders []fit.Option // those that have one
	tips    []string     // of sliders
	ask     Request
}

const (
	leastFrames = 2
	mostFrames  = 60
	usualFrames = 24
)

// operators are the methods that a fit can imitate, or learn the shapes of.
type operators struct {
	methods []skinning.Method
	choices []ui.Segment
}

func newOperators() operators {
	o := operators{methods: skinning.Operators()}
	for _, m := range o.methods {
		o.choices = append(o.choices, ui.Segment{Label: m.Short(), Tip: m.Title() + ": what the fit is to look like."})
	}
	return o
}

// teachers returns the operators and Delta Mush, whose shapes a fit can learn.
func (o operators) teachers() operators {
	return operators{append(slices.Clip(o.methods), state.DeltaMush),
		append(slices.Clip(o.choices), ui.Segment{Label: "Delta Mush"})}
}

// newForms makes a form per row of a fitter. A nil fitter has none.
func newForms(fits Fitter) (forms []*form) {
	if fits == nil {
		return nil
	}
	for i, row := range fits.Fits() {
		f := &form{row: row, ask: Request{Row: i, By: skinning.DQS, Clip: rangeOfMotion, Frames: usualFrames}}
		f.sliders = row.Sliders()
		f.ask.Values = f.defaults()
		for _, o := range f.sliders {
			f.tips = append(f.tips, o.Slider.Title+": "+o.Help+".")
		}
		forms = append(forms, f)
	}
	return forms
}

// defaults returns the values of the sliders that nobody has moved.
func (f *form) defaults() fit.Values {
	v := fit.Values{}
	for _, o := range f.sliders {
		v[o.Name] = o.Slider.Default
	}
	return v
}

func (p *Page) offer(m *skinning.Model) {
	p.forms, p.titles, p.refusal = nil, nil, ""
	for _, f := range p.all {
		why := ""
		switch {
		case f.row.Refuses != nil:
			why = f.row.Refuses(m)
		case len(m.Skin.Positions) == 0:
			why = "This model has no skin to fit."
		}
		if why == "" {
			p.forms, p.titles = append(p.forms, f), append(p.titles, ui.Segment{Label: f.row.Title, Tip: f.row.Help + "."})
		} else {
			p.refusal = why
		}
	}
}

// most returns the largest number of bones that a request adds, 0 if the row has no such option.
func (r *Row) most(q *Request) int {
	if o := r.Count(); o != nil {
		return int(q.Values[o.Name])
	}
	return 0
}

// shows returns the method that shows the fit's target. It is LBS for shapes from files, which no method shows.
func (q *Request) shows() skinning.Method {
	switch {
	case q.Own:
		return state.Examples
	case q.Files:
		return skinning.LBS
	}
	return q.By
}

// teacher names what the fit learns from, as files record it; "" for files of shapes.
func (q *Request) teacher() string {
	switch {
	case q.Own:
		return skinning.Examples
	case q.Files:
		return ""
	case q.By == state.DeltaMush:
		return deltamush.Name
	}
	return q.By.String()
}

// learns names what the fit is compared with.
func (p *Page) learns() string {
	switch {
	case p.asked.Files, p.ran.row.Learns == fit.Scans, p.ran.row.sequence():
		return "the shapes"
	case p.asked.Own:
		return "the examples"
	}
	return p.Models.Short(p.asked.By)
}

func (f *form) request() Request {
	q := f.ask
	q.Values = maps.Clone(q.Values)
	return q
}

// rows returns the number of the form's rows: the source, the options, poses and clip, for which files have three.
func (f *form) rows(more bool) int {
	n := len(f.sliders) + 3
	if hidden := f.hidden(); hidden > 0 {
		n++ // the heading of the others
		if !more {
			n -= hidden
		}
	}
	if f.row.Targets != nil && f.row.Targets.Posed {
		n++
	}
	return n
}

func (f *form) hidden() (n int) {
	for _, o := range f.sliders {
		if o.Slider.More {
			n++
		}
	}
	return n
}

// options draws the rows of a form's options: those of the first sight, or the others.
func (p *Page) options(k *form, in *ui.Rect, ask *Request, more, changes bool) {
	for i := range k.sliders {
		if k.sliders[i].Slider.More == more {
			p.option(k, i, in, ask, changes)
		}
	}
}

// ask draws the rows of a form. They edit its request if changes is true.
func (p *Page) ask(k *form, in *ui.Rect, changes bool) {
	ask := k.ask
	switch {
	case k.row.sequence():
		p.UI.Text(p.row(in, "Learn from"), ui.Body, ui.ColorText, ui.Left, "the frames of its morph targets")
	case k.row.shapes():
		p.askShapes(k, in, &ask)
	default:
		operators := &p.operators
		chosen := max(slices.Index(operators.methods, ask.By), 0)
		chosen = p.UI.Segments(ItemSource, p.row(in, "Match"), operators.choices, chosen)
		ask.By = operators.methods[chosen]
	}
	p.options(k, in, &ask, false, changes)
	switch {
	case k.row.sequence():
	case ask.Own:
		p.tellExamples(in)
	case ask.Files:
		p.askTargets(k, in)
	default:
		p.askPoses(in, &ask)
	}
	if k.hidden() > 0 {
		if p.UI.Disclosure(ItemMore, in.CutTop(p.UI.Px(rowHeight)), "More", ui.ColorDim, p.more,
			"Further options, in the words of the papers.") {
			p.more = !p.more
		}
		if p.more {
			p.options(k, in, &ask, true, changes)
		}
	}
	if changes {
		k.ask.Own, k.ask.Files, k.ask.By, k.ask.Frames, k.ask.Clip = ask.Own, ask.Files, ask.By, ask.Frames, ask.Clip
	}
}

func (p *Page) option(k *form, i int, in *ui.Rect, ask *Request, changes bool) {
	o, help := k.sliders[i].Slider, k.tips[i]
	name, x := k.sliders[i].Name, ask.Values[k.sliders[i].Name]
	if k.sliders[i].Kind == fit.Switch {
		if p.UI.Switch(ItemSlider+i, in.CutTop(p.UI.Px(rowHeight)), o.Title, x != 0, help) && changes {
			k.ask.Values[name] = 1 - x
		}
		return
	}
	text := p.Line.Start()
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
	x = p.slider(in, slider{ItemSlider + i, o.Title, text.View(), help, x,
		ui.Track{Least: k.sliders[i].Least, Most: o.Most, Step: o.Step}})
	if o.Step >= 1 {
		x = float64(int(x))
	}
	if changes {
		k.ask.Values[name] = x
	}
}

// askShapes draws the choice of shapes to learn: the model's examples, those of methods, and files, in a ring.
func (p *Page) askShapes(k *form, in *ui.Rect, ask *Request) {
	at, own, files, teachers := -1, 0, 0, &p.teachers
	if p.exampleCount > 0 {
		own = 1
	}
	if k.row.Targets != nil {
		files = 1
	}
	name := "its examples"
	switch {
	case ask.Files:
		at, name = len(teachers.methods), "OBJ targets"
	case !ask.Own:
		at = slices.Index(teachers.methods, ask.By)
		name = teachers.choices[at].Label
	}
	row := p.row(in, "Learn from")
	if by := p.UI.Stepper(ItemSource, row, name, "The shapes that the fit learns: the "+
		"model's own examples, what a method makes of the poses, or meshes of a folder."); by != 0 {
		n := own + len(teachers.methods) + files
		at = (at+own+by+n)%n - own
		ask.Own, ask.Files = at < 0, at == len(teachers.methods)
		if !ask.Own && !ask.Files {
			ask.By = teachers.methods[at]
		}
	}
}

func (p *Page) tellExamples(in *ui.Rect) {
	r := in.CutTop(p.UI.Px(2 * rowHeight))
	r.CutLeft(p.UI.Px(labelWidth))
	p.UI.TextWrapped(r.Inset(0, p.UI.Px(5)), ui.Small, ui.ColorDim,
		p.Line.Start().Count(p.exampleCount, "shape that goes with the pose", "shapes that go with the poses").
			S(" of the clip ").S(p.Models.File.ClipNames[p.Models.Examples]).View())
}

// askPoses draws the rows of the training poses: their number, and a clip, RangeOfMotion or AllClips.
func (p *Page) askPoses(in *ui.Rect, ask *Request) {
	ask.Frames = int(p.slider(in, slider{ItemClip + 5, "Poses", p.Line.Start().I(ask.Frames).View(),
		terms.Training.Tip(),
		float64(ask.Frames), ui.Track{Least: leastFrames, Most: mostFrames, Step: 1}}))
	p.clips.draw(p, p.row(in, "Train on"), ask)
}
