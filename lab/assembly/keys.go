package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// What predicts key gradients (RTER section 3), in float64 and four at a time.

// keys emits the kernel.
func keys(l *lanes) {
	l.function("predictKeys",
		"groups *KeyGroup, count int, records *TurnRecord, gradients *Gradients, failed *uint8)")
	d := &driver{lanes: l, groups: l.param("groups"), count: l.param("count"), records: l.param("records"),
		failed: l.param("failed")}
	gradients := l.param("gradients")
	d.stack = l.slots(60)
	d.each(l.layout.size("KeyGroup"), func(rejected reg.GPVirtual) {
		d.run(d.stack, func(s *straight) {
			first, holds := d.keyTurn(s, 0)
			second, holds2 := d.keyTurn(s, 1)
			shear, holds3 := d.keyShear(s)
			d.reject(s, s.both(s.both(holds, holds2), holds3), rejected)
			// Each is Q·exp(…), and the second is conjugated back into the world.
			r := s.quaternionProduct(first.frame, first.turn)
			about := s.quaternionProduct(s.quaternionProduct(second.frame, second.turn), conjugate(s, second.frame))
			r = s.quaternionProduct(about, r)
			rotation := s.motionMatrix(r, s.over(s.constant(2), s.dot(r, r)))
			for row := range 3 {
				for c := range 3 {
					sum := s.dot([]*value{rotation[4*row], rotation[4*row+1], rotation[4*row+2]},
						[]*value{shear[c], shear[3+c], shear[6+c]})
					s.keep(sum, at(gradients, 32*(3*row+c)))
				}
			}
		})
		l.asm.ADDQ(operand.I32(l.layout.size("Gradients")), gradients)
	})
}

// keyTurn is a term of rotational regression: the rotation in whose frame its joint turns, and exp(u·W·θ).
type keyTurn struct{ frame, turn []*value }

// The sine over the angle and the cosine by Taylor's series in the square of the angle: up to a quarter turn the terms
// left out are below 2e-17.
var sineSeries, cosineSeries = series(1), series(0)

func series(first float64) (c []float64) {
	term, n := 1.0, first
	for range 11 {
		c = append(c, term)
		term /= -(n + 1) * (n + 2)
		n += 2
	}
	return c
}

// keyTurn evaluates term k. The quaternion exp(u·W·θ) has half of that vector's angle, and the series take a quarter,
// from which the formulas of the double angle lead: so they reach to a full turn. It holds up to there, for joints
// whose other rotation vector does not count.
func (d *driver) keyTurn(s *straight, k int) (t keyTurn, holds *value) {
	offsets := d.member("KeyGroup.Turn", k)
	t.frame = d.columns(s, d.records, offsets, 0, 4)
	theta, single := d.theta(s, offsets)
	var h []*value // ¼·u·W·θ
	for row := range 3 {
		var axis []*value
		for c := range 3 {
			axis = append(axis, s.from(d.member("KeyGroup.Axis", 9*k+3*row+c)))
		}
		h = append(h, s.dot(theta, axis))
	}
	square := s.dot(h, h)
	fourth := s.times(square, square)
	sine, cosine := evenAndOdd(s, sineSeries, square, fourth), evenAndOdd(s, cosineSeries, square, fourth)
	two := s.constant(2)
	double := s.times(two, s.times(sine, cosine))
	t.turn = append(s.scaled(double, h), s.minusTimes(s.constant(1), s.times(two, square), s.times(sine, sine)))
	return t, s.both(single, s.atMost(square, s.constant(math.Pi*math.Pi/4)))
}

// theta loads the rotation vectors of four joints. Single holds where no other vector counts.
func (d *driver) theta(s *straight, offsets operand.Mem) (theta []*value, single *value) {
	all := d.columns(s, d.records, offsets, d.layout.offset("TurnRecord.Theta"), 4)
	return all[:3], s.atMost(all[3], s.constant(0))
}

// keyShear is S, linear in the rotation vectors of two joints and a constant.
func (d *driver) keyShear(s *straight) (shear []*value, holds *value) {
	f, holds := d.theta(s, d.member("KeyGroup.Shear", 0))
	second, single := d.theta(s, d.member("KeyGroup.Shear", 1))
	f, holds = append(f, second...), s.both(holds, single)
	for n := range 9 {
		sum := s.from(d.member("KeyGroup.H", 7*n+6))
		for i, v := range f {
			sum = s.plusTimes(sum, v, s.from(d.member("KeyGroup.H", 7*n+i)))
		}
		shear = append(shear, sum)
	}
	return shear, holds
}

// conjugate returns the inverse of a unit quaternion.
func conjugate(s *straight, q []*value) (out []*value) {
	for _, v := range q[:3] {
		out = append(out, s.flip(v, s.signBit()))
	}
	return append(out, q[3])
}
