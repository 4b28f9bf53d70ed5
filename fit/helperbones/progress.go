package helperbones

import (
	"context"
	"fmt"
	"time"

	"skinlab/fit"
	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// The shares of a fit's time that the insertion of bones, and the rounds after it, take.
const insertShare, roundsShare = 0.3, 0.4

// showEvery is the time between models of a running decomposition. Each model needs controllers of its own. For a human
// character, making them takes about a tenth of this time.
const showEvery = 500 * time.Millisecond

// ee converts an RMS error over the examples, in metres, to percent of the error of the best rigid prediction.
func (f *fitting) ee(rms float64) float64 {
	if f.rigid == 0 {
		return 0
	}
	return 100 * rms / f.rigid
}

// stage reports the other work of the fit.
func (f *fitting) stage(what string) { f.show(what, f.last.Share) }

// show reports the last step, and the stage and share of the work.
func (f *fitting) show(stage string, share float64) {
	if f.job.Progress != nil {
		f.last.Stage, f.last.Share, f.last.Now.Elapsed = stage, share, time.Since(f.start)
		f.job.Progress(f.last)
	}
}

// tell reports a round of the decomposition. S is nil while starts are compared. Models have quick controllers.
func (f *fitting) tell(x *training.Examples, step ssdr.Step, s *ssdr.Solver) {
	if f.job.Progress == nil {
		return
	}
	bones := float64(step.Bones) / float64(f.job.Int("bones"))
	if s == nil {
		f.show("places for "+messages.Count(step.Bones, "bone", "bones"), insertShare*bones)
		return
	}
	now := &f.last.Now
	if step.Bones > 0 && (step.Bones != now.Added || time.Since(f.shown) > showEvery) {
		d := s.Current()
		f.shown = time.Now()
		*now = f.step(x, d)
	}
	now.EE = f.ee(step.RMS)
	if step.Round == 0 {
		f.show("", insertShare*bones)
	} else {
		f.show("motions and weights", insertShare+roundsShare*float64(step.Round)/float64(f.recipe.Decompose.Rounds))
	}
}

// step returns the step of a decomposition.
func (f *fitting) step(x *training.Examples, d *ssdr.Decomposition) fit.Step {
	return fit.Step{Added: len(d.Motions), EE: f.ee(d.RMS), Model: fit.LazyModel(func() (*skinning.Model, error) {
		c, err := Control(context.Background(), x, d, quickControls(f.controls()))
		if err != nil {
			return nil, err
		}
		return f.model(c.Rig, c.Weights)
	})}
}

// tellControls reports a controller, or a round of refinement.
func (f *fitting) tellControls(bones, round int, now *Controlled) {
	if f.job.Progress == nil {
		return
	}
	stage := fmt.Sprintf("controllers: %d of %d", bones, f.last.Now.Added)
	if round > 0 {
		stage = "weights for the controllers"
		f.last.Now = fit.Step{Added: bones, EE: f.ee(now.RMS),
			Model: fit.LazyModel(func() (*skinning.Model, error) { return f.model(now.Rig, now.Weights) })}
	}
	f.show(stage, insertShare+roundsShare+0.1*float64(bones)/float64(max(f.last.Now.Added, 1)))
}
