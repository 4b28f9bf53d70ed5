package enveloping

import (
	"slices"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// unseen measures everything on a test.
func (f *fitting) unseen(t *training.Test) (*UnseenTest, error) {
	x, err := FromSet(t.Of, t.Set)
	if err == nil && t.Of != f.m {
		x, err = f.asOwn(t.Of, x)
	}
	if err != nil {
		return nil, err
	}
	psd, err := NewPSD(f.ctx, f.x, f.out.Trained, f.job.Workers)
	if err != nil {
		return nil, err
	}
	d := f.m.Diagonal()
	return &UnseenTest{Clip: t.Name, Frames: len(x.Pairs), Of: len(x.Pairs), LBS: measured(f.plain().Measure(x), d),
		SSD: measured(f.out.Trained.Measure(x), d), PSD: measured(psd.Measure(x), d), Fit: measured(f.out.Model.Measure(x), d)}, nil
}

// plain is linear blending with the weights that the file came with.
func (f *fitting) plain() *SSD { return &SSD{Weights: f.x.Rigged} }

// asOwn makes the examples of another file, whose joints and vertices are the same, examples of the fitted model.
func (f *fitting) asOwn(of *skinning.Model, x *Examples) (*Examples, error) {
	joint, err := training.SameJoints(f.m, of)
	if err != nil {
		return nil, err
	}
	out := *f.x
	out.Pairs = slices.Clone(x.Pairs)
	for i := range out.Pairs {
		matrices := make([]geom.Affine, len(joint))
		for j, k := range joint {
			matrices[j] = out.Pairs[i].Matrices[k]
		}
		out.Pairs[i].Matrices = matrices
	}
	return &out, nil
}

// measureShapes measures a fit to shapes in the clips that show shapes, or at the poses that shapes were given for, and
// says how many clips there are no shapes of.
func (f *fitting) measureShapes() error {
	own := training.OwnClips(f.m)
	var table fit.ClipTable
	for _, c := range own {
		if f.ctx.Err() != nil {
			return nil
		}
		set, err := f.set.ShapesOf(f.m, c)
		if err != nil {
			return err
		}
		if set == nil {
			continue
		}
		x, err := FromSet(f.m, set)
		if err != nil {
			return err
		}
		d := f.m.Diagonal()
		of, lbs := measured(f.out.Model.Measure(x), d), measured(f.plain().Measure(x), d)
		row := fit.ClipError{Name: f.m.Clips[c].Name, Frames: len(x.Pairs), Errors: fit.Errors{
			EE: of.EE, RMS: of.RMS, Max: of.Max, LBSEE: lbs.EE, LBSRMS: lbs.RMS, LBSMax: lbs.Max}}
		row.Judge()
		table = append(table, row)
	}
	f.report.Clips = append(f.report.Clips, table...)
	switch n := len(own) - len(table); {
	case n == 1:
		f.report.Without = "1 other clip has no shapes to measure against."
	case n > 1:
		f.report.Without = messages.Count(n, "other clip", "other clips") + " have no shapes to measure against."
	}
	return nil
}
