package main

import "github.com/mmcloughlin/avo/reg"

// As in package skinning: which centres need no eigenvectors.
const (
	centerCutoff = 1e-3
	wellPosed    = 2 * centerCutoff * centerCutoff
)

// blendCenter emits SBS: v -> Q(v − r) + Σ w_k·C_k·r about the rotation centre r (SBS equation 9), for bones of two
// masters and more. Centres that need eigenvectors are rejected.
func blendCenter(l *lanes) {
	d := l.driver("blendCenter", "BlendGroup", ", centers *CenterGroup", 130)
	d.centered = l.param("centers")
	d.each(l.layout.size("BlendGroup"), func(rejected reg.GPVirtual) {
		s := l.straight(d.stack)
		center, sound := d.center(s)
		q := d.sumMotions(s, 4)
		square := s.dot(q, q)
		d.reject(s, s.both(sound, s.less(s.constant(1e-300), square)), rejected)
		m := motionMatrix(s, q, s.over(s.constant(2), square))
		d.about(s, m, center)
		d.write(s, m)
		s.emit()
	})
}

// mastersMatrix loads the matrix of master k.
func (d *driver) mastersMatrix(s *straight, k int) []*value {
	return d.columns(s, d.matrices, d.member("CenterGroup.Matrix", k), 0, 12)
}

// center returns the rotation centres, as package skinning's rotationCenter does, and which are sound.
func (d *driver) center(s *straight) (center []*value, sound *value) {
	var matrices [masters][]*value
	mean := make([]*value, 12)
	for k := range matrices {
		matrices[k] = d.mastersMatrix(s, k)
		share := s.from(d.member("CenterGroup.Share", k))
		for i, c := range matrices[k] {
			if k == 0 {
				mean[i] = s.times(share, c)
			} else {
				mean[i] = s.plusTimes(mean[i], share, c)
			}
		}
	}
	var normal [6]*value
	var rhs [3]*value
	add := func(sum **value, a, b *value) {
		if *sum == nil {
			*sum = s.times(a, b)
		} else {
			*sum = s.plusTimes(*sum, a, b)
		}
	}
	for k := range matrices {
		count := s.from(d.member("CenterGroup.Count", k)) // of the masters, for each that is one
		for r := 0; r < 12; r += 4 {
			var e [4]*value
			for i := range e {
				e[i] = s.minus(matrices[k][r+i], mean[r+i])
			}
			counted := [3]*value{s.times(count, e[0]), s.times(count, e[1]), s.times(count, e[2])}
			for n, ij := range [6][2]int{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}} {
				add(&normal[n], counted[ij[0]], e[ij[1]])
			}
			for i := range rhs {
				add(&rhs[i], counted[i], e[3])
			}
		}
	}
	inverse, det := cofactors(s, normal)
	trace := s.plus(s.plus(normal[0], normal[1]), normal[2])
	half := s.times(s.constant(0.5), trace)
	least := s.times(s.times(s.constant(wellPosed), s.times(half, half)), s.larger(half, s.constant(1)))
	fixed := s.from(d.member("CenterGroup.Fixed", 0))
	still := s.less(trace, s.constant(centerCutoff*centerCutoff)) // all singular values are below the cut-off
	sound = s.either(s.either(fixed, still), s.less(least, det))
	scale := s.over(s.constant(-1), det) // the translations' differences are those of the right side, opposite
	for i, x := range symmetricTimes(s, inverse[:], rhs[:]) {
		x = s.choose(still, s.constant(0), s.times(scale, x))
		center = append(center, s.choose(fixed, s.from(d.member("CenterGroup.Rest", i)), x))
	}
	return center, sound
}

// about sets the translation of the rotation m, so that the centre goes where the masters' blend takes it: by
// differences from the pivot's matrix, as centres may be far.
func (d *driver) about(s *straight, m, center []*value) {
	w := d.weights(s)
	base := d.mastersMatrix(s, 0)
	for r := 0; r < 12; r += 4 {
		sum := base[r+3]
		for i := range 3 {
			sum = s.plusTimes(sum, s.minus(base[r+i], m[r+i]), center[i])
		}
		m[r+3] = sum
	}
	for k := 1; k < masters; k++ {
		c := d.mastersMatrix(s, k)
		for r := 0; r < 12; r += 4 {
			moved := s.minus(c[r+3], base[r+3])
			for i := range 3 {
				moved = s.plusTimes(moved, s.minus(c[r+i], base[r+i]), center[i])
			}
			m[r+3] = s.plusTimes(m[r+3], w[k], moved)
		}
	}
}
