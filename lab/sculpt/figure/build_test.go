package figure

import (
	"bytes"
	"os"
	"runtime"
	"testing"

	"skinlab/internal/packed"
)

// TestEmbeddedFileIsUpToDate sculpts the person anew: the embedded file must be the same, bit for bit. Only on amd64,
// where it was made: elsewhere the compiler fuses multiplications with additions, and one bit decides which edge is
// flipped.
func TestEmbeddedFileIsUpToDate(t *testing.T) {
	if testing.Short() || runtime.GOARCH != "amd64" {
		t.Skip("half a minute of work, and the same bit for bit on amd64 alone")
	}
	m, err := Build()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../../assets/demo/figure.bin")
	if err != nil {
		t.Fatal(err)
	}
	if got := packed.Encode(m); !bytes.Equal(got, want) {
		t.Errorf("the generator makes %d bytes that differ from the %d of figure.bin: run go generate ./assets/demo",
			len(got), len(want))
	}
}

func TestRigIsSymmetric(t *testing.T) {
	joints := rig()
	find := func(name string) rigJoint {
		for _, j := range joints {
			if j.Name == name {
				return j
			}
		}
		t.Fatalf("no joint %q", name)
		return rigJoint{}
	}
	for i, j := range joints {
		if j.Parent >= i {
			t.Errorf("%s comes before its parent", j.Name)
		}
		other := find(counterpart(j.Name))
		if other.At != mirrored(j.At) || len(other.bones) != len(j.bones) {
			t.Errorf("%s at %v with %d bones, %s at %v with %d", j.Name, j.At, len(j.bones), other.Name, other.At,
				len(other.bones))
		}
		if j.Parent >= 0 && joints[other.Parent].Name != counterpart(joints[j.Parent].Name) {
			t.Errorf("%s hangs on %s, %s on %s", j.Name, joints[j.Parent].Name, other.Name, joints[other.Parent].Name)
		}
	}
}

// TestSurfaceIsSymmetric compares the field with its mirror image, over the whole body.
func TestSurfaceIsSymmetric(t *testing.T) {
	s := person()
	for y := 0.02; y < 1.76; y += 0.07 {
		for x := 0.01; x < 0.75; x += 0.06 {
			for z := -0.15; z < 0.2; z += 0.07 {
				p := vec{x, y, z}
				if a, b := s.At(p), s.At(mirrored(p)); !(a-b < 1e-9 && b-a < 1e-9) { // rounding only
					t.Fatalf("%g m from the surface at %v, %g m on the other side", a, p, b)
				}
			}
		}
	}
}
