package main

import "github.com/mmcloughlin/avo/operand"

// scan emits the look at the bindings before a kernel trusts them: their largest joint, and the largest number of
// influences of every group. Records of 24 bytes are folded with one instruction each: their maximum as 16-bit words
// keeps the largest joint, and is zero in a weight where all weights are.
func scan(l *lanes) {
	l.function("scan", "bindings *uint16, counts *uint8, groups int) (joint uint64)")
	c, bindings, counts, groups := l.asm, l.param("bindings"), l.param("counts"), l.param("groups")
	zero, joints := c.XMM(), c.XMM()
	c.VPXOR(zero, zero, zero)
	c.VPXOR(joints, joints, joints)
	c.TESTQ(groups, groups)
	c.JZ(operand.LabelRef("done"))

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
	c.DECQ(groups)
	c.JNZ(operand.LabelRef("group"))

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
