package render

import (
	"math"

	"skinlab/skinning"
)

// ProxyTints returns tints that show the proxy bones of an enveloped model (RTER figure 9): each vertex in the mixed colours of those that
// move it, linear RGB by index into the rig's proxies, as strong as their share. Vertices that joints move stay as they are.
func ProxyTints(m *skinning.Model, color func(proxy int) [3]float32) []Tint {
	colors := make([][3]float32, len(m.Envelope.Proxies))
	for k := range colors {
		colors[k] = color(k)
	}
	return mixTints(m, func(proxy int) [3]float32 { return colors[proxy] }, -1)
}

// KeyTints shows one key deformation gradient of an enveloped model: where the proxy bone of its group moves the skin, in one colour.
func KeyTints(m *skinning.Model, key int, color [3]float32) []Tint {
	return mixTints(m, func(int) [3]float32 { return color }, key)
}

// TurnTints returns tints that show by Colormap how far each part of an enveloped skin turns with the joint that predicts it (RTER figure
// 6): the angle scale u of its key gradient's first term, from lo to hi. Vertices that joints move stay as they are.
func TurnTints(m *skinning.Model, lo, hi float64) []Tint {
	var line [256][3]float32 // Colormap, linear
	for i := range line {
		for c, v := range Colormap(float32(i) / 255) {
			line[i][c] = linear(v)
		}
	}
	return mixTints(m, func(proxy int) [3]float32 {
		u := (m.Envelope.Keys[proxy].Terms[0].U - lo) / max(hi-lo, 1e-9)
		return line[int(255*min(max(u, 0), 1)+0.5)]
	}, -1)
}

// mixTints mixes the colours of proxies by weight, of one alone where only is not −1.
func mixTints(m *skinning.Model, color func(proxy int) [3]float32, only int) []Tint {
	proxyOf := make([]int, len(m.Skeleton.Joints)) // from 1, 0 for masters
	for k, j := range m.Envelope.Proxies {
		proxyOf[j] = k + 1
	}
	tints := make([]Tint, len(m.Skin.Positions))
	var buf []skinning.Influence
	for v := range tints {
		var mixed [3]float32
		var share float32
		buf = m.Skin.Of(buf[:0], v)
		for _, f := range buf {
			k := proxyOf[f.Joint] - 1
			if k < 0 || only >= 0 && k != only {
				continue
			}
			share += f.Weight
			for c, x := range color(k) {
				mixed[c] += f.Weight * x
			}
		}
		if share > 0 {
			tints[v] = Tint{toByte(mixed[0] / share), toByte(mixed[1] / share), toByte(mixed[2] / share), toByte(share)}
		}
	}
	return tints
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
