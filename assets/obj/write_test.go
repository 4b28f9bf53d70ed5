package obj

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

func TestWriteOBJ(t *testing.T) {
	var out bytes.Buffer
	positions := []mgl64.Vec3{{0.1, -2, 1. / 3}, {1e-12, 1e9, 0}, {1, 1, 1}}
	normals := []mgl64.Vec3{{0, 1, 0}, {0, 0, -1}, {1, 0, 0}}
	if err := Write(&out, positions, normals, [][3]uint32{{0, 1, 2}, {2, 1, 0}}); err != nil {
		t.Fatal(err)
	}
	// The shortest decimal that reads back to the same float64: exact, no tolerance needed.
	want := "v 0.1 -2 0.3333333333333333\nv 1e-12 1e+09 0\nv 1 1 1\nvn 0 1 0\nvn 0 0 -1\nvn 1 0 0\nf 1//1 2//2 3//3\nf 3//3 " +
		"2//2 1//1\n"
	if out.String() != want {
		t.Errorf("%q, expected %q", out.String(), want)
	}
	if err := Write(failingWriter{}, positions, normals, nil); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("a failing writer gave %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("mismatched lengths did not panic")
		}
	}()
	Write(&out, positions, normals[:1], nil)
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
