package enveloping

import (
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/parallel"
	"skinlab/skinning"
)

// Options say how to fit.
type Options struct {
	Proxies int     // P at most; 0 means 80
	Rigid   float64 // vertices whose SSD error is below this share of the mean of all are fixed to it (section 4.2); 0 means 0.6
	Rounds  int     // of coordinate descent in both reductions; 0 means 3
	Workers int     // 0 means all processors
	// Progress is told each stage as it begins, on Fit's goroutine; nil for none.
	Progress func(stage string)
}

const (
	defaultProxies = 80
	defaultRigid   = 0.6
	defaultRounds  = 3
)

// The stages of a fit, as progress names them.
const (
	stageSSD      = "joint weights"
	stageReduce   = "proxy bones"
	stageAssemble = "predictors"
	stageMeasure  = "errors"
)

// Result is a fit and what it was measured against.
type Result struct {
	Model    *Model
	Trained  *SSD   // trained on the same examples
	SSD, Fit Errors // of both on them
}

// Fit learns a model from examples. A done context ends it with ctx.Err() and nothing.
func Fit(ctx context.Context, x *Examples, opt Options) (*Result, error) {
	if err := x.check(); err != nil {
		return nil, err
	}
	if opt.Proxies <= 0 {
		opt.Proxies = defaultProxies
	}
	if opt.Rigid <= 0 {
		opt.Rigid = defaultRigid
	}
	if opt.Rounds <= 0 {
		opt.Rounds = defaultRounds
	}
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	report := func(stage string) {
		if opt.Progress != nil {
			opt.Progress(stage)
		}
	}
	cancelled := func() bool { return ctx.Err() != nil }
	report(stageSSD)
	whole := x
	x, of := x.welded()
	s := trainSSD(x, opt.Workers)
	fixed := fixedVertices(x, s, opt.Rigid)
	report(stageReduce)
	r := reduce(x, s, fixed, opt.Proxies, opt.Rounds, opt.Workers, cancelled)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	report(stageAssemble)
	middle, turns := newTurns(x.Parent, x.Pairs)
	keys := make([]skinning.GradientKey, len(r.gradients))
	parallel.For(opt.Workers, len(keys), func(_, l int) { keys[l] = fitKey(x.Parent, turns, r.gradients[l]) })
	report(stageMeasure)
	m, err := settle(ctx, x, s, r, middle, keys)
	if err != nil {
		return nil, err
	}
	m, s = m.split(of), s.split(of)
	return &Result{Model: m, Trained: s, SSD: s.measure(whole, s.rigid), Fit: m.measure(whole, s.rigid)}, ctx.Err()
}

// settling rounds fix vertices that SSD turned out to predict better.
const settlingRounds = 4

// settle solves for the proxies, and again with those vertices fixed too that SSD predicts better than the solve does: on what the
// examples leave hard to predict, a fit is then no worse than what it is compared with. It returns the best of the rounds.
func settle(ctx context.Context, x *Examples, s *SSD, r *reduction, middle []mgl64.Vec3, keys []skinning.GradientKey) (best *Model, err error) {
	least := math.Inf(1)
	for range settlingRounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, err := assemble(x, s, r, defaultHolds())
		if err != nil {
			return nil, err
		}
		m := &Model{Fixed: slices.Clone(r.fixed), Weights: slices.Clone(r.weights), Rig: newRig(x.Parent, middle, c)}
		copy(m.Rig.Keys, keys)
		for v := range m.Weights {
			if m.Weights[v] == nil { // fixed, or out of reach of every triangle
				m.Fixed[v], m.Weights[v] = true, s.Weights[v]
			}
		}
		var driver skinning.EnvelopeDriver
		square := squares(x, func(i int) []mgl64.Vec3 { return m.Pose(&driver, x.Rest, x.Pairs[i].Matrices) })
		sum := 0.0
		for _, e := range square {
			sum += e
		}
		if sum < least {
			best, least = m, sum
		}
		more := false
		for v, e := range square {
			if !r.fixed[v] && e > s.square[v] {
				r.fixed[v], r.weights[v], more = true, nil, true
			}
		}
		if !more {
			break
		}
	}
	return best, nil
}

// newRig returns a rig over all joints without its keys.
func newRig(parents []int, middle []mgl64.Vec3, c *matrices) skinning.EnvelopeRig {
	rig := skinning.EnvelopeRig{Parents: parents, Middle: middle, C1: c.c1, C2: c.c2, Keys: make([]skinning.GradientKey, c.proxies)}
	for j := range parents {
		rig.Masters = append(rig.Masters, j)
	}
	for b := range c.proxies {
		rig.Proxies = append(rig.Proxies, len(parents)+b)
	}
	return rig
}

// fixedVertices returns F: the vertices that SSD predicts well, and those that no triangle with an area reaches.
func fixedVertices(x *Examples, s *SSD, share float64) []bool {
	fixed := make([]bool, len(x.Rest))
	mean := 0.0
	for _, e := range s.square {
		mean += math.Sqrt(e) / float64(len(s.square))
	}
	reached := make([]bool, len(x.Rest))
	for _, t := range x.Triangles {
		if _, ok := invert(frame(x.Rest[t[0]], x.Rest[t[1]], x.Rest[t[2]])); ok {
			reached[t[0]], reached[t[1]], reached[t[2]] = true, true, true
		}
	}
	for v, e := range s.square {
		fixed[v] = !reached[v] || math.Sqrt(e) < share*mean
	}
	return fixed
}
