package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// signs emits the kernels that find out in which hemisphere of its pivot's quaternion a joint's is.
func signs(l *lanes) {
	signsTable(l)
	chooseEntries(l)
}

// signsTable emits the table of hemispheres: for every pivot a row of entry numbers, the joint, more by
// opposite where its entry's quaternion is to be flipped. Sixteen joints at a time, of which the last may be nobody's.
func signsTable(l *lanes) {
	l.function("signs", "table *uint16, quaternions *float32, joints, stride, opposite int, tie float32)")
	c, table, quaternions, pivots := l.asm, l.param("table"), l.param("quaternions"), l.param("joints")
	bytes, chunks := l.param("stride"), l.asm.GP64()
	tie := c.YMM()
	c.VBROADCASTSS(l.parameter("tie"), tie)
	c.SHLQ(operand.U8(2), bytes) // from one component of the quaternions to the next
	third := c.GP64()
	c.LEAQ(operand.Mem{Base: bytes, Index: bytes, Scale: 2}, third)
	opposite := c.YMM()
	c.VPBROADCASTD(l.parameter("opposite"), opposite)
	step := c.YMM()
	c.VPBROADCASTD(l.table("eightJoints", []uint32{8}), step)
	pivot := c.GP64()
	c.MOVQ(quaternions, pivot)
	c.TESTQ(pivots, pivots)
	c.JZ(operand.LabelRef("done"))

	c.Label("pivot")
	a, b, d, w, sign := c.YMM(), c.YMM(), c.YMM(), c.YMM(), c.YMM()
	c.VBROADCASTSS(operand.Mem{Base: pivot}, a)
	c.VBROADCASTSS(operand.Mem{Base: pivot, Index: bytes, Scale: 1}, b)
	c.VBROADCASTSS(operand.Mem{Base: pivot, Index: bytes, Scale: 2}, d)
	c.VBROADCASTSS(operand.Mem{Base: pivot, Index: third, Scale: 1}, w)
	c.VBROADCASTSS(operand.Mem{Base: pivot, Index: bytes, Scale: 4}, sign)
	entry := c.YMM()
	c.VMOVDQU(l.table("firstJoints", []uint32{0, 1, 2, 3, 4, 5, 6, 7}), entry)
	joint := c.GP64()
	c.MOVQ(quaternions, joint)
	c.Load(c.Param("stride"), chunks)
	c.Label("joints")
	half := func() reg.VecVirtual {
		dot := c.YMM()
		c.VMULPS(operand.Mem{Base: joint}, a, dot)
		c.VFMADD231PS(operand.Mem{Base: joint, Index: bytes, Scale: 1}, b, dot)
		c.VFMADD231PS(operand.Mem{Base: joint, Index: bytes, Scale: 2}, d, dot)
		c.VFMADD231PS(operand.Mem{Base: joint, Index: third, Scale: 1}, w, dot)
		c.VCMPPS(operand.U8(1), tie, dot, dot) // dot < tie
		apart := c.YMM()
		c.VXORPS(operand.Mem{Base: joint, Index: bytes, Scale: 4}, sign, apart)
		c.VPSRAD(operand.U8(31), apart, apart) // all ones where the signs differ
		c.VPXOR(apart, dot, dot)
		c.VPAND(opposite, dot, dot)
		c.VPADDD(dot, entry, dot)
		c.VPADDD(step, entry, entry)
		c.ADDQ(operand.U8(32), joint)
		return dot
	}
	low := half()
	high := half()
	c.VPACKUSDW(high, low, low)
	c.VPERMQ(operand.U8(0xd8), low, low) // packing goes by halves of a register
	c.VMOVDQU(low, operand.Mem{Base: table})
	c.ADDQ(operand.U8(32), table)
	c.SUBQ(operand.U8(16), chunks)
	c.JNZ(operand.LabelRef("joints"))
	c.ADDQ(operand.U8(4), pivot)
	c.DECQ(pivots)
	c.JNZ(operand.LabelRef("pivot"))

	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

// chooseEntries emits the copying of bindings in which every joint is replaced by its entry in the pivot's row.
func chooseEntries(l *lanes) {
	l.function("entries", "to, bindings, table *uint16, row, groups int)")
	c, to, bindings, table := l.asm, l.param("to"), l.param("bindings"), l.param("table")
	row, groups := l.param("row"), l.param("groups")
	c.TESTQ(groups, groups)
	c.JZ(operand.LabelRef("done"))
	pass := c.GP64()
	const unrolled = 4
	c.Label("group")
	c.MOVQ(operand.U32(groupVertices/unrolled), pass)
	for i := 0; i < groupVertices*bindingBytes; i += 64 {
		c.PREFETCHT0(at(bindings, ahead*groupVertices*bindingBytes+i))
	}
	c.Label("vertices")
	for v := range unrolled {
		from, into := at(bindings, v*bindingBytes), at(to, v*bindingBytes)
		pivot, entry, weights := c.GP64(), c.GP64(), c.XMM()
		c.VMOVUPS(from.Offset(8), weights)
		c.VMOVUPS(weights, into.Offset(8))
		c.MOVWQZX(from, pivot)
		c.MOVW(pivot.As16(), into)
		c.IMULQ(row, pivot)
		c.ADDQ(table, pivot)
		for k := 1; k < 4; k++ {
			c.MOVWQZX(from.Offset(2*k), entry)
			c.MOVWQZX(operand.Mem{Base: pivot, Index: entry, Scale: 2}, entry)
			c.MOVW(entry.As16(), into.Offset(2*k))
		}
	}
	c.ADDQ(operand.U8(unrolled*bindingBytes), bindings)
	c.ADDQ(operand.U8(unrolled*bindingBytes), to)
	c.DECQ(pass)
	c.JNZ(operand.LabelRef("vertices"))
	c.DECQ(groups)
	c.JNZ(operand.LabelRef("group"))
	c.Label("done")
	c.RET()
}
