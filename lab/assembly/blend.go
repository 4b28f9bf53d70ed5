package main

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Sums of palette entries of 16 floats, which are rows of four. An entry is summed whole, in one register for each
// vertex or two, and transposed afterwards: that way an influence costs one multiply-add, which reads the entry from
// memory.

// piece is a sum over the influences of a vertex: of the bytes of their entries in a palette from an offset on, as many
// as the register holds.
type piece struct {
	palette reg.Register
	offset  int
	sum     reg.VecVirtual
	to      operand.Mem  // where sumTo writes it
	second  reg.Register // bytes from the vertex's binding to the binding of this sum; nil for the same one
}

// influence adds w_k·entry_k to the pieces of a vertex, or begins them.
func (l *lanes) influence(k int, binding operand.Mem, pieces []piece) {
	joint, weight := l.entryOffset(binding, k), l.asm.YMM()
	for _, p := range pieces {
		if p.sum.Size() == 64 {
			weight = l.asm.ZMM()
		}
	}
	l.asm.VBROADCASTSS(binding.Offset(8+4*k), weight)
	for _, p := range pieces {
		entry, w := operand.Mem{Base: p.palette, Index: joint, Scale: 1, Disp: p.offset}, weight.AsY()
		switch p.sum.Size() {
		case 16:
			w = weight.AsX()
		case 64:
			w = weight
		}
		if k == 0 {
			l.asm.VMULPS(entry, w, p.sum)
		} else {
			l.add(p.sum, entry, w)
		}
	}
}

// entryOffset returns where the entry of influence k of a vertex begins in its palette.
func (l *lanes) entryOffset(binding operand.Mem, k int) reg.GPVirtual {
	o := l.asm.GP64()
	l.asm.MOVWQZX(binding.Offset(2*k), o)
	l.asm.SHLQ(operand.U8(6), o)
	return o
}

// sumTo emits the pieces of a vertex, of n influences, to memory.
func (l *lanes) sumTo(n int, binding operand.Mem, pieces []piece) {
	own := slices.IndexFunc(pieces, func(p piece) bool { return p.second == nil }) // the first, of those behind it
	if own > 0 {
		second := binding
		second.Index, second.Scale = pieces[0].second, 1
		for k := range n {
			l.influence(k, second, pieces[:own])
		}
	}
	for k := range n {
		l.influence(k, binding, pieces[own:])
	}
	for _, p := range pieces {
		l.asm.VMOVAPS(p.sum, p.to)
	}
}

// Whole entries of a pass lie in memory by vertex.
const sumStride = 64

func (l *lanes) sumBytes() int { return l.width() * sumStride }

func sumSlot(v int) int { return v * sumStride }

// wholeEntry is the pieces of the sum of vertex v.
func (l *lanes) wholeEntry(palette reg.Register, v int, to operand.Mem) []piece {
	to = to.Offset(sumSlot(v))
	if l.wide {
		return []piece{{palette: palette, sum: l.asm.ZMM(), to: to}}
	}
	return []piece{{palette: palette, sum: l.asm.YMM(), to: to},
		{palette: palette, offset: 32, sum: l.asm.YMM(), to: to.Offset(32)}}
}

// pairsFrom returns, with AVX2, two rows of the sums at from, those of vertices i and i+4 side by side; slot says where
// the sum of a vertex lies. Each load reads what one store has written: a load of parts of two stores would wait until
// both have reached the cache.
func (l *lanes) pairsFrom(from operand.Mem, slot func(v int) int) (first, second []op) {
	for i := range 4 {
		low, high := l.asm.YMM(), l.asm.YMM()
		l.asm.VMOVAPS(from.Offset(slot(i)), low)
		l.asm.VMOVAPS(from.Offset(slot(i+4)), high)
		a, b := l.sideBySide(low, high)
		first, second = append(first, a), append(second, b)
	}
	return first, second
}

// columnsFrom returns the columns of the rows that pairsFrom returns.
func (l *lanes) columnsFrom(from operand.Mem, slot func(v int) int) (first, second []op) {
	first, second = l.pairsFrom(from, slot)
	return l.transpose4(first), l.transpose4(second)
}

// blend is the sums of whole entries of all vertices of a pass, in registers.
type blend struct {
	*lanes
	rows    int // that are used of an entry, 3 or 4
	palette reg.Register
	upper   bool               // with AVX-512: of row r the columns from r on are wanted
	sums    []reg.VecVirtual   // with AVX-512, by vertex
	joined  [][]reg.VecVirtual // with AVX2, row r of vertices i and i+4 side by side
}

