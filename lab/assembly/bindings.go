package main

import "github.com/mmcloughlin/avo/operand"

// bindings emits the kernels that check or rewrite bindings before another kernel poses vertices by them.
func bindings(l *lanes) {
	scan(l)
	largestSet(l)
	signs(l)
	entries(l)
}

// scan emits the search for the largest joint of all bindings and the largest number of influences of every group.
// Records of 24 bytes are folded with one instruction each: the maximum of their 16-bit words has the largest joint,
// and is zero in those words of a weight that are zero in all records.
func scan(l *lanes) {
	l.function("scan", "bindings *uint16, counts *uint8, groups int) (joint uint64)")
	c, bindings, counts, groups := l.asm, l.param("bindings"), l.param("counts"), l.param("groups")
	zero, joints := c.XMM(), c.XMM()
	c.VPXOR(zero, zero, zero)
	c.VPXOR(joints, joints, joints)
	l.ifZero(groups, "done")

	c.Label("group")
	// Joints, four weights, and the joints of the next record; the last record ends before those.
	all := c.YMM()
	c.VMOVDQU(at(bindings, 0), all)
	for v := 1; v < groupVertices-1; v++ {
		c.VPMAXUW(at(bindings, v*bindingBytes), all, all)
	}
	low, high, end := all.AsX(), c.XMM(), c.XMM()
	c.VEXTRACTI128(operand.U8(1), all, high)
	c.VPMAXUW(at(bindings, 15*bindingBytes), low, low)
	c.VMOVQ(at(bindings, 15*bindingBytes+16), end)
	c.VPMAXUW(end, high, high)
	c.VPMAXUW(low, joints, joints)
	// The last weight that is not zero anywhere.
	weights, mask := c.XMM(), c.GP32()
	c.VSHUFPD(operand.U8(1), high, low, weights)
	c.VPCMPEQD(zero, weights, weights)
	c.VMOVMSKPS(weights, mask)
	c.XORL(operand.U8(15), mask)
	c.ORL(operand.U8(1), mask)
	c.BSRL(mask, mask)
	c.INCL(mask)
	c.MOVB(mask.As8(), operand.Mem{Base: counts})
	c.ADDQ(operand.I32(groupVertices*bindingBytes), bindings)
	c.INCQ(counts)
	l.untilZero(groups, "group")

	c.Label("done")
	// Of the four joints of a record the largest: fold words 0 to 3.
	folded := c.XMM()
	c.VPSRLQ(operand.U8(32), joints, folded)
	c.VPMAXUW(folded, joints, joints)
	c.VPSRLQ(operand.U8(16), joints, folded)
	c.VPMAXUW(folded, joints, joints)
	joint := c.GP64()
	c.VMOVQ(joints, joint)
	c.ANDQ(operand.U32(0xffff), joint)
	c.Store(joint, c.Return("joint"))
	c.VZEROUPPER()
	c.RET()
}

// largestSet emits the search for the largest centre set.
func largestSet(l *lanes) {
	l.function("largestSet", "sets *uint32, groups int) (set uint32)")
	c, sets, groups := l.asm, l.param("sets"), l.param("groups")
	low, high := c.YMM(), c.YMM()
	c.VPXOR(low, low, low)
	c.VPXOR(high, high, high)
	l.ifZero(groups, "done")
	c.Label("group")
	c.VPMAXUD(at(sets, 0), low, low)
	c.VPMAXUD(at(sets, 32), high, high)
	c.ADDQ(operand.I32(4*groupVertices), sets)
	l.untilZero(groups, "group")
	c.Label("done")
	c.VPMAXUD(high, low, low)
	half := c.XMM()
	c.VEXTRACTI128(operand.U8(1), low, half)
	c.VPMAXUD(half, low.AsX(), low.AsX())
	c.VPSRLDQ(operand.U8(8), low.AsX(), half)
	c.VPMAXUD(half, low.AsX(), low.AsX())
	c.VPSRLDQ(operand.U8(4), low.AsX(), half)
	c.VPMAXUD(half, low.AsX(), low.AsX())
	set := c.GP32()
	c.VMOVD(low.AsX(), set)
	c.Store(set, c.Return("set"))
	c.VZEROUPPER()
	c.RET()
}

// signs emits the table of hemispheres: for every pivot a row with an entry number for every joint. That is the joint's
// own number, more by opposite where its quaternion is to be flipped. It takes sixteen joints at a time; what it writes
// past the last joint is not read.
func signs(l *lanes) {
	l.function("signs", "table *uint16, quaternions *float32, joints, stride, opposite int, tie float32)")
	c, table, quaternions, pivots := l.asm, l.param("table"), l.param("quaternions"), l.param("joints")
	bytes, chunks := l.param("stride"), l.asm.GP64()
	tie := c.YMM()
	c.VBROADCASTSS(l.inMemory("tie"), tie)
	c.SHLQ(operand.U8(2), bytes) // from one component of the quaternions to the next
	third := c.GP64()
	c.LEAQ(operand.Mem{Base: bytes, Index: bytes, Scale: 2}, third)
	opposite := c.YMM()
	c.VPBROADCASTD(l.inMemory("opposite"), opposite)
	step := c.YMM()
	c.VPBROADCASTD(l.table("eightJoints", 8), step)
	pivot := c.GP64()
	c.MOVQ(quaternions, pivot)
	l.ifZero(pivots, "done")

	c.Label("pivot")
	a, b, d, w, sign := c.YMM(), c.YMM(), c.YMM(), c.YMM(), c.YMM()
	c.VBROADCASTSS(operand.Mem{Base: pivot}, a)
	c.VBROADCASTSS(operand.Mem{Base: pivot, Index: bytes, Scale: 1}, b)
	c.VBROADCASTSS(operand.Mem{Base: pivot, Index: bytes, Scale: 2}, d)
	c.VBROADCASTSS(operand.Mem{Base: pivot, Index: third, Scale: 1}, w)
	c.VBROADCASTSS(operand.Mem{Base: pivot, Index: bytes, Scale: 4}, sign)
	entry := c.YMM()
	c.VMOVDQU(l.table("firstJoints", 0, 1, 2, 3, 4, 5, 6, 7), entry)
	joint := c.GP64()
	c.MOVQ(quaternions, joint)
	c.Load(c.Param("stride"), chunks)
	c.Label("joints")
	half := func() op {
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
	l.untilZero(pivots, "pivot")

	l.done()
}

// entries emits the copying of bindings in which every joint but the pivot is replaced by its entry in the pivot's row.
func entries(l *lanes) {
	l.function("entries", "to, bindings, table *uint16, row, groups int)")
	c, to, bindings, table := l.asm, l.param("to"), l.param("bindings"), l.param("table")
	row, groups := l.param("row"), l.param("groups")
	l.ifZero(groups, "done")
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
	l.untilZero(pass, "vertices")
	l.untilZero(groups, "group")
	c.Label("done")
	c.RET()
}
