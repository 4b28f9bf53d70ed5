package job

import (
	"context"
	"fmt"

	"skinlab/fit/enveloping"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// unseenTest is examples that a fit is measured on after it.
type unseenTest struct {
	stage    string
	name     string // of the clip or the file
	training *Training
	of       *skinning.Model // whose poses they are
	to       func(*EnvelopeReport) **UnseenTest
}

// tests lists what the fit is to be measured on, or says why it cannot be.
func (s *EnvelopeSpec) tests(m *skinning.Model) (tests []unseenTest, err error) {
	unseen := func(r *EnvelopeReport) **UnseenTest { return &r.Unseen }
	if s.Test >= 0 {
		t := unseenTest{stage: "unseen poses", name: m.Clips[s.Test].Name, of: m, to: unseen}
		if t.training, err = s.Training.testOn(m, s.Test); err != nil {
			return nil, fmt.Errorf("test: %w", err)
		}
		tests = append(tests, t)
	}
	if s.TestModel != nil {
		t := unseenTest{stage: "unseen shapes", name: s.TestModel.Name, of: s.TestModel, to: unseen}
		if t.training, err = exampleSet(s.TestModel); err == nil {
			err = SameJoints(m, s.TestModel)
		}
		if err != nil {
			return nil, fmt.Errorf("test: %w", err)
		}
		tests = append(tests, t)
	}
	if s.HeldOut != nil {
		tests = append(tests, unseenTest{stage: "held out shapes", name: m.Clips[s.HeldOut.Clip].Name, of: m,
			training: s.HeldOut, to: func(r *EnvelopeReport) **UnseenTest { return &r.HeldOut }})
	}
	return tests, nil
}

// testFrames is how many poses of a clip a taught fit is tested on at most.
const testFrames = 100

// testOn is the shapes that a clip itself shows, or the teacher's in it.
func (t *Training) testOn(m *skinning.Model, clip int) (*Training, error) {
	if t.Teacher == skinning.LBS {
		return ownShapes(m, clip)
	}
	seconds := m.Clips[clip].Seconds
	n := min(max(int(seconds*testRate)+1, 2), testFrames)
	return &Training{Clip: clip, Teacher: t.Teacher, Times: compare.Times(seconds, n)}, nil
}

// unseen measures everything on a test.
func (o *EnvelopeOutcome) unseen(ctx context.Context, m *skinning.Model, t unseenTest, workers int) (*UnseenTest,
	error) {
	x, err := t.training.Examples(t.of)
	if err == nil && t.of != m {
		x, err = o.asOwn(m, t.of, x)
	}
	if err != nil {
		return nil, err
	}
	psd, err := enveloping.NewPSD(ctx, o.Examples, o.Trained, workers)
	if err != nil {
		return nil, err
	}
	d := m.Diagonal()
	return &UnseenTest{Clip: t.name, Frames: len(x.Pairs), Of: len(x.Pairs), LBS: measured(o.plain().Measure(x), d),
		SSD: measured(o.Trained.Measure(x), d), PSD: measured(psd.Measure(x), d), Fit: measured(o.Model.Measure(x), d)}, nil
}

// plain is linear blending with the weights that the file came with.
func (o *EnvelopeOutcome) plain() *enveloping.SSD { return &enveloping.SSD{Weights: o.Examples.Rigged} }

// asOwn makes the examples of another file, whose joints and vertices are the same, examples of the fitted model.
func (o *EnvelopeOutcome) asOwn(m, of *skinning.Model, x *enveloping.Examples) (*enveloping.Examples, error) {
	joint, err := sameJoints(m, of)
	if err != nil {
		return nil, err
	}
	out := *o.Examples
	out.Pairs = nil
	for _, p := range x.Pairs {
		matrices := make([]skinning.Affine, len(joint))
		for j, k := range joint {
			matrices[j] = p.Matrices[k]
		}
		p.Matrices = matrices
		out.Pairs = append(out.Pairs, p)
	}
	return &out, nil
}

// SameJoints reports what keeps another file's examples from being examples of m: other joints, other parents of them,
// another number of vertices, or other triangles.
func SameJoints(m, of *skinning.Model) error {
	_, err := sameJoints(m, of)
	return err
}

// sameJoints returns the joint of the other model for each joint of m, by name.
func sameJoints(m, of *skinning.Model) ([]int, error) {
	bad := func(format string, args ...any) ([]int, error) {
		return nil, fmt.Errorf("%s: "+format, append([]any{of.Name}, args...)...)
	}
	if a, b := len(m.Skin.Positions), len(of.Skin.Positions); a != b {
		return bad("%d vertices, expected the %d of %s", b, a, m.Name)
	}
	if a, b := len(m.Skin.Triangles), len(of.Skin.Triangles); a != b {
		return bad("%d triangles, expected the %d of %s", b, a, m.Name)
	}
	for k, t := range m.Skin.Triangles {
		if of.Skin.Triangles[k] != t {
			return bad("triangle %d is %v, expected %v as in %s", k, of.Skin.Triangles[k], t, m.Name)
		}
	}
	byName := map[string]int{}
	for k := len(of.Skeleton.Joints) - 1; k >= 0; k-- { // the first of several skins' joints of one name stays
		byName[of.Skeleton.Joints[k].Name] = k
	}
	joint := make([]int, len(m.Skeleton.Joints))
	for j := range joint {
		own := &m.Skeleton.Joints[j]
		k, ok := byName[own.Name]
		if !ok {
			return bad("no joint %q, expected the joints of %s", own.Name, m.Name)
		}
		if a, b := parentName(&m.Skeleton, j), parentName(&of.Skeleton, k); a != b {
			return bad("joint %q hangs on %q, expected %q as in %s", own.Name, b, a, m.Name)
		}
		joint[j] = k
	}
	return joint, nil
}

// parentName is the name of the joint that a joint hangs on, "" for none.
func parentName(s *skinning.Skeleton, j int) string {
	if p := s.Joints[j].Parent; p >= 0 {
		return s.Joints[p].Name
	}
	return ""
}

// shapeTable measures a fit to shapes in the clips that show shapes, or at the poses that shapes were given for, and
// says which clips there are no shapes of.
func (o *EnvelopeOutcome) shapeTable(ctx context.Context, m *skinning.Model, spec *EnvelopeSpec) (table []ClipError,
	err error) {
	own := ownClips(m)
	for _, c := range own {
		t := spec.Training
		switch {
		case ctx.Err() != nil:
			return nil, nil
		case t.Targets != nil && c != t.Clip || t.Targets == nil && !ShowsShapes(m, c):
			continue
		case t.Targets == nil:
			if t, err = ownShapes(m, c); err != nil {
				return nil, err
			}
			t.thin(testFrames)
		}
		x, err := t.Examples(m)
		if err != nil {
			return nil, err
		}
		d := m.Diagonal()
		fit, lbs := measured(o.Model.Measure(x), d), measured(o.plain().Measure(x), d)
		row := ClipError{Name: m.Clips[c].Name, Frames: len(x.Pairs), EE: fit.EE, RMS: fit.RMS, Max: fit.Max, LBSEE: lbs.EE,
			LBSRMS: lbs.RMS, LBSMax: lbs.Max}
		row.judge()
		table = append(table, row)
	}
	if n := len(own) - len(table); n > 0 {
		clips := "clips have"
		if n == 1 {
			clips = "clip has"
		}
		o.Report.Without = fmt.Sprintf("%d other %s no shapes to measure against.", n, clips)
	}
	return table, nil
}

// thin leaves so many of the times at most, evenly spread.
func (t *Training) thin(most int) {
	n := len(t.Times)
	if n <= most {
		return
	}
	for i := range most {
		t.Times[i] = t.Times[i*(n-1)/(most-1)]
	}
	t.Times = t.Times[:most]
}
