package main

import (
	"fmt"
	"math"

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

// op is a quantity with one vertex per lane: a vector register, or memory where an instruction may read that.
type op = operand.Op

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
	suffix := "AVX2"
	if l.wide {
		suffix = "AVX512"
	}
	l.asm.Function(name + suffix)
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

// inMemory is where a parameter lies, for what is read too seldom for a register of its own.
func (l *lanes) inMemory(param string) operand.Mem {
	p, err := l.asm.Param(param).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

// at is the memory at a register plus bytes.
func at(base reg.Register, bytes int) operand.Mem { return operand.Mem{Base: base, Disp: bytes} }

// field is a field of what a register points to, named as in [layout.offset].
func (l *lanes) field(base reg.Register, path string) operand.Mem {
	return at(base, l.layout.offset(path))
}

// load loads 8 bytes.
func (l *lanes) load(from op) reg.GPVirtual {
	r := l.asm.GP64()
	l.asm.MOVQ(from, r)
	return r
}

// local copies 8 bytes to the stack.
func (l *lanes) local(from op) operand.Mem {
	to := l.asm.AllocLocal(8)
	if _, memory := from.(operand.Mem); memory {
		from = l.load(from)
	}
	l.asm.MOVQ(from, to)
	return to
}

// stack takes a number of bytes of the stack, aligned to 64.
func (l *lanes) stack(bytes int) operand.Mem {
	base := l.asm.GP64()
	l.asm.LEAQ(l.asm.AllocLocal(bytes+64), base)
	l.asm.ADDQ(operand.U8(63), base)
	l.asm.ANDQ(operand.I8(-64), base)
	return operand.Mem{Base: base}
}

// table returns the memory of a constant of 32-bit words, made once per file.
func (l *lanes) table(name string, words ...uint32) operand.Mem {
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

// every returns a register with a constant in every lane.
func (l *lanes) every(name string, value float32) reg.VecVirtual {
	d := l.vec()
	l.asm.VBROADCASTSS(l.table(name, math.Float32bits(value)), d)
	return d
}

// Control.

func (l *lanes) label(name string)         { l.asm.Label(name) }
func (l *lanes) ifZero(r op, label string) { l.asm.TESTQ(r, r); l.asm.JZ(operand.LabelRef(label)) }
func (l *lanes) jump(label string)         { l.asm.JMP(operand.LabelRef(label)) }

// untilZero ends a loop that begins at a label and whose count is a register or in memory.
func (l *lanes) untilZero(count op, label string) {
	l.asm.DECQ(count)
	l.asm.JNZ(operand.LabelRef(label))
}

// repeat emits a loop of a number of turns, whose counter lies on the stack.
func (l *lanes) repeat(label string, times int, body func()) {
	left := l.asm.AllocLocal(8)
	l.asm.MOVQ(operand.U32(times), left)
	l.label(label)
	body()
	l.untilZero(left, label)
}

// byInfluences emits body for one to four influences, chosen by the largest number in the group. Fewer cost less, and
// because a weight of 0 adds exactly nothing, a vertex does not depend on its neighbours. The label must be unique in
// the function.
func (l *lanes) byInfluences(label string, most reg.Register, body func(n int)) {
	for n := 1; n <= 4; n++ {
		next := fmt.Sprintf("%s_not%d", label, n)
		if n < 4 {
			l.asm.CMPQ(most, operand.I8(n))
			l.asm.JNE(operand.LabelRef(next))
		}
		body(n)
		if n < 4 {
			l.jump(label + "_summed")
			l.label(next)
		}
	}
	l.label(label + "_summed")
}

// done ends a function, whose early ways out jump to the label of that name.
func (l *lanes) done() {
	l.label("done")
	l.asm.VZEROUPPER()
	l.asm.RET()
}

// Arithmetic.

// width is the number of lanes.
func (l *lanes) width() int {
	if l.wide {
		return 16
	}
	return 8
}

// vec is a new register.
func (l *lanes) vec() reg.VecVirtual {
	if l.wide {
		return l.asm.ZMM()
	}
	return l.asm.YMM()
}

// none is a register of zeros.
func (l *lanes) none() reg.VecVirtual {
	d := l.vec()
	l.asm.VXORPS(d, d, d)
	return d
}

// mul returns a·b.
func (l *lanes) mul(a, b op) op {
	d := l.vec()
	l.asm.VMULPS(a, b, d)
	return d
}

// add adds a·b to d, and sub takes it from d.
func (l *lanes) add(d, a, b op) { l.asm.VFMADD231PS(a, b, d) }
func (l *lanes) sub(d, a, b op) { l.asm.VFNMADD231PS(a, b, d) }

// sum adds a·b to *d, or begins it where that is nil.
func (l *lanes) sum(d *op, a, b op) {
	if *d == nil {
		*d = l.mul(a, b)
	} else {
		l.add(*d, a, b)
	}
}

// dot returns Σ a_k·b_k.
func (l *lanes) dot(a, b []op) (d op) {
	for k := range a {
		l.sum(&d, a[k], b[k])
	}
	return d
}

// minor returns a·d − b·c.
func (l *lanes) minor(a, b, c, d op) op {
	m := l.mul(a, d)
	l.sub(m, b, c)
	return m
}

// copy returns a register with what is there.
func (l *lanes) copy(from op) op {
	d := l.vec()
	l.asm.VMOVAPS(from, d)
	return d
}

// copies is copy of several.
func (l *lanes) copies(from []op) (out []op) {
	for _, v := range from {
		out = append(out, l.copy(v))
	}
	return out
}

// spill puts registers into memory, one behind the other, and returns where.
func (l *lanes) spill(v []op, to operand.Mem) []op {
	out := l.places(to, len(v))
	l.store(v, out)
	return out
}

// store puts registers into places.
func (l *lanes) store(v, to []op) {
	for k := range v {
		l.asm.VMOVAPS(v[k], to[k])
	}
}

// keep is spill with AVX2, which has too few registers; with AVX-512 it leaves v where it is.
func (l *lanes) keep(v []op, to operand.Mem) []op { return l.keepAt(v, l.places(to, len(v))) }

// keepAt is keep in given places.
func (l *lanes) keepAt(v, to []op) []op {
	if l.wide {
		return v
	}
	l.store(v, to)
	return to
}

// fromKept returns registers with what keep has returned.
func (l *lanes) fromKept(kept []op) []op {
	if l.wide {
		return kept
	}
	return l.copies(kept)
}

// inRegisters returns what may be in memory in registers.
func (l *lanes) inRegisters(v []op) []op {
	if _, memory := v[0].(operand.Mem); memory {
		return l.copies(v)
	}
	return v
}

// places are the places of a number of vectors, one behind the other.
func (l *lanes) places(from operand.Mem, number int) (out []op) {
	for k := range number {
		out = append(out, from.Offset(4*l.width()*k))
	}
	return out
}

// shuffle returns a[i], a[j], b[k], b[n] of every four lanes.
func (l *lanes) shuffle(a, b op, i, j, k, n uint8) op {
	d := l.vec()
	l.asm.VSHUFPS(operand.U8(i|j<<2|k<<4|n<<6), b, a, d)
	return d
}

// quarters returns quarters i and j of a, then of b, with AVX-512.
func (l *lanes) quarters(a, b op, i, j uint8) op {
	d := l.asm.ZMM()
	l.asm.VSHUFF32X4(operand.U8(i|j<<2|i<<4|j<<6), b, a, d)
	return d
}

// sideBySide returns the low halves of two registers in one, and their high halves, with AVX2.
func (l *lanes) sideBySide(a, b op) (low, high op) {
	d, e := l.asm.YMM(), l.asm.YMM()
	l.asm.VPERM2F128(operand.U8(0x20), b, a, d)
	l.asm.VPERM2F128(operand.U8(0x31), b, a, e)
	return d, e
}

// joinFirst returns the 16 bytes at low and those at high side by side, with AVX2. A broadcast and a blend burden no
// pipe of the multiply-adds, as inserting into a half does. The blend reads 32 bytes from low on.
func (l *lanes) joinFirst(low, high operand.Mem) op {
	d := l.asm.YMM()
	l.asm.VBROADCASTF128(high, d)
	l.asm.VBLENDPS(operand.U8(0x0f), low, d, d)
	return d
}

// transpose4 transposes the 4×4 block in every four lanes of four registers: column c is lane c of all four.
func (l *lanes) transpose4(m []op) []op {
	if !l.wide {
		return l.transposeFrom(0, m)
	}
	var t, out []op
	for range 4 {
		t, out = append(t, l.vec()), append(out, l.vec())
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
func (l *lanes) transposeFrom(first int, m []op) []op {
	out := make([]op, 4)
	var pairs [2][2]op // columns 0 and 1, or 2 and 3, of rows 0 and 1, then of 2 and 3
	for half := first / 2; half < 2; half++ {
		i, j := uint8(2*half), uint8(2*half+1)
		pairs[half] = [2]op{l.shuffle(m[0], m[1], i, j, i, j), l.shuffle(m[2], m[3], i, j, i, j)}
	}
	for c := first; c < 4; c++ {
		p, i := pairs[c/2], uint8(c%2)
		out[c] = l.shuffle(p[0], p[1], i, i+2, i, i+2)
	}
	return out
}
