package render

import (
	"math"
	"testing"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/passes"
)

// TestTimerOnContext times real drawing with both sources. A software renderer's queries mean nothing: there they are
// only run.
func TestTimerOnContext(t *testing.T) {
	r := newTestRenderer(t)
	m := loadModel(t, "demo:box")
	setModel(t, r, m)
	s := newTestScene(m, 0.4, 96, 64)
	framebuffer := newFramebuffer(t, 96, 64)
	own := r.timer
	if r.info.Software != (own.Label() == passes.New(true).Label()) {
		t.Errorf("software renderer: %v, times are labelled %q", r.info.Software, own.Label())
	}
	for name, timer := range map[string]*passes.Timer{"finish": passes.New(true), "queries": passes.New(false)} {
		r.timer = timer
		r.timer.SetTiming(passes.TimingPasses)
		pose := m.NewPose()
		step := func() {
			r.timer.SetPose(s.Frame, pose)
			for range 2 {
				if err := r.Draw(s, framebuffer); err != nil {
					t.Fatal(err)
				}
			}
			r.timer.Frame()
		}
		for range 12 {
			step()
		}
		gl.Finish()
		step()
		if n := r.timer.Picture().Len(); n < 3 {
			t.Errorf("%s: %d pictures after 13 frames", name, n)
		}
		if name == "finish" || !r.info.Software {
			sum := 0.0
			for _, p := range passes.All() {
				got := r.timer.Pass(p)
				if ran := p != passes.Proxies && p != passes.Normals && p != passes.Interface; ran != (got.Len() > 0) {
					t.Errorf("%s: %v: %d samples", name, p, got.Len())
				}
				if !(got.Last() >= 0 && got.Last() < 1) {
					t.Errorf("%s: %v takes %g s", name, p, got.Last())
				}
				if !p.OnCPU() {
					sum += got.Last()
				}
			}
			if last := r.timer.Picture().Last(); !(math.Abs(sum-last) < 1e-9) { // the same numbers, added in another order
				t.Errorf("%s: a picture of %g s whose passes take %g s", name, last, sum)
			}
		}
		if n := testing.AllocsPerRun(20, step); n != 0 {
			t.Errorf("%s: %g allocations a frame, expected none", name, n)
		}
		r.timer.Delete()
	}
	r.timer = own
}
