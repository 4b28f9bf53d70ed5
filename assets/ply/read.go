// Package ply reads the mesh of a PLY file (Stanford polygon format 1.0): ASCII, and binary of either byte order.
package ply

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/fault"
	"skinlab/assets/obj"
	"skinlab/assets/textfile"
)

// Ending is what the names of PLY files end in.
const Ending = ".ply"

// Is reports whether a file is a PLY file by its name.
func Is(path string) bool { return strings.EqualFold(filepath.Ext(path), Ending) }

const (
	// mostBytes bounds a file: it is read for one shape.
	mostBytes = 256 << 20
	// mostHeader bounds the lines of a header, and headerLine each of them, bytes.
	mostHeader = 1000
	headerLine = 4096
	// mostCorners bounds a face.
	mostCorners = 100_000
)

// Read reads x, y and z of the element vertex and the list vertex_indices, or vertex_index, of the element face.
// Everything else is ignored. Errors wrap [fault.ErrMalformed] or [fault.ErrUnsupported] and name the element, counted
// from 1.
func Read(r io.Reader) (*obj.Shape, error) {
	d := &decoder{in: bufio.NewReaderSize(io.LimitReader(r, mostBytes+1), 1<<16), out: &obj.Shape{}}
	if err := d.header(); err != nil {
		return nil, err
	}
	for i := range d.elements {
		if err := d.element(&d.elements[i]); err != nil {
			return nil, err
		}
	}
	if len(d.out.Positions) == 0 {
		return nil, fault.Malformed("no vertices")
	}
	for k, f := range d.out.Faces {
		for _, v := range f {
			if int(v) >= len(d.out.Positions) {
				return nil, fault.Malformed("face %d: vertex %d of %d, counted from 0", k+1, v, len(d.out.Positions))
			}
		}
	}
	return d.out, nil
}

// decoder reads one file.
type decoder struct {
	in       *bufio.Reader
	out      *obj.Shape
	order    binary.ByteOrder // nil for ASCII
	elements []element
	returns  bool // the header's lines end in CR alone
	bytes    int  // read so far
}

// element is a list of records of one kind.
type element struct {
	name       string
	count      int
	properties []property
}

// property is a number of a record, or a list of numbers, whose length goes before it.
type property struct {
	name         string
	list         bool
	length, kind scalar
}

// scalar is a type of numbers.
type scalar uint8

const (
	int8s scalar = iota
	uint8s
	int16s
	uint16s
	int32s
	uint32s
	float32s
	float64s
)

// scalars has both names of each type.
var scalars = map[string]scalar{
	"char": int8s, "uchar": uint8s, "short": int16s, "ushort": uint16s, "int": int32s, "uint": uint32s, "float": float32s,
	"double": float64s, "int8": int8s, "uint8": uint8s, "int16": int16s, "uint16": uint16s, "int32": int32s,
	"uint32": uint32s, "float32": float32s, "float64": float64s,
}

// sizes of scalars in binary files, bytes.
var sizes = [...]int{1, 1, 2, 2, 4, 4, 4, 8}

// header reads the lines up to end_header. They end as the first does: in LF, CR LF, or CR alone.
func (d *decoder) header() error {
	for n := range mostHeader {
		text, err := d.line(n == 0)
		if err != nil {
			return fmt.Errorf("header, line %d: %w", n+1, err)
		}
		words := strings.Fields(text)
		switch {
		case n == 0:
			if strings.TrimPrefix(strings.TrimSpace(text), textfile.Mark) != "ply" {
				return fault.Malformed("the first line is not ply: not a PLY file")
			}
			continue
		case len(words) == 0 || words[0] == "comment" || words[0] == "obj_info":
			continue
		case words[0] == "end_header":
			return nil
		}
		if err := d.declaration(words); err != nil {
			return fmt.Errorf("header, line %d: %w", n+1, err)
		}
	}
	return fault.Malformed("no end_header within %d lines", mostHeader)
}

// line reads a line of the header. The first says whether lines end in CR alone: in a binary file the byte behind the
// header's last CR may be an LF that belongs to a number.
func (d *decoder) line(first bool) (string, error) {
	var text []byte
	for len(text) < headerLine {
		c, err := d.in.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return "", fault.Malformed("the file ends in its header")
		case err != nil:
			return "", err
		case c == '\r' && first:
			next, _ := d.in.Peek(1) // a missing byte is an error of the next line
			d.returns = len(next) == 1 && next[0] != '\n'
		}
		if c == '\n' && !d.returns || c == '\r' && d.returns {
			return strings.TrimRight(string(text), "\r"), nil
		}
		text = append(text, c)
	}
	return "", fault.Malformed("longer than %d bytes", headerLine)
}

// declaration reads a line of the header that is no comment.
func (d *decoder) declaration(words []string) error {
	switch {
	case words[0] == "format" && len(words) == 3:
		switch words[1] {
		case "ascii":
		case "binary_little_endian":
			d.order = binary.LittleEndian
		case "binary_big_endian":
			d.order = binary.BigEndian
		default:
			return fault.Unsupported("format %.40q", words[1])
		}
		return nil
	case words[0] == "element" && len(words) == 3:
		n, err := strconv.ParseInt(words[2], 10, 32)
		if err != nil || n < 0 {
			return fault.Malformed("%.40q is no number of elements", words[2])
		}
		d.elements = append(d.elements, element{name: words[1], count: int(n)})
		return nil
	case words[0] == "property" && len(d.elements) > 0:
		e := &d.elements[len(d.elements)-1]
		p := property{name: words[len(words)-1]}
		kinds := words[1 : len(words)-1]
		if len(kinds) == 3 && kinds[0] == "list" {
			p.list, kinds = true, kinds[1:]
		} else if len(kinds) != 1 {
			return fault.Malformed("a property of %d words", len(words))
		}
		for k, word := range kinds {
			kind, ok := scalars[word]
			if !ok {
				return fault.Malformed("%.40q is no type of a property", word)
			}
			p.kind = kind
			if p.list && k == 0 {
				p.length = kind
			}
		}
		if p.list && p.length >= float32s {
			return fault.Malformed("a list whose length is no whole number")
		}
		e.properties = append(e.properties, p)
		return nil
	}
	return fault.Malformed("%.40q is not known here", strings.Join(words, " "))
}

