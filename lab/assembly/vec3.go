package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Streams hold x, y and z of a vertex side by side; registers hold one coordinate of all vertices of a pass.

// loadVec3 loads one Vec3 per lane and returns their x, y and z.
func (l *lanes) loadVec3(stream reg.Register) []op {
	if l.wide {
		return l.loadVec3Wide(stream)
	}
	// Lanes 0 to 3 are in the low halves, 4 to 7 in the high ones: (x0 y0 z0 x1), (y1 z1 x2 y2), (z2 x3 y3 z3).
	var m [3]op
	for k := range m {
		m[k] = l.joinFirst(at(stream, 16*k), at(stream, 48+16*k))
	}
	xy, yz := l.shuffle(m[1], m[2], 2, 3, 1, 2), l.shuffle(m[0], m[1], 1, 2, 0, 1)
	return []op{l.shuffle(m[0], xy, 0, 3, 0, 2), l.shuffle(yz, xy, 0, 2, 1, 3), l.shuffle(yz, m[2], 1, 3, 0, 3)}
}

// loadVec3Wide picks x, y and z out of three registers by two permutations each.
func (l *lanes) loadVec3Wide(stream reg.Register) (out []op) {
	a, c := l.asm.ZMM(), l.asm.ZMM()
	l.asm.VMOVUPS(at(stream, 0), a)
	l.asm.VMOVUPS(at(stream, 128), c)
	for k := range 3 {
		d, index := l.asm.ZMM(), l.asm.ZMM()
		l.asm.VMOVUPS(permutation(2*k), d)
		l.asm.VPERMI2PS(at(stream, 64), a, d)
		l.asm.VMOVUPS(permutation(2*k+1), index)
		l.asm.VPERMT2PS(c, index, d)
		out = append(out, d)
	}
	return out
}

// storeVec3 writes one Vec3 per lane. With AVX-512 each of three registers takes x and y, then z.
func (l *lanes) storeVec3(stream reg.Register, v []op) {
	x, y, z := v[0], v[1], v[2]
	if l.wide {
		for k := range 3 {
			d, index := l.asm.ZMM(), l.asm.ZMM()
			l.asm.VMOVUPS(permutation(6+2*k), d)
			l.asm.VPERMI2PS(y, x, d)
			l.asm.VMOVUPS(permutation(7+2*k), index)
			l.asm.VPERMT2PS(z, index, d)
			l.asm.VMOVUPS(d, at(stream, 64*k))
		}
		return
	}
	xy, yz, zx := l.shuffle(x, y, 0, 2, 0, 2), l.shuffle(y, z, 1, 3, 1, 3), l.shuffle(z, x, 0, 2, 1, 3)
	for k, m := range []op{
		l.shuffle(xy, zx, 0, 2, 0, 2), l.shuffle(yz, xy, 0, 2, 1, 3), l.shuffle(zx, yz, 1, 3, 1, 3),
	} {
		l.asm.VMOVUPS(m.(reg.Vec).AsX(), at(stream, 16*k))
		l.asm.VEXTRACTF128(operand.U8(1), m, at(stream, 48+16*k))
	}
}

// tables emits the permutations of [lanes.loadVec3Wide] and [lanes.storeVec3], a cache line each, as a function that
// is never called. The linker aligns code as far as it is asked, but data to 32 bytes: as data the permutations would
// lie across two lines in every other binary, and linear blending would take 1.07 of the time.
func tables(l *lanes) {
	l.asm.Function("tables")
	l.asm.Attributes(attr.NOSPLIT | attr.NOFRAME)
	l.asm.SignatureExpr("func()")
	emit := func(opcode string, number uint32) {
		l.asm.Instruction(&ir.Instruction{Opcode: opcode, Operands: []op{operand.U32(number)}})
	}
	emit("PCALIGN", 64)
	for _, words := range permutations() {
		for _, w := range words {
			emit("LONG", w)
		}
	}
	l.asm.RET()
}

// permutation is the memory of one of them.
func permutation(i int) operand.Mem {
	return operand.NewDataAddr(operand.Symbol{Name: "·tables"}, 4*groupVertices*i)
}

// permutations are those that split 16 vectors of three into coordinates, two for each coordinate, then those that join
// them, two for each register.
func permutations() (all [][groupVertices]uint32) {
	for k := range uint32(3) {
		var first, second [groupVertices]uint32
		for v := range uint32(groupVertices) {
			word := 3*v + k
			first[v] = word & 31 // of the first two registers; lanes past them are filled by the second permutation
			second[v] = v
			if word >= 32 {
				second[v] = 16 + word - 32
			}
		}
		all = append(all, first, second)
	}
	for k := range uint32(3) {
		var first, second [groupVertices]uint32
		for i := range uint32(groupVertices) {
			v, coordinate := (16*k+i)/3, (16*k+i)%3
			first[i], second[i] = []uint32{v, 16 + v, 0}[coordinate], []uint32{i, i, 16 + v}[coordinate]
		}
		all = append(all, first, second)
	}
	return all
}
