package enveloping

import (
	"context"
	"testing"

	"skinlab/assets/demo"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// TestTooFewProxies: where so few proxies predict no vertex better than trained weights do, the fit is those weights, and no failure.
func TestTooFewProxies(t *testing.T) {
	m, err := demo.New("demo:figure")
	if err != nil {
		t.Fatal(err)
	}
	x, err := Taught(m, skinning.DQS, m, 0, compare.Times(m.Clips[0].Seconds, 12))
	if err != nil {
		t.Fatal(err)
	}
	for _, proxies := range []int{1, 5} {
		r, err := Fit(context.Background(), x, Options{Proxies: proxies, History: true})
		if err != nil {
			t.Fatalf("%d proxies: %v", proxies, err)
		}
		if !(r.Fit.EE <= r.SSD.EE) {
			t.Errorf("%d proxies: EE %g %%, of trained weights alone %g %%", proxies, r.Fit.EE, r.SSD.EE)
		}
	}
}
