package fit

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"

	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
	"skinlab/skinning/parallel"
)

// Measured is the errors of one way to pose the skin. RMS and Max are fractions of the rest pose's diagonal; EE, and
// the mean and deviation over the vertices (RTER figure 11), are percentages of the best rigid prediction.
type Measured struct {
	EE        metrics.Percent `json:"ee"`
	RMS       float64         `json:"rms"`
	RMSmm     float64         `json:"rms_mm"` // over vertices and examples, millimetres
	Max       float64         `json:"max"`
	Mean      float64         `json:"mean,omitzero"`
	Deviation float64         `json:"deviation,omitzero"`
}

// UnseenTest is the errors on poses that were not trained on, or that need not have been, of every way that learns from
// the same examples.
type UnseenTest struct {
	Clip   string   `json:"clip"`
	Learnt bool     `json:"trained_on,omitempty"` // examples are of this clip, see [training.Poses.Learns]
	Frames int      `json:"frames"`               // the number that was tested on
	Of     int      `json:"of"`                   // the number that was asked for: more where Ctrl-C ended the test
	LBS    Measured `json:"lbs,omitzero"`         // plain linear blending with the file's own weights; not in leave-one-out
	SSD    Measured `json:"ssd,omitzero"`         // linear blending with trained weights, without added bones
	Own    Measured `json:"own,omitzero"`         // another method with the file's own weights, where weights are trained for it
	Fit    Measured `json:"fit"`
}

// test is the fit's errors and those of linear blending alone.
func (u *UnseenTest) test() *Test {
	return &Test{Clip: u.Clip, Learnt: u.Learnt, Frames: u.Frames, Errors: Errors{EE: u.Fit.EE, RMS: u.Fit.RMS, Max: u.Fit.Max,
		LBSEE: u.LBS.EE, LBSRMS: u.LBS.RMS, LBSMax: u.LBS.Max}}
}

// UnseenTests are a part of the details of a fit to shapes.
type UnseenTests struct {
	Unseen      *UnseenTest `json:"unseen,omitempty"`
	HeldOut     *UnseenTest `json:"held_out,omitempty"`
	Sequence    *UnseenTest `json:"sequence,omitempty"` // all frames, of which key frames were trained on (RTER section 7.1)
	LeaveOneOut *UnseenTest `json:"loocv,omitempty"`
}

// named calls use for every test, with a name for people.
func (u *UnseenTests) named(use func(name string, t *UnseenTest)) {
	for _, t := range []struct {
		name string
		test *UnseenTest
	}{{"unseen", u.Unseen}, {"held out", u.HeldOut}, {"whole sequence", u.Sequence}, {"leave one out", u.LeaveOneOut}} {
		switch {
		case t.test == nil:
		case t.test.Learnt:
			use("trained on", t.test)
		default:
			use(t.name, t.test)
		}
	}
}

// Each calls line for every way of every test, with a name for people. Method names the fit; "" leaves it out.
func (u *UnseenTests) Each(method string, line func(name string, e Measured)) {
	u.named(func(name string, t *UnseenTest) {
		for _, way := range []struct {
			name string
			e    Measured
		}{{"linear blending", t.LBS}, {"SSD", t.SSD}, {"the file's weights", t.Own}, {method, t.Fit}} {
			if way.e != (Measured{}) && way.name != "" {
				line(name+", "+way.name, way.e)
			}
		}
	})
}

// WritePoses prints how many poses each test is over, and whether leave-one-out ended before its last example.
func (u *UnseenTests) WritePoses(w io.Writer) {
	var over []string
	u.named(func(name string, t *UnseenTest) {
		over = append(over, fmt.Sprintf("%s: %s of %s", name, messages.Count(t.Frames, "pose", "poses"),
			messages.Printable(t.Clip)))
	})
	if over != nil {
		fmt.Fprintf(w, "Tests, %s.\n", strings.Join(over, "; "))
	}
	if l := u.LeaveOneOut; l != nil && l.Frames < l.Of {
		fmt.Fprintf(w, "Leave one out was ended after %d of %d examples: its errors are over those.\n", l.Frames, l.Of)
	}
}

// foldsAtOnce bounds the number of concurrent fits. Each of enveloping takes 200 bytes for every triangle and pair,
// prior ones too: 0.4 GB for 49 examples on 26,000 triangles. Four keep the processors busy while one of them runs on a
// single worker.
const foldsAtOnce = 4

// LeaveOneOut predicts each of n examples, at least two, from the others, and returns the predictions, nil for those
// that were not made (RTER section 7.1: leave-one-out cross validation). A call of predict is a complete fit to the
// other examples, by the number of workers that it is given.
//
// Folds run concurrently on at most workers together, 0 for all cores. Progress, which may be nil, is called on the
// caller's goroutine with the number of examples that are done. A done context ends it with the predictions made so
// far, or with ctx.Err() where there are none.
func LeaveOneOut[P any](ctx context.Context, workers, n int, progress func(done, of int),
	predict func(ctx context.Context, workers, i int) (*P, error)) (all []*P, err error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	folds := min(workers, foldsAtOnce, n)
	running, stop := context.WithCancel(ctx)
	defer stop()
	type prediction struct {
		example int
		made    *P
		err     error
	}
	made := make(chan prediction)
	go func() {
		defer close(made)
		parallel.For(folds, n, func(_, i int) {
			if running.Err() == nil {
				p, err := predict(running, workers/folds, i)
				made <- prediction{i, p, err}
			}
		})
	}()
	all = make([]*P, n)
	done := 0
	for p := range made {
		switch {
		case p.err == nil:
			all[p.example] = p.made
			done++
			if progress != nil {
				progress(done, n)
			}
		case running.Err() == nil:
			err = fmt.Errorf("without example %d: %w", p.example, p.err)
			stop()
		}
	}
	if err == nil && done == 0 {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return all, nil
}
