package ply

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/fault"
)

const asciiSquare = "ply\r\nformat ascii 1.0\r\ncomment a square\r\nobj_info none\r\nelement vertex 4\r\n" +
	"property float nx\r\nproperty double x\r\nproperty float32 y\r\nproperty int z\r\nelement face 2\r\n" +
	"property uchar quality\r\nproperty list uchar int vertex_index\r\nproperty list uchar float texcoord\r\n" +
	"element edge 1\r\nproperty int vertex1\r\nend_header\r\n" +
	"9 0 0.5 0\r\n9 1 0.5 0\r\n9 1 1e0 0\r\n9 0 1 -2\r\n7 3 0 1 2 2 0.5 0.5\r\n7 4 0 1 2 3 0\r\n3"

// binarySquare is the same file in a byte order.
func binarySquare(order binary.ByteOrder, name string) []byte {
	var out bytes.Buffer
	head, _, _ := strings.Cut(asciiSquare, "end_header\r\n")
	out.WriteString(strings.Replace(head, "ascii", name, 1) + "end_header\r\n")
	put := func(values ...any) {
		for _, v := range values {
			if err := binary.Write(&out, order, v); err != nil {
				panic(err)
			}
		}
	}
	for _, p := range [][3]float64{{0, 0.5, 0}, {1, 0.5, 0}, {1, 1, 0}, {0, 1, -2}} {
		put(float32(9), p[0], float32(p[1]), int32(p[2]))
	}
	put(uint8(7), uint8(3), []int32{0, 1, 2}, uint8(2), []float32{0.5, 0.5})
	put(uint8(7), uint8(4), []int32{0, 1, 2, 3}, uint8(0), int32(3))
	return out.Bytes()
}

// TestRead: one mesh in all three formats, with properties and elements that are passed over, with every end of lines
// and a byte order mark.
func TestRead(t *testing.T) {
	files := map[string][]byte{"ascii": []byte(asciiSquare),
		"little": binarySquare(binary.LittleEndian, "binary_little_endian"),
		"big":    binarySquare(binary.BigEndian, "binary_big_endian")}
	for name, file := range maps.Clone(files) {
		head, body, _ := bytes.Cut(file, []byte("end_header\r\n"))
		for _, end := range []string{"\n", "\r"} {
			text := "\uFEFF" + strings.ReplaceAll(string(head)+"end_header\r\n", "\r\n", end)
			files[fmt.Sprintf("%s, lines end in %q", name, end)] = append([]byte(text), body...)
		}
	}
	// The first byte behind the header is an LF that belongs to a number, 10 of a property that is passed over.
	files["a number that begins with LF"] = bytes.Replace(files[`big, lines end in "\r"`],
		append([]byte("end_header\r"), 0x41), append([]byte("end_header\r"), '\n'), 1)
	for name, file := range files {
		s, err := Read(bytes.NewReader(file))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := []mgl64.Vec3{{0, 0.5, 0}, {1, 0.5, 0}, {1, 1, 0}, {0, 1, -2}}
		if fmt.Sprint(s.Positions) != fmt.Sprint(want) || fmt.Sprint(s.Faces) != "[[0 1 2] [0 1 2 3]]" {
			t.Errorf("%s: %v %v", name, s.Positions, s.Faces)
		}
	}
}

// badPLY are files that must give an error with these words.
var badPLY = map[string]string{
	"":                      "the file ends in its header",
	"ply\n":                 "line 2: the file ends in its header",
	"v 0 0 0\n":             "not a PLY file",
	"ply\nformat odd 1.0\n": "format \"odd\"",
	"ply\nformat ascii 1.0\nelement vertex -3\n":                                                                  "no number of elements",
	"ply\nformat ascii 1.0\nelement vertex 99999999999\n":                                                         "no number of elements",
	"ply\nproperty float x\n":                                                                                     "not known here",
	"ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\n":                                                  "no type",
	"ply\nformat ascii 1.0\nelement vertex 1\nproperty list float int x\n":                                        "length",
	"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1":                                    "no property y",
	"ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nend_header\n": "no vertices",
	points(1) + "0 0\n":                                      "vertex 1, z: the file ends here",
	points(2) + "0 0 0\n1 nan 0\n":                           "vertex 2: y is NaN",
	points(2) + "0 0 0\n1 1e999 0\n":                         "vertex 2: y is +Inf",
	points(2) + "0 0 0\n1 x 0\n":                             "vertex 2, y: \"x\" is not a number",
	points(2000000000) + "0 0 0\n":                           "vertex 2, x: the file ends here",
	points(1) + strings.Repeat("7", 500):                     "more than 400 characters",
	faces("element face 1\nproperty int a\n") + "0 0 0 1\n":  "no list vertex_indices",
	faces(faceList) + "0 0 0 2 0 0\n":                        "face 1: 2 corners",
	faces(faceList) + "0 0 0 3 0 0 1\n":                      "face 1: vertex 1 of 1",
	faces(faceList) + "0 0 0 3 0 0 -1\n":                     "face 1, vertex_indices: -1 names no vertex",
	faces(faceList) + "0 0 0 3 0 0 0.5\n":                    "names no vertex",
	faces(faceList) + "0 0 0 1e9 0\n":                        "numbers, expected 0 to",
	"ply\n" + strings.Repeat("comment\n", mostHeader):        "no end_header",
	"ply\ncomment " + strings.Repeat("x", headerLine) + "\n": "longer than",
}

const faceList = "element face 1\nproperty list uchar int vertex_indices\n"

func points(n int) string {
	return fmt.Sprintf("ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"+
		"end_header\n", n)
}

func faces(head string) string {
	return strings.Replace(points(1), "end_header\n", head+"end_header\n", 1)
}

// TestBadPLY: every fault is named with its element.
func TestBadPLY(t *testing.T) {
	for text, want := range badPLY {
		_, err := Read(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) ||
			!errors.Is(err, fault.ErrMalformed) && !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("%.80q: error %v, expected %q", text, err, want)
		}
	}
}

// FuzzPLY: any bytes give finite positions with faces among them, or an error of the two kinds.
func FuzzPLY(f *testing.F) {
	for text := range badPLY {
		if len(text) < 400 {
			f.Add([]byte(text))
		}
	}
	f.Add([]byte(asciiSquare))
	f.Add(binarySquare(binary.BigEndian, "binary_big_endian"))
	f.Fuzz(func(t *testing.T, in []byte) {
		s, err := Read(bytes.NewReader(in))
		if err != nil {
			if !errors.Is(err, fault.ErrMalformed) && !errors.Is(err, fault.ErrUnsupported) {
				t.Fatalf("untyped error: %v", err)
			}
			return
		}
		for v, p := range s.Positions {
			if d := p.Len(); math.IsNaN(p[0]+p[1]+p[2]) || math.IsInf(d, 0) && !(math.Abs(p[0]) <= math.MaxFloat64) {
				t.Fatalf("vertex %d: %v", v, p)
			}
		}
		for k, face := range s.Faces {
			for _, v := range face {
				if int(v) >= len(s.Positions) {
					t.Fatalf("face %d: vertex %d of %d", k, v, len(s.Positions))
				}
			}
		}
	})
}
