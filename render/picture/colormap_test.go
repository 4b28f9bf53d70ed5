package picture

import (
	"math"
	"testing"
)

// lab returns an sRGB colour in CIELAB (white D65).
func lab(c [3]uint8) (l [3]float64) {
	var lin [3]float64
	for i, v := range c {
		x := float64(v) / 255
		lin[i] = x / 12.92
		if x > 0.04045 {
			lin[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124564*lin[0] + 0.3575761*lin[1] + 0.1804375*lin[2]) / 0.95047)
	y := f(0.2126729*lin[0] + 0.7151522*lin[1] + 0.0721750*lin[2])
	z := f((0.0193339*lin[0] + 0.1191920*lin[1] + 0.9503041*lin[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// The map is even to the eye: lightness rises all the way, and none of 17 steps is far from the mean. CIELAB is itself
// uneven by a factor of two in saturated blues, where the map, made in CAM02-UCS, begins; a rainbow exceeds a factor of
// ten and falls in lightness.
func TestColormapIsUniform(t *testing.T) {
	const steps = 17
	var last [3]float64
	var sizes []float64
	mean := 0.0
	for i := range steps + 1 {
		c := lab(Colormap(float32(i) / steps))
		if i > 0 {
			if !(c[0] > last[0]+1) {
				t.Errorf("step %d: lightness %.1f after %.1f, expected at least 1 more", i, c[0], last[0])
			}
			d := math.Sqrt((c[0]-last[0])*(c[0]-last[0]) + (c[1]-last[1])*(c[1]-last[1]) + (c[2]-last[2])*(c[2]-last[2]))
			sizes = append(sizes, d)
			mean += d / steps
		}
		last = c
	}
	for i, d := range sizes {
		if !(d >= mean/2.5 && d <= 2.5*mean) {
			t.Errorf("step %d is %.1f, the mean %.1f: expected within a factor of 2.5", i+1, d, mean)
		}
	}
}

func TestColormapEnds(t *testing.T) {
	blue, yellow := [3]uint8{13, 8, 135}, [3]uint8{240, 249, 33} // matplotlib's plasma(0) and plasma(255)
	nan := float32(math.NaN())
	inf := float32(math.Inf(1))
	for in, want := range map[float32][3]uint8{0: blue, 1: yellow, -3: blue, 7: yellow, inf: yellow, -inf: blue} {
		if got := Colormap(in); got != want {
			t.Errorf("Colormap(%g) is %v, expected %v", in, got, want)
		}
	}
	if got := Colormap(nan); got != yellow {
		t.Errorf("Colormap(NaN) is %v, expected the top", got)
	}
	// matplotlib's plasma(128), between two of our knots: linear interpolation is within one step of 255.
	got, want := Colormap(128.0/255), [3]uint8{204, 71, 120}
	for c := range got {
		if d := int(got[c]) - int(want[c]); d < -1 || d > 1 {
			t.Errorf("Colormap(128/255) is %v, expected %v within 1", got, want)
		}
	}
	if c := InfluenceColors(); c[0] != blue || c[InfluenceSteps-1] != yellow {
		t.Errorf("influence colours run from %v to %v, expected the map's ends", c[0], c[InfluenceSteps-1])
	}
}
