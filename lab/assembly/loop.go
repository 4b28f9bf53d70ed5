package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// loop is the frame of a kernel of vertices: what it walks over.
type loop struct {
	*lanes
	vertices                                                reg.GPVirtual // package simd's Vertices, at the start
	positions, normals, rest, restNormals, bindings, counts reg.GPVirtual
	palette, groups, most                                   reg.GPVirtual // most is room for a number of influences
	sets, centers                                           operand.Mem   // of spherical alone, on the stack; no sets: a centre per vertex
}

// loop begins a kernel and loads what all kernels of vertices read.
func (l *lanes) loop(name string) *loop {
	l.function(name, "v *Vertices)")
	s := &loop{lanes: l, vertices: l.param("v")}
	load := func(name string) reg.GPVirtual { return l.load(l.field(s.vertices, "Vertices."+name)) }
	s.positions, s.normals = load("Positions"), load("Normals")
	s.rest, s.restNormals = load("Rest"), load("RestNormals")
	s.bindings, s.palette, s.counts, s.groups = load("Bindings"), load("Palette"), load("Counts"), load("Groups")
	s.most = l.asm.GP64()
	return s
}

// advance moves streams of vectors on by one pass.
func (s *loop) advance(streams ...reg.GPVirtual) {
	for _, r := range streams {
		s.asm.ADDQ(operand.I32(s.width()*vec3Bytes), r)
	}
}

// each emits the loop over the groups with AVX2 around body, which is emitted once and runs for each half of a group,
// and ends the function.
func (s *loop) each(body func()) {
	s.ifZero(s.groups, "done")
	s.label("group")
	s.asm.MOVBQZX(at(s.counts, 0), s.most)
	s.repeat("pass", groupVertices/s.width(), func() {
		s.prefetch()
		body()
		s.advance(s.positions, s.rest)
		s.asm.ADDQ(operand.I32(s.width()*bindingBytes), s.bindings)
	})
	s.asm.INCQ(s.counts)
	s.untilZero(s.groups, "group")
	s.done()
}

// ahead is how many groups before their turn streams are fetched. Where a skin is larger than the caches its streams
// are fetched too late by the hardware alone, which stops at every page of each: a million vertices take 0.7 of the
// time so.
const ahead = 12

// prefetch emits the fetching of a pass's streams, those that are written as well. Where there are no normals it asks
// for memory close to address 0, which does no harm.
func (s *loop) prefetch() {
	const line = 64
	fetch := func(stream reg.Register, bytes int) {
		for i := 0; i < s.width()*bytes; i += line {
			s.asm.PREFETCHT0(at(stream, ahead*groupVertices*bytes+i))
		}
	}
	fetch(s.bindings, bindingBytes)
	for _, stream := range []reg.Register{s.rest, s.restNormals, s.positions, s.normals} {
		fetch(stream, vec3Bytes)
	}
}

// ifNormals emits body where there are normals, and jumps over it to the label elsewhere.
func (s *loop) ifNormals(label string, body func()) {
	s.ifZero(s.normals, label)
	body()
	s.advance(s.normals, s.restNormals)
	s.label(label)
}

// pipeline is the loop over the passes in two stages that go side by side: while one pass's sums are transposed and
// pose its vertices, which burdens the pipes of vectors, the next one's are summed, which burdens those of loads.
type pipeline struct {
	pieces func(v int, to operand.Mem) []piece // the sums of vertex v, to a buffer
	// pose emits the positions, and returns what emits the normals, where there are any, and what comes after all else
	// or nil: it may have labels.
	pose func(from operand.Mem) (normals, after func())
}

// pipelined emits a pipeline with buffers of a number of bytes, and ends the function. Both stages are emitted with the
// streams at their own pass: the sums' stream, the bindings, is one ahead.
//
// Nearly all code is that of a turn, for each number of influences: the first sums are a loop, and the last turn sums
// its pass again.
func (s *loop) pipelined(bytes int, p pipeline) {
	counts, passes := s.asm.AllocLocal(8), s.asm.AllocLocal(8)
	from := s.stack(2 * bytes)
	to := operand.Mem{Base: s.asm.GP64()}
	s.asm.LEAQ(from.Offset(bytes), to.Base)
	s.ifZero(s.groups, "done")
	if !s.wide { // two passes a group: both are counted in halves of one
		s.asm.ADDQ(s.counts, s.counts)
		s.asm.ADDQ(s.groups, s.groups)
	}
	s.asm.MOVQ(s.counts, counts)
	s.asm.MOVQ(s.groups, passes)
	s.asm.TESTQ(s.normals, s.normals) // a turn reads rest normals even where no normals are wanted
	s.asm.CMOVQEQ(s.rest, s.restNormals)
	s.firstSums(&p, from)

	s.label("turn")
	s.asm.CMPQ(passes, operand.I8(1))
	s.asm.JEQ(operand.LabelRef("last"))
	s.asm.INCQ(counts)
	s.asm.ADDQ(operand.I32(s.width()*bindingBytes), s.bindings)
	s.label("last")
	most := s.load(counts)
	if !s.wide {
		s.asm.SHRQ(operand.U8(1), most)
	}
	s.asm.MOVBQZX(at(most, 0), most)
	s.byInfluences("next", most, func(n int) { s.turn(n, &p, from, to) })
	s.asm.XCHGQ(from.Base, to.Base)
	s.advance(s.positions, s.rest, s.restNormals)
	s.ifZero(s.normals, "without")
	s.advance(s.normals)
	s.label("without")
	if s.sets.Base != nil {
		s.asm.ADDQ(operand.I32(4*s.width()), s.sets)
	} else if s.centers.Base != nil {
		s.asm.ADDQ(operand.I32(16*s.width()), s.centers)
	}
	s.untilZero(passes, "turn")
	s.done()
}

// turn emits both stages for n influences. Five eighths of the sums go beside the positions, the others beside the
// normals or, where there are none, alone: with a half or three quarters two influences take up to 1.04 of the time.
func (s *loop) turn(n int, p *pipeline, from, to operand.Mem) {
	sums := func(lo, hi int) {
		for v := lo; v < hi; v++ {
			s.sumTo(n, at(s.bindings, v*bindingBytes), p.pieces(v, to))
		}
	}
	split := s.width() * 5 / 8
	var normals, after func()
	s.interleave(func() { sums(0, split) }, func() {
		s.prefetch()
		normals, after = p.pose(from)
	})
	alone, posed := fmt.Sprintf("alone%d", n), fmt.Sprintf("posed%d", n)
	s.ifZero(s.normals, alone)
	s.interleave(func() { sums(split, s.width()) }, normals)
	if after != nil {
		after()
	}
	s.jump(posed)
	s.label(alone)
	sums(split, s.width())
	s.label(posed)
}

// firstSums emits the sums of the first pass in a loop, for four influences: a weight of 0 adds nothing.
func (s *loop) firstSums(p *pipeline, to operand.Mem) {
	s.repeat("first", 4, func() {
		for v := 0; v < s.width(); v += 4 {
			s.sumTo(4, at(s.bindings, v*bindingBytes), p.pieces(v, to))
		}
		s.asm.ADDQ(operand.U8(bindingBytes), s.bindings)
		s.asm.ADDQ(operand.U8(sumStride), to.Base)
	})
	s.asm.SUBQ(operand.U8(4*bindingBytes), s.bindings)
	s.asm.SUBQ(operand.I32(4*sumStride), to.Base)
}
