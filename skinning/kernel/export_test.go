package kernel

import "slices"

// LogarithmRatio is for tests, as all of this file.
var LogarithmRatio = logarithmRatio

// Know tells a stream what a [Skin] knows of its bindings. Place copies bindings and counts to where the kernels are to
// read them.
func (s *Stream) Know(p *Palette, bindings func([]Binding) []Binding, counts func([]uint8) []uint8) {
	var motions flippedBindings
	s.checked = checkBindings(s.Bindings)
	s.Bindings, s.checked.counts = bindings(s.checked.bindings), counts(s.checked.counts)
	motions.follow(s.checked, p.packedRigid)
	if s.checked.pairs != nil {
		s.entries = bindings(motions.entries(s.checked))
	}
	s.largestSet = int(slices.Max(append(s.Sets, 0)))
}

// Move copies what the kernels in assembly read of a palette to other memory.
func (p *Palette) Move(floats func([]float32) []float32, signs func([]uint16) []uint16) {
	m := p.packedRigid
	for _, list := range []*packedPalette{&p.Packed, &p.packedScales, &m.entries, &p.spherical.entries,
		&p.packedTwists, &p.packedSwings} {
		*list = floats(*list)
	}
	m.real, m.signs, p.spherical.centers = floats(m.real), signs(m.signs), floats(p.spherical.centers)
}

// Choosing tells whether kernels can choose among the palette's motions.
func (p *Palette) Choosing() bool { return p.packedRigid.stride != 0 }

// Tabled tells whether the table of signs is made.
func (p *Palette) Tabled() bool { return p.packedRigid.tabled.Load() }

// Entry returns which of the entries stands for a joint beside a pivot, by the table of signs, which it makes; and the
// number from an entry to its opposite.
func (p *Palette) Entry(pivot, joint int) (entry, opposite int) {
	p.packedRigid.serve(&Stream{})
	return int(p.packedRigid.signs[pivot*p.packedRigid.stride+joint]), p.packedRigid.opposite
}

// EntrySign returns by what a joint's quaternion is multiplied in its entry.
func (p *Palette) EntrySign(joint int) float32 { return p.packedRigid.sign[joint] }

// Unscaled tells whether the scale phase is left out.
func (p *Palette) Unscaled() bool { return p.unscaled }

// Pairs returns the number of pairs of joints of a skin, and how many of them are in two hemispheres.
func (k *Skin) Pairs() (all, far int) { return len(k.checked.pairs), k.flipped.far }
