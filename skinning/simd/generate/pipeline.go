package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pipeline is the loop over the passes in two stages that go side by side: while one pass's sums are transposed and
// pose its vertices, which burdens the pipes of vectors, the next one's are summed, which burdens those of loads.
type pipeline struct {
	sum  func(v, n int, to operand.Mem) // of vertex v and n influences, to a buffer
	pose func(from operand.Mem) normals
	sets bool // it reads the parameter sets as well
}

// normals emits what is left of a pose where there are normals, and returns what is to be emitted after all else, or
// nil.
type normals func() (after func())

// pipelined emits a pipeline with buffers of so many bytes, and ends the function. Both stages are emitted with the
// streams at their own pass: the sums' stream, the bindings, is one ahead.
//
// There is one turn more than passes, and no code but for turns: the first poses sums of nothing, where the second
// writes once more, and the last sums its pass again.
func (s *loop) pipelined(bytes int, p pipeline) {
	counts, passes := s.asm.AllocLocal(8), s.asm.AllocLocal(8)
	from := s.stack(2 * bytes)
	to := operand.Mem{Base: s.asm.GP64()}
	s.asm.LEAQ(from.Offset(bytes), to.Base)
	s.asm.TESTQ(s.groups, s.groups)
	s.asm.JZ(operand.LabelRef("done"))
	if !s.wide { // two passes a group: both are counted in halves of one
		s.asm.ADDQ(s.counts, s.counts)
		s.asm.ADDQ(s.groups, s.groups)
	}
	s.asm.MOVQ(s.counts, counts)
	s.asm.MOVQ(s.groups, passes)
	s.asm.TESTQ(s.normals, s.normals) // of normals that nobody wants something may be read
	s.asm.CMOVQEQ(s.rest, s.restNormals)
	s.clear(from, bytes)
	first := s.asm.AllocLocal(8)
	s.asm.MOVQ(operand.U32(1), first)

	s.asm.Label("turn")
	most := s.asm.GP64()
	s.asm.MOVQ(counts, most)
	if !s.wide {
		s.asm.SHRQ(operand.U8(1), most)
	}
	s.asm.MOVBQZX(operand.Mem{Base: most}, most)
	s.byInfluences("next", most, func(n int) { s.turn(n, &p, from, to) })
	s.asm.XCHGQ(from.Base, to.Base)
	s.asm.DECQ(first)
	s.asm.JZ(operand.LabelRef("begun"))
	for _, r := range []reg.GPVirtual{s.positions, s.rest, s.restNormals} {
		s.asm.ADDQ(operand.I32(s.width()*vec3Bytes), r)
	}
	s.asm.TESTQ(s.normals, s.normals)
	s.asm.JZ(operand.LabelRef("without"))
	s.asm.ADDQ(operand.I32(s.width()*vec3Bytes), s.normals)
	s.asm.Label("without")
	if p.sets {
		s.asm.ADDQ(operand.I32(4*s.width()), s.parameter("sets"))
	}
	s.asm.Label("begun")
	s.asm.DECQ(passes)
	s.asm.JS(operand.LabelRef("done"))
	s.asm.JZ(operand.LabelRef("turn"))
	s.asm.INCQ(counts)
	s.asm.ADDQ(operand.I32(s.width()*bindingBytes), s.bindings)
	s.asm.JMP(operand.LabelRef("turn"))

	s.asm.Label("done")
	s.asm.VZEROUPPER()
	s.asm.RET()
}

// turn emits both stages for n influences. Five eighths of the sums go beside the positions, the others beside the
// normals or, where there are none, alone: with a half or three quarters two influences take up to 1.04 of the time.
func (s *loop) turn(n int, p *pipeline, from, to operand.Mem) {
	sums := func(lo, hi int) {
		for v := lo; v < hi; v++ {
			p.sum(v, n, to)
		}
	}
	split := s.width() * 5 / 8
	var rest normals
	s.interleave(func() { sums(0, split) }, func() {
		s.prefetch()
		rest = p.pose(from)
	})
	alone, posed := fmt.Sprintf("alone%d", n), fmt.Sprintf("posed%d", n)
	s.asm.TESTQ(s.normals, s.normals)
	s.asm.JZ(operand.LabelRef(alone))
	var after func()
	s.interleave(func() { sums(split, s.width()) }, func() { after = rest() })
	if after != nil {
		after()
	}
	s.asm.JMP(operand.LabelRef(posed))
	s.asm.Label(alone)
	sums(split, s.width())
	s.asm.Label(posed)
}

// clear emits zeros to memory.
func (l *lanes) clear(m operand.Mem, bytes int) {
	zero, end := l.asm.YMM(), l.asm.GP64()
	l.asm.VXORPS(zero, zero, zero)
	l.asm.MOVQ(operand.I32(bytes), end)
	l.asm.Label("clear")
	l.asm.VMOVAPS(zero, operand.Mem{Base: m.Base, Index: end, Scale: 1, Disp: m.Disp - 32})
	l.asm.SUBQ(operand.U8(32), end)
	l.asm.JNZ(operand.LabelRef("clear"))
}
