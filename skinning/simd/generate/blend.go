package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blend sums palette entries of 16 floats, each made of rows of four, for the vertices of a pass, and hands the rows over
// with one vertex per lane. An entry is blended whole, one register per vertex, and transposed afterwards: summing costs one
// multiply-add per influence that way, reading its entry as it goes.
type blend struct {
	*lanes
	rows    int          // of four floats, 3 or 4: what is used of an entry
	palette reg.Register // entries
	scratch operand.Mem  // AVX2 and four rows only: 64 bytes per vertex, aligned to 64
	// Where entries come in pairs, one for either hemisphere, as for [motions]: the table that tells which, and the bytes of a row of it.
	signs, row operand.Op
	sum        [groupVertices]reg.VecVirtual // AVX-512 only
	// AVX2, three rows: row r of vertices i and i+4 side by side, which no multiply-add's pipe has to bring together: see pair.
	joined [3][4]reg.VecVirtual
}

// scratchBytes is what a blend needs of the stack with AVX2.
const scratchBytes = 8 * 64

func (l *lanes) newBlend(rows int, palette reg.Register, scratch operand.Mem) *blend {
	b := &blend{lanes: l, rows: rows, palette: palette, scratch: scratch}
	if l.wide {
		for v := range b.sum {
			b.sum[v] = l.ZMM()
		}
	} else if rows == 3 {
		for i := range 4 {
			for r := range b.joined {
				b.joined[r][i] = l.YMM()
			}
		}
	}
	return b
}

// entries emits the sums of the vertices whose bindings are at from, for at most four influences. Most is a register that
// holds the largest number of influences in the group: fewer cost less, and because a weight of 0 adds exactly nothing, a
// vertex does not depend on its neighbours. The label must be unique in the function.
func (b *blend) entries(label string, most reg.Register, from reg.Register) {
	for n := 1; n <= 4; n++ {
		if n < 4 {
			b.CMPQ(most, operand.I8(n))
			b.JNE(operand.LabelRef(fmt.Sprintf("%s_not%d", label, n)))
		}
		if b.wide || b.rows == 4 {
			for v := range b.width() {
				b.vertex(v, n, at(from, v*bindingBytes))
			}
		} else {
			for i := range 4 {
				b.pair(i, n, at(from, i*bindingBytes), nil)
			}
		}
		if n < 4 {
			b.JMP(operand.LabelRef(label + "_summed"))
			b.Label(fmt.Sprintf("%s_not%d", label, n))
		}
	}
	b.Label(label + "_summed")
}

// vertex emits Σ w_k·entry_k of one vertex, of n influences.
func (b *blend) vertex(v, n int, binding operand.Mem) {
	high := b.XMM()
	low := reg.VecVirtual(nil)
	if b.wide {
		low = b.sum[v]
	} else {
		low = b.YMM()
	}
	var highs operand.Op = high
	if b.rows == 4 {
		highs = high.AsY()
	}
	row := reg.Register(nil)
	for k := range n {
		joint, weight := b.GP64(), b.vec()
		b.MOVWQZX(binding.Offset(2*k), joint)
		b.VBROADCASTSS(binding.Offset(8+4*k), weight)
		switch {
		case b.signs == nil:
			b.SHLQ(operand.U8(6), joint)
		case k == 0:
			if n > 1 {
				row = b.GP64()
				b.MOVQ(joint, row)
				b.IMULQ(b.row, row)
				b.ADDQ(b.signs, row)
			}
			b.SHLQ(operand.U8(7), joint)
		default:
			b.MOVWQZX(operand.Mem{Base: row, Index: joint, Scale: 2}, joint)
			b.SHLQ(operand.U8(6), joint)
		}
		entry := operand.Mem{Base: b.palette, Index: joint, Scale: 1}
		if k == 0 {
			b.VMULPS(entry, weight, low)
		} else {
			b.VFMADD231PS(entry, weight, low)
		}
		if b.wide {
			continue
		}
		var w operand.Op = weight.AsX()
		if b.rows == 4 {
			w = weight
		}
		if k == 0 {
			b.VMULPS(entry.Offset(32), w, highs)
		} else {
			b.VFMADD231PS(entry.Offset(32), w, highs)
		}
	}
	if !b.wide {
		b.VMOVAPS(low, b.scratch.Offset(64*v))
		b.VMOVAPS(highs, b.scratch.Offset(64*v+32))
	}
}

