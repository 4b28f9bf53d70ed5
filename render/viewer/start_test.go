package viewer

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestStartIsQuick measures from the start of the process until the window has drawn demo:figure: under 1.3 seconds of a
// processor of 3 GHz, in the best of a few tries, since other tests may have the processor. Measured: 0.83 to 1.06, of
// which compiling the program of materials takes 0.08. Virtual machines were seen to fall to a quarter of their speed
// for hours.
func TestStartIsQuick(t *testing.T) {
	d := startDisplay(t)
	const most, tries = 1300 * time.Millisecond, 8
	best := time.Hour
	for range tries {
		cmd := exec.Command(os.Args[0], "-child", "live", "-child.model", "demo:figure")
		// As on the first start of all: Mesa has no compiled shaders in its cache.
		cmd.Env = append(os.Environ(), "DISPLAY="+d.name, "MESA_SHADER_CACHE_DISABLE=true")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		slow := slowness()
		start := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var s Snapshot
		for in := json.NewDecoder(out); s.Drawn == 0; {
			if err := in.Decode(&s); err != nil {
				t.Fatal(err)
			}
		}
		took := time.Since(start)
		slow = max(1, (slow+slowness())/2)
		t.Logf("%v, on a processor %.1f times as slow as one of 3 GHz", took.Round(time.Millisecond), slow)
		best = min(best, time.Duration(float64(took)/slow))
		cmd.Process.Kill()
		cmd.Wait()
		if s.Model != "demo:figure" {
			t.Fatalf("%q is shown", s.Model)
		}
		if best <= most/2 {
			break
		}
	}
	t.Logf("demo:figure is on the screen %v after the start", best.Round(time.Millisecond))
	if best > most {
		t.Errorf("%v, expected %v at most", best, most)
	}
}

// slowness is how many times as long as a processor of 3 GHz this one takes, just now, for a chain of multiplications
// and additions: four cycles each.
func slowness() float64 {
	const steps, expected = 10_000_000, 10_000_000 * 4 / 3e9
	start := time.Now()
	x := uint64(start.UnixNano())
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407
	}
	if x == 0 { // only so that the chain is computed
		return 1
	}
	return time.Since(start).Seconds() / expected
}
