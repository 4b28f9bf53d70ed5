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

// ClipRequest says which clip is measured. Fitted and Beside may be nil. The flags are those of [Request].
type ClipRequest struct {
	Own, Fitted, Beside    *skinning.Model
	BesideFitted, SameSkin bool
	ReferBeside            bool
	Reference              skinning.Reference
	FittedMethod           skinning.Method // that poses Fitted
	Clip, BesideClip       int             // −1 for the static pose
	FittedClip             int
	AtKeys                 bool // see [compare.Survey]
	Seconds                float64
	ShortestPath           bool
	Vertex                 int // the only measured vertex, of the first file's skin; −1 for all vertices
	Workers                int // 0 means GOMAXPROCS
}

func MeasureClip(ctx context.Context, q ClipRequest) (*Clip, error) {
	c := &Clip{Rows: make([]ClipRow, Rows()), Frames: compare.PosesOf(q.Seconds)}
	if q.AtKeys {
		c.Frames = len(q.Own.Clips[q.Clip].KeyTimes())
	}
	own := &subjects{model: q.Own, clip: q.Clip, bare: q.AtKeys}
	beside := &subjects{model: q.Beside, clip: q.BesideClip, bare: q.AtKeys}
	if q.ReferBeside {
		own.model, own.clip = q.Beside, q.BesideClip
	}
	for _, m := range skinning.Methods() {
		own.add(state.Pane{Method: m}, q.Own, q.Clip)
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
			} else {
				beside.add(p, nil, 0)
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

// subjects are the models and methods that are measured against a file, with the row of each.
type subjects struct {
	model *skinning.Model
	clip  int
	bare  bool // see [Request]
	list  []compare.Subject
	rows  []int
}

// add adds the content of a pane: a method of the file itself, or another model in a clip of its own.
func (s *subjects) add(p state.Pane, m *skinning.Model, clip int) {
	subject := compare.Subject{Name: p.Method.String(), Method: p.Method, Model: m, Clip: clip}
	if p.Method == state.Fitted {
		subject.Name, subject.Method = "blend bones", skinning.LBS
	} else if s.bare && p.Method != skinning.LBS {
		if m == nil {
			m, subject.Clip = s.model, s.clip
		}
		subject.Model = m.WithoutMorphs()
	}
	s.list, s.rows = append(s.list, subject), append(s.rows, OfPane(p))
}

func (c *Clip) survey(ctx context.Context, q *ClipRequest, of *subjects) error {
	if len(of.model.Skin.Positions) == 0 {
		return nil // an empty list is not an error
	}
	s := compare.Survey{
		Reference: q.Reference, Subjects: of.list, Clip: of.clip, Frames: c.Frames, AtKeys: q.AtKeys,
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
