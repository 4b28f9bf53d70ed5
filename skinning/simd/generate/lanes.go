package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The kernels pose vertices in groups of 16: one ZMM register per quantity with AVX-512, two passes over 8 in a YMM
// register with AVX2. A group is whole: the caller pads the last one.
const (
	groupVertices = 16
	bindingBytes  = 24 // four uint16 joints, four float32 weights
	vec3Bytes     = 12
)

// lanes emits arithmetic over vectors with one vertex per lane, in either width.
type lanes struct {
	// Named: all that embeds lanes would get each of avo's thousands of methods, and the compiler would write a wrapper
	// of each.
	asm    *build.Context
	layout layout
	wide   bool                   // 16 lanes of AVX-512, else 8 of AVX2
	tables map[string]operand.Mem // constants of the file by name
}

// forms emits both forms of a kernel into one file.
func (l *lanes) forms(emit func(*lanes)) {
	emit(l)
	wide := *l
	wide.wide = true
	emit(&wide)
}

// function begins a kernel of that name and form, with parameters of the layout's types.
func (l *lanes) function(name, signature string) {
	l.asm.Function(name + l.suffix())
	s, err := gotypes.ParseSignatureInPackage(l.layout.Package, "func("+signature)
	if err != nil {
		panic(err)
	}
	l.asm.Signature(s)
}

// param loads a parameter.
func (l *lanes) param(name string) reg.GPVirtual {
	r := l.asm.GP64()
	l.asm.Load(l.asm.Param(name), r)
	return r
}

// fieldOf is a field of what a register points to, named as in [layout.offset].
func (l *lanes) fieldOf(base reg.Register, path string) operand.Mem {
	return at(base, l.layout.offset(path))
}

// load loads 8 bytes.
func (l *lanes) load(from operand.Mem) reg.GPVirtual {
	r := l.asm.GP64()
	l.asm.MOVQ(from, r)
	return r
}

// local copies 8 bytes to the stack, for what is used too seldom for a register of its own.
func (l *lanes) local(from operand.Mem) operand.Mem {
	to := l.asm.AllocLocal(8)
	l.asm.MOVQ(l.load(from), to)
	return to
}

func (l *lanes) width() int {
	if l.wide {
		return 16
	}
	return 8
}

func (l *lanes) vec() reg.VecVirtual {
	if l.wide {
		return l.asm.ZMM()
	}
	return l.asm.YMM()
}

// suffix names a kernel's form.
func (l *lanes) suffix() string {
	if l.wide {
		return "AVX512"
	}
	return "AVX2"
}

// at is the memory at a register plus bytes.
func at(base reg.Register, bytes int) operand.Mem { return operand.Mem{Base: base, Disp: bytes} }

// mul returns a·b.
func (l *lanes) mul(a operand.Op, b reg.VecVirtual) reg.VecVirtual {
	d := l.vec()
	l.asm.VMULPS(a, b, d)
	return d
}

// add adds a·b to d.
func (l *lanes) add(d reg.VecVirtual, a operand.Op, b reg.VecVirtual) { l.asm.VFMADD231PS(a, b, d) }

// sub takes a·b from d.
func (l *lanes) sub(d reg.VecVirtual, a operand.Op, b reg.VecVirtual) { l.asm.VFNMADD231PS(a, b, d) }

// minor returns a·d − b·c.
func (l *lanes) minor(a, b, c, d reg.VecVirtual) reg.VecVirtual {
	m := l.mul(a, d)
	l.sub(m, b, c)
	return m
}

// table returns the memory of a constant of 32-bit words, made once per file.
func (l *lanes) table(name string, words []uint32) operand.Mem {
	if m, ok := l.tables[name]; ok {
		return m
	}
	m := l.asm.StaticGlobal(name)
	l.asm.DataAttributes(8 | 16) // RODATA|NOPTR
	for i, w := range words {
		l.asm.AddDatum(4*i, operand.U32(w))
	}
	l.tables[name] = m
	return m
}

// loadVec3 loads one Vec3 per lane and returns their x, y and z.
func (l *lanes) loadVec3(from operand.Mem) (x, y, z reg.VecVirtual) {
	if l.wide {
		return l.loadVec3Wide(from)
	}
	// Lanes 0 to 3 are in the low halves, 4 to 7 in the high ones: (x0 y0 z0 x1), (y1 z1 x2 y2), (z2 x3 y3 z3).
	var m [3]reg.VecVirtual
	for k := range m {
		m[k] = l.joinFirst(from.Offset(16*k), from.Offset(48+16*k))
	}
	xy, yz := l.shuffle(m[1], m[2], 2, 3, 1, 2), l.shuffle(m[0], m[1], 1, 2, 0, 1)
	return l.shuffle(m[0], xy, 0, 3, 0, 2), l.shuffle(yz, xy, 0, 2, 1, 3), l.shuffle(yz, m[2], 1, 3, 0, 3)
}

