// Package hdr reads pictures of surroundings in Radiance's format (.hdr, RGBE), with run lengths of both kinds and
// without. It keeps them small: what lights a model needs no more.
package hdr

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/assets/fault"
)

// Ending is what the names of the files end in.
const Ending = ".hdr"

const (
	mostWidth, mostHeight = 512, 256 // that are kept: larger pictures are averaged over squares
	mostSide              = 1 << 15
	mostPixels            = 1 << 27
	mostRadiance          = 1e4 // half floats of a cube map hold it, and sums of it
	mostHeader            = 64  // lines
)

// Picture is a picture all round: rows from above to below, each once round the horizon. Linear RGB.
type Picture struct {
	Width, Height int
	Pixels        []mgl32.Vec3
}

// Open reads a file. Errors name it.
func Open(path string) (*Picture, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fault.OnFile(path, err)
	}
	defer file.Close()
	p, err := Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return p, nil
}

// Read reads a picture. Errors wrap [fault.ErrMalformed] or [fault.ErrUnsupported]. Its memory does not depend on the
// picture's height.
func Read(from io.Reader) (*Picture, error) {
	r := bufio.NewReaderSize(from, 1<<16)
	width, height, exposure, err := header(r)
	if err != nil {
		return nil, err
	}
	step := max((width+mostWidth-1)/mostWidth, (height+mostHeight-1)/mostHeight)
	p := &Picture{Width: (width + step - 1) / step, Height: (height + step - 1) / step}
	p.Pixels = make([]mgl32.Vec3, p.Width*p.Height)
	row := make([][4]uint8, width)
	for y := range height {
		if err := readRow(r, row); err != nil {
			return nil, fault.Malformed("row %d of %d: %w", y, height, err)
		}
		to := p.Pixels[y/step*p.Width:][:p.Width]
		rows := min(step, height-y/step*step)
		for x, c := range row {
			columns := min(step, width-x/step*step)
			if c[3] == 0 {
				continue
			}
			scale := math.Ldexp(1/exposure, int(c[3])-128-8) / float64(rows*columns)
			for k := range 3 {
				v := float32(min((float64(c[k])+0.5)*scale, mostRadiance))
				to[x/step][k] = min(to[x/step][k]+v, mostRadiance)
			}
		}
	}
	return p, nil
}

// header reads the lines before the pixels. Radiance is the pixels' over exposure.
func header(r *bufio.Reader) (width, height int, exposure float64, err error) {
	exposure = 1
	for n := range mostHeader {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return 0, 0, 0, fault.Malformed("the header ends too soon, or has a line of more than 65536 bytes")
		}
		text := strings.TrimSpace(string(line))
		key, value, _ := strings.Cut(text, "=")
		switch {
		case n == 0 && !strings.HasPrefix(text, "#?"):
			return 0, 0, 0, fault.Malformed("is no Radiance picture: it does not begin with #?RADIANCE")
		case key == "FORMAT" && value != "32-bit_rle_rgbe":
			return 0, 0, 0, fault.Unsupported("its format is %q, 32-bit_rle_rgbe is read", fault.Shorten(value))
		case key == "EXPOSURE":
			by, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !(by > 0) || math.IsInf(by, 0) {
				return 0, 0, 0, fault.Malformed("EXPOSURE is %q, expected a number above 0", fault.Shorten(value))
			}
			if exposure *= by; !(exposure >= 1e-9 && exposure <= 1e9) {
				return 0, 0, 0, fault.Malformed("EXPOSURE is %g in all, expected 1e-9 to 1e9", exposure)
			}
		case text == "" && n > 0:
			width, height, err = size(r)
			return width, height, exposure, err
		}
	}
	return 0, 0, 0, fault.Malformed("more than %d lines before the picture", mostHeader)
}

