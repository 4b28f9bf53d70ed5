package main

// masters is the most masters of a blend bone.
const masters = 4

// noLength is the square below which a blend of motions has no length.
const noLength = 1e-300

// blendDual emits DQS, and SDQS where there are scales.
func blendDual(l *lanes, scaled bool) {
	name := "blendDual"
	if scaled {
		name = "blendScaleDual"
	}
	d := l.driver(name, "BlendGroup", "", 60)
	d.eachBlend(func(s *straight, holds func(*value)) []*value {
		q := d.sumMotions(s, 8)
		square := s.dot(q[:4], q[:4])
		holds(s.less(s.constant(noLength), square))
		m := s.motionMatrix(q, s.over(s.constant(2), square))
		if scaled {
			m = s.product(m, d.sumScales(s))
		}
		return m
	})
}

// blendCenter emits SBS: v -> Q(v − r) + Σ w_k·C_k·r about the rotation centre r, C_k the rigid parts (SBS equation 9).
// Centres that need eigenvectors are rejected.
func blendCenter(l *lanes) {
	d := l.driver("blendCenter", "BlendGroup", ", centers *CenterGroup", 130)
	d.centered = l.param("centers")
	d.eachBlend(func(s *straight, holds func(*value)) []*value {
		var rigid [masters][]*value
		for k := range rigid {
			rigid[k] = s.motionMatrix(d.motion(s, k, 8), s.constant(2))
		}
		center, sound := d.center(s, rigid)
		q := d.sumMotions(s, 4)
		square := s.dot(q, q)
		holds(s.both(sound, s.less(s.constant(noLength), square)))
		m := s.motionMatrix(q, s.over(s.constant(2), square))
		d.about(s, m, rigid, center)
		return m
	})
}

// vectors loads all vectors of a field with one for each master.
func (d *driver) vectors(s *straight, path string) (out [masters]*value) {
	for k := range out {
		out[k] = s.from(d.member(path, k))
	}
	return out
}

// motion loads 4 or 8 components of master k's rigid part.
func (d *driver) motion(s *straight, k, components int) []*value {
	return d.columns(s, d.records, d.member("BlendGroup.Master", k), 0, components)
}

// opposite has the sign bit set where q is to be flipped to the hemisphere of its pivot.
func opposite(s *straight, pivot, q []*value) *value {
	tie := s.constant(s.layout.constant("../kernel", "HemisphereTie"))
	return s.both(s.minus(s.dot(pivot[:4], q[:4]), tie), s.signBit())
}

// sumMotions returns Σ ±w_k·q̂_k of 4 or 8 components.
func (d *driver) sumMotions(s *straight, components int) []*value {
	w, sum := d.vectors(s, "BlendGroup.Weight"), make([]*value, components)
	pivot := d.motion(s, 0, components)
	for k := range masters {
		q, signed := pivot, w[0]
		if k > 0 {
			q = d.motion(s, k, components)
			signed = s.flip(w[k], opposite(s, pivot, q))
		}
		for i := range sum {
			s.sum(&sum[i], signed, q[i])
		}
	}
	return sum
}

// sumScales returns Σ w_k·S_k, 12 values.
func (d *driver) sumScales(s *straight) []*value {
	w, sum := d.vectors(s, "BlendGroup.Weight"), make([]*value, 12)
	for k := range masters {
		at := d.member("BlendGroup.Master", k)
		for i, m := range d.columns(s, d.records, at, d.layout.offset("JointRecord.Scale"), 12) {
			s.sum(&sum[i], w[k], m)
		}
	}
	return sum
}

