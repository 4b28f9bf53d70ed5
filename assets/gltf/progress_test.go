package gltf

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"skinlab/assets/fault"
	"skinlab/internal/gltftest"
)

// texturedFile returns the path of a file with a skin, a clip and a picture.
func texturedFile(t *testing.T) string {
	t.Helper()
	source := filepath.Join(gltftest.ModelsFolder(), "CesiumMan.glb")
	if _, err := os.Stat(source); err != nil {
		t.Skipf("no %s to load", source)
	}
	return source
}

func TestLoadSaysHowFarItIs(t *testing.T) {
	path := texturedFile(t)
	last, seen := map[string]float64{}, []string{}
	m, err := Open(t.Context(), path, "", func(step string, share float64) {
		before, known := last[step]
		if !(share >= 0 && share <= 1) || known && share < before {
			t.Errorf("%s goes from %g to %g", step, before, share)
		}
		if !known {
			seen = append(seen, step)
		} else if seen[len(seen)-1] != step {
			t.Errorf("back to %s after %v", step, seen)
		}
		last[step] = share
	})
	if err != nil || len(m.Textures) != 1 || len(m.Clips) != 1 {
		t.Fatalf("%v, %v", m, err)
	}
	for _, step := range []string{stepReading, stepChecking, stepMeshes, stepClips, stepPictures} {
		if _, ok := last[step]; !ok {
			t.Errorf("nothing is said of %q; said: %v", step, seen)
		}
	}
}

// TestLoadIsCancelledAtEveryStep cancels at each report in turn: the error says so, and is not that of a file that is
// broken.
func TestLoadIsCancelledAtEveryStep(t *testing.T) {
	path := texturedFile(t)
	reports := 0
	if _, err := Open(t.Context(), path, "", func(string, float64) { reports++ }); err != nil {
		t.Fatal(err)
	}
	if reports < 5 {
		t.Fatalf("%d reports", reports)
	}
	for at := 1; at <= reports; at++ {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		m, err := Open(ctx, path, "", func(string, float64) {
			n++
			if n == at {
				cancel()
			}
		})
		cancel()
		if m != nil || !errors.Is(err, context.Canceled) || errors.Is(err, fault.ErrMalformed) {
			t.Errorf("cancelled at report %d of %d: %v, expected context.Canceled alone", at, reports, err)
		}
		if n > at+1 {
			t.Errorf("%d more reports after it was cancelled", n-at)
		}
	}
}
