package hdr

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/assets/fault"
)

const head = "#?RADIANCE\n# a comment\nFORMAT=32-bit_rle_rgbe\n\n"

// Exponent 129 makes mantissas 0.5/128 to 255.5/128; 128 half of that.
func TestRead(t *testing.T) {
	flat := head + "-Y 1 +X 3\n" + string([]byte{127, 0, 63, 129, 1, 1, 1, 2})
	runs := head + "-Y 2 +X 8\n"
	for range 2 {
		runs += string([]byte{2, 2, 0, 8, 136, 127, 8, 0, 1, 2, 3, 4, 5, 6, 7, 136, 63, 136, 129})
	}
	for name, text := range map[string]string{"flat": flat, "runs": runs} {
		p, err := Read(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		last := p.Pixels[len(p.Pixels)-1]
		green := map[string]float64{"flat": 0.5, "runs": 7.5}[name] / 128
		for k, want := range []float64{127.5 / 128, green, 63.5 / 128} {
			if !(math.Abs(float64(last[k])-want) <= 1e-6) {
				t.Errorf("%s: %v, component %d is to be %g", name, last, k, want)
			}
		}
	}
	exposed, err := Read(strings.NewReader(strings.Replace(flat, "# a comment", "EXPOSURE=2", 1)))
	if err != nil || !(math.Abs(float64(exposed.Pixels[2][0])-127.5/256) <= 1e-6) {
		t.Errorf("exposure 2: %v, %v", exposed, err)
	}
}

// A large picture is averaged: 1,024 columns become 512, and the mean stays.
func TestAverages(t *testing.T) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s-Y 4 +X 1024\n", head)
	for range 4 {
		for x := range 1024 {
			b.Write([]byte{uint8(x%2) * 200, 10, 10, 129})
		}
	}
	p, err := Read(&b)
	if err != nil || p.Width != 512 || p.Height != 2 {
		t.Fatalf("%+v, %v", p, err)
	}
	for _, c := range p.Pixels {
		if !(math.Abs(float64(c[0])-(100.5)/128) <= 1e-5) {
			t.Fatalf("%v, expected %g", c, 100.5/128)
		}
	}
}

// The middle of the picture looks along +X, the top row up, and a quarter to the right along +Z.
func TestRadiance(t *testing.T) {
	p := &Picture{Width: 4, Height: 2, Pixels: make([]mgl32.Vec3, 8)}
	for i := range p.Pixels {
		p.Pixels[i] = mgl32.Vec3{float32(i % 4), float32(i / 4), 0}
	}
	for d, want := range map[mgl32.Vec3]mgl32.Vec3{{1, 0, 0}: {1.5, 0.5}, {0, 0, 1}: {2.5, 0.5}, {0, 0, -1}: {0.5, 0.5}} {
		if got := p.Radiance(d); !got.ApproxEqualThreshold(want, 1e-5) {
			t.Errorf("%v: %v, expected %v", d, got, want)
		}
	}
	if up := p.Radiance(mgl32.Vec3{0, 1, 0}); up[1] != 0 {
		t.Errorf("up: %v", up)
	}
}

// Each broken file is one clear error.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "the header ends too soon",
		"GIF89a\n":                           "does not begin with #?RADIANCE",
		"#?RGBE\nFORMAT=xyze\n\n":            `its format is "xyze"`,
		"#?RGBE\nEXPOSURE=NaN\n":             "EXPOSURE is \"NaN\"",
		head + "+X 2 -Y 1\n":                 "the picture is turned",
		head + "-Y 99999999 +X 1\n":          "at most 32768 a side",
		head + "-Y 32768 +X 32768\n":         "134217728 in all",
		head + "-Y 1 +X 2\nabcd":             "row 0 of 1: the file ends there",
		head + "-Y 1 +X 2\n\x01\x01\x01\x01": "a run of pixels goes over its end",
		head + "-Y 1 +X 8\n\x02\x02\x00\x08\xff\x00":   "a run of bytes goes over its end",
		head + "-Y 1 +X 8\n\x02\x02\x00\x08\x00":       "a run of bytes goes over its end",
		"#?RGBE\n" + strings.Repeat("A=1\n", 100):      "more than 64 lines",
		"#?RGBE\n" + strings.Repeat("A", 1<<17) + "\n": "line of more than 65536 bytes",
		head + "-Y 1\n": "no size after the header",
	} {
		_, err := Read(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) ||
			!errors.Is(err, fault.ErrMalformed) && !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("%.40q: error %v, expected %q", text, err, want)
		}
	}
}

// FuzzRead: any bytes give a picture or one of the two errors.
func FuzzRead(f *testing.F) {
	f.Add([]byte(head + "-Y 1 +X 3\n\x7f\x00\x3f\x81\x01\x01\x01\x02"))
	f.Add([]byte(head + "-Y 1 +X 8\n\x02\x02\x00\x08\x88\x7f\x88\x00\x88\x3f\x88\x81"))
	f.Fuzz(func(t *testing.T, in []byte) {
		p, err := Read(bytes.NewReader(in))
		if err != nil {
			if !errors.Is(err, fault.ErrMalformed) && !errors.Is(err, fault.ErrUnsupported) {
				t.Fatalf("untyped error: %v", err)
			}
			return
		}
		for _, c := range p.Pixels {
			if !(c[0] >= 0 && c[0] <= mostRadiance) {
				t.Fatalf("radiance %v", c)
			}
		}
	})
}
