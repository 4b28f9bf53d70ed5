package picture

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/skin"
	"skinlab/skinning"
)

// Dye is the colour of a bone that a fit has added: linear RGB, and how much of it shows where that bone moves the
// skin, 0 to 1.
type Dye [4]float32

// BoneTints fills dst, one per vertex of the skin, with the dyes of the joints that move each vertex, mixed by weight.
// dyeOf[j] is the index of joint j's dye, −1 for none; a tint is as strong as the weights of the dyed joints sum to.
// With a dye per proxy bone these are the groups of RTER figure 9.
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
		if dst[v] = (skin.Tint{}); share > 0 {
			dst[v] = skin.Tint{toByte(mixed[0] / share), toByte(mixed[1] / share), toByte(mixed[2] / share), toByte(share)}
		}
	}
}

// TurnDyes fills dst, one per joint of a rig, with the colour of its angle scale u between lo and hi: how far its part
// of the skin turns when the joint that drives it turns by 1 (RTER figure 6).
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

// KeyDyes fills dst, one per joint of a rig, with dyes that show where key deformation gradients act (RTER section
// 5.2). With only at −1 a joint has the colour of the key that moves it most. Else only names a key: all joints have
// its colour, and its strength on a joint is how far it moves that joint, as a share of the farthest.
//
// colors has one dye per key. places has a point of each joint's part of the skin, in rest space: a key moves the joint
// as far as that point moves when the key changes by 1, which c₁ says.
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

// keyReach is the length of the derivative of a place on joint b of a rig by a row of a key gradient: c₁ is the same
// for x, y and z.
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
