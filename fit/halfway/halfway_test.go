package halfway

import (
	"context"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/fit/enveloping"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// TestTrainHalfWay: on the twisted bar, half-way joints with trained weights lie between trained SSD and enveloping on
// the training poses (RTER section 7): half of a twist by 180 degrees is at hand, a quarter is not.
func TestTrainHalfWay(t *testing.T) {
	m := assetstest.Open(t, "demo:bar")
	set, err := training.Own(m)
	if err != nil {
		t.Fatal(err)
	}
	x, err := set.Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	out, err := enveloping.Fit(context.Background(), x, enveloping.Options{Proxies: 25})
	if err != nil {
		t.Fatal(err)
	}
	model, err := trainOnShapes(context.Background(), m, set)
	if err != nil {
		t.Fatal(err)
	}
	if len(model.Added()) != 1 || len(model.Skin.Morphs) != 0 {
		t.Fatalf("the model has not one half-way joint, or kept its morph targets")
	}
	sum, count := 0.0, 0
	pose, f := model.NewPose(), skinning.NewFrame(model, nil)
	for i, at := range set.Times {
		model.SamplePose(pose, set.Clip, at)
		f.SetPose(pose)
		for v, p := range f.Positions(skinning.LBS) {
			d := p.Sub(x.Targets[i][v])
			sum += d.Dot(d)
			count++
		}
	}
	rms := sum / float64(count)
	fit, ssd := out.Fit.RMS, out.SSD.RMS
	if !(rms > fit*fit) || !(rms < 0.5*ssd*ssd) {
		t.Errorf("mean square %g m², enveloping %g, trained SSD %g", rms, fit*fit, ssd*ssd)
	}
}

// TestScalingJoints: half-way joints turn by half of the angle, and the others scale about the middle of a bone by
// 1 + k·(θ/π)², within 1e-6 (the rig's numbers have seven digits).
func TestScalingJoints(t *testing.T) {
	m, x := bulging(t)
	k := newJoints(&m.Skeleton, true)
	model, err := k.model(m, m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	if len(model.Added()) != 5 || len(model.Rigs) != 2 {
		t.Fatalf("%d joints of %d rigs, expected 5 of 2", len(model.Added()), len(model.Rigs))
	}
	pose, f := model.NewPose(), skinning.NewFrame(model, nil)
	turned := 0.0
	for i, at := range x.Times {
		model.SamplePose(pose, x.Clip, at)
		f.SetPose(pose)
		theta := angle(f.Matrices[0], f.Matrices[1])
		turned = max(turned, theta)
		if a := angle(f.Matrices[0], f.Matrices[2]); !(math.Abs(a-theta/2) <= 1e-6) {
			t.Errorf("example %d: the half-way joint has turned by %g, expected %g", i, a, theta/2)
		}
		for n, parent := range []int{0, 0, 1, 1} {
			most := []float64{mostGrowth, mostShrinking}[n%2]
			want := f.Matrices[parent].Mul(scaled(k.scaling.Bones[n].Place, 1+most*theta*theta/(math.Pi*math.Pi)))
			for e, c := range f.Matrices[3+n] {
				if !(math.Abs(c-want[e]) <= 1e-6) {
					t.Errorf("example %d, joint %d: element %d is %g, expected %g", i, n, e, c, want[e])
				}
			}
		}
	}
	if !(turned > 1) {
		t.Errorf("the examples turn by %g at most", turned)
	}
}

// TestMohrGleicher: shapes that swell with the angle are learnt by joints that grow with it, within 2 % (weights are
// held to the rig's a little, and are not to be had without these joints); joints that no vertex follows are left
// out, and the file's joints and weights stay as they are.
func TestMohrGleicher(t *testing.T) {
	m, set := bulging(t)
	job := fit.Job{Method: WholeMethod, Model: m, Training: set, Tests: training.Tests{Clip: -1}}
	out, err := fit.Run(context.Background(), job)
	if err != nil {
		t.Fatal(err)
	}
	half, err := run(context.Background(), &job, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("EE %.2f %%, half-way joints alone %.2f %%", float64(out.Report.EE), float64(half.Report.EE))
	if !(out.Report.EE <= 2) || !(half.Report.EE > 20) {
		t.Errorf("EE %.2f %%, half-way joints alone %.2f %%", float64(out.Report.EE), float64(half.Report.EE))
	}
	r, n := out.Report, len(out.Model.Added())
	if r.MasterBones != 2 || r.AddedBones != n || n == 0 || n >= 5 || len(m.Rigs) != 0 {
		t.Errorf("%d bones and %d added, %d in the model", r.MasterBones, r.AddedBones, n)
	}
	vertices := len(m.Skin.Positions)
	if d := r.Details.(*enveloping.Details); d.Fixed != fixed(&out.Model.Skin.Influences, vertices, 2) || d.Fixed == vertices {
		t.Errorf("%d of %d vertices are fixed to joints, with %.2f influences a vertex", d.Fixed, vertices, r.InfluencesAfter)
	}
	// The model that was made anew, of the joints that are used, has the error of the report.
	x, err := set.Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	if e := fit.NewShapeErrors(x).Of(out.Model); !(math.Abs(e.RMS-r.RMS) <= 1e-6*m.Diagonal()) {
		t.Errorf("RMS %g of the diagonal, the report says %g", e.RMS, r.RMS)
	}
}

// bulging is the bar in poses of its twist, whose shapes also swell: what follows the first joint does so by half,
// and by half swells about the middle of that joint's bone.
func bulging(t *testing.T) (m *skinning.Model, set *training.Set) {
	t.Helper()
	m = assetstest.Open(t, "demo:bar")
	clip, err := m.ClipIndex("twist")
	if err != nil {
		t.Fatal(err)
	}
	set = &training.Set{Clip: clip, Times: m.Clips[clip].KeyTimes()}
	place := m.Skeleton.Joints[0].Position.Add(m.Skeleton.Joints[1].Position).Mul(0.5)
	pose, f := m.NewPose(), skinning.NewFrame(m, nil)
	var buf []skinning.Influence
	for _, at := range set.Times {
		m.SamplePose(pose, clip, at)
		f.SetPose(pose)
		theta := angle(f.Matrices[0], f.Matrices[1])
		swollen := f.Matrices[0].Mul(scaled(place, 1+theta*theta/(math.Pi*math.Pi)))
		shape := make([]mgl64.Vec3, len(m.Skin.Positions))
		for v := range shape {
			p := geom.Vec64(m.Skin.Positions[v])
			for _, in := range m.Skin.Of(buf[:0], v) {
				at := f.Matrices[in.Joint].Apply(p)
				if in.Joint == 0 {
					at = at.Add(swollen.Apply(p)).Mul(0.5)
				}
				shape[v] = shape[v].Add(at.Mul(float64(in.Weight)))
			}
		}
		set.Targets = append(set.Targets, shape)
	}
	return m, set
}

// scaled scales about a place.
func scaled(place mgl64.Vec3, s float64) geom.Affine {
	return geom.NewAffine(geom.Mat3{s, 0, 0, 0, s, 0, 0, 0, s}, place.Mul(1-s))
}

// angle is how far b has turned against a, by the trace of the rotation.
func angle(a, b geom.Affine) float64 {
	r := a.Linear().Transpose().Mul(b.Linear())
	return math.Acos(max(-1, min(1, (r[0]+r[4]+r[8]-1)/2)))
}
