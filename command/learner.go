package command

import (
	"cmp"
	"context"
	"strings"

	"skinlab/command/flags"
	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/messages"
	"skinlab/skinning/progress"
)

// learner makes the subjects of one comparison that are fits: to a method, or to example shapes.
type learner struct {
	model    *skinning.Model
	clip     int                // that fits are trained on; [training.RangeOfMotion] for poses made from the skeleton
	teacher  skinning.Reference // that fits imitate, or whose shapes they learn
	examples bool               // fits learn the model's own example shapes instead
	keys     int                // the number of these to learn; 0 for all
	longWay  bool               // fits see rotations past 180 degrees, see [training.Set]
	made     map[madeFit]*fit.Result
}

// madeFit identifies a fit that a learner has made, by its method and the number of added joints that was asked for.
type madeFit struct {
	method *fit.Method
	count  int
}

func (l *learner) set() (*training.Set, error) {
	if l.examples {
		set, err := ownExamples(l.model)
		if err == nil && l.keys > 0 {
			return keyFrames(set, l.keys, l.model)
		}
		return set, err
	}
	return &training.Set{Teacher: l.teacher, Parts: []training.Part{{Clip: l.clip}}, LongWay: l.longWay}, nil
}

// fit fits, with at most count added joints where the method has that option. Each count is fitted once.
func (l *learner) fit(ctx context.Context, method *fit.Method, count int) (*fit.Result, error) {
	key := madeFit{method, count}
	if out := l.made[key]; out != nil {
		return out, nil
	}
	set, err := l.set()
	if err != nil {
		return nil, err
	}
	job := fit.Job{Method: method, Model: l.model, Training: set, Tests: training.Tests{Clip: -1}}
	if o := method.Count(); o != nil {
		job.Values = fit.Values{o.Name: float64(count)}
	}
	_, end := progress.Begin(ctx, "fitting "+method.Name)
	out, err := fit.Run(ctx, job)
	end()
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	if l.made == nil {
		l.made = map[madeFit]*fit.Result{}
	}
	l.made[key] = out
	return out, nil
}

// train is what the fits that were made have learnt, as in their reports; "" where none was made.
func (l *learner) train() string {
	for _, out := range l.made {
		return out.Report.Train
	}
	return ""
}

func (l *learner) learn(ctx context.Context, s *compare.Subject, method *fit.Method, count int) error {
	if _, imitable := l.teacher.(skinning.Method); (l.examples || !imitable) && method.Learns == fit.Operator {
		return l.learnShapes(ctx, s, method)
	}
	out, err := l.fit(ctx, method, count)
	if err != nil {
		return err
	}
	s.Model, s.Title = out.Model, method.Title
	added := messages.Count(out.Last.Now.Added, method.Noun, method.Nouns())
	switch {
	case method.Learns == fit.Operator, strings.EqualFold(method.Title, method.Nouns()):
		s.Title = added
	case method.Count() != nil:
		s.Title += ", " + added
	}
	if out.Last.Now.Added < count && strings.Contains(s.Name, ":") { // the name has a number that is not the model's
		s.Name += " (" + added + ")"
	}
	return nil
}

// learnShapes makes the subject a model of a fit to a method that is fitted to example shapes instead.
// [subjectFlags.check] has refused the fits that cannot do so.
func (l *learner) learnShapes(ctx context.Context, s *compare.Subject, method *fit.Method) error {
	if method.OnShapes == nil {
		return flags.Usagef("--methods: %s imitates a method, not %s", method.Name, l.teacher)
	}
	set, err := l.set()
	if err != nil {
		return err
	}
	if s.Model, err = method.OnShapes(ctx, l.model, set); err != nil {
		return err
	}
	s.Title = messages.Count(len(s.Model.Added()), method.Noun, method.Nouns())
	return nil
}
