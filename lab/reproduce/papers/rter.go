package papers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"skinlab/fit/enveloping"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/bench"
	"skinlab/skinning/compare"
	"skinlab/skinning/metrics"
	"skinlab/skinning/rig"
)

// EnvelopeRow is one row of RTER table 1. Times are medians in nanoseconds a vertex and frame, on one thread. Memory is
// in bytes.
type EnvelopeRow struct {
	Model     string          `json:"model"`
	Vertices  int             `json:"vertices"`
	Joints    int             `json:"joints"`
	Proxies   int             `json:"proxies"`
	Poses     int             `json:"train_poses"`
	Tested    int             `json:"test_poses"`
	Test      string          `json:"test"`      // the clip that was tested on, or "LOOCV"
	Taught    string          `json:"taught_by"` // "examples", or a method
	Flops     int             `json:"flops"`
	SSDFlops  int             `json:"ssd_flops"`
	Ns        float64         `json:"ns_per_vertex"` // the proxies' evaluation included
	SSDNs     float64         `json:"ssd_ns_per_vertex"`
	FPS       float64         `json:"fps"` // frames posed a second, 1/(vertices·Ns)
	SSDFPS    float64         `json:"ssd_fps"`
	Ratio     float64         `json:"ratio_to_ssd"`  // median over rounds of the two, one after the other
	DriveUs   float64         `json:"drive_us"`      // evaluating the predictors and t = c₁·d + c₂·q alone
	Memory    int             `json:"memory"`        // weights, c₁ and c₂, in float32
	SSDMemory int             `json:"ssd_memory"`    // weights
	Matrices  int             `json:"matrix_memory"` // c₁ and c₂ alone
	Dense     int             `json:"dense_memory"`  // what C₁ and C₂ take that do not share x, y and z
	Seconds   float64         `json:"fit_seconds"`
	EE        metrics.Percent `json:"ee"`     // percent, on the training poses
	SSDEE     metrics.Percent `json:"ssd_ee"` // percent
	TestEE    metrics.Percent `json:"test_ee"`
	TestSSDEE metrics.Percent `json:"test_ssd_ee"`
}

// RTERProxies returns the number of proxy bones of RTER table 1 for a model of as many vertices: 25 for its bar, 30 to
// 40 for its arms and shoulders, 80 and more for its whole bodies.
func RTERProxies(m *skinning.Model) int {
	switch vertices := len(m.Skin.Positions); {
	case vertices < 1000:
		return 25
	case vertices < 6000:
		return 30
	}
	return 80
}

// leaveOneOut is the paper's name for a test that predicts each example from all others.
const leaveOneOut = "LOOCV"

// unseenClip is the clip of the true shapes that a built-in model keeps from its example set.
const unseenClip = "unseen"

// tablePoses is the number of poses of a clip that train a model without examples.
const tablePoses = 12

