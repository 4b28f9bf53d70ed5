package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// loop is the frame of a kernel: what it walks over, and the stack that it may use.
type loop struct {
	*lanes
	positions, normals, rest, restNormals, bindings, palette, counts reg.GPVirtual
	groups, most                                                     reg.GPVirtual
	vertices                                                         reg.GPVirtual // not kept after the start
	sets, centerTable                                                operand.Mem   // of spherical alone, on the stack
	// how often it has emitted code for normals of one joint
	normalsAlone int
}

// loop begins a kernel of vertices and loads what all share.
func (l *lanes) loop(name string) *loop {
	l.function(name, "v *Vertices)")
	s := &loop{lanes: l, vertices: l.param("v")}
	load := func(name string) reg.GPVirtual { return l.load(l.fieldOf(s.vertices, "Vertices."+name)) }
	s.positions, s.normals, s.rest, s.restNormals = load("Positions"), load("Normals"), load("Rest"), load("RestNormals")
	s.bindings, s.palette, s.counts, s.groups = load("Bindings"), load("Palette"), load("Counts"), load("Groups")
	s.most = l.asm.GP64()
	return s
}

// stack takes so many bytes of the stack, aligned to 64.
func (l *lanes) stack(bytes int) operand.Mem {
	base := l.asm.GP64()
	l.asm.LEAQ(l.asm.AllocLocal(bytes+64), base)
	l.asm.ADDQ(operand.U8(63), base)
	l.asm.ANDQ(operand.I8(-64), base)
	return operand.Mem{Base: base}
}

// each emits the loop over the groups with AVX2 around body, which is emitted once and runs for each half of a group,
// and ends the function.
func (s *loop) each(body func(label string)) {
	s.asm.TESTQ(s.groups, s.groups)
	s.asm.JZ(operand.LabelRef("done"))
	s.asm.Label("group")
	s.asm.MOVBQZX(operand.Mem{Base: s.counts}, s.most)
	pass := s.asm.AllocLocal(8)
	s.asm.MOVQ(operand.U32(groupVertices/s.width()), pass)
	s.asm.Label("pass")
	s.prefetch()
	body("blend")
	w := s.width()
	s.asm.ADDQ(operand.I32(w*vec3Bytes), s.positions)
	s.asm.ADDQ(operand.I32(w*vec3Bytes), s.rest)
	s.asm.ADDQ(operand.I32(w*bindingBytes), s.bindings)
	s.asm.DECQ(pass)
	s.asm.JNZ(operand.LabelRef("pass"))
	s.asm.INCQ(s.counts)
	s.asm.DECQ(s.groups)
	s.asm.JNZ(operand.LabelRef("group"))
	s.asm.Label("done")
	s.asm.VZEROUPPER()
	s.asm.RET()
}

// ahead is how many groups before their turn streams are fetched. Where a skin is larger than the caches its streams
// are fetched too late by the hardware alone, which stops at every page of each: a million vertices take 0.7 of the
// time so.
const ahead = 12

// prefetch emits the fetching of a pass's streams, what is written as well. Where there are no normals it asks for
// memory next to nothing, which harms nobody.
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

// stride is how many bytes a pass is behind the one before it: in streams of vectors and in the bindings.
type stride struct{ vec3, binding operand.Mem }

// eachPair emits the loop over pairs of groups around body, which takes all passes of two groups and steps over each as
// its mean says, and ends the function. Of an odd number of groups it takes the last one twice.
func (s *loop) eachPair(ms means, body func()) {
	w := s.width()
	again := groupVertices - w // with AVX2 from the last pass of a group back to its first
	set := func(pass, vertices int) {
		step := ms[0].step
		s.asm.MOVQ(operand.I32(vertices*vec3Bytes), step.vec3.Offset(ms[pass].shift))
		s.asm.MOVQ(operand.I32(vertices*bindingBytes), step.binding.Offset(ms[pass].shift))
	}
	s.asm.TESTQ(s.groups, s.groups)
	s.asm.JZ(operand.LabelRef("done"))
	for pass := range ms {
		set(pass, w)
	}
	s.asm.Label("group")
	s.asm.MOVBQZX(operand.Mem{Base: s.counts}, s.most)
	s.asm.CMPQ(s.groups, operand.I8(1))
	s.asm.JNE(operand.LabelRef("two"))
	set(len(ms)/2-1, -again)
	s.asm.JMP(operand.LabelRef("counted"))
	s.asm.Label("two")
	second := s.asm.GP64()
	s.asm.MOVBQZX(operand.Mem{Base: s.counts, Disp: 1}, second)
	s.asm.CMPQ(second, s.most)
	s.asm.CMOVQGT(second, s.most)
	s.asm.Label("counted")
	body()
	s.asm.ADDQ(operand.U8(2), s.counts)
	s.asm.SUBQ(operand.U8(2), s.groups)
	s.asm.JG(operand.LabelRef("group"))
	s.asm.Label("done")
	s.asm.VZEROUPPER()
	s.asm.RET()
}

// ifNormals emits body where there are normals, and steps over them.
func (s *loop) ifNormals(label string, body func()) {
	s.asm.TESTQ(s.normals, s.normals)
	s.asm.JZ(operand.LabelRef(label + "_posed"))
	body()
	s.asm.ADDQ(operand.I32(s.width()*vec3Bytes), s.normals)
	s.asm.ADDQ(operand.I32(s.width()*vec3Bytes), s.restNormals)
	s.asm.Label(label + "_posed")
}

// spill puts v into memory, with AVX2, which has too few registers.
func (l *lanes) spill(v [3]reg.VecVirtual, to operand.Mem) (out [3]operand.Op) {
	for k := range v {
		m := to.Offset(32 * k)
		l.asm.VMOVAPS(v[k], m)
		out[k] = m
	}
	return out
}

// unspill is what is there.
func (l *lanes) unspill(from [3]operand.Op) (out [3]reg.VecVirtual) {
	for k := range out {
		out[k] = l.vec()
		l.asm.VMOVAPS(from[k], out[k])
	}
	return out
}
