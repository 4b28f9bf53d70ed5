package desk

import (
	"math"

	"skinlab/render/picture"
	"skinlab/render/ui"
)

// Distinct returns colour k of a sequence in which neighbours differ clearly. Hues are a golden angle apart, in three
// levels of lightness and chroma (OKLCH, Ottosson 2020).
func Distinct(k int) picture.Dye {
	hue := 0.6 + float64(k)*2.399963
	l := [...]float64{0.72, 0.62, 0.80}[k%3]
	a, b := 0.15*math.Cos(hue), 0.15*math.Sin(hue)
	x, y, z := l+0.3963377774*a+0.2158037573*b, l-0.1055613458*a-0.0638541728*b, l-0.0894841775*a-1.2914855480*b
	x, y, z = x*x*x, y*y*y, z*z*z
	clip := func(v float64) float32 { return float32(min(max(v, 0), 1)) }
	return picture.Dye{
		clip(4.0767416621*x - 3.3077115913*y + 0.2309699292*z),
		clip(-1.2684380046*x + 2.6097574011*y - 0.3413193965*z),
		clip(-0.0041960863*x - 0.7034186147*y + 1.7076147010*z), 1,
	}
}

// WeightDye is the colour of a weight of 1 where the weights of one bone are painted: the darker the red, the larger the
// weight (HBR figures 4 and 5).
var WeightDye = picture.Dye{0.30, 0.004, 0.008, 1}

// Color converts a dye to sRGB for the interface. It approximates the sRGB curve by a power.
func Color(d picture.Dye) ui.Color {
	encode := func(v float32) uint8 { return uint8(min(math.Pow(float64(v), 1/2.2), 1)*255 + 0.5) }
	return ui.RGB(encode(d[0]), encode(d[1]), encode(d[2]))
}
