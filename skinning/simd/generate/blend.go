package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blend sums palette entries of 16 floats, each made of rows of four, for the vertices of a pass, and hands the rows
// over with one vertex per lane. An entry is blended whole, one register per vertex, and transposed afterwards: summing
// costs one multiply-add per influence that way, reading its entry as it goes.
type blend struct {
	*lanes
	rows    int                           // of four floats, 3 or 4: what is used of an entry
	palette reg.Register                  // entries
	sum     [groupVertices]reg.VecVirtual // AVX-512 only
	// AVX2 only: row r of vertices i and i+4 side by side.
	joined [3][4]reg.VecVirtual
}

func (l *lanes) newBlend(rows int, palette reg.Register) *blend {
	b := &blend{lanes: l, rows: rows, palette: palette}
	if l.wide {
		for v := range b.sum {
			b.sum[v] = l.asm.ZMM()
		}
	} else {
		for i := range 4 {
			for r := range b.joined {
				b.joined[r][i] = l.asm.YMM()
			}
		}
	}
	return b
}

// entries emits the sums of the vertices whose bindings are at from, for at most four influences. Most is a register
// that holds the largest number of influences in the group: fewer cost less, and because a weight of 0 adds exactly
// nothing, a vertex does not depend on its neighbours. The label must be unique in the function.
func (b *blend) entries(label string, most reg.Register, from reg.Register) {
	for n := 1; n <= 4; n++ {
		if n < 4 {
			b.asm.CMPQ(most, operand.I8(n))
			b.asm.JNE(operand.LabelRef(fmt.Sprintf("%s_not%d", label, n)))
		}
		if b.wide {
			for v := range b.width() {
				b.vertex(b.sum[v], n, at(from, v*bindingBytes))
			}
		} else {
			for i := range 4 {
				b.pair(i, n, at(from, i*bindingBytes))
			}
		}
		if n < 4 {
			b.asm.JMP(operand.LabelRef(label + "_summed"))
			b.asm.Label(fmt.Sprintf("%s_not%d", label, n))
		}
	}
	b.asm.Label(label + "_summed")
}

// sumBytes is what sumTo writes for a pass.
func (l *lanes) sumBytes() int { return l.width() * sumStride }

// sumTo is what entries does for vertex v, of n influences, to memory.
func (b *blend) sumTo(to operand.Mem, v, n int, from reg.Register) {
	place, binding := to.Offset(sumSlot(v)), at(from, v*bindingBytes)
	if b.wide {
		sum := b.asm.ZMM()
		b.vertex(sum, n, binding)
		b.asm.VMOVAPS(sum, place)
		return
	}
	h := &half{binding: binding, sum: [2]reg.VecVirtual{b.asm.YMM(), b.asm.YMM()}}
	for k := range n {
		b.influence(h, k)
	}
	b.asm.VMOVAPS(h.sum[0], place)
	b.asm.VMOVAPS(h.sum[1], place.Offset(32))
}

// sumsFrom makes those the sums, with AVX-512.
func (b *blend) sumsFrom(from operand.Mem) {
	for v := range b.sum {
		b.sum[v] = b.asm.ZMM()
		b.asm.VMOVAPS(from.Offset(64*v), b.sum[v])
	}
}

// rowsFrom returns, with AVX2, the columns of rows r and r+1 of those, r even.
func (l *lanes) rowsFrom(from operand.Mem, r int) (first, second [4]reg.VecVirtual) {
	return l.columnsFrom(from.Offset(16*r), sumSlot)
}

// sumSlot is where sumTo puts the sum of vertex v.
func sumSlot(v int) int { return v * sumStride }

// columnsFrom returns the columns of what lies at from, two rows for every vertex where slot says.
func (l *lanes) columnsFrom(from operand.Mem, slot func(v int) int) (first, second [4]reg.VecVirtual) {
	first, second = l.pairsFrom(from, slot)
	return l.transpose4(first), l.transpose4(second)
}

// pairsFrom returns the rows of vertices i and i+4 side by side. It reads what was written by one store each: a load of
// parts of two would wait for both to reach the cache.
func (l *lanes) pairsFrom(from operand.Mem, slot func(v int) int) (first, second [4]reg.VecVirtual) {
	for i := range 4 {
		low, high := l.asm.YMM(), l.asm.YMM()
		l.asm.VMOVAPS(from.Offset(slot(i)), low)
		l.asm.VMOVAPS(from.Offset(slot(i+4)), high)
		first[i], second[i] = l.sideBySide(low, high)
	}
	return first, second
}

