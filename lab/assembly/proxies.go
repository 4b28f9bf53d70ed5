package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// proxySolver is the frame of the kernels that solve for proxy bones, t = c₁·d + c₂·q (RTER equation 6), two at a
// time. A column of c₁ or c₂ for the eight rows of both, one register of AVX-512 or two, times one number of d or q
// adds to a row of each matrix: one for x, for y and for z. There are several sets of these sums, so that no sum waits
// for the one before.
type proxySolver struct {
	*lanes
	proxies               reg.GPVirtual // package simd's Proxies
	program, coefficients reg.GPVirtual
	sums                  [][3][]reg.VecVirtual // by set and coordinate, of both proxies
}

// Terms of a block: the numbers of a coordinate that a joint's matrix has, and a key gradient.
const (
	jointTerms = 4
	keyTerms   = 3
)

func solveProxies(l *lanes) {
	l.function("solveProxies", "p *Proxies)")
	s := &proxySolver{lanes: l, proxies: l.param("p")}
	s.program, s.coefficients = s.member("Program"), s.member("Coefficients")
	pairs, q, d := s.member("Pairs"), s.member("Q"), s.member("D")
	strideQ, strideD := s.member("StrideQ"), s.member("StrideD")
	l.ifZero(pairs, "done")
	l.label("pair")
	s.clear()
	s.blocks("joint", q, strideQ, jointTerms)
	s.blocks("key", d, strideD, keyTerms)
	s.write()
	l.untilZero(pairs, "pair")
	l.done()
}

// member loads a field of Proxies.
func (s *proxySolver) member(name string) reg.GPVirtual {
	return s.load(s.field(s.proxies, "Proxies."+name))
}

// clear begins all sums: with AVX2 two sets, all that there are registers for.
func (s *proxySolver) clear() {
	sets, halves := 2, 2
	if s.wide {
		sets, halves = 4, 1
	}
	s.sums = make([][3][]reg.VecVirtual, sets)
	for k := range s.sums {
		for i := range s.sums[k] {
			for range halves {
				v := s.vec()
				s.asm.VXORPD(v, v, v)
				s.sums[k][i] = append(s.sums[k][i], v)
			}
		}
	}
}

// next takes a number of the program.
func (s *proxySolver) next() reg.GPVirtual {
	r := s.load(at(s.program, 0))
	s.asm.ADDQ(operand.I8(8), s.program)
	return r
}

// blocks adds the blocks of one kind that the program lists: how many, and where each has its numbers of x behind
// base. Those of y and of z are a stride and two strides behind.
func (s *proxySolver) blocks(label string, base, stride reg.GPVirtual, terms int) {
	left := s.next()
	s.ifZero(left, label+"_end")
	s.label(label)
	from := s.next()
	s.asm.ADDQ(base, from)
	for term := range terms {
		s.term(from, stride, term)
	}
	s.asm.ADDQ(operand.I32(64*terms), s.coefficients)
	s.untilZero(left, label)
	s.label(label + "_end")
}

// term adds a column times its number of each coordinate.
func (s *proxySolver) term(from, stride reg.GPVirtual, term int) {
	set := s.sums[term%len(s.sums)]
	var column []reg.VecVirtual
	for half := range set[0] {
		c := s.vec()
		s.asm.VMOVUPD(at(s.coefficients, 64*term+32*half), c)
		column = append(column, c)
	}
	for i, sums := range set {
		place := at(from, 8*term)
		if i > 0 {
			place.Index, place.Scale = stride, uint8(i)
		}
		if s.wide {
			s.asm.VFMADD231PD_BCST(place, column[0], sums[0])
			continue
		}
		x := s.asm.YMM()
		s.asm.VBROADCASTSD(place, x)
		for half, sum := range sums {
			s.asm.VFMADD231PD(x, column[half], sum)
		}
	}
}

// write adds up the sets and writes both proxies.
func (s *proxySolver) write() {
	var rows [2][3]op
	for row, sums := range s.sums[0] {
		for half, sum := range sums {
			for _, more := range s.sums[1:] {
				s.asm.VADDPD(more[row][half], sum, sum)
			}
			rows[half][row] = sum.AsY()
		}
		if s.wide {
			high := s.asm.YMM()
			s.asm.VEXTRACTF64X4(operand.U8(1), sums[0], high)
			rows[1][row] = high
		}
	}
	for half := range rows {
		s.writeOne(rows[half])
	}
}

// writeOne writes three rows to the joint that the program names next, in every form of its matrix.
func (s *proxySolver) writeOne(rows [3]op) {
	once, thrice := s.next(), s.asm.GP64() // 16 and 48 bytes a joint
	s.asm.LEAQ(operand.Mem{Base: once, Index: once, Scale: 2}, thrice)
	to := s.member("Matrices")
	var narrow [3]reg.VecVirtual
	for row, v := range rows {
		s.asm.VMOVUPD(v, operand.Mem{Base: to, Index: thrice, Scale: 2, Disp: 32 * row})
		narrow[row] = s.asm.XMM()
		s.asm.VCVTPD2PSY(v, narrow[row])
	}
	to = s.member("Rounded")
	for row, v := range narrow {
		s.asm.VMOVUPS(v, operand.Mem{Base: to, Index: thrice, Scale: 1, Disp: 16 * row})
	}
	to = s.member("Packed")
	for row, v := range append(narrow[:], narrow[0]) {
		s.asm.VMOVUPS(v, operand.Mem{Base: to, Index: once, Scale: 4, Disp: 16 * row})
	}
}
