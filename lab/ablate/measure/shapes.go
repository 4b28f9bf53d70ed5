package main

import (
	"cmp"

	"skinlab/assets/demo"
	"skinlab/fit"
	"skinlab/fit/bodymodel"
	"skinlab/fit/helperbones"
	"skinlab/fit/training"
	"skinlab/skinning"
)

// jobMaker makes a job without a method: a model, what is learnt, and what the fit is tested on.
type jobMaker func() (fit.Job, error)

// helperBones fits helper bones. What they must beat is linear blending with trained weights.
func (s source) helperBones(bones int, j jobMaker) (o Outcome, err error) {
	job, err := j()
	if err != nil {
		return o, err
	}
	job.Method = s.HelperBonesMethod()
	out, err := o.run(job, bones)
	if err != nil {
		return o, err
	}
	d := out.Report.Details.(*helperbones.Details)
	unseen := cmp.Or(d.HeldOut, d.Unseen)
	o.Seen, o.BaseSeen, o.Unseen, o.BaseUnseen = d.RMSmm, d.WeightsMm, unseen.Fit.RMSmm, unseen.SSD.RMSmm
	return o, nil
}

// bodyModel fits a body with so many limbs, 0 for the file's skeleton. What it must beat is itself by linear blending.
func (s source) bodyModel(limbs int, j jobMaker) (o Outcome, err error) {
	job, err := j()
	if err != nil {
		return o, err
	}
	job.Method = s.BodyModelMethod()
	out, err := o.run(job, limbs)
	if err != nil {
		return o, err
	}
	d := out.Report.Details.(*bodymodel.Details)
	o.Seen, o.BaseSeen, o.Unseen, o.BaseUnseen = d.RMSmm, d.PlayedMm, d.HeldOut.RMSmm, d.HeldOut.LinearMm
	return o, nil
}

// own takes so many of a model's own examples, and holds some of these out.
func (s source) own(model string, examples, held int) jobMaker {
	return func() (fit.Job, error) {
		m, err := s.open(model, "")
		if err != nil {
			return fit.Job{}, err
		}
		set, err := training.Own(m)
		if err != nil {
			return fit.Job{}, err
		}
		return holdOut(m, set.KeyFrames(examples), held), nil
	}
}

func holdOut(m *skinning.Model, set *training.Set, held int) fit.Job {
	learnt, others := set.HoldOut(held)
	return fit.Job{Model: m, Training: learnt, Tests: training.Tests{Clip: -1, HeldOut: others}}
}

// targets are the human's meshes in its exercise, of which some are held out.
func (s source) targets(held int) jobMaker {
	return func() (fit.Job, error) {
		m, err := s.open("human_male.glb", "")
		if err != nil {
			return fit.Job{}, err
		}
		var info struct {
			Clip     string
			Vertices int
			Times    []float64
		}
		set := &training.Set{}
		if set.Targets, err = s.meshes("examples/human_male_exercise_targets", &info, &info.Vertices); err != nil {
			return fit.Job{}, err
		}
		set.Times = info.Times
		set.Clip, err = m.ClipIndex(info.Clip)
		return holdOut(m, set, held), err
	}
}

// grid is every step-th pose of the leg's grid (HBR section 6.1), tested on the leg's own examples. No number of
// levels of the grid is to divide step.
func (s source) grid(step int) jobMaker {
	return func() (fit.Job, error) {
		m, err := s.open("demo:leg", "")
		if err != nil {
			return fit.Job{}, err
		}
		others, err := training.Own(m)
		if err != nil {
			return fit.Job{}, err
		}
		leg, _ := demo.LegOf(m)
		set := &training.Set{}
		all := demo.LegGrid()
		for i := 0; i < len(all); i += step {
			pose := m.NewPose()
			leg.SetPose(pose, all[i])
			set.Poses = append(set.Poses, pose)
			set.Targets = append(set.Targets, leg.Shapes(all[i:i+1])...)
		}
		return fit.Job{Model: m, Training: set, Tests: training.Tests{Clip: -1, HeldOut: others}}, nil
	}
}

// without is the default training by a method from all clips but one, tested on that.
func (s source) without(model, clip string, teacher skinning.Method) jobMaker {
	return func() (fit.Job, error) {
		m, err := s.open(model, "")
		if err != nil {
			return fit.Job{}, err
		}
		c, err := m.ClipIndex(clip)
		return fit.Job{Model: m, Training: &training.Set{Teacher: teacher}, Tests: training.Tests{Clip: c}}, err
	}
}
