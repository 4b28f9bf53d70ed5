package meshopt

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Filters are undone in float32, as the library does whose files these are, so that numbers are the same to the bit.
// The conversions keep products and sums from being fused.

// apply undoes a filter in place.
func apply(filter Filter, data []byte, stride int) {
	switch filter {
	case Octahedral:
		if stride == 4 {
			eachFour(data, bytes8{}, octahedral)
		} else {
			eachFour(data, words16{}, octahedral)
		}
	case Quaternion:
		eachFour(data, words16{}, quaternion)
	case Exponential:
		for k := 0; k < len(data); k += 4 {
			v := int32(binary.LittleEndian.Uint32(data[k:]))
			binary.LittleEndian.PutUint32(data[k:], math.Float32bits(exponential(v)))
		}
	case Color:
		if stride == 4 {
			eachFour(data, bytes8{}, color)
		} else {
			eachFour(data, words16{}, color)
		}
	}
}

// numbers reads and writes four numbers of an element.
type numbers interface {
	size() int // bytes of a number
	get(data []byte, k int) int
	set(data []byte, k, v int)
}

type bytes8 struct{}

func (bytes8) size() int                  { return 1 }
func (bytes8) get(data []byte, k int) int { return int(int8(data[k])) }
func (bytes8) set(data []byte, k, v int)  { data[k] = byte(v) }

type words16 struct{}

func (words16) size() int                  { return 2 }
func (words16) get(data []byte, k int) int { return int(int16(binary.LittleEndian.Uint16(data[2*k:]))) }
func (words16) set(data []byte, k, v int)  { binary.LittleEndian.PutUint16(data[2*k:], uint16(v)) }

// eachFour calls f with the four signed numbers of each element and the number of their bits, and stores what it
// returns.
func eachFour(data []byte, as numbers, f func(v [4]int, width int) [4]int) {
	n := 4 * as.size()
	for ; len(data) >= n; data = data[n:] {
		var v [4]int
		for k := range v {
			v[k] = as.get(data, k)
		}
		for k, x := range f(v, 8*as.size()) {
			as.set(data, k, x)
		}
	}
}

// round returns the nearest whole number of x·scale, the even one at halves.
func round(x, scale float32) int { return int(math.RoundToEven(float64(x * scale))) }

// squares returns the sum of three squares.
func squares(x, y, z float32) float32 { return float32(x*x) + float32(float32(y*y)+float32(z*z)) }

// octahedral unfolds a unit vector: x and y over the sum of the absolute coordinates, which is v[2]. The fourth number
// stays.
func octahedral(v [4]int, width int) [4]int {
	x, y := float32(v[0]), float32(v[1])
	z := float32(v[2]) - abs(x) - abs(y)
	fold := min(z, 0)
	x, y = unfold(x, fold), unfold(y, fold)
	length := float32(math.Sqrt(float64(squares(x, y, z))))
	if length == 0 {
		return [4]int{0, 0, 0, v[3]}
	}
	scale := float32(int(1)<<(width-1)-1) / length
	return [4]int{round(x, scale), round(y, scale), round(z, scale), v[3]}
}

func abs(x float32) float32 { return float32(math.Abs(float64(x))) }

// unfold moves a coordinate of the lower half, where fold is below 0, to its place.
func unfold(x, fold float32) float32 {
	if x >= 0 {
		return x + fold
	}
	return x - fold
}

// quaternion adds the largest component, which the lowest two bits of v[3] name. Its other bits are the scale.
func quaternion(v [4]int, _ int) (out [4]int) {
	one := float32(v[3] | 3) // stands for 1/√2
	x, y, z := float32(v[0]), float32(v[1]), float32(v[2])
	w := float32(math.Sqrt(float64(max(2*float32(one*one)-squares(x, y, z), 0))))
	scale := math.MaxInt16 / float32(math.Sqrt2) / one
	for k, c := range [4]float32{w, x, y, z} {
		out[(v[3]+k)&3] = round(c, scale)
	}
	return out
}

// exponential returns the lower 24 bits times two to the power of the higher 8, both signed.
func exponential(v int32) float32 {
	return float32(math.Ldexp(float64(v<<8>>8), int(v>>24)))
}

// color turns luma and two differences of colour into red, green and blue. The highest bit of the unsigned alpha is the
// scale of all four.
func color(v [4]int, width int) [4]int {
	all := 1<<width - 1
	alpha := v[3] & all
	used := bits.Len(uint(alpha))
	scale := 1<<used - 1
	luma, orange, green := v[0]&all, v[1], v[2]
	a := alpha & (scale >> 1)
	a = a<<1 | a&1
	by := float32(all) / float32(max(scale, 1))
	return [4]int{round(float32(luma+orange-green), by), round(float32(luma+green), by), round(float32(luma-orange-green), by),
		round(float32(a), by)}
}
