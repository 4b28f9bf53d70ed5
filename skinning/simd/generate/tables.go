package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
)

// The permutations of [lanes.loadVec3Wide] and [lanes.storeVec3Wide] fill a cache line each. The linker aligns data to 32 bytes, so that with
// every other binary each would lie across two lines, and every load of one would be two: 7% of the time of linear blending. Code it aligns as
// far as it is asked, so the permutations lie among code.

const tableWords = groupVertices

// tables emits them as a function that nobody calls.
func tables(l *lanes) {
	c := l.asm
	c.Function("tables")
	c.Attributes(attr.NOSPLIT | attr.NOFRAME)
	c.SignatureExpr("func()")
	c.Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []operand.Op{operand.U32(64)}})
	for _, words := range permutations() {
		for _, w := range words {
			c.Instruction(&ir.Instruction{Opcode: "LONG", Operands: []operand.Op{operand.U32(w)}})
		}
	}
	c.RET()
}

// permutation is the memory of one of them.
func permutation(i int) operand.Mem {
	return operand.NewDataAddr(operand.Symbol{Name: "·tables"}, 4*tableWords*i)
}

// splitTable and joinTable are the two of coordinate or register k of three.
func splitTable(k, step int) operand.Mem { return permutation(2*k + step) }
func joinTable(k, step int) operand.Mem  { return permutation(6 + 2*k + step) }

// permutations are those that split 16 vectors of three into coordinates, then those that join them.
func permutations() [][]uint32 {
	var all [][]uint32
	for k := range uint32(3) {
		var first, second []uint32
		for v := range uint32(groupVertices) {
			word := 3*v + k
			first = append(first, word&31) // of the first two registers; lanes past them are filled next
			if word < 32 {
				second = append(second, v)
			} else {
				second = append(second, 16+word-32)
			}
		}
		all = append(all, first, second)
	}
	for k := range uint32(3) {
		var first, second []uint32
		for i := range uint32(groupVertices) {
			word := 16*k + i
			switch v := word / 3; word % 3 {
			case 0:
				first, second = append(first, v), append(second, i)
			case 1:
				first, second = append(first, 16+v), append(second, i)
			case 2:
				first, second = append(first, 0), append(second, 16+v)
			}
		}
		all = append(all, first, second)
	}
	for i, words := range all {
		if len(words) != tableWords {
			panic(fmt.Sprintf("permutation %d has %d lanes", i, len(words)))
		}
	}
	return all
}
