package picture

import (
	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
)

// plasma is every fifteenth of the 256 sRGB colours of "plasma" by Stéfan van der Walt and Nathaniel Smith (CC0,
// matplotlib 1.5, _cm_listed.py). Its steps look equally large and its lightness rises from first to last. Colour-blind
// people can tell its colours apart. Both ends, blue and yellow, stand out from the dark studio; viridis, magma and
// inferno begin in colours as dark as the studio.
var plasma = [...][3]float32{
	{0.050383, 0.029803, 0.527975},
	{0.186213, 0.018803, 0.587228},
	{0.287076, 0.010855, 0.627295},
	{0.381047, 0.001814, 0.653068},
	{0.471457, 0.005678, 0.659897},
	{0.557243, 0.047331, 0.643443},
	{0.636008, 0.112092, 0.605205},
	{0.706178, 0.178437, 0.553657},
	{0.768090, 0.244817, 0.498465},
	{0.823132, 0.311261, 0.444806},
	{0.872303, 0.378774, 0.393355},
	{0.915471, 0.448807, 0.342890},
	{0.951344, 0.522850, 0.292275},
	{0.977856, 0.602051, 0.241387},
	{0.992541, 0.687030, 0.192170},
	{0.992505, 0.777967, 0.152855},
	{0.974443, 0.874622, 0.144061},
	{0.940015, 0.975158, 0.131326},
}

// Colormap returns the sRGB colour of t, 0 to 1, on surfaces that show numbers. Legends draw with it, and shaders read
// a texture made of it. A value outside of 0 to 1 has the colour of the nearer end. NaN has the colour of 1.
func Colormap(t float32) [3]uint8 {
	const last = len(plasma) - 1
	x := float32(last)
	if t < 1 {
		x = max(t, 0) * float32(last)
	}
	i := min(int(x), last-1)
	u := x - float32(i)
	var out [3]uint8
	for c := range out {
		out[c] = uint8((plasma[i][c]*(1-u)+plasma[i+1][c]*u)*255 + 0.5)
	}
	return out
}

// InfluenceSteps is the number of colours of SurfaceInfluences: for 1, 2, 3, 4 and more than 4 influences.
const InfluenceSteps = 5

// InfluenceColors returns the colours of SurfaceInfluences for 1, 2, 3, 4 and more than 4 influences, sRGB.
func InfluenceColors() (colors [InfluenceSteps][3]uint8) {
	for i := range colors {
		colors[i] = Colormap(float32(i) / (InfluenceSteps - 1))
	}
	return colors
}

// colormapTexels is the width of the colour map's texture.
const colormapTexels = 256

// newColormapTexture uploads the colour map as one row of sRGB, which samplers decode.
func newColormapTexture(o *gpu.Owner) *gpu.Texture {
	row := make([][4]uint8, colormapTexels)
	for i := range row {
		c := Colormap(float32(i) / (colormapTexels - 1))
		row[i] = [4]uint8{c[0], c[1], c[2], 255}
	}
	t := gpu.NewTexture(o, gl.SRGB8_ALPHA8, colormapTexels, 1, gl.LINEAR)
	t.SetRow(row)
	return t
}
