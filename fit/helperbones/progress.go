package helperbones

import (
	"context"
	"fmt"
	"time"

	"skinlab/fit"
	"skinlab/fit/ssdr"
	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// ee converts an RMS error over the examples, in metres, to percent of the error of the best rigid prediction.
func (f *fitting) ee(rms float64) float64 {
	if f.rigid == 0 {
		return 0
	}
	return 100 * rms / f.rigid
}

// step is a state of the decomposition. Its model has quick controllers. It keeps the weights as a skin has them, in a
// third of their memory.
func (f *fitting) step(x *ssdr.Examples, d *ssdr.Decomposition) fit.Step {
	weights, motions := influencesOf(d.Weights), d.Motions
	return fit.Step{Added: len(motions), Model: fit.LazyModel(func() (*skinning.Model, error) {
		shares := skinning.SharesOf(&weights)
		if len(motions) == 0 {
			return f.model(nil, shares)
		}
		c, err := Control(context.Background(), x, &ssdr.Decomposition{Weights: shares, Motions: motions},
			quickControls(f.controls()))
		if err != nil {
			return nil, err
		}
		return f.model(c.Rig, c.Weights)
	})}
}

// The shares of a fit's time that the insertion of bones, and the rounds after it, take.
const (
	insertShare = 0.3
	roundsShare = 0.4
)

// showEvery is the time between models of a running decomposition. Each model needs controllers of its own. For a human
// character, making them takes about a tenth of this time.
const showEvery = 500 * time.Millisecond

// tellSketch says how many bones have a place.
func (f *fitting) tellSketch(bones int) {
	f.last.Share = insertShare * float64(bones) / float64(f.job.Int("bones"))
	f.stage(fmt.Sprintf("places for %s", messages.Count(bones, "bone", "bones")))
}

// tell passes the decomposition's progress on.
func (f *fitting) tell(x *ssdr.Examples, p *ssdr.Progress) {
	if f.job.Progress == nil {
		return
	}
	now := &f.last.Now
	if p.Bones != now.Added || now.Model == nil || time.Since(f.modelled) > showEvery {
		*now, f.modelled = f.step(x, p.Current()), time.Now()
	}
	now.EE, now.Elapsed = f.ee(p.RMS), time.Since(f.start)
	if p.Round == 0 {
		f.last.Stage, f.last.Share = "", insertShare*float64(p.Bones)/float64(f.job.Int("bones"))
		f.remember(*now)
	} else {
		f.last.Stage = "motions and weights"
		f.last.Share = insertShare + roundsShare*min(float64(p.Round)/ssdr.DefaultRounds, 1)
	}
	f.job.Progress(f.last)
}

// improve replaces the last step of the history, which has the bones as they were inserted, by one with the bones as the
// decomposition ended.
func (f *fitting) improve(a *learned) {
	if now := f.last.Now; now.Model != nil && now.Added == len(a.before.Motions) {
		f.last.Now = f.step(a.x, a.before)
		f.last.Now.EE, f.last.Now.Elapsed = f.ee(a.before.RMS), time.Since(f.start)
		f.remember(f.last.Now)
	}
}

// tellControls passes the controllers' progress on.
func (f *fitting) tellControls(p ControlProgress) {
	if f.job.Progress == nil {
		return
	}
	f.last.Stage = fmt.Sprintf("controllers: %d of %d", p.Bones, f.last.Now.Added)
	f.last.Share = insertShare + roundsShare + (1-insertShare-roundsShare)/2*float64(p.Bones)/float64(f.last.Now.Added)
	if p.Round > 0 {
		f.last.Stage = "weights for the controllers"
		c := p.Current()
		f.last.Now = fit.Step{Added: p.Bones, EE: f.ee(p.RMS),
			Model: fit.LazyModel(func() (*skinning.Model, error) { return f.model(c.Rig, c.Weights) })}
	}
	f.last.Now.Elapsed = time.Since(f.start)
	f.job.Progress(f.last)
}

// remember appends a step to the history, if the job asks for one, in place of those with as many bones or more. A step
// holds all weights and motions.
func (f *fitting) remember(s fit.Step) {
	if !f.job.Steps {
		return
	}
	n := len(f.last.History)
	for n > 0 && f.last.History[n-1].Added >= s.Added {
		n--
	}
	f.last.History = append(f.last.History[:n:n], s)
}

// stage reports the other work of the fit.
func (f *fitting) stage(what string) {
	if f.job.Progress != nil {
		f.last.Stage, f.last.Now.Elapsed = what, time.Since(f.start)
		f.job.Progress(f.last)
	}
}
