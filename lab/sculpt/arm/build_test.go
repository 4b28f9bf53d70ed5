package arm

import (
	"bytes"
	"os"
	"runtime"
	"testing"

	"skinlab/internal/packed"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// TestEmbeddedFileIsUpToDate makes the arm anew: it must be the embedded one, bit for bit. Only on amd64, on which the
// file was made: others fuse multiplications with additions, and one bit decides which edge is flipped. It takes 8 s of
// one core.
func TestEmbeddedFileIsUpToDate(t *testing.T) {
	if testing.Short() || runtime.GOARCH != "amd64" {
		t.Skip("remeshing is slow, and the same bit for bit on amd64 alone")
	}
	m, err := Build()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../../assets/demo/arm.bin")
	if err != nil {
		t.Fatal(err)
	}
	if got := packed.Encode(m); !bytes.Equal(got, want) {
		t.Errorf("the generator makes %d bytes that differ from the %d of arm.bin: run go generate ./assets/demo", len(got),
			len(want))
	}
}

func TestWeightsSumToOneAndAreLocal(t *testing.T) {
	data, err := os.ReadFile("../../../assets/demo/arm.bin")
	if err != nil {
		t.Fatal(err)
	}
	m, err := packed.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Weights.Validate(len(m.Joints)); err != nil {
		t.Error(err)
	}
	// No digit is felt further from its own bone than 45 mm: about half the width of the hand.
	for v, p := range m.Positions {
		for _, f := range m.Weights.Of(nil, v) {
			if f.Joint < firstDigit {
				continue
			}
			d := allDigits()[(f.Joint-firstDigit)/3]
			k := (f.Joint - firstDigit) % 3
			if near := distance(p, d.Points[k].Add(offset), d.Points[k+1].Add(offset)); !(near < 0.045) {
				t.Fatalf("vertex %d feels %s by %g from %g m", v, m.Joints[f.Joint].Name, f.Weight, near)
			}
		}
	}
}

// distance is that of p from the segment a–b, metres.
func distance(p mgl32.Vec3, a, b mgl64.Vec3) float64 {
	q := mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
	ab := b.Sub(a)
	t := max(0, min(1, q.Sub(a).Dot(ab)/ab.Dot(ab)))
	return q.Sub(a.Add(ab.Mul(t))).Len()
}
