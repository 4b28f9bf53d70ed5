package viewer

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestStartIsQuick measures from the start of the process until the window has drawn demo:figure: under a second, in the best of a few
// tries, since other tests may have the processor.
func TestStartIsQuick(t *testing.T) {
	d := startDisplay(t)
	const most, tries = time.Second, 8
	best := time.Hour
	for range tries {
		cmd := exec.Command(os.Args[0], "-child", "live", "-child.model", "demo:figure")
		// As on the first start of all: Mesa has no compiled shaders in its cache.
		cmd.Env = append(os.Environ(), "DISPLAY="+d.name, "MESA_SHADER_CACHE_DISABLE=true")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
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
		best = min(best, time.Since(start))
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
