package main

import (
	"context"
	"math"
	"slices"
	"strconv"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/internal/cputime"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/geom"
	"skinlab/skinning/stress"
)

// testFrames and wholeFrames are how many poses are measured of a clip that is not learnt, and of one of which poses
// are.
const (
	testFrames  = 20
	wholeFrames = 100
)

// clipFit fits bones to poses of a clip. What is seen is the EE on the whole of that clip, or on the learnt poses where
// they are of none. What is unseen is the geometric mean over up to twelve other clips of the file, or over the stress
// clips of a file without clips.
type clipFit struct {
	model, train  string // "" for the range of motion
	frames, bones int
	operator      skinning.Method
}

func (s source) blendBones(c clipFit) (o Outcome, err error) {
	m, err := s.open(c.model, "")
	if err != nil {
		return o, err
	}
	part := training.Part{Clip: training.RangeOfMotion, Frames: c.frames}
	if c.train != "" {
		if part.Clip, err = m.ClipIndex(c.train); err != nil {
			return o, err
		}
	}
	set := &training.Set{Teacher: c.operator, Parts: []training.Part{part}}
	out, err := o.run(fit.Job{Method: s.BlendBonesMethod(), Model: m, Training: set, Tests: training.Tests{Clip: -1}}, c.bones)
	if err != nil {
		return o, err
	}
	if c.train == "" {
		o.Seen, o.BaseSeen = float64(out.Report.EE), float64(out.Report.History[0].EE)
		m = stress.Append(m)
	} else if o.Seen, o.BaseSeen, err = survey(m, out.Model, part.Clip, wholeFrames, c.operator); err != nil {
		return o, err
	}
	others := otherClips(m, part.Clip)
	for _, other := range others {
		ee, linear, err := survey(m, out.Model, other, testFrames, c.operator)
		if err != nil {
			return o, err
		}
		o.Unseen += math.Log(max(ee, least)) / float64(len(others))
		o.BaseUnseen += math.Log(max(linear, least)) / float64(len(others))
	}
	o.Unseen, o.BaseUnseen = math.Exp(o.Unseen), math.Exp(o.BaseUnseen)
	return o, nil
}

// otherClips lists up to twelve clips that move, spread evenly over all but the given one.
func otherClips(m *skinning.Model, but int) (clips []int) {
	const most = 12
	var all []int
	for c := range m.Clips {
		if c != but && m.Clips[c].Seconds > 0 {
			all = append(all, c)
		}
	}
	n := min(most, len(all))
	for k := range n {
		clips = append(clips, all[k*len(all)/n])
	}
	return clips
}

// run fits with at most so many added joints, and fills in what is known of any fit.
func (o *Outcome) run(job fit.Job, added int) (out *fit.Result, err error) {
	job.Workers, job.Values = 1, fit.Values{job.Method.Count().Name: float64(added)}
	o.Seconds = cputime.Of(func() { out, err = fit.Run(context.Background(), job) }).Seconds()
	if err == nil {
		o.Added, o.Influences = out.Report.AddedBones, out.Report.InfluencesAfter
	}
	return out, err
}

// survey measures a fitted model and linear blending on a clip, which need not be one of the fitted model. Errors that
// cannot be seen count as none.
func survey(
	m, fitted *skinning.Model, clip, frames int, operator skinning.Method,
) (ee, linear float64, err error) {
	f := *fitted
	f.Clips = m.Clips
	s := compare.Survey{Reference: operator, Clip: clip, Frames: frames, ShortestPath: true, Workers: 1,
		Subjects: append(compare.Direct(skinning.LBS), compare.Subject{Model: &f, Clip: clip})}
	got, err := s.Run(context.Background(), m)
	if err != nil {
		return 0, 0, err
	}
	return got[1].EE, got[0].EE, nil
}

// leaveClip returns a model with and without one of its clips.
func (s source) leaveClip(model, clip string) (whole, rest *skinning.Model, err error) {
	if whole, err = s.open(model, ""); err != nil {
		return nil, nil, err
	}
	c, err := whole.ClipIndex(clip)
	if err != nil {
		return nil, nil, err
	}
	few := *whole
	few.Clips = slices.Delete(slices.Clone(whole.Clips[:stress.Own(whole)]), c, c+1)
	return whole, &few, nil
}

