package obj

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/demo"
	"skinlab/assets/fault"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// TestReadOBJ: what Write writes reads back to the bit; other programs' spellings are read too.
func TestReadOBJ(t *testing.T) {
	m, err := demo.New("bar")
	if err != nil {
		t.Fatal(err)
	}
	shape := skinning.NewFrame(m, nil).Reference(skinning.LBS)
	var text bytes.Buffer
	if err := Write(&text, shape.Positions, shape.Normals, m.Skin.Triangles); err != nil {
		t.Fatal(err)
	}
	o, err := Read(&text)
	if err != nil {
		t.Fatal(err)
	}
	for v, p := range shape.Positions {
		if o.Positions[v] != p {
			t.Fatalf("vertex %d: %v, expected %v", v, o.Positions[v], p)
		}
	}
	if err := o.Check(len(shape.Positions), m.Skin.Triangles); err != nil {
		t.Error(err)
	}
	o, err = Read(strings.NewReader("# a square\r\nmtllib x.mtl\n\tv  0 0 0 1 0 0\nv 1 0 0 # right\nv 1e0 1. .0\nvt 0 0\nv 0 " +
		"1 -0\nf -4/1 2//3 \\\r\n3/1/1 \\\n4 # all \\\nf 1 2\\\n 3\n"))
	if err != nil || len(o.Positions) != 4 || len(o.Faces) != 2 || len(o.Faces[0]) != 4 {
		t.Fatalf("%+v, %v", o, err)
	}
	if err := o.Check(4, [][3]uint32{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}}); err != nil {
		t.Error(err)
	}
}

// TestOBJLines: a byte order mark, also where two files were joined, and every end of lines lose no vertex.
func TestOBJLines(t *testing.T) {
	square := "v 0 0 0\nv 1 0 0\nv 1 1 0\n\uFEFFv 0 1 0\nv 7 7 7\nf 1 2 \\\n3 4\n"
	for _, end := range []string{"\n", "\r\n", "\r"} {
		checkSquare(t, "\uFEFF"+strings.ReplaceAll(square, "\n", end))
	}
	text, err := os.ReadFile(filepath.Join(gltftest.SharedModels(t), "reports", "bom_shift.obj"))
	if err != nil {
		t.Fatal(err)
	}
	checkSquare(t, string(text))
}

// checkSquare checks that the only face is the unit square: its vertices are read exactly.
func checkSquare(t *testing.T, text string) {
	t.Helper()
	o, err := Read(strings.NewReader(text))
	if err != nil || len(o.Positions) != 5 || len(o.Faces) != 1 {
		t.Fatalf("%q: %+v, %v", text, o, err)
	}
	want := []mgl64.Vec3{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}
	for k, v := range o.Faces[0] {
		if o.Positions[v] != want[k] {
			t.Errorf("%q: corner %d at %v, expected %v", text, k, o.Positions[v], want[k])
		}
	}
}

// TestOBJCheck: another mesh, or the same in another order, is refused with the place.
func TestOBJCheck(t *testing.T) {
	triangles := [][3]uint32{{0, 1, 2}, {2, 1, 3}}
	for text, want := range map[string]string{
		"v 0 0 0\nv 1 0 0\nv 0 1 0\n":                              "3 vertices, expected the model's 4",
		"v 0 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nf 1 2 4\nf 1 4 3\n":   "face 1: an edge from vertex 4 to 1",
		"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\n":            "1 triangles, expected the model's 2",
		"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 3 2 4 1\n": "face 2: an edge from vertex 4 to 1",
	} {
		o, err := Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Check(4, triangles); !errors.Is(err, fault.ErrMalformed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", text, err, want)
		}
	}
}

// badOBJ are files that must give an error.
var badOBJ = map[string]string{
	"":                                  "no v lines",
	"\x00\x01\x02":                      "no v lines",
	"v 1 2\n":                           "line 1: vertex 1: 2 coordinates",
	"v 1 2 x\n":                         "line 1: vertex 1: \"x\" is not a finite number",
	"v 1 2 nan\n":                       "line 1: vertex 1",
	"v 1 2 1e999\n":                     "line 1: vertex 1",
	"v 0 0 0\nf 1 1\n":                  "line 2: face 1: 2 corners",
	"v 0 0 0\nf 1 2 1\n":                "face 1: vertex 2 of 1",
	"v 0 0 0\nf 0 1 1\n":                "line 2: face 1: \"0\" names no vertex",
	"v 0 0 0\nf -2 1 1\n":               "line 2: face 1",
	"v 0 0 0\nf 99999999999999999999\n": "line 2: face 1",
	"v 0 0 0\nf 1 \\\n\\\n1 x\n":        "line 2: face 1: \"x\" names no vertex",
	"v 0 0 0\nf 1 1 \\":                 "line 2: face 1: 2 corners",
	"v 0 0 0\nf 4294967296 1 1\n":       "line 2: face 1: \"4294967296\" names no vertex",
	"v 0 0 0\n" + strings.Repeat("f", objLine+2): "line 2: longer",
}

func TestBadOBJ(t *testing.T) {
	for text, want := range badOBJ {
		if _, err := Read(strings.NewReader(text)); !errors.Is(err, fault.ErrMalformed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: error %v, expected %q", text, err, want)
		}
	}
}

// FuzzOBJ: any bytes give finite positions with faces among them, or ErrMalformed.
func FuzzOBJ(f *testing.F) {
	for text := range badOBJ {
		if len(text) < 100 {
			f.Add([]byte(text))
		}
	}
	f.Add([]byte("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//1 2/2 -1\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		o, err := Read(bytes.NewReader(in))
		if err != nil {
			if !errors.Is(err, fault.ErrMalformed) {
				t.Fatalf("untyped error: %v", err)
			}
			return
		}
		for v, p := range o.Positions {
			for _, c := range p {
				if math.IsNaN(c) || math.IsInf(c, 0) {
					t.Fatalf("vertex %d: %v", v, p)
				}
			}
		}
		_ = o.Check(len(o.Positions), [][3]uint32{{0, 0, 0}})
		for k, face := range o.Faces {
			for _, v := range face {
				if int(v) >= len(o.Positions) {
					t.Fatalf("face %d: vertex %d of %d", k, v, len(o.Positions))
				}
			}
		}
	})
}
