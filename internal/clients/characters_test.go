package clients_test

import (
	"context"
	"math"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"skinlab/assets"
	"skinlab/fit"
	"skinlab/fit/blendbones"
	"skinlab/fit/training"
	"skinlab/internal/clients"
	"skinlab/internal/longtest"
	"skinlab/skinning"
)

// TestCharacters: characters that Blender makes, on which nothing here was tuned, are no worse in any of their clips
// than with linear blending, with the default number of blend bones and the default training.
func TestCharacters(t *testing.T) {
	longtest.Only(t)
	kinds := []string{"cat", "horse"}
	if *everything {
		kinds = append(kinds, "human", "bird", "wolf", "shark", "basic_human", "basic_quadruped")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if err := clients.Blender().Ready(ctx, scripts); err != nil {
		t.Skipf("no characters are made: %v", err)
	}
	folder := t.TempDir()
	script := exec.CommandContext(ctx, "blender", append([]string{"-b", "--factory-startup", "--python-exit-code", "1", "-P",
		filepath.Join(scripts, "characters.py"), "--", folder}, kinds...)...)
	if out, err := script.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out[max(0, len(out)-2000):])
	}
	for _, kind := range kinds {
		for _, name := range []string{kind + ".glb", kind + "-curves.glb"} {
			m, err := assets.Open(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			out, err := fit.Run(ctx, fit.Job{Method: blendbones.Method, Model: m, Training: &training.Set{Teacher: skinning.DQS},
				Tests: training.Tests{Clip: -1, AllClips: true}, Values: fit.Values{}})
			if err != nil {
				t.Fatal(err)
			}
			if len(out.Report.Clips) != 5 {
				t.Errorf("%s: %d clips", name, len(out.Report.Clips))
			}
			var shares []float64 // of the error of linear blending that are left
			for _, c := range out.Report.Clips {
				shares = append(shares, math.Round(100*c.RMS/c.LBSRMS)/100)
				if c.Worse {
					t.Errorf("%s, %s: RMS %.3g, by linear blending %.3g", name, c.Name, c.RMS, c.LBSRMS)
				}
			}
			t.Logf("%-26s %d vertices, %d joints, of the errors of linear blending are left %v", name, len(m.Skin.Positions),
				len(m.Skeleton.Joints), shares)
		}
	}
}