// pair emits Σ w_k·entry_k of vertices i and i+4 with AVX2, of n influences. An entry has rows 0, 1, 2 and 0 again. The first vertex takes
// them as (0 1) and (2 ·), the other as (1 2) and (2 0): rows 0 and 2 of both are then joined by blends, which any pipe does, and only
// row 1 crosses the halves of a register, which takes a pipe that multiplies. Also, if not nil, emits what else is summed by the same weights.
func (b *blend) pair(i, n int, binding operand.Mem, also func(v, k int, joint reg.Register, weight reg.VecVirtual)) {
	first, last := b.joined[0][i], b.joined[2][i]
	low, high := b.YMM(), b.YMM()
	for k := range n { // two chains of sums at a time
		b.influence(i, k, binding, [2]reg.VecVirtual{first, last.AsX().(reg.VecVirtual)}, 0, also)
		b.influence(i+4, k, binding.Offset(4*bindingBytes), [2]reg.VecVirtual{low, high}, 16, also)
	}
	b.VPERM2F128(operand.U8(0x21), low, first, b.joined[1][i])
	b.VBLENDPS(operand.U8(0xf0), high, first, first)
	b.VBLENDPS(operand.U8(0xf0), low, last, last)
}

// influence adds w_k·entry_k of vertex v to two sums, or starts them: of the 32 bytes of the entry from an offset on, and of 32 or 16 from its
// middle on.
func (b *blend) influence(v, k int, binding operand.Mem, sum [2]reg.VecVirtual, offset int, also func(v, k int, joint reg.Register, weight reg.VecVirtual)) {
	joint, weight := b.GP64(), b.YMM()
	b.MOVWQZX(binding.Offset(2*k), joint)
	b.VBROADCASTSS(binding.Offset(8+4*k), weight)
	if also != nil {
		also(v, k, joint, weight)
	}
	b.SHLQ(operand.U8(6), joint)
	for part, from := range [2]int{offset, 32} {
		entry := operand.Mem{Base: b.palette, Index: joint, Scale: 1, Disp: from}
		w := weight
		if sum[part].Size() == 16 {
			w = weight.AsX().(reg.VecVirtual)
		}
		if k == 0 {
			b.VMULPS(entry, w, sum[part])
		} else {
			b.VFMADD231PS(entry, w, sum[part])
		}
	}
}

// transposed calls row with the four columns of every row in turn, one vertex per lane.
func (b *blend) transposed(row func(r int, columns [4]reg.VecVirtual)) {
	if !b.wide && b.rows == 3 {
		for r, m := range b.joined {
			row(r, b.transpose4(m))
		}
		return
	}
	if !b.wide {
		for r := range b.rows {
			var m [4]reg.VecVirtual
			for i := range m { // vertices i and i+4 side by side
				m[i] = b.joinFirst(b.scratch.Offset(64*i+16*r), b.scratch.Offset(64*(i+4)+16*r))
			}
			row(r, b.transpose4(m))
		}
		return
	}
	var quad [4][4]reg.VecVirtual // [four vertices][column], a row in every four lanes
	for q := range quad {
		quad[q] = b.transpose4([4]reg.VecVirtual(b.sum[4*q : 4*q+4]))
	}
	var rows [4][4]reg.VecVirtual
	for c := range 4 {
		even0, even1 := b.quarters(quad[0][c], quad[1][c], 0, 2), b.quarters(quad[2][c], quad[3][c], 0, 2)
		odd0, odd1 := b.quarters(quad[0][c], quad[1][c], 1, 3), b.quarters(quad[2][c], quad[3][c], 1, 3)
		rows[0][c], rows[2][c] = b.quarters(even0, even1, 0, 2), b.quarters(even0, even1, 1, 3)
		rows[1][c] = b.quarters(odd0, odd1, 0, 2)
		if b.rows == 4 {
			rows[3][c] = b.quarters(odd0, odd1, 1, 3)
		}
	}
	for r := range b.rows {
		row(r, rows[r])
	}
}

// quarters returns quarters i and j of a, then of b.
func (l *lanes) quarters(a, b reg.VecVirtual, i, j uint8) reg.VecVirtual {
	d := l.ZMM()
	l.VSHUFF32X4(operand.U8(i|j<<2|i<<4|j<<6), b, a, d)
	return d
}
