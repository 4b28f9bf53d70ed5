package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sumStride is from a vertex's sum to that of the next one, in a group of four.
const sumStride = 64

// pipeline is the loop over the passes in two stages that go side by side: while one pass's sums are transposed and
// pose its vertices, which burdens the pipes of vectors, the next one's are summed, which burdens those of loads.
type pipeline struct {
	sum  func(v, n int, to operand.Mem) // of vertex v and n influences, to a buffer
	pose func(from operand.Mem) normals
}

// normals emits what is left of a pose where there are normals, and returns what is to be emitted after all else, or
// nil.
type normals func() (after func())

// pipelined emits a pipeline with buffers of so many bytes, and ends the function. Both stages are emitted with the
// streams at their own pass: the sums' stream, the bindings, is one ahead.
//
// Nearly all code is that of a turn, for each number of influences: the first sums are a loop, and the last turn sums
// its pass again.
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
	s.firstSums(&p, from)

	s.asm.Label("turn")
	s.asm.CMPQ(passes, operand.I8(1))
	s.asm.JEQ(operand.LabelRef("last"))
	s.asm.INCQ(counts)
	s.asm.ADDQ(operand.I32(s.width()*bindingBytes), s.bindings)
	s.asm.Label("last")
	most := s.asm.GP64()
	s.asm.MOVQ(counts, most)
	if !s.wide {
		s.asm.SHRQ(operand.U8(1), most)
	}
	s.asm.MOVBQZX(operand.Mem{Base: most}, most)
	s.byInfluences("next", most, func(n int) { s.turn(n, &p, from, to) })
	s.asm.XCHGQ(from.Base, to.Base)
	for _, r := range []reg.GPVirtual{s.positions, s.rest, s.restNormals} {
		s.asm.ADDQ(operand.I32(s.width()*vec3Bytes), r)
	}
	s.asm.TESTQ(s.normals, s.normals)
	s.asm.JZ(operand.LabelRef("without"))
	s.asm.ADDQ(operand.I32(s.width()*vec3Bytes), s.normals)
	s.asm.Label("without")
	if s.sets.Base != nil {
		s.asm.ADDQ(operand.I32(4*s.width()), s.sets)
	}
	s.asm.DECQ(passes)
	s.asm.JNZ(operand.LabelRef("turn"))

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

// firstSums emits the sums of the first pass in a loop, for four influences: a weight of 0 adds nothing.
func (s *loop) firstSums(p *pipeline, to operand.Mem) {
	left := s.asm.AllocLocal(8)
	s.asm.MOVQ(operand.U32(4), left)
	s.asm.Label("first")
	for v := 0; v < s.width(); v += 4 {
		p.sum(v, 4, to)
	}
	s.asm.ADDQ(operand.U8(bindingBytes), s.bindings)
	s.asm.ADDQ(operand.U8(sumStride), to.Base)
	s.asm.DECQ(left)
	s.asm.JNZ(operand.LabelRef("first"))
	s.asm.SUBQ(operand.U8(4*bindingBytes), s.bindings)
	s.asm.SUBQ(operand.I32(4*sumStride), to.Base)
}