func (l *lanes) newBlend(rows int, palette reg.Register) *blend {
	b := &blend{lanes: l, rows: rows, palette: palette, joined: make([][]reg.VecVirtual, 3)}
	if l.wide {
		for range groupVertices {
			b.sums = append(b.sums, l.vec())
		}
		return b
	}
	for range 4 {
		for r := range b.joined {
			b.joined[r] = append(b.joined[r], l.vec())
		}
	}
	return b
}

// entries emits the sums of the vertices whose bindings are at from, of as many influences as most says, at most four.
func (b *blend) entries(label string, most, from reg.Register) {
	b.byInfluences(label, most, func(n int) {
		if !b.wide {
			for i := range 4 {
				b.pair(i, n, at(from, i*bindingBytes))
			}
			return
		}
		for v, sum := range b.sums {
			for k := range n {
				b.influence(k, at(from, v*bindingBytes), []piece{{palette: b.palette, sum: sum}})
			}
		}
	})
}

// pair emits the sums of vertices i and i+4 with AVX2, of three rows and n influences.
//
// An entry of three rows has 0, 1, 2 and 0 again. The first vertex takes them as (0 1) and (2 ·), the other as (1 2)
// and (2 0): rows 0 and 2 of both are then joined by blends, which any pipe does, and only row 1 crosses the halves of
// a register, which takes a pipe that multiplies.
func (b *blend) pair(i, n int, binding operand.Mem) {
	first, last := b.joined[0][i], b.joined[2][i]
	low, high := b.asm.YMM(), b.asm.YMM()
	for k := range n { // two chains of sums at a time
		b.influence(k, binding, []piece{{palette: b.palette, sum: first},
			{palette: b.palette, offset: 32, sum: last.AsX().(reg.VecVirtual)}})
		b.influence(k, binding.Offset(4*bindingBytes), []piece{{palette: b.palette, offset: 16, sum: low},
			{palette: b.palette, offset: 32, sum: high}})
	}
	b.asm.VPERM2F128(operand.U8(0x21), low, first, b.joined[1][i])
	b.asm.VBLENDPS(operand.U8(0xf0), high, first, first)
	b.asm.VBLENDPS(operand.U8(0xf0), low, last, last)
}

// rowsFrom is [blend.transposed] for the sums that sumTo has written.
func (b *blend) rowsFrom(from operand.Mem, row func(r int, columns []op)) {
	if !b.wide {
		for r := 0; r < b.rows; r += 2 {
			if r+1 == b.rows {
				var last []op
				for i := range 4 {
					last = append(last, b.joinFirst(from.Offset(sumSlot(i)+16*r), from.Offset(sumSlot(i+4)+16*r)))
				}
				row(r, b.transpose4(last))
				break
			}
			first, second := b.columnsFrom(from.Offset(16*r), sumSlot)
			row(r, first)
			row(r+1, second)
		}
		return
	}
	for v := range b.sums {
		b.sums[v] = b.asm.ZMM()
		b.asm.VMOVAPS(from.Offset(sumSlot(v)), b.sums[v])
	}
	b.transposed(row)
}

// transposed calls row with the four columns of each row in turn, one vertex per lane: code for a row can be emitted
// before the next row takes registers.
func (b *blend) transposed(row func(r int, columns []op)) {
	if !b.wide {
		for r, m := range b.joined {
			row(r, b.transpose4([]op{m[0], m[1], m[2], m[3]}))
		}
		return
	}
	var quad [4][]op // [four vertices][column], a row in every four lanes
	for q := range quad {
		s := b.sums[4*q:]
		quad[q] = b.transpose4([]op{s[0], s[1], s[2], s[3]})
	}
	var rows [4][4]op
	for c := range 4 {
		for r := range 2 { // rows r and r+2
			if b.upper && c < r {
				continue
			}
			i, j := uint8(r), uint8(r+2)
			low, high := b.quarters(quad[0][c], quad[1][c], i, j), b.quarters(quad[2][c], quad[3][c], i, j)
			rows[r][c] = b.quarters(low, high, 0, 2)
			if r+2 < b.rows && !(b.upper && c < r+2) {
				rows[r+2][c] = b.quarters(low, high, 1, 3)
			}
		}
	}
	for r := range b.rows {
		row(r, rows[r][:])
	}
}

// movePoint returns what [blend.transposed] is to call, and the matrices that this collects. Their last column becomes
// Σ w_k·M_k·p.
func (l *lanes) movePoint(p []op) (row func(r int, columns []op), matrix [][]op) {
	matrix = make([][]op, 3)
	return func(r int, columns []op) {
		for k := range p {
			l.add(columns[3], p[k], columns[k])
		}
		matrix[r] = columns
	}, matrix
}