// size reads the line of the picture's size: "-Y 512 +X 1024".
func size(r *bufio.Reader) (width, height int, err error) {
	line, err := r.ReadSlice('\n')
	words := strings.Fields(string(line))
	if err != nil || len(words) != 4 {
		return 0, 0, fault.Malformed("no size after the header, expected -Y HEIGHT +X WIDTH")
	}
	if words[0] != "-Y" || words[2] != "+X" {
		return 0, 0, fault.Unsupported("the picture is turned: %q, expected -Y HEIGHT +X WIDTH", fault.Shorten(string(line)))
	}
	height, errH := strconv.Atoi(words[1])
	width, errW := strconv.Atoi(words[3])
	if errH != nil || errW != nil || width < 1 || height < 1 || width > mostSide || height > mostSide ||
		width*height > mostPixels {
		return 0, 0, fault.Unsupported("%s × %s pixels, at most %d a side and %d in all are read", fault.Shorten(words[3]),
			fault.Shorten(words[1]), mostSide, mostPixels)
	}
	return width, height, nil
}

// readRow reads a row of pixels: four runs of components where it begins with 2, 2 and the width, else whole pixels, of
// which 1, 1, 1, n repeats the last one n times, and one more such n·256 times.
func readRow(r *bufio.Reader, row [][4]uint8) error {
	head, err := r.Peek(4)
	if err == nil && head[0] == 2 && head[1] == 2 && int(head[2])<<8+int(head[3]) == len(row) {
		if _, err = r.Discard(4); err != nil {
			return err
		}
		for k := range 4 {
			if err := readRuns(r, row, k); err != nil {
				return err
			}
		}
		return nil
	}
	shift := 0
	for x := 0; x < len(row); {
		var c [4]uint8
		if _, err := io.ReadFull(r, c[:]); err != nil {
			return ended(err)
		}
		if c[0] != 1 || c[1] != 1 || c[2] != 1 {
			row[x], shift = c, 0
			x++
			continue
		}
		n := int(c[3]) << shift
		if x == 0 || shift > 16 || n > len(row)-x {
			return errors.New("a run of pixels goes over its end")
		}
		for range n {
			row[x] = row[x-1]
			x++
		}
		shift += 8
	}
	return nil
}

// readRuns reads component k of a row: n of the same for 128+n, else n that differ.
func readRuns(r *bufio.Reader, row [][4]uint8, k int) error {
	for x := 0; x < len(row); {
		n, err := r.ReadByte()
		if err != nil {
			return ended(err)
		}
		same := n > 128
		if same {
			n -= 128
		}
		if n == 0 || int(n) > len(row)-x {
			return errors.New("a run of bytes goes over its end")
		}
		var v uint8
		for i := range int(n) {
			if i == 0 || !same {
				if v, err = r.ReadByte(); err != nil {
					return ended(err)
				}
			}
			row[x][k] = v
			x++
		}
	}
	return nil
}

// ended says that the file ends where pixels should be.
func ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends there")
	}
	return err
}

// Radiance returns the radiance from a unit direction, +Y up, between the four nearest pixels. The middle of the picture
// looks along +X.
func (p *Picture) Radiance(d mgl32.Vec3) mgl32.Vec3 {
	u := math.Atan2(float64(d[2]), float64(d[0]))/(2*math.Pi) + 0.5
	v := math.Acos(min(max(float64(d[1]), -1), 1)) / math.Pi
	x := u*float64(p.Width) - 0.5 + float64(p.Width)
	y := min(max(v*float64(p.Height)-0.5, 0), float64(p.Height-1))
	x0, y0 := int(x), int(y)
	s, t := float32(x-float64(x0)), float32(y-float64(y0))
	at := func(x, y int) mgl32.Vec3 { return p.Pixels[min(y, p.Height-1)*p.Width+x%p.Width] }
	top := at(x0, y0).Mul(1 - s).Add(at(x0+1, y0).Mul(s))
	low := at(x0, y0+1).Mul(1 - s).Add(at(x0+1, y0+1).Mul(s))
	return top.Mul(1 - t).Add(low.Mul(t))
}
