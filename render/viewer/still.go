package viewer

import (
	"context"
	"time"

	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// still is what a fit has learnt beside its models, in place of a second file. No palette makes its poses. A goroutine
// learns it and poses it whenever the time stands still; no frame waits for it. The picture shows its last pose until
// the next one is there.
type still struct {
	fitpage.Beside
	choice fitpage.Choice
	name   string
	own    posing.Subject       // the fitted model in the pose that is asked for; of the goroutine while it works
	by     *fitpage.Deformation // nil until it has been learnt
	asked  posing.Instant       // of the first file, in the pose that was asked for last
	poses  desk.Job[posedStill]
	steps  desk.Job[[]fitpage.Mark]
}

// posedStill is a pose of a still.
type posedStill struct {
	by   *fitpage.Deformation
	skin *skinning.Frame
	took time.Duration
}

// beginStill shows what a fit has learnt beside the shown fit, once it has been learnt and posed.
func (a *app) beginStill(c fitpage.Choice, name string) {
	a.dropBeside()
	m := c.Fit.Model().Model
	a.still = &still{choice: c, name: name, own: posing.Subject{Model: m, Pose: m.NewPose(), Frame: fitted.LazyFrame(m, nil)}}
	a.still.own.Under(a.pose.Edits)
	a.wake()
}

// dropStill ends the work of a still. Its pose is shown as long as the second file is.
func (a *app) dropStill() {
	if s := a.still; s != nil {
		s.poses.Stop()
		s.steps.Stop()
		a.still = nil
	}
}

// working reports whether a pose or a number that belongs to what is shown is still to come.
func (s *still) working() bool {
	return s != nil && (s.poses.Running() || s.steps.Running() || !s.Ready)
}

// late reports whether the picture of a still is not of the pose of the first file.
func (s *still) late() bool { return s != nil && s.Late }

// poseStill asks for the pose of this frame where the time stands still, nothing else is being posed, and it has not been
// asked for.
func (a *app) poseStill() {
	s := a.still
	if s == nil {
		return
	}
	at := a.shown.At
	s.Late = !s.Ready || at != s.asked || s.poses.Running()
	if at == s.asked || a.state.Moving() || s.poses.Running() {
		return
	}
	s.asked = at
	s.own.Set(posing.Instant{Clip: at.Clip, Time: at.Time, LongWay: at.LongWay, OK: true})
	by, frame, fits, of, other := s.by, s.own.Frame, a.opt.Fit, s.choice.Fit.Model().Written, s.choice.Other
	s.poses.Start(a.ctx, a.waker.Wake, func(ctx context.Context) (p posedStill, err error) {
		if p.by = by; p.by == nil {
			if p.by, err = fits.Other(ctx, of, other); err != nil {
				return p, err
			}
		}
		start := time.Now()
		p.skin = frame.Snapshot(p.by.Pose(frame))
		p.took = time.Since(start)
		return p, nil
	})
}

// receiveStill shows a pose that has arrived, and takes the errors of the steps.
func (a *app) receiveStill() {
	s := a.still
	if s == nil {
		return
	}
	if steps, err, ok := s.steps.Take(); ok {
		if s.Steps = steps; err != nil {
			a.notes.Complain("Could not measure the steps of the fit", err)
		}
		a.wake()
	}
	p, err, ok := s.poses.Take()
	if !ok {
		return
	}
	a.wake()
	if err == nil {
		err = a.putStill(s, &p)
	}
	if err != nil {
		a.notes.Complain("Could not show what the fit has learnt", err)
		a.dropBeside()
		a.past.amends = true
	}
}

// putStill shows a pose in the place of a second file.
func (a *app) putStill(s *still, p *posedStill) error {
	first := !s.Ready
	b := &beside{name: a.fit.List().NameOf(fitpage.Choice{Fit: s.choice.Fit, Other: -1}), fitted: true, choice: s.choice, still: s}
	b.Subject = posing.Subject{Model: p.skin.Model, Pose: p.skin.Model.NewPose(), Frame: p.skin}
	cost := skinning.Cost{Bars: 4, Class: a.desk.Line.Start().I(int(p.took.Milliseconds())).S(" ms a pose, on the processor").View()}
	cost.Class = string(append([]byte(nil), cost.Class...)) // the line is used again
	b.card = newCard(fitKey, s.name, s.name, "Slow: posed beside the loop, whenever the time stands still.", cost)
	if s.Ready, s.Took = true, p.took; !first {
		was := a.state
		if err := a.showBeside(b, a.besidePane()); err != nil {
			return err
		}
		keepPanes(&a.state, &was, func(state.Pane) bool { return true })
		return nil
	}
	if err := a.showBeside(b, 1); err != nil {
		return err
	}
	a.state.Panes[0] = state.Pane{Method: state.Fitted}
	a.state.Activate(0)
	a.past.amends = true
	if s.by = p.by; s.by.Steps != nil {
		s.steps.Start(a.ctx, a.waker.Wake, s.by.Steps)
	}
	return nil
}
