package viewer

import (
	"testing"
	"time"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render"
)

// TestTimer runs both ways of timing on a headless context. A software renderer's queries mean nothing, so there only the ring is
// held: it never begins a query that is not yet read.
func TestTimer(t *testing.T) {
	headless, err := render.NewHeadless()
	if err != nil {
		t.Skipf("no headless context: %v", err)
	}
	defer headless.Close()
	r, err := render.NewRenderer()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Delete()
	for _, software := range []bool{true, false} {
		timer := newFrameTimer(software)
		for range 20 {
			timer.begin()
			gl.Clear(gl.COLOR_BUFFER_BIT)
			if software {
				time.Sleep(5 * time.Millisecond) // a CPU that is at work, or not given any
			}
			timer.end()
			if n := timer.started - timer.read; n < 0 || n > timerRing {
				t.Fatalf("%d queries under way, expected 0 to %d", n, timerRing)
			}
		}
		gl.Finish()
		if software && !(timer.seconds >= 0.005 && timer.seconds < 1) {
			t.Errorf("5 ms frames measured as %g s", timer.seconds)
		}
		if !software && !r.Info().Software && !(timer.seconds > 0 && timer.seconds < 0.1) {
			t.Errorf("clearing measured as %g s of GPU time", timer.seconds)
		}
		timer.delete()
		timer.delete()
		if e := gl.GetError(); e != gl.NO_ERROR {
			t.Errorf("software %v: OpenGL error %#x", software, e)
		}
	}
}
