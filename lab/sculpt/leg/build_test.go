package leg

import (
	"bytes"
	"os"
	"runtime"
	"testing"

	"skinlab/internal/packed"

	"github.com/go-gl/mathgl/mgl64"
)

// TestEmbeddedFilesAreUpToDate makes both legs anew: they must be the embedded ones, bit for bit. Only on amd64, on
// which the files were made: others fuse multiplications with additions, and one bit may decide a triangle's diagonal.
func TestEmbeddedFilesAreUpToDate(t *testing.T) {
	if testing.Short() || runtime.GOARCH != "amd64" {
		t.Skip("slow, and the same bit for bit on amd64 alone")
	}
	for file, build := range map[string]func() (*packed.Model, error){"leg.bin": Build, "leg-smooth.bin": BuildSmooth} {
		m, err := build()
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile("../../../assets/demo/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if got := packed.Encode(m); !bytes.Equal(got, want) {
			t.Errorf("the generator makes %d bytes that differ from the %d of %s: run go generate ./assets/demo", len(got),
				len(want), file)
		}
	}
}

// TestWeightsSumToOneAndAreLocal: far from all joints a point follows one of them alone, and at a joint two by half.
func TestWeightsSumToOneAndAreLocal(t *testing.T) {
	for _, c := range []struct {
		at     mgl64.Vec3
		joints []uint16
	}{
		{vec{0, 0.995, 0}, []uint16{0}}, {vec{0, 0.70, 0.08}, []uint16{1}}, {vec{0, 0.30, -0.08}, []uint16{2}},
		{vec{0, 0.02, 0.12}, []uint16{3}}, {vec{0, 0.01, -0.08}, []uint16{3}}, {vec{0, atKnee[1], 0.04}, []uint16{1, 2}},
	} {
		got := weights(c.at)
		sum := float32(0)
		for k, f := range got {
			sum += f.Weight
			if k >= len(c.joints) || f.Joint != c.joints[k] || !(f.Weight > 0.49/float32(len(c.joints))) {
				t.Errorf("at %v: %v, expected joints %d", c.at, got, c.joints)
			}
		}
		if d := sum - 1; !(d < 1e-6 && d > -1e-6) { // rounding of float32
			t.Errorf("at %v the weights sum to %g", c.at, sum)
		}
	}
}