// element reads all records of an element.
func (d *decoder) element(e *element) error {
	if len(e.properties) == 0 {
		return nil
	}
	vertex, face := e.name == "vertex", e.name == "face"
	var axes [3]int
	corners := -1
	for c, axis := range [...]string{"x", "y", "z"} {
		axes[c] = slices.IndexFunc(e.properties, func(p property) bool { return p.name == axis && !p.list })
		if vertex && axes[c] < 0 {
			return fault.Malformed("element vertex: no property %s", axis)
		}
	}
	if face {
		corners = slices.IndexFunc(e.properties, func(p property) bool {
			return p.list && (p.name == "vertex_indices" || p.name == "vertex_index")
		})
		if corners < 0 {
			return fault.Malformed("element face: no list vertex_indices")
		}
	}
	for n := range e.count {
		var at mgl64.Vec3
		var list []uint32
		for k := range e.properties {
			p := &e.properties[k]
			if !p.list {
				x, err := d.number(p.kind)
				if err != nil {
					return fmt.Errorf("%.40s %d, %.40s: %w", e.name, n+1, p.name, err)
				}
				if c := slices.Index(axes[:], k); vertex && c >= 0 {
					if math.IsNaN(x) || math.IsInf(x, 0) {
						return fault.Malformed("vertex %d: %s is %g, expected a finite number", n+1, p.name, x)
					}
					at[c] = x
				}
				continue
			}
			var err error
			if list, err = d.list(p, list, k == corners); err != nil {
				return fmt.Errorf("%.40s %d, %.40s: %w", e.name, n+1, p.name, err)
			}
		}
		switch {
		case vertex:
			d.out.Positions = append(d.out.Positions, at)
		case face && len(list) < 3:
			return fault.Malformed("face %d: %d corners, expected at least 3", n+1, len(list))
		case face:
			d.out.Faces = append(d.out.Faces, list)
		}
	}
	return nil
}

// list reads a list and, where it is kept, appends it.
func (d *decoder) list(p *property, to []uint32, keep bool) ([]uint32, error) {
	n, err := d.number(p.length)
	if err != nil {
		return nil, err
	}
	if !(n >= 0 && n <= mostCorners) || n != math.Trunc(n) {
		return nil, fault.Malformed("%g numbers, expected 0 to %d", n, mostCorners)
	}
	for range int(n) {
		x, err := d.number(p.kind)
		if err != nil {
			return nil, err
		}
		if !keep {
			continue
		}
		if !(x >= 0 && x <= math.MaxUint32) || x != math.Trunc(x) {
			return nil, fault.Malformed("%g names no vertex", x)
		}
		to = append(to, uint32(x))
	}
	return to, nil
}

// number reads a number.
func (d *decoder) number(kind scalar) (float64, error) {
	if d.order == nil {
		return d.word()
	}
	var buf [8]byte
	b := buf[:sizes[kind]]
	if _, err := io.ReadFull(d.in, b); err != nil {
		return 0, ended(err)
	}
	if err := d.count(len(b)); err != nil {
		return 0, err
	}
	switch kind {
	case int8s:
		return float64(int8(b[0])), nil
	case uint8s:
		return float64(b[0]), nil
	case int16s:
		return float64(int16(d.order.Uint16(b))), nil
	case uint16s:
		return float64(d.order.Uint16(b)), nil
	case int32s:
		return float64(int32(d.order.Uint32(b))), nil
	case uint32s:
		return float64(d.order.Uint32(b)), nil
	case float32s:
		return float64(math.Float32frombits(d.order.Uint32(b))), nil
	}
	return math.Float64frombits(d.order.Uint64(b)), nil
}

// longestNumber bounds a number of an ASCII file, bytes.
const longestNumber = 400

// word reads a number of an ASCII file.
func (d *decoder) word() (float64, error) {
	var text []byte
	for len(text) < longestNumber {
		c, err := d.in.ReadByte()
		if err != nil && (len(text) == 0 || !errors.Is(err, io.EOF)) {
			return 0, ended(err)
		}
		if err := d.count(1); err != nil {
			return 0, err
		}
		space := err != nil || c == ' ' || c == '\t' || c == '\r' || c == '\n'
		switch {
		case !space:
			text = append(text, c)
		case len(text) > 0:
			x, err := strconv.ParseFloat(string(text), 64)
			if err != nil && !errors.Is(err, strconv.ErrRange) {
				return 0, fault.Malformed("%.40q is not a number", text)
			}
			return x, nil
		}
	}
	return 0, fault.Malformed("a number of more than %d characters", longestNumber)
}

// count counts bytes that were read.
func (d *decoder) count(n int) error {
	d.bytes += n
	if d.bytes > mostBytes {
		return fault.Malformed("a PLY file of more than %d bytes", mostBytes)
	}
	return nil
}

// ended names the end of a file.
func ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.Malformed("the file ends here")
	}
	return err
}
