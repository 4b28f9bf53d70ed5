package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// signs emits the table of hemispheres: for every pivot a row of entry numbers, twice the joint, one more where its
// quaternion is to be flipped, times signStep. Sixteen joints at a time, of which the last may be nobody's.
func signs(c *build.Context) {
	c.ConstraintExpr("amd64")
	c.Function("signsAVX2")
	c.Pragma("noescape")
	c.Doc("signsAVX2 is the form of [Signs] for every level above Scalar.")
	c.SignatureExpr("func(table *uint16, quaternions *float32, joints, stride int, tie float32)")
	l := &lanes{asm: c, tables: make(map[string]operand.Mem)}
	table, quaternions, pivots, bytes, chunks := c.GP64(), c.GP64(), c.GP64(), c.GP64(), c.GP64()
	c.Load(c.Param("table"), table)
	c.Load(c.Param("quaternions"), quaternions)
	c.Load(c.Param("joints"), pivots)
	c.Load(c.Param("stride"), bytes)
	tieAt, err := c.Param("tie").Resolve()
	if err != nil {
		panic(err)
	}
	tie := c.YMM()
	c.VBROADCASTSS(tieAt.Addr, tie)
	c.SHLQ(operand.U8(2), bytes) // from one component of the quaternions to the next
	third := c.GP64()
	c.LEAQ(operand.Mem{Base: bytes, Index: bytes, Scale: 2}, third)
	var twice []uint32
	for joint := range uint32(8) {
		twice = append(twice, 2*joint*signStep)
	}
	step := c.YMM()
	c.VPBROADCASTD(l.table("eightJoints", []uint32{8 * 2 * signStep}), step)
	pivot := c.GP64()
	c.MOVQ(quaternions, pivot)
	c.TESTQ(pivots, pivots)
	c.JZ(operand.LabelRef("done"))

	c.Label("pivot")
	a, b, d, w := c.YMM(), c.YMM(), c.YMM(), c.YMM()
	c.VBROADCASTSS(operand.Mem{Base: pivot}, a)
	c.VBROADCASTSS(operand.Mem{Base: pivot, Index: bytes, Scale: 1}, b)
	c.VBROADCASTSS(operand.Mem{Base: pivot, Index: bytes, Scale: 2}, d)
	c.VBROADCASTSS(operand.Mem{Base: pivot, Index: third, Scale: 1}, w)
	entry := c.YMM()
	c.VMOVDQU(l.table("twice", twice), entry)
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
		c.VCMPPS(operand.U8(1), tie, dot, dot) // dot < tie: −1 as an integer
		c.VPSLLD(operand.U8(3), dot, dot)
		c.VPSUBD(dot, entry, dot)
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