// motionMatrix returns the matrix of a dual quaternion of any length (ALNS appendix A), of a quaternion alone its
// rotation. Twice is 2 over the square of the length.
func (s *straight) motionMatrix(q []*value, twice *value) []*value {
	one := s.constant(1)
	x, y, z, w := q[0], q[1], q[2], q[3]
	diagonal := func(a, b *value) *value {
		return s.minusTimes(one, twice, s.plusTimes(s.times(a, a), b, b))
	}
	sum := func(a, b, c, d *value) *value { return s.times(twice, s.plusTimes(s.times(a, b), c, d)) }
	less := func(a, b, c, d *value) *value { return s.times(twice, s.minusTimes(s.times(a, b), c, d)) }
	m := []*value{
		diagonal(y, z), less(x, y, w, z), sum(x, z, w, y), nil,
		sum(x, y, w, z), diagonal(x, z), less(y, z, w, x), nil,
		less(x, z, w, y), sum(y, z, w, x), diagonal(x, y), nil,
	}
	if len(q) == 8 {
		for i := range 3 {
			m[4*i+3] = s.times(twice, s.cross(i, s.minusTimes(s.times(w, q[4+i]), q[7], q[i]), q, q[4:7]))
		}
	}
	return m
}

// product returns a·b of matrices of 12 values.
func (s *straight) product(a, b []*value) (out []*value) {
	for r := 0; r < 12; r += 4 {
		for c := range 4 {
			sum := s.times(a[r], b[c])
			if c == 3 {
				sum = s.plusTimes(a[r+3], a[r], b[3])
			}
			out = append(out, s.plusTimes(s.plusTimes(sum, a[r+1], b[4+c]), a[r+2], b[8+c]))
		}
	}
	return out
}

// center returns the rotation centres of matrices, as package skinning's rotationCenter does, and which are sound.
func (d *driver) center(s *straight, matrices [masters][]*value) (center []*value, sound *value) {
	mean, normal, rhs := make([]*value, 12), make([]*value, 6), make([]*value, 3)
	for k, share := range d.vectors(s, "CenterGroup.Share") {
		for i, c := range matrices[k] {
			s.sum(&mean[i], share, c)
		}
	}
	for k, count := range d.vectors(s, "CenterGroup.Count") { // of the masters, for each that is one
		for r := 0; r < 12; r += 4 {
			var e []*value
			for i := range 4 {
				e = append(e, s.minus(matrices[k][r+i], mean[r+i]))
			}
			counted := s.scaled(count, e[:3])
			s.addOuter(normal, counted, e)
			for i := range rhs {
				s.sum(&rhs[i], counted[i], e[3])
			}
		}
	}
	inverse, det := s.cofactors(normal)
	trace := s.plus(s.plus(normal[0], normal[1]), normal[2])
	half := s.times(s.constant(0.5), trace)
	wellPosed, cutoff := d.layout.constant("..", "wellPosed"), d.layout.constant("..", "centerCutoff")
	least := s.times(s.times(s.constant(wellPosed), s.times(half, half)), s.larger(half, s.constant(1)))
	fixed := s.from(d.member("CenterGroup.Fixed", 0))
	still := s.less(trace, s.constant(cutoff*cutoff)) // all singular values are below the cut-off
	sound = s.either(s.either(fixed, still), s.less(least, det))
	scale := s.over(s.constant(-1), det) // the translations' differences are those of the right side, opposite
	for i, x := range s.symmetricTimes(inverse, rhs) {
		x = s.choose(still, s.constant(0), s.times(scale, x))
		center = append(center, s.choose(fixed, s.from(d.member("CenterGroup.Rest", i)), x))
	}
	return center, sound
}

// about sets the translation of the rotation m, so that the centre goes where the masters' blend takes it: by
// differences from the pivot's matrix, as centres may be far.
func (d *driver) about(s *straight, m []*value, matrices [masters][]*value, center []*value) {
	w, base := d.vectors(s, "BlendGroup.Weight"), matrices[0]
	// moved adds to sum what the difference of two rows makes of the centre.
	moved := func(sum *value, a, b []*value) *value {
		for i := range 3 {
			sum = s.plusTimes(sum, s.minus(a[i], b[i]), center[i])
		}
		return sum
	}
	for r := 0; r < 12; r += 4 {
		m[r+3] = moved(base[r+3], base[r:], m[r:])
	}
	for k := 1; k < masters; k++ {
		c := matrices[k]
		for r := 0; r < 12; r += 4 {
			m[r+3] = s.plusTimes(m[r+3], w[k], moved(s.minus(c[r+3], base[r+3]), c[r:], base[r:]))
		}
	}
}
