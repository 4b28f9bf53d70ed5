package job

import (
	"context"
	"testing"

	"skinlab/assets/demo"
	"skinlab/skinning"
)

// TestTrainHalfWay: on the twisted bar, half-way joints with trained weights lie between trained SSD and enveloping on
// the training poses (RTER section 7): half of a twist by 180 degrees is at hand, a quarter is not.
func TestTrainHalfWay(t *testing.T) {
	m, err := demo.New("demo:bar")
	if err != nil {
		t.Fatal(err)
	}
	training, err := OwnExamples(m)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Envelope(context.Background(), m,
		EnvelopeSpec{Method: "enveloping", Training: training, Proxies: 25, Test: -1})
	if err != nil {
		t.Fatal(err)
	}
	model, err := TrainHalfWay(context.Background(), m, training)
	if err != nil {
		t.Fatal(err)
	}
	if len(model.Added()) != 1 || len(model.Skin.Morphs) != 0 {
		t.Fatalf("the model has not one half-way joint, or kept its morph targets")
	}
	sum, count := 0.0, 0
	pose, f := model.NewPose(), skinning.NewFrame(model, nil)
	for i, at := range training.Times {
		model.SamplePose(pose, training.Clip, at)
		f.SetPose(pose)
		for v, p := range f.Reference(skinning.LBS).Positions {
			d := p.Sub(out.Examples.Pairs[i].Target[v])
			sum += d.Dot(d)
			count++
		}
	}
	size := m.Diagonal()
	rms := sum / float64(count)
	fit, ssd := out.Report.RMS*size, out.Report.SSDRMS*size
	if !(rms > fit*fit) || !(rms < 0.5*ssd*ssd) {
		t.Errorf("mean square %g m², enveloping %g, trained SSD %g", rms, fit*fit, ssd*ssd)
	}
}
