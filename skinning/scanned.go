package skinning

import (
	"math/bits"
	"slices"

	"skinlab/skinning/simd"
)

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
	pairs       []jointPair
	blockGroups int // groups to a block of pairs, the last of which may be of fewer
}

// jointPair is a pivot and another joint of a vertex, the lesser first, and the blocks of groups that have such vertices.
type jointPair struct {
	joints [2]uint16
	blocks blockSet
}

// A skin has up to skinBlocks blocks: many enough that the part of a character that turns far is told from the rest, few
// enough that a set of them is two registers. They are of leastBlock groups or more, so that calling a kernel for one
// costs little beside what it does: an even number, of which DIB takes two at a time.
const (
	skinBlocks = 256
	leastBlock = 4
)

type blockSet [skinBlocks / 64]uint64

func (s *blockSet) add(b int)      { s[b/64] |= 1 << (b % 64) }
func (s *blockSet) has(b int) bool { return s[b/64]>>(b%64)&1 != 0 }
func (s *blockSet) empty() bool    { return *s == blockSet{} }

func (s *blockSet) addAll(t *blockSet) {
	for k := range s {
		s[k] |= t[k]
	}
}

// run returns the first block after b, up to end, that is in the set while b is not, or the other way round.
func (s *blockSet) run(b, end int) int {
	flip := uint64(0)
	if s.has(b) {
		flip = ^flip
	}
	for b < end {
		if rest := (s[b/64] ^ flip) >> (b % 64); rest != 0 {
			return min(end, b+bits.TrailingZeros64(rest))
		}
		b = b/64*64 + 64
	}
	return end
}

// scanBindings copies bindings.
func scanBindings(bindings []Binding) *scannedBindings {
	s := &scannedBindings{bindings: slices.Clone(bindings)}
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
		s.findPairs()
	}
	return s
}

// findPairs sets pairs and blockGroups.
func (s *scannedBindings) findPairs() {
	joints := 0
	for v := range s.bindings {
		for _, j := range s.bindings[v].Joints {
			joints = max(joints, int(j)+1)
		}
	}
	if joints > mostSigned {
		return
	}
	groups := (len(s.bindings) + simd.Group - 1) / simd.Group
	s.blockGroups = max(leastBlock, ((groups+skinBlocks-1)/skinBlocks+1)&^1)
	index := make([]int32, joints*joints) // of pairs, from 1
	s.pairs = []jointPair{}
	for v := range s.bindings {
		b := &s.bindings[v]
		pivot := b.Joints[0]
		for _, j := range b.Joints[1:] {
			lo, hi := min(pivot, j), max(pivot, j)
			if lo == hi {
				continue
			}
			at := &index[int(lo)*joints+int(hi)]
			if *at == 0 {
				s.pairs = append(s.pairs, jointPair{joints: [2]uint16{lo, hi}})
				*at = int32(len(s.pairs))
			}
			s.pairs[*at-1].blocks.add(v / simd.Group / s.blockGroups)
		}
	}
}

// scannedSets are the centre sets of a skin's vertices as a [Deformer] keeps them, for the same reason: looking took 4%
// of spherical blending's time.
type scannedSets struct {
	of       *CenterSets
	ofVertex []uint32
	largest  int
}

// scan copies the sets where it has not.
func (s *scannedSets) scan(c *CenterSets) {
	if s.of == c {
		return
	}
	*s = scannedSets{of: c, ofVertex: append(s.ofVertex[:0], c.OfVertex...)}
	for _, set := range c.OfVertex {
		s.largest = max(s.largest, int(set))
	}
}
