package obj

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/fault"
	"skinlab/assets/textfile"
)

// Shape is the geometry of a Wavefront OBJ file: its positions, and its faces as in the file.
type Shape struct {
	Positions []mgl64.Vec3 // one per v line, in order
	Faces     [][]uint32   // corners of each f line, at least three, indices into Positions
}

// objLine bounds a line of an OBJ file, in bytes: a polygon of 100,000 corners fits.
const objLine = 1 << 20

// objSize bounds an OBJ file, in bytes: it is read for one character's shape.
const objSize = 256 << 20

// Read reads positions and faces; texture coordinates, normals, groups, materials and everything else are ignored. A
// backslash at the end of a line joins the next to it, and corners may be counted from the end, as the format allows.
// Lines end as [textfile.ScanLines] says.
// Errors wrap [fault.ErrMalformed] and name the line.
func Read(r io.Reader) (*Shape, error) {
	o := &Shape{}
	scan := bufio.NewScanner(io.LimitReader(r, objSize+1))
	scan.Buffer(make([]byte, 0, 1<<16), objLine)
	scan.Split(textfile.ScanLines)
	line, size := 0, 0
	var joined []byte // the lines so far of one that goes on
	first := 1        // the line that it begins at
	for scan.Scan() {
		line++
		size += len(scan.Bytes()) + 1
		if size > objSize {
			return nil, fault.Malformed("line %d: an OBJ file of more than %d bytes", line, objSize)
		}
		text := scan.Bytes()
		if head, ok := goesOn(text); ok {
			joined = append(append(joined, head...), ' ')
			continue
		}
		if len(joined) > 0 {
			joined = append(joined, text...)
			text, joined = joined, joined[:0]
		}
		if err := o.line(text); err != nil {
			return nil, fault.Malformed("line %d: %w", first, err)
		}
		first = line + 1
	}
	if err := o.line(joined); err != nil {
		return nil, fault.Malformed("line %d: %w", first, err)
	}
	if err := scan.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fault.Malformed("line %d: longer than %d bytes", line+1, objLine)
	} else if err != nil {
		return nil, err
	}
	if len(o.Positions) == 0 {
		return nil, fault.Malformed("no v lines: not an OBJ file")
	}
	if err := o.checkCorners(); err != nil {
		return nil, err
	}
	return o, nil
}

// checkCorners finds corners without a vertex. It runs after the whole file is read, because a face may come before its
// vertices.
func (o *Shape) checkCorners() error {
	for k, f := range o.Faces {
		for _, v := range f {
			if int(v) >= len(o.Positions) {
				return fault.Malformed("face %d: vertex %d of %d", k+1, v+1, len(o.Positions))
			}
		}
	}
	return nil
}

// goesOn reports whether a backslash at its end joins a line to the next, and returns the text before it. In a comment
// it does not count, because it is often the end of a path.
func goesOn(text []byte) (head []byte, ok bool) {
	head, ok = bytes.CutSuffix(bytes.TrimRight(text, " \t"), []byte{'\\'})
	return head, ok && bytes.IndexByte(head, '#') < 0
}

// line reads one line.
func (o *Shape) line(text []byte) error {
	word, rest := nextWord(text)
	switch string(word) {
	case "v":
		var p mgl64.Vec3
		for c := range p {
			word, rest = nextWord(rest)
			if len(word) == 0 {
				return fmt.Errorf("vertex %d: %d coordinates, expected 3", len(o.Positions)+1, c)
			}
			x, err := strconv.ParseFloat(string(word), 64)
			if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("vertex %d: %.40q is not a finite number", len(o.Positions)+1, word)
			}
			p[c] = x
		}
		o.Positions = append(o.Positions, p)
	case "f":
		var face []uint32
		for word, rest = nextWord(rest); len(word) > 0; word, rest = nextWord(rest) {
			v, err := o.corner(word)
			if err != nil {
				return fmt.Errorf("face %d: %w", len(o.Faces)+1, err)
			}
			face = append(face, v)
		}
		if len(face) < 3 {
			return fmt.Errorf("face %d: %d corners, expected at least 3", len(o.Faces)+1, len(face))
		}
		o.Faces = append(o.Faces, face)
	}
	return nil
}

// corner reads a, a/b, a//c or a/b/c, of which a is the vertex: counted from 1, or from −1 backwards.
func (o *Shape) corner(word []byte) (uint32, error) {
	number, _, _ := bytes.Cut(word, []byte{'/'})
	n, err := strconv.ParseInt(string(number), 10, 64)
	if n < 0 {
		n += int64(len(o.Positions)) + 1
	}
	if err != nil || n < 1 || n > math.MaxUint32 {
		return 0, fmt.Errorf("%.40q names no vertex", word)
	}
	return uint32(n - 1), nil
}

// nextWord cuts the first word off a line. A comment ends it.
func nextWord(text []byte) (word, rest []byte) {
	text = bytes.TrimLeft(text, " \t")
	if len(text) == 0 || text[0] == '#' {
		return nil, nil
	}
	if at := bytes.IndexAny(text, " \t"); at >= 0 {
		return text[:at], text[at:]
	}
	return text, nil
}

// Check checks that the shape is a pose of a mesh. Both must have the same number of vertices and of triangles, and
// every edge of a face must be an edge of the mesh; if vertices are in another order, some are not. In a file without
// faces only the number of vertices is checked.
func (o *Shape) Check(vertices int, triangles [][3]uint32) error {
	if len(o.Positions) != vertices {
		return fault.Malformed("%d vertices, expected the model's %d, in its order", len(o.Positions), vertices)
	}
	if len(o.Faces) == 0 {
		return nil
	}
	count := 0
	edges := make(map[[2]uint32]struct{}, 2*len(triangles))
	for _, t := range triangles {
		for c := range t {
			edges[edgeBetween(t[c], t[(c+1)%3])] = struct{}{}
		}
	}
	for k, f := range o.Faces {
		count += len(f) - 2
		for c := range f {
			a, b := f[c], f[(c+1)%len(f)]
			if _, ok := edges[edgeBetween(a, b)]; !ok {
				return fault.Malformed("face %d: an edge from vertex %d to %d, which the model does not have: "+
					"the vertices are in another order", k+1, a+1, b+1)
			}
		}
	}
	if count != len(triangles) {
		return fault.Malformed("%d triangles, expected the model's %d", count, len(triangles))
	}
	return nil
}

func edgeBetween(a, b uint32) [2]uint32 { return [2]uint32{min(a, b), max(a, b)} }
