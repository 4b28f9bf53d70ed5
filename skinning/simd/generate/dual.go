package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// dual emits dual quaternion skinning: the blended motion, then the point and the normal by it, without normalising.
func dual(l *lanes) {
	s := l.loop("dual")
	m := &motions{lanes: l, palette: s.palette}
	bytes, pose := l.motionSumBytes(), s.poseDual
	if !l.wide {
		bytes, pose = bytes+dualBytes, s.poseDualNarrow
	}
	s.pipelined(bytes, pipeline{
		sum:  func(v, n int, to operand.Mem) { m.sumTo(to, v, n, s.bindings) },
		pose: pose,
	})
}

// poseDual is the second stage of the form for AVX-512.
func (s *loop) poseDual(from operand.Mem) normals {
	real, dual := s.motionsFrom(from)
	d := s.motion(real, operands(dual))
	x, y, z := s.loadVec3(at(s.rest, 0))
	p := d.point([3]operand.Op{x, y, z})
	s.storeVec3(at(s.positions, 0), p[0], p[1], p[2])
	return func() func() {
		x, y, z := s.loadVec3(at(s.restNormals, 0))
		n := d.vector([3]operand.Op{x, y, z})
		s.storeVec3(at(s.normals, 0), n[0], n[1], n[2])
		return nil
	}
}

// With AVX2, what is there besides the sums of a pass: positions, dual parts and normals.
const dualBytes = (3 + 4 + 3) * 32

// poseDualNarrow is poseDual with AVX2, and as [loop.poseSphericalNarrow] short of registers.
func (s *loop) poseDualNarrow(from operand.Mem) normals {
	place := from.Offset(s.motionSumBytes())
	x, y, z := s.loadVec3(at(s.rest, 0))
	kept := s.spill([3]reg.VecVirtual{x, y, z}, place)
	real, dual := s.motionsFrom(from)
	d := s.motion(real, s.spill4(dual, place.Offset(96)))
	p := d.pointKept(s.unspill(kept), kept)
	s.storeVec3(at(s.positions, 0), p[0], p[1], p[2])
	return func() func() {
		x, y, z := s.loadVec3(at(s.restNormals, 0))
		rest := [3]reg.VecVirtual{x, y, z}
		n := d.vectorKept(rest, s.spill(rest, place.Offset(224)))
		s.storeVec3(at(s.normals, 0), n[0], n[1], n[2])
		return nil
	}
}

// operands are four registers as such.
func operands(v [4]reg.VecVirtual) [4]operand.Op { return [4]operand.Op{v[0], v[1], v[2], v[3]} }

// parameter is where a parameter lies in memory: for those used too seldom for a register of their own.
func (l *lanes) parameter(name string) operand.Mem {
	p, err := l.asm.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

// spill4 is [lanes.spill] of four.
func (l *lanes) spill4(v [4]reg.VecVirtual, to operand.Mem) (out [4]operand.Op) {
	first := l.spill([3]reg.VecVirtual(v[:3]), to)
	last := to.Offset(3 * 32)
	l.asm.VMOVAPS(v[3], last)
	return [4]operand.Op{first[0], first[1], first[2], last}
}
