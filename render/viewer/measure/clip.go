package measure

import (
	"context"
	"fmt"

	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// ClipRow is what one method does over a clip.
type ClipRow struct {
	There bool
	compare.Surveyed
}

// Clip is what all methods do over a clip.
type Clip struct {
	Rows   []ClipRow
	Frames int
}

// ClipRequest says which clip is measured. Fitted and Beside may be nil; the flags are those of [Request].
type ClipRequest struct {
	Own, Fitted, Beside    *skinning.Model
	BesideFitted, SameSkin bool
	Reference              skinning.Method
	Clip, BesideClip       int // −1 for the static pose
	Seconds                float64
	ShortestPath           bool
	Signs                  *skinning.Signs // of the first file and its clip; nil makes them
	Vertex                 int             // of the first file's skin: it alone is measured; −1 for all vertices
	Workers                int             // 0 means GOMAXPROCS
}

// Poses of a clip that are measured.
const (
	clipFramesPerSecond = 12
	mostClipFrames      = 49
)

func clipFrames(seconds float64) int {
	return min(int(seconds*clipFramesPerSecond)+1, mostClipFrames)
}

// MeasureClip measures all methods of both files.
func MeasureClip(ctx context.Context, q ClipRequest) (*Clip, error) {
	c := &Clip{Rows: make([]ClipRow, Rows()), Frames: clipFrames(q.Seconds)}
	var own, beside []compare.Subject
	var ownRows, besideRows []int
	for _, m := range skinning.Methods() {
		own = append(own, compare.Subject{Name: m.String(), Method: m})
		ownRows = append(ownRows, Index(m, false, false))
	}
	if q.Fitted != nil {
		own = append(own, compare.Subject{Name: "blend bones", Model: q.Fitted, Clip: q.Clip})
		ownRows = append(ownRows, Index(0, true, false))
	}
	switch {
	case q.Beside == nil:
	case q.BesideFitted && q.SameSkin:
		own = append(own, compare.Subject{Name: "blend bones", Model: q.Beside, Clip: q.BesideClip})
		ownRows = append(ownRows, Index(0, true, true))
	case !q.BesideFitted:
		for _, m := range skinning.Methods() {
			s := compare.Subject{Name: m.String(), Method: m}
			row := Index(m, false, true)
			if q.SameSkin {
				s.Model, s.Clip = q.Beside, q.BesideClip
				own, ownRows = append(own, s), append(ownRows, row)
			} else {
				beside, besideRows = append(beside, s), append(besideRows, row)
			}
		}
	}
	if err := c.survey(ctx, &q, q.Own, q.Clip, own, ownRows); err != nil {
		return nil, err
	}
	if len(beside) > 0 && q.Vertex < 0 {
		if err := c.survey(ctx, &q, q.Beside, q.BesideClip, beside, besideRows); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// survey measures subjects of one file into rows.
func (c *Clip) survey(ctx context.Context, q *ClipRequest, m *skinning.Model, clip int, subjects []compare.Subject,
	rows []int) error {
	if len(m.Skin.Positions) == 0 {
		return nil // nothing to measure is no failure
	}
	s := compare.Survey{
		Reference: q.Reference, Subjects: subjects, Clip: clip, Frames: c.Frames, ShortestPath: q.ShortestPath,
		Workers: q.Workers,
	}
	if m == q.Own {
		s.Signs = q.Signs
	}
	var all []compare.Surveyed
	var err error
	if q.Vertex < 0 {
		all, err = s.Run(ctx, m)
	} else {
		all, err = s.Vertex(ctx, m, q.Vertex)
	}
	if err != nil {
		return fmt.Errorf("errors over the clip: %w", err)
	}
	for k, row := range rows {
		c.Rows[row] = ClipRow{true, all[k]}
	}
	return nil
}
