package desk

import (
	"math"

	"skinlab/render/picture"
	"skinlab/render/ui"
)

// WeightDye paints a weight of 1 of one bone: the darker the red, the larger the weight (HBR figures 4 and 5).
var WeightDye = picture.Dye{0.30, 0.004, 0.008, 1}

// Color converts a dye to sRGB for the interface. It approximates the sRGB curve by a power.
func Color(d picture.Dye) ui.Color {
	encode := func(v float32) uint8 { return uint8(min(math.Pow(float64(v), 1/2.2), 1)*255 + 0.5) }
	return ui.RGB(encode(d[0]), encode(d[1]), encode(d[2]))
}