// clips is the geometric mean of EE over clips, of a fit and of what it is beside.
func clips(table fit.ClipTable) (ee, linear float64) {
	n := float64(len(table))
	for i := range table {
		if !table[i].EE.Known() { // of a clip that rests
			table[i].EE = 0
		}
		ee += math.Log(max(float64(table[i].EE), least)) / n
		linear += math.Log(max(float64(table[i].LBSEE), least)) / n
	}
	return math.Exp(ee), math.Exp(linear)
}

// least is the EE in percent below which errors count as that, as in the table.
const least = 1

// withoutClip fits with the default training, from all clips but one, and tests on that. What is seen is the clips that
// poses were chosen from.
func (s source) withoutClip(
	method *fit.Method, added int, model, clip string, operator skinning.Method,
) (o Outcome, err error) {
	m, rest, err := s.leaveClip(model, clip)
	if err != nil {
		return o, err
	}
	return s.byDefault(method, added, rest, m, clip, operator)
}

// byDefault fits with the default training and tests on a clip of another model.
func (s source) byDefault(
	method *fit.Method, added int, m, other *skinning.Model, clip string, operator skinning.Method,
) (o Outcome, err error) {
	out, err := o.run(fit.Job{Method: method, Model: m,
		Training: &training.Set{Teacher: operator, Frames: s.Poses}, Tests: training.Tests{Clip: -1, AllClips: true}}, added)
	if err != nil {
		return o, err
	}
	o.Seen, o.BaseSeen = clips(out.Report.Clips)
	c, err := other.ClipIndex(clip)
	if err != nil {
		return o, err
	}
	o.Unseen, o.BaseUnseen, err = survey(other, out.Model, c, testFrames, operator)
	return o, err
}

// withIdle is byDefault for a model that stands nearly still in one clip more, in which every rotation is a fraction of
// what it is in the given one. It is tested on that clip or, where nothing deforms in it, on the given one.
func (s source) withIdle(
	method *fit.Method, added int, model, clip string, fraction float64, operator skinning.Method,
) (Outcome, error) {
	m, err := s.open(model, "")
	if err != nil {
		return Outcome{}, err
	}
	c, err := m.ClipIndex(clip)
	if err != nil {
		return Outcome{}, err
	}
	idle := m.Clips[c]
	idle.Name, idle.Channels = "idle", nil
	rest := m.NewPose()
	for _, c := range m.Clips[c].Channels {
		if c.Path != skinning.PathRotation || c.Interpolation == skinning.CubicSpline {
			continue
		}
		c.Values = slices.Clone(c.Values)
		for k := range c.Times {
			r := rest.Local[c.Node].Rotation
			var q geom.Quat
			for i := range q {
				q[i] = float64(c.Values[4*k+i])
			}
			turn := geom.RotationVector(r.Conjugate().Mul(q)).Mul(fraction)
			if turn.Len() > 0 {
				r = r.Mul(geom.AxisAngle(turn.Mul(1/turn.Len()), turn.Len()))
			}
			for i := range r {
				c.Values[4*k+i] = float32(r[i])
			}
		}
		idle.Channels = append(idle.Channels, c)
	}
	m.Clips = append([]skinning.Clip{idle}, m.Clips...)
	tested := "idle"
	if fraction == 0 {
		tested = strconv.Itoa(c + 1)
	}
	return s.byDefault(method, added, m, m, tested, operator)
}

// delayed is byDefault for a model whose only clip holds its first pose for some seconds before it begins. It is tested
// on the clip without them.
func (s source) delayed(model, clip string, seconds float64, bones int, operator skinning.Method) (Outcome, error) {
	m, err := s.open(model, "")
	if err != nil {
		return Outcome{}, err
	}
	c, err := m.ClipIndex(clip)
	if err != nil {
		return Outcome{}, err
	}
	late, rests := *m, m.Clips[c]
	rests.Seconds += seconds
	rests.Channels = slices.Clone(rests.Channels)
	for i := range rests.Channels {
		times := slices.Clone(rests.Channels[i].Times)
		for k := range times {
			times[k] += float32(seconds)
		}
		rests.Channels[i].Times = times
	}
	late.Clips = []skinning.Clip{rests}
	return s.byDefault(s.BlendBonesMethod(), bones, &late, m, clip, operator)
}
