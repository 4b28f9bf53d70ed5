package main

import (
	"slices"
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Both runs keep their order, come evenly, and leave what is around them where it is; a jump among them is an error.
func TestInterleave(t *testing.T) {
	adds := func(c *build.Context, from, count int) {
		for i := range count {
			c.ADDQ(operand.U8(from+i), reg.RAX)
		}
	}
	function := func(second func(c *build.Context)) *ir.Function {
		c := build.NewContext()
		c.Function("f")
		c.SignatureExpr("func()")
		l := &lanes{asm: c}
		adds(c, 0, 1)
		l.interleave(func() { adds(c, 10, 6) }, func() { second(c) })
		adds(c, 1, 1)
		c.RET()
		file, err := c.Result()
		if err != nil {
			t.Fatal(err)
		}
		return file.Functions()[0]
	}
	f := function(func(c *build.Context) { adds(c, 20, 3) })
	if err := interleaveMarked(f); err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, i := range f.Instructions() {
		if i.Opcode == "ADDQ" {
			got = append(got, int(i.Operands[0].(operand.U8)))
		}
	}
	if want := []int{0, 10, 20, 11, 12, 21, 13, 14, 22, 15, 1}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, expected %v", got, want)
	}
	if err := interleaveMarked(function(func(c *build.Context) { c.JMP(operand.LabelRef("away")) })); err == nil {
		t.Error("a jump is interleaved")
	}
}
