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
	scratch operand.Mem  // AVX2 only: 64 bytes per vertex, aligned to 64
	// Where entries come in pairs, one for either hemisphere, as for [motions]: the table that tells which, and the bytes of a row of it.
	signs, row operand.Op
	sum        [groupVertices]reg.VecVirtual
}

// scratchBytes is what a blend needs of the stack with AVX2.
const scratchBytes = 8 * 64

func (l *lanes) newBlend(rows int, palette reg.Register, scratch operand.Mem) *blend {
	b := &blend{lanes: l, rows: rows, palette: palette, scratch: scratch}
	if l.wide {
		for v := range b.sum {
			b.sum[v] = l.ZMM()
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
		for v := range b.width() {
			b.vertex(v, n, at(from, v*bindingBytes))
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

// transposed calls row with the four columns of every row in turn, one vertex per lane.
func (b *blend) transposed(row func(r int, columns [4]reg.VecVirtual)) {
	if !b.wide {
		for r := range b.rows {
			var m [4]reg.VecVirtual
			for i := range m { // vertices i and i+4 side by side
				m[i] = b.YMM()
				b.VMOVAPS(b.scratch.Offset(64*i+16*r), m[i].AsX())
				b.VINSERTF128(operand.U8(1), b.scratch.Offset(64*(i+4)+16*r), m[i], m[i])
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
