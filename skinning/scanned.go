package skinning

import "skinlab/skinning/simd"

// scannedBindings are a skin's bindings as a [Deformer] keeps them: nobody else can reach them, so what a kernel in
// assembly must know before it trusts them is found once, not at every pose. Looking took 9% of linear blending's time
// at 30,000 vertices with AVX2.
//
// Unused slots name the vertex's own pivot: whatever the palette holds for joint 0, a vertex that does not follow it is
// none the worse.
type scannedBindings struct {
	bindings []Binding
	counts   []uint8 // by whole group, the largest number of influences; nil where no kernel is in assembly
	joint    int     // the largest in any whole group
	// pairs are the pivots and other joints of all vertices, each pair once; nil where counts are, or joints too many for
	// a table of signs.
	pairs [][2]uint16
}

// scanBindings copies bindings.
func scanBindings(bindings []Binding) *scannedBindings {
	s := &scannedBindings{bindings: make([]Binding, len(bindings))}
	copy(s.bindings, bindings)
	for v := range s.bindings {
		b := &s.bindings[v]
		for k, w := range b.Weights {
			if w == 0 {
				b.Joints[k] = b.Joints[0]
			}
		}
	}
	if levels := simd.Levels(); len(levels) > 1 && len(bindings) >= simd.Group {
		s.counts = make([]uint8, len(bindings)/simd.Group)
		s.joint = simd.Scan(levels[1], &s.bindings[0].Joints[0], &s.counts[0], len(s.counts))
		s.pairs = pairsOf(s.bindings)
	}
	return s
}

// pairsOf returns the pivots and joints of all vertices, each pair once and the lesser first, or nil.
func pairsOf(bindings []Binding) [][2]uint16 {
	joints := 0
	for v := range bindings {
		for _, j := range bindings[v].Joints {
			joints = max(joints, int(j)+1)
		}
	}
	if joints > mostSigned {
		return nil
	}
	seen := make([]bool, joints*joints)
	pairs := [][2]uint16{}
	for v := range bindings {
		b := &bindings[v]
		pivot := b.Joints[0]
		for _, j := range b.Joints[1:] {
			lo, hi := min(pivot, j), max(pivot, j)
			if k := int(lo)*joints + int(hi); lo < hi && !seen[k] {
				seen[k] = true
				pairs = append(pairs, [2]uint16{lo, hi})
			}
		}
	}
	return pairs
}
