package halfway

import (
	"context"
	"testing"

	"skinlab/assets/demo"
	"skinlab/fit/enveloping"
	"skinlab/fit/training"
	"skinlab/skinning"
)

// TestTrainHalfWay: on the twisted bar, half-way joints with trained weights lie between trained SSD and enveloping on
// the training poses (RTER section 7): half of a twist by 180 degrees is at hand, a quarter is not.
func TestTrainHalfWay(t *testing.T) {
	m, err := demo.New("demo:bar")
	if err != nil {
		t.Fatal(err)
	}
	set, err := training.Own(m)
	if err != nil {
		t.Fatal(err)
	}
	x, err := enveloping.FromSet(m, set)
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
		for v, p := range f.Reference(skinning.LBS).Positions {
			d := p.Sub(x.Pairs[i].Target[v])
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
