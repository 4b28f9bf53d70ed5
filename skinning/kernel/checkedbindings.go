package kernel

import (
	"slices"
	"unsafe"

	"skinlab/skinning/simd"
)

// checkedBindings are the bindings of a [Skin]. They are a private copy, so that the checks that an assembly kernel
// needs are made once and not at every pose. Finding it took 9% of linear blending's time at 30,000 vertices with AVX2.
//
// Unused slots name the vertex's own pivot. They have weight 0, but 0 times the matrix of another joint is not 0 where
// that is not finite.
type checkedBindings struct {
	bindings []Binding
	counts   []uint8 // by whole group, the largest number of influences; nil where no kernel is in assembly
	joint    int     // the largest
	// pairs are the pivots and other joints of all vertices, each pair once. It is nil where counts is, and where there
	// are more joints than mostSigned.
	pairs []jointPair
}

// jointPair is a pivot and another joint of a vertex, the lesser first.
type jointPair [2]uint16

// checkBindings makes them of a copy.
func checkBindings(bindings []Binding) *checkedBindings {
	s := &checkedBindings{bindings: slices.Clone(bindings)}
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
		s.joint = simd.Scan(&s.bindings[0].Joints[0], &s.counts[0], len(s.counts))
		for _, b := range s.bindings[simd.Group*len(s.counts):] {
			s.joint = max(s.joint, int(slices.Max(b.Joints[:])))
		}
		s.findPairs()
	}
	return s
}

// findPairs sets pairs.
func (s *checkedBindings) findPairs() {
	joints := s.joint + 1
	if joints > mostSigned {
		return
	}
	seen := make([]bool, joints*joints)
	s.pairs = []jointPair{}
	for v := range s.bindings {
		for k := 1; k < 4; k++ {
			if p, ok := s.bindings[v].pair(k); ok && !seen[int(p[0])*joints+int(p[1])] {
				seen[int(p[0])*joints+int(p[1])] = true
				s.pairs = append(s.pairs, p)
			}
		}
	}
}

// pair is the pivot and the joint of slot k, unless they are one.
func (b *Binding) pair(k int) (p jointPair, ok bool) {
	pivot, j := b.Joints[0], b.Joints[k]
	return jointPair{min(pivot, j), max(pivot, j)}, pivot != j
}

// checkedSets are the centre sets of a [Skin]'s vertices, a copy for the same reason: finding the largest took 4% of
// spherical blending's time.
type checkedSets struct {
	of       *uint32 // the first of those that are copied
	ofVertex []uint32
	largest  int
}

// keep copies sets, but for those that it has.
func (s *checkedSets) keep(sets []uint32) {
	if s.of == unsafe.SliceData(sets) && len(s.ofVertex) == len(sets) {
		return
	}
	*s = checkedSets{of: unsafe.SliceData(sets), ofVertex: append(s.ofVertex[:0], sets...)}
	for _, set := range sets {
		s.largest = max(s.largest, int(set))
	}
}
