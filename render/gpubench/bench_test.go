package gpubench

import (
	"context"
	"testing"
	"time"

	"skinlab/fit/enveloping"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/render/gpu"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// TestBenchEnveloped: a row of an enveloped skin times its three passes, says what the rig keeps, a ninth of the dense
// matrices, and names the way that really posed it.
func TestBenchEnveloped(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m := assetstest.Open(t, "demo:arm")
	clip, err := m.ClipIndex(skinning.ExampleClip)
	if err != nil {
		t.Fatal(err)
	}
	x, err := (&training.Set{Teacher: skinning.LBS, Clip: clip, Times: m.Clips[clip].KeyTimes()}).Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := enveloping.Fit(context.Background(), x, enveloping.Options{Proxies: 30})
	if err != nil {
		t.Fatal(err)
	}
	fitted, err := fit.Model.With(m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gpu.NewHeadless(); err != nil {
		t.Skip(err)
	}
	subjects := append(compare.Direct(skinning.LBS),
		compare.Subject{Name: "enveloping:30", Method: skinning.LBS, Model: fitted, Clip: 3})
	opt := Options{Subjects: subjects, Skinnings: []skin.Way{skin.InShader, skin.InBufferFeedback}, Repeats: 2,
		Round: time.Millisecond, Frames: 3,
		PictureTime: time.Second, Width: 64, Height: 64}
	for _, crowds := range [][]int{nil, {5}} {
		opt.Instances = crowds
		out, err := Run(context.Background(), m, opt)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{"shader", "compute", "feedback", "feedback"} {
			row := out.Rows[i]
			timed := map[string]bool{}
			for _, p := range row.Passes {
				timed[p.Pass] = p.MedianNs > 0
			}
			enveloped := i%2 == 1
			if timed["proxies"] != enveloped || timed["normals"] != enveloped ||
				(row.Envelope != nil) != enveloped {
				t.Errorf("row %d, crowds %v: passes %v, rig %+v", i, crowds, row.Passes, row.Envelope)
			}
			if row.Skinning != want && !(want == "compute" && row.Skinning == "feedback") || !(row.RatioToLBS > 0) {
				t.Errorf("row %d, crowds %v: by way of %s, expected %s; ratio %g", i, crowds, row.Skinning, want, row.RatioToLBS)
			}
			if e := row.Envelope; enveloped &&
				(9*e.Bytes != e.DenseBytes || e.Proxies != len(fitted.Added()) || e.Masters != len(m.Skeleton.Joints)) {
				t.Errorf("rig %+v", e)
			}
		}
	}
}