// RTERRow fits enveloping to a model's example set, as published or with our defaults, and times it against trained SSD
// in one run. A model without examples is trained on dual quaternions, at 12 poses of its first clip.
func RTERRow(ctx context.Context, m *skinning.Model, published bool) (*EnvelopeRow, error) {
	set, err := training.Own(m)
	if err != nil {
		set = &training.Set{Clip: -1, Teacher: skinning.DQS}
		if len(m.Clips) > 0 {
			set.Clip, set.Times = 0, training.Times(m.Clips[0].Seconds, tablePoses)
		}
	}
	x, err := set.Examples(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	opt := enveloping.Options{Proxies: RTERProxies(m)}
	if published {
		opt.Recipe = enveloping.Published()
	}
	out, err := enveloping.Fit(ctx, x, opt)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	fitted, err := out.Model.With(m)
	if err != nil {
		return nil, err
	}
	base, err := out.Trained.With(m)
	if err != nil {
		return nil, err
	}
	taught := set.Reference().String()
	if !set.Taught() {
		taught = "examples"
	}
	envelope := skinning.RigOf[*rig.Enveloping](fitted)
	r := &EnvelopeRow{
		Model: m.Name, Vertices: len(m.Skin.Positions), Joints: len(m.Skeleton.Joints), Proxies: out.Model.Proxies(),
		Poses: len(x.Targets), Taught: taught, Seconds: out.Elapsed.Seconds(),
		EE: metrics.Percent(out.Fit.EE), SSDEE: metrics.Percent(out.SSD.EE),
		Flops: blendFlops(fitted) + driveFlops(envelope), SSDFlops: blendFlops(base), SSDMemory: weightBytes(base),
	}
	if envelope != nil {
		r.Matrices, r.Dense = envelope.Linear().Size()
		r.Matrices, r.Dense = 4*r.Matrices, 4*r.Dense
	}
	r.Memory = weightBytes(fitted) + r.Matrices
	costs, err := timeKernels(ctx, base, []compare.Subject{
		{Name: "enveloping", Model: fitted, Clip: set.Clip}, {Name: "ssd", Method: skinning.LBS, Clip: set.Clip}})
	if err != nil {
		return nil, err
	}
	r.Ns, r.SSDNs, r.Ratio, r.DriveUs = costs[0].NsPerVertex, costs[1].NsPerVertex, costs[0].RatioToLBS,
		DriveTime(fitted, set.Clip)
	r.FPS, r.SSDFPS = 1e9/(float64(r.Vertices)*r.Ns), 1e9/(float64(r.Vertices)*r.SSDNs)
	if err := r.generalize(ctx, m, set, x, out, opt); err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return r, nil
}

// generalize measures the fit on test poses (RTER section 7.1). If the training is key frames of a clip, these are the
// whole clip. Otherwise they are another clip that shows shapes or, if the model has none, the examples by
// leave-one-out.
func (r *EnvelopeRow) generalize(ctx context.Context, m *skinning.Model, set *training.Set, x *training.Examples,
	out *enveloping.Result, opt enveloping.Options) error {
	tests := training.Tests{Clip: max(set.Clip, -1)}
	if !set.Taught() {
		tests.Clip = slices.IndexFunc(m.Clips, func(c skinning.Clip) bool { return c.Name == unseenClip })
	}
	if tests.Clip < 0 {
		g, err := enveloping.LeaveOneOut(ctx, x, opt, nil)
		if err != nil {
			return err
		}
		r.Test, r.Tested, r.TestEE, r.TestSSDEE = leaveOneOut, g.Done, metrics.Percent(g.Fit.EE), metrics.Percent(g.SSD.EE)
		return ctx.Err()
	}
	unseen, _, err := tests.Of(m, set)
	if err != nil {
		return err
	}
	y, err := unseen.Examples(m)
	if err != nil {
		return err
	}
	r.Test, r.Tested = unseen.Poses.Name, len(y.Targets)
	r.TestEE, r.TestSSDEE = metrics.Percent(out.Model.Measure(y).EE), metrics.Percent(out.Trained.Measure(y).EE)
	return nil
}

// DriveTime returns the median microseconds for evaluating the predictors and the proxies' matrices in a pose of a
// clip.
func DriveTime(m *skinning.Model, clip int) float64 {
	_, frames := bench.Poses(m, clip)
	var us []float64
	for range rounds {
		start := time.Now()
		for _, f := range frames {
			f.DriveRigs()
		}
		us = append(us, time.Since(start).Seconds()*1e6/float64(len(frames)))
	}
	return bench.Median(us)
}

// blendFlops counts the operations of linear blending for positions and normals. A vertex of k influences takes 12·(2k
// − 1) for the matrix, 18 for the position and 15 for the normal.
func blendFlops(m *skinning.Model) (flops int) {
	var buf []skinning.Influence
	for v := range m.Skin.Positions {
		buf = m.Skin.Of(buf[:0], v)
		flops += 12*(2*len(buf)-1) + 18 + 15
	}
	return flops
}

// driveFlops counts the operations of a rig beyond linear blending. The P proxies take two operations for each entry of
// c₁ and c₂ and each of x, y and z: 24·P·(3K + 4J) with K keys and J joints. A predictor takes 9·14 for S and 45 for
// R·S. Each of its terms takes 90 more: a quaternion's exponential and two products.
func driveFlops(r *rig.Enveloping) int {
	if r == nil { // trained weights were enough
		return 0
	}
	flops := 24 * len(r.Proxies) * (3*len(r.Keys) + 4*len(r.Masters))
	for l := range r.Keys {
		flops += 9*14 + 45 + 90*len(r.Keys[l].Terms)
	}
	return flops
}

// weightBytes is the memory of a skin's weights: four joints and four weights a vertex.
func weightBytes(m *skinning.Model) int { return len(m.Skin.Positions) * (4*2 + 4*4) }
