package measure

import (
	"context"
	"fmt"

	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

type ClipRow struct {
	There bool
	compare.Surveyed
}

type Clip struct {
	Rows   []ClipRow
	Frames int
}

// ClipRequest says which clip is measured. All models but Own may be nil. The flags are those of [Request]. Where a clip
// shows a model's examples, these are measured apart, and methods have no morph targets.
type ClipRequest struct {
	Own, Fitted, Beside    *skinning.Model
	Examples               *skinning.Model // shows the examples, with as many vertices as Own
	BesideFitted, SameSkin bool
	ReferBeside            bool
	Reference              skinning.Reference
	FittedMethod           skinning.Method // that poses Fitted
	Clip, BesideClip       int             // −1 for the static pose
	FittedClip             int
	ExamplesClip           int
	Seconds                float64
	ShortestPath           bool
	Vertex                 int // the only measured vertex, of the first file's skin; −1 for all vertices
	Workers                int // 0 means GOMAXPROCS
	atKeys                 bool
}

func MeasureClip(ctx context.Context, q ClipRequest) (*Clip, error) {
	c := &Clip{Rows: make([]ClipRow, Rows()), Frames: compare.PosesOf(q.Seconds)}
	q.Own, q.Beside = plain(q.Own, q.Clip), plain(q.Beside, q.BesideClip)
	own, beside := &subjects{model: q.Own, clip: q.Clip}, &subjects{model: q.Beside, clip: q.BesideClip}
	switch {
	case q.Reference == state.Examples && q.Examples == nil:
		return c, nil // nothing to measure by
	case q.Reference == state.Examples:
		q.Reference, q.atKeys = skinning.LBS, true
		own.model, own.clip = q.Examples, q.ExamplesClip
		c.Frames = len(own.model.Clips[own.clip].KeyTimes())
	case q.ReferBeside:
		own.model, own.clip = q.Beside, q.BesideClip
	}
	for _, m := range skinning.Methods() {
		own.add(state.Pane{Method: m}, q.Own, q.Clip)
	}
	if q.Examples != nil {
		own.add(state.Pane{Method: state.Examples}, q.Examples, q.ExamplesClip)
	}
	if q.Fitted != nil {
		own.add(state.Pane{Method: state.Fitted}, q.Fitted, q.FittedClip)
		own.list[len(own.list)-1].Method = q.FittedMethod
	}
	switch {
	case q.Beside == nil:
	case q.BesideFitted && q.SameSkin:
		own.add(state.Pane{Method: state.Fitted, Beside: true}, q.Beside, q.BesideClip)
	case !q.BesideFitted:
		for _, m := range skinning.Methods() {
			if p := (state.Pane{Method: m, Beside: true}); q.SameSkin {
				own.add(p, q.Beside, q.BesideClip)
			} else if !q.atKeys {
				beside.add(p, q.Beside, q.BesideClip)
			}
		}
	}
	if err := c.survey(ctx, &q, own); err != nil {
		return nil, err
	}
	if len(beside.list) > 0 && q.Vertex < 0 {
		if err := c.survey(ctx, &q, beside); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// plain returns the model that methods pose in a clip: without the morph targets of examples.
func plain(m *skinning.Model, clip int) *skinning.Model {
	if m != nil && m.ShowsExamples(clip) {
		return m.WithoutMorphs()
	}
	return m
}

// subjects are the models and methods that are measured against a file, with the row of each.
type subjects struct {
	model *skinning.Model
	clip  int
	list  []compare.Subject
	rows  []int
}

// add adds the content of a pane, which a model shows in a clip.
func (s *subjects) add(p state.Pane, m *skinning.Model, clip int) {
	subject := compare.Subject{Name: p.Method.String(), Method: p.Method, Model: m, Clip: clip}
	switch p.Method {
	case state.Fitted:
		subject.Name, subject.Method = "blend bones", skinning.LBS
	case state.Examples:
		subject.Name, subject.Method = "examples", skinning.LBS
	}
	if m == s.model && clip == s.clip {
		subject.Model = nil // the model that the survey poses anyway
	}
	s.list, s.rows = append(s.list, subject), append(s.rows, OfPane(p))
}

func (c *Clip) survey(ctx context.Context, q *ClipRequest, of *subjects) error {
	if len(of.model.Skin.Positions) == 0 {
		return nil // an empty list is not an error
	}
	s := compare.Survey{
		Reference: q.Reference, Subjects: of.list, Clip: of.clip, Frames: c.Frames, AtKeys: q.atKeys,
		ShortestPath: q.ShortestPath, Workers: q.Workers,
	}
	var all []compare.Surveyed
	var err error
	if q.Vertex < 0 {
		all, err = s.Run(ctx, of.model)
	} else {
		all, err = s.Vertex(ctx, of.model, q.Vertex)
	}
	if err != nil {
		return fmt.Errorf("errors over the clip: %w", err)
	}
	for k, row := range of.rows {
		c.Rows[row] = ClipRow{true, all[k]}
	}
	return nil
}
