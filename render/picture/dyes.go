package picture

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/skin"
	"skinlab/skinning"
)

// Dye is the colour of a bone that a fit has added: linear RGB, and as fourth its opacity, 0 to 1, where that bone
// alone moves the skin.
type Dye [4]float32

// Distinct returns colour k of a sequence in which neighbours differ clearly. Hues are a golden angle apart, in three
// levels of lightness and chroma (OKLCH, Ottosson 2020).
func Distinct(k int) Dye {
	hue := 0.6 + float64(k)*2.399963
	l := [...]float64{0.72, 0.62, 0.80}[k%3]
	a, b := 0.15*math.Cos(hue), 0.15*math.Sin(hue)
	x, y, z := l+0.3963377774*a+0.2158037573*b, l-0.1055613458*a-0.0638541728*b, l-0.0894841775*a-1.2914855480*b
	x, y, z = x*x*x, y*y*y, z*z*z
	clip := func(v float64) float32 { return float32(min(max(v, 0), 1)) }
	return Dye{
		clip(4.0767416621*x - 3.3077115913*y + 0.2309699292*z),
		clip(-1.2684380046*x + 2.6097574011*y - 0.3413193965*z),
		clip(-0.0041960863*x - 0.7034186147*y + 1.7076147010*z), 1,
	}
}

// BoneTints fills dst, one tint per vertex of the skin. A vertex's tint is the mean of its joints' dyes by weight, and
// its opacity is the sum of the dyed joints' weights. dyeOf[j] is the index of joint j's dye, −1 for none. With one dye
// per proxy bone the tints show the groups of RTER figure 9.
//
// It allocates nothing for vertices of up to eight influences.
func BoneTints(dst []skin.Tint, m *skinning.Model, dyeOf []int, dyes []Dye) {
	var room [8]skinning.Influence
	buf := room[:0]
	for v := range dst {
		var mixed [3]float32
		var share float32
		buf = m.Skin.Of(buf[:0], v)
		for _, f := range buf {
			k := dyeOf[f.Joint]
			if k < 0 {
				continue
			}
			w := f.Weight * dyes[k][3]
			share += w
			for c := range mixed {
				mixed[c] += w * dyes[k][c]
			}
		}
		dst[v] = (skin.Tint{})
		if share > 0 {
			dst[v] = skin.Tint{toByte(mixed[0] / share), toByte(mixed[1] / share), toByte(mixed[2] / share), toByte(share)}
		}
	}
}

// TurnDyes fills dst, one dye per joint of a rig. The colour shows the joint's angle scale u between lo and hi (RTER
// figure 6): the angle by which its part of the skin turns, divided by the angle by which the joint that drives it
// turns.
func TurnDyes(dst []Dye, r skinning.LinearRig, lo, hi float64) {
	for k := range dst {
		_, turn := r.Turn(k)
		u := (turn - lo) / max(hi-lo, 1e-9)
		dst[k] = Dye{3: 1}
		for c, v := range Colormap(float32(min(max(u, 0), 1))) {
			dst[k][c] = linear(v)
		}
	}
}

// KeyDyes fills dst, one dye per joint of a rig, to show which joints each key deformation gradient moves (RTER section
// 5.2). If only is −1, a joint gets the colour of the key that moves it most. Else only is the index of a key: all
// joints get that key's colour, and their opacity is how far it moves them, relative to the joint that it moves
// farthest.
//
// colors has one dye per key. places has one point of each joint's part of the skin, in rest space. A key's effect on a
// joint is the distance that this point moves when the key changes by 1, from the coefficients c₁.
func KeyDyes(dst []Dye, r skinning.LinearSystem, places []mgl64.Vec3, colors []Dye, only int) {
	most := 0.0
	for b := range dst {
		if only >= 0 {
			reach := keyReach(&r, b, only, places[b])
			dst[b], most = colors[only], max(most, reach)
			dst[b][3] = float32(reach)
			continue
		}
		first, reach := 0, 0.0
		for key := range r.Gradients {
			if by := keyReach(&r, b, key, places[b]); by > reach {
				first, reach = key, by
			}
		}
		dst[b] = colors[first]
	}
	for b := range dst {
		if only >= 0 {
			dst[b][3] /= float32(max(most, 1e-30))
		}
	}
}

// keyReach returns the distance that a place on joint b moves when one row of a key gradient changes by 1. It is the
// same for the rows of x, y and z, because they share the coefficients c₁.
func keyReach(r *skinning.LinearSystem, b, key int, at mgl64.Vec3) float64 {
	n := 3 * r.Gradients
	var by mgl64.Vec3
	for c := range by {
		column := 4*b*n + 3*key + c
		by[c] = at[0]*r.C1[column] + at[1]*r.C1[column+n] + at[2]*r.C1[column+2*n] + r.C1[column+3*n]
	}
	return by.Len()
}

// toByte rounds 0 to 1 to a byte.
func toByte(x float32) uint8 { return uint8(255*min(max(x, 0), 1) + 0.5) }

// linear decodes sRGB (IEC 61966-2-1).
func linear(v uint8) float32 {
	x := float64(v) / 255
	if x <= 0.04045 {
		return float32(x / 12.92)
	}
	return float32(math.Pow((x+0.055)/1.055, 2.4))
}
