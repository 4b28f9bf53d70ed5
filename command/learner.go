package command

import (
	"context"
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/enveloping"
	"skinlab/fit/job"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// learner makes the subjects of one comparison that are fits: to a method, or to example shapes.
type learner struct {
	model    *skinning.Model
	clip     int             // that fits are trained on; [job.RangeOfMotion] for poses made from the skeleton
	teacher  skinning.Method // whose shapes fits learn
	examples bool            // fits learn the model's own example shapes instead
	fits     map[int]*job.EnvelopeOutcome
}

// imitate fits blend bones or half-way joints to the teacher.
func (l *learner) imitate(ctx context.Context, s *compare.Subject, method string, bones int) error {
	out, err := job.Run(ctx, l.model, job.Spec{Method: method, Operator: l.teacher, Bones: bones,
		Train: []job.Part{{Clip: l.clip}}, Test: -1}, nil)
	if err != nil {
		return err
	}
	s.Model = out.Fitted
	if s.Title = counted(len(out.Rig.Bones), "blend bone", "blend bones"); method == "half-way" {
		s.Title = halfWayTitle(len(out.Rig.Bones))
	}
	return nil
}

func halfWayTitle(joints int) string { return counted(joints, "half-way joint", "half-way joints") }

// training is the example set, or the teacher's poses in the clip.
func (l *learner) training() (*job.Training, error) {
	if l.examples {
		return job.OwnExamples(l.model)
	}
	return &job.Training{Teacher: l.teacher, Train: []job.Part{{Clip: l.clip}}}, nil
}

// fit fits enveloping with a number of proxies at most, 0 for as many as usual, or weights alone for −1. Each number is
// fitted once.
func (l *learner) fit(ctx context.Context, proxies int) (*job.EnvelopeOutcome, error) {
	if out := l.fits[proxies]; out != nil {
		return out, nil
	}
	training, err := l.training()
	if err != nil {
		return nil, err
	}
	spec := job.EnvelopeSpec{Method: "enveloping", Training: training, Proxies: proxies, Test: -1}
	if proxies < 0 {
		spec.Method = "ssd"
	}
	out, err := job.Envelope(ctx, l.model, spec)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	if l.fits == nil {
		l.fits = map[int]*job.EnvelopeOutcome{}
	}
	l.fits[proxies] = out
	return out, nil
}

// learn makes the subject enveloping, ssd or psd.
func (l *learner) learn(ctx context.Context, s *compare.Subject, method string, proxies int) error {
	if method != "enveloping" {
		proxies = -1
	}
	out, err := l.fit(ctx, proxies)
	if err != nil {
		return err
	}
	s.Model = out.Fitted
	switch method {
	case "ssd":
		s.Title = "Trained SSD"
	case "enveloping":
		s.Title = "Enveloping, " + counted(out.Model.Proxies(), "proxy", "proxies")
	case "psd":
		psd, err := enveloping.NewPSD(ctx, out.Examples, out.Trained, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", l.model.Name, err)
		}
		s.Title = "Pose space deformation"
		s.Deform = func(f *skinning.Frame) []mgl64.Vec3 {
			return psd.Pose(f.Model.Skin.RestShape(f.Morphs).Positions, f.Matrices)
		}
	default:
		panic("command: learn: no fit to examples is named " + method)
	}
	return nil
}

// trainHalfWay makes the subject half-way with weights trained on the examples.
func (l *learner) trainHalfWay(ctx context.Context, s *compare.Subject) error {
	training, err := l.training()
	if err != nil {
		return err
	}
	if s.Model, err = job.TrainHalfWay(ctx, l.model, training); err != nil {
		return err
	}
	s.Title = halfWayTitle(len(s.Model.Blend.Bones))
	return nil
}