// sideBySide returns the low halves of two registers in one, and their high halves, with AVX2.
func (l *lanes) sideBySide(a, b reg.VecVirtual) (low, high reg.VecVirtual) {
	low, high = l.asm.YMM(), l.asm.YMM()
	l.asm.VPERM2F128(operand.U8(0x20), b, a, low)
	l.asm.VPERM2F128(operand.U8(0x31), b, a, high)
	return low, high
}

// vertex emits Σ w_k·entry_k of one vertex with AVX-512, of n influences.
func (b *blend) vertex(sum reg.VecVirtual, n int, binding operand.Mem) {
	for k := range n {
		weight, joint := b.vec(), b.offset(binding, k)
		b.asm.VBROADCASTSS(binding.Offset(8+4*k), weight)
		entry := b.entry(joint)
		if k == 0 {
			b.asm.VMULPS(entry, weight, sum)
		} else {
			b.asm.VFMADD231PS(entry, weight, sum)
		}
	}
}

// entry is the entry at an offset.
func (b *blend) entry(offset reg.Register) operand.Mem {
	return operand.Mem{Base: b.palette, Index: offset, Scale: 1}
}

// offset returns where the entry of influence k of a vertex begins in its palette.
func (l *lanes) offset(binding operand.Mem, k int) reg.GPVirtual {
	o := l.asm.GP64()
	l.asm.MOVWQZX(binding.Offset(2*k), o)
	l.asm.SHLQ(operand.U8(6), o)
	return o
}

// pair emits Σ w_k·entry_k of vertices i and i+4 with AVX2, of three rows and n influences.
//
// An entry of three rows has 0, 1, 2 and 0 again. The first vertex takes them as (0 1) and (2 ·), the other as (1 2)
// and (2 0): rows 0 and 2 of both are then joined by blends, which any pipe does, and only row 1 crosses the halves of
// a register, which takes a pipe that multiplies.
func (b *blend) pair(i, n int, binding operand.Mem) {
	first, last := b.joined[0][i], b.joined[2][i]
	low, high := b.asm.YMM(), b.asm.YMM()
	halves := []*half{
		{binding: binding, sum: [2]reg.VecVirtual{first, last.AsX().(reg.VecVirtual)}},
		{binding: binding.Offset(4 * bindingBytes), sum: [2]reg.VecVirtual{low, high}, offset: 16},
	}
	for k := range n { // two chains of sums at a time
		for _, h := range halves {
			b.influence(h, k)
		}
	}
	b.asm.VPERM2F128(operand.U8(0x21), low, first, b.joined[1][i])
	b.asm.VBLENDPS(operand.U8(0xf0), high, first, first)
	b.asm.VBLENDPS(operand.U8(0xf0), low, last, last)
}

// half is a vertex with AVX2: its sums of the 32 bytes of an entry from an offset on, and of 32 or 16 from its middle
// on.
type half struct {
	binding operand.Mem
	sum     [2]reg.VecVirtual
	offset  int
}

// influence adds w_k·entry_k to the sums, or starts them.
func (b *blend) influence(h *half, k int) {
	weight, sum, joint := b.asm.YMM(), h.sum, b.offset(h.binding, k)
	b.asm.VBROADCASTSS(h.binding.Offset(8+4*k), weight)
	for part, from := range [2]int{h.offset, 32} {
		entry := b.entry(joint).Offset(from)
		w := weight
		if sum[part].Size() == 16 {
			w = weight.AsX().(reg.VecVirtual)
		}
		if k == 0 {
			b.asm.VMULPS(entry, w, sum[part])
		} else {
			b.asm.VFMADD231PS(entry, w, sum[part])
		}
	}
}

// transposed calls row with the four columns of every row in turn, one vertex per lane.
func (b *blend) transposed(row func(r int, columns [4]reg.VecVirtual)) {
	if !b.wide {
		for r, m := range b.joined {
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
	d := l.asm.ZMM()
	l.asm.VSHUFF32X4(operand.U8(i|j<<2|i<<4|j<<6), b, a, d)
	return d
}