// joinFirst returns the 16 bytes at low and those at high side by side. A broadcast and a blend burden no pipe of the
// multiply-adds, as inserting into a half does. The blend reads 32 bytes from low on.
func (l *lanes) joinFirst(low, high operand.Mem) reg.VecVirtual {
	d := l.asm.YMM()
	l.asm.VBROADCASTF128(high, d)
	l.asm.VBLENDPS(operand.U8(0x0f), low, d, d)
	return d
}

// storeVec3 writes one Vec3 per lane.
func (l *lanes) storeVec3(to operand.Mem, x, y, z reg.VecVirtual) {
	if l.wide {
		l.storeVec3Wide(to, x, y, z)
		return
	}
	xy, yz, zx := l.shuffle(x, y, 0, 2, 0, 2), l.shuffle(y, z, 1, 3, 1, 3), l.shuffle(z, x, 0, 2, 1, 3)
	for k, m := range []reg.VecVirtual{l.shuffle(xy, zx, 0, 2, 0, 2), l.shuffle(yz, xy, 0, 2, 1, 3),
		l.shuffle(zx, yz, 1, 3, 1, 3)} {
		l.asm.VMOVUPS(m.AsX(), to.Offset(16*k))
		l.asm.VEXTRACTF128(operand.U8(1), m, to.Offset(48+16*k))
	}
}

// shuffle returns a[i], a[j], b[k], b[n] of every four lanes.
func (l *lanes) shuffle(a, b reg.VecVirtual, i, j, k, n uint8) reg.VecVirtual {
	d := l.vec()
	l.asm.VSHUFPS(operand.U8(i|j<<2|k<<4|n<<6), b, a, d)
	return d
}

// loadVec3Wide picks x, y and z out of three registers by two permutations each.
func (l *lanes) loadVec3Wide(from operand.Mem) (x, y, z reg.VecVirtual) {
	a, c := l.asm.ZMM(), l.asm.ZMM()
	l.asm.VMOVUPS(from, a)
	l.asm.VMOVUPS(from.Offset(128), c)
	var out [3]reg.VecVirtual
	for k := range out {
		out[k] = l.asm.ZMM()
		l.asm.VMOVUPS(splitTable(k, 0), out[k])
		l.asm.VPERMI2PS(from.Offset(64), a, out[k])
		index := l.asm.ZMM()
		l.asm.VMOVUPS(splitTable(k, 1), index)
		l.asm.VPERMT2PS(c, index, out[k])
	}
	return out[0], out[1], out[2]
}

// storeVec3Wide is the inverse: each of three registers takes x and y, then z.
func (l *lanes) storeVec3Wide(to operand.Mem, x, y, z reg.VecVirtual) {
	for k := range 3 {
		d := l.asm.ZMM()
		l.asm.VMOVUPS(joinTable(k, 0), d)
		l.asm.VPERMI2PS(y, x, d)
		index := l.asm.ZMM()
		l.asm.VMOVUPS(joinTable(k, 1), index)
		l.asm.VPERMT2PS(z, index, d)
		l.asm.VMOVUPS(d, to.Offset(64*k))
	}
}

// transpose4 transposes the 4×4 block in every four lanes of four registers: column c is lane c of all four.
func (l *lanes) transpose4(m [4]reg.VecVirtual) [4]reg.VecVirtual {
	if !l.wide {
		return l.transposeFrom(0, m)
	}
	var t, out [4]reg.VecVirtual
	for i := range t {
		t[i], out[i] = l.vec(), l.vec()
	}
	l.asm.VUNPCKLPS(m[1], m[0], t[0])
	l.asm.VUNPCKLPS(m[3], m[2], t[1])
	l.asm.VUNPCKHPS(m[1], m[0], t[2])
	l.asm.VUNPCKHPS(m[3], m[2], t[3])
	l.asm.VUNPCKLPD(t[1], t[0], out[0])
	l.asm.VUNPCKHPD(t[1], t[0], out[1])
	l.asm.VUNPCKLPD(t[3], t[2], out[2])
	l.asm.VUNPCKHPD(t[3], t[2], out[3])
	return out
}

// transposeFrom is transpose4 with AVX2, without the columns before first: by shuffles, which have two pipes where
// unpacking has one.
func (l *lanes) transposeFrom(first int, m [4]reg.VecVirtual) (out [4]reg.VecVirtual) {
	var pairs [2][2]reg.VecVirtual // columns 0 and 1, or 2 and 3, of rows 0 and 1, then of 2 and 3
	for half := first / 2; half < 2; half++ {
		i, j := uint8(2*half), uint8(2*half+1)
		pairs[half] = [2]reg.VecVirtual{l.shuffle(m[0], m[1], i, j, i, j), l.shuffle(m[2], m[3], i, j, i, j)}
	}
	for c := first; c < 4; c++ {
		p, i := pairs[c/2], uint8(c%2)
		out[c] = l.shuffle(p[0], p[1], i, i+2, i, i+2)
	}
	return out
}
