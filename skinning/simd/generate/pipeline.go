package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pipeline is the loop over the passes in two stages that go side by side: while one pass's sums are transposed and
// pose its vertices, which burdens the pipes of vectors, the next one's are summed, which burdens those of loads.
type pipeline struct {
	sums func(n int, to operand.Mem)                 // of n influences, to a buffer
	pose func(normals bool, from operand.Mem) func() // what it returns is emitted after the other stage; may be nil
}

// pipelined emits a pipeline with buffers of so many bytes, and ends the function. Both stages are emitted with the
// streams at their own pass: the sums' stream, the bindings, is one ahead.
func (s *loop) pipelined(bytes int, p pipeline) {
	counts, groups := s.asm.AllocLocal(8), s.asm.AllocLocal(8)
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
	s.asm.MOVQ(s.groups, groups)
	next := func(label string, body func(n int)) {
		most := s.asm.GP64()
		s.asm.MOVQ(counts, most)
		if !s.wide {
			s.asm.SHRQ(operand.U8(1), most)
		}
		s.asm.MOVBQZX(operand.Mem{Base: most}, most)
		s.byInfluences(label, most, body)
		s.asm.INCQ(counts)
		s.asm.ADDQ(operand.I32(s.width()*bindingBytes), s.bindings)
	}
	s.asm.Label("sums")
	next("first", func(n int) { p.sums(n, from) })
	s.asm.TESTQ(s.normals, s.normals)
	s.asm.JZ(operand.LabelRef("positions"))

	s.asm.Label("group")
	s.asm.DECQ(groups)
	s.asm.JZ(operand.LabelRef("last"))
	next("next", func(n int) {
		after := func() {}
		s.interleave(func() { p.sums(n, to) }, func() {
			s.prefetch()
			if f := p.pose(true, from); f != nil {
				after = f
			}
		})
		after()
	})
	s.asm.XCHGQ(from.Base, to.Base)
	s.step(true)
	s.asm.JMP(operand.LabelRef("group"))

	s.asm.Label("last")
	s.poseAlone(&p, true, from)
	s.asm.JMP(operand.LabelRef("done"))

	s.asm.Label("positions") // alone are too seldom asked for to be worth as much code
	s.poseAlone(&p, false, from)
	s.step(false)
	s.asm.DECQ(groups)
	s.asm.JNZ(operand.LabelRef("sums"))

	s.asm.Label("done")
	s.asm.VZEROUPPER()
	s.asm.RET()
}

// poseAlone emits the second stage by itself.
func (s *loop) poseAlone(p *pipeline, normals bool, from operand.Mem) {
	if after := p.pose(normals, from); after != nil {
		after()
	}
}

// step goes to the next pass.
func (s *loop) step(normals bool) {
	streams := []reg.GPVirtual{s.positions, s.rest}
	if normals {
		streams = append(streams, s.normals, s.restNormals)
	}
	for _, r := range streams {
		s.asm.ADDQ(operand.I32(s.width()*vec3Bytes), r)
	}
}
