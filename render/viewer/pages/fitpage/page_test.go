package fitpage

import (
	"context"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/fit"
	"skinlab/fit/advise"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// fits has a fit that imitates and one that learns shapes, and says what it is told of a model.
type fits struct {
	examples, count int
	operator        skinning.Method
}

func (fits) Fits() []Row {
	most := []fit.Option{{Name: "bones", Kind: fit.Count, Least: 1,
		Slider: &fit.Slider{Title: "Max bones", Most: 40, Step: 1, Default: 40}}}
	any := func(*skinning.Model) string { return "" }
	return []Row{
		{Method: &fit.Method{Title: "Blend bones", Options: most}, Refuses: any},
		{Method: &fit.Method{Title: "Enveloping", Learns: fit.Shapes, Options: most}, Refuses: any},
		{Method: &fit.Method{Title: "For people"}, Refuses: func(m *skinning.Model) string {
			if m.Name != "person" {
				return "This is no person."
			}
			return ""
		}},
	}
}

func (fits) Fit(context.Context, *skinning.Model, Request, func(Update)) {}
func (f fits) Examples(*skinning.Model) (clip, count int)                { return f.examples, f.count }
func (f fits) Operator(*skinning.Model) (m skinning.Method, lost string) { return f.operator, "" }
func (fits) Keep([]*skinning.Model)                                      {}
func (fits) Advise(context.Context, Question, func(string)) (*advise.Advice, error) {
	return nil, nil
}
func (fits) Other(context.Context, *skinning.Model, int) (*fit.Deformation, error) {
	return nil, nil
}

func newPage(f fits, m *skinning.Model) *Page {
	d := &desk.Desk{State: new(state.State)}
	shown := models.New(d, nil, false)
	shown.File = &models.File{Subject: posing.Subject{Model: m}, Own: 1}
	p := New(pages.Room{Desk: d, Models: shown}, nil, f, nil)
	p.Forget()
	return p
}

// TestOffer: the page offers the fits that do not refuse the model.
func TestOffer(t *testing.T) {
	for name, want := range map[string]int{"box": 2, "person": 3} {
		p := newPage(fits{examples: -1}, &skinning.Model{Name: name})
		if len(p.forms) != want || len(p.titles) != want || p.forms[want-1].ask.Row != want-1 {
			t.Errorf("%s: %d fits are offered, expected %d", name, len(p.forms), want)
		}
	}
}

// TestFitCurve: the axes hold the history and the errors that it is compared with, with room for their names, whatever
// is no number.
func TestFitCurve(t *testing.T) {
	f := newPage(fits{examples: -1}, &skinning.Model{})
	f.ran, f.asked = f.forms[1], f.forms[1].request()
	f.Last.History = []fit.Step{{Added: 0, EE: 50}, {Added: 5, EE: 30}, {Added: 40, EE: math.Inf(1)}}
	f.Last.Marks = []fit.Mark{{Name: "own weights", EE: 80}, {Name: "trained weights", EE: math.NaN()}}
	f.plot()
	c := &f.curve
	if len(c.X) != 3 || len(c.Y) != 3 || c.X[2] != 40 || len(c.Levels) != 2 ||
		c.LevelNames[0] != "own weights, no added bones" {
		t.Errorf("%+v", c)
	}
	if !(c.MostY >= 80*1.1 && c.MostY <= 80*1.5 && c.MostX >= 40 && c.MostX <= 50) {
		t.Errorf("axes to %g and %g", c.MostX, c.MostY)
	}
}

// TestFitNote: the panel says how a fit does in all clips, and warns before it where the chosen method loses scale.
func TestFitNote(t *testing.T) {
	f := newPage(fits{examples: -1}, &skinning.Model{})
	if text, warning := f.note(); text != "" || warning {
		t.Errorf("before any fit: %q, warning %v", text, warning)
	}
	f.ran, f.Last.Verdict, f.Last.Worse, f.lost = f.forms[0], "Worse in 1 of 2 clips.", true,
		"DQS has no scale."
	for _, method := range skinning.Operators() {
		f.forms[0].ask.By = method
		want := f.Last.Verdict
		if method == skinning.DQS || method == skinning.SBS {
			want = f.lost
		}
		if text, warning := f.note(); text != want || !warning {
			t.Errorf("%v: %q, warning %v; expected %q", method, text, warning, want)
		}
	}
	f.Chosen = 1
	f.forms[1].ask.By = skinning.SDQS
	if text, _ := f.note(); text != "" {
		t.Errorf("the page of another kind of fit says %q", text)
	}
	f.Chosen = 0
	f.drop()
	f.forms[0].ask.By = skinning.SDQS
	if text, warning := f.note(); text != "" || warning {
		t.Errorf("after the fit is forgotten: %q, warning %v", text, warning)
	}
}

// TestFitRequest: what is asked for reaches the fit, and follows the model.
func TestFitRequest(t *testing.T) {
	model := &skinning.Model{Skin: skinning.Mesh{Positions: make([]mgl32.Vec3, 1)}}
	f := newPage(fits{examples: 4, count: 20, operator: skinning.DQS}, model)
	if q := f.form().request(); f.Chosen != 1 || q.shows() != state.Examples || !q.Own {
		t.Errorf("a model with examples: %d, %+v", f.Chosen, q)
	}
	f = newPage(fits{examples: -1, operator: skinning.SDQS}, model)
	if f.Chosen != 0 {
		t.Errorf("a model without examples is proposed fit %d", f.Chosen)
	}
	k := f.forms[1]
	if k.ask.shows() != skinning.SDQS {
		t.Errorf("a model whose joints scale would be taught by %v", k.ask.shows())
	}
	k.ask.By, k.ask.Values["bones"] = skinning.DIB, 7
	got := k.request()
	k.ask.Values["bones"] = 8 // what is asked for next is not what runs
	if got.Row != 1 || got.Own || got.By != skinning.DIB || got.Clip != AllClips || got.Frames != usualFrames ||
		got.Values["bones"] != 7 || got.shows() != skinning.DIB {
		t.Errorf("asked for %+v", got)
	}
}

func TestExportName(t *testing.T) {
	for model, want := range map[string]string{
		"human_male.glb": "human_male-blend.glb", "demo:box": "demo-box-blend.glb", "": "model-blend.glb",
		"/a/b/Fox.GLTF": "Fox-blend.glb", "v1.2": "v1.2-blend.glb", "..": "model-blend.glb",
	} {
		if got := exportName(model, "-blend"); got != want {
			t.Errorf("%q: %q, expected %q", model, got, want)
		}
	}
}
