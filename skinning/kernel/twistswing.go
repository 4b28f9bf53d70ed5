package kernel

import (
	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// ShortTwist is the length of a sum of twists below which it has no direction: the vertex then has the twist of its
// strongest joint.
const ShortTwist = 1e-6

// TwistSwing poses a stream by twist-swing skinning (Fechteler, Hilsmann and Eisert 2016): by the motion of
// Σ wT_k·T̄_k, then by the matrix Σ wS_k·P_k. It reads the twists and the swings. No quaternion is flipped: the twists
// have the signs of their chains.
func TwistSwing(p *Palette, s Stream, level simd.Level) {
	s.check("TwistSwing")
	twists := s.twists()
	if level == simd.Scalar {
		for v := range s.Rest {
			s.twistSwingOne(v, &twists, p)
		}
		return
	}
	c := groupCall{level: level, joints: p.Packed.joints(), form: twistSwing, palette: p.packedTwists, swings: p.packedSwings}
	s.groups(&c)
	for v := range s.moreThanFour {
		s.twistSwingOne(v, &twists, p)
	}
	if s.Second.Bindings != nil {
		for v := range twists.moreThanFour {
			s.twistSwingOne(v, &twists, p)
		}
	}
	if !c.short {
		return
	}
	for v := range s.Rest {
		var d geom.DualQuat32
		if twists.blendTwist(&d, v, p.Twists) {
			s.twistSwingOne(v, &twists, p)
		}
	}
}

// twists is the stream for blending the twists only.
func (s *Stream) twists() Stream {
	if s.Second.Bindings == nil {
		return Stream{Bindings: s.Bindings, ExtraStart: s.ExtraStart, Extra: s.Extra}
	}
	return Stream{Bindings: s.Second.Bindings, ExtraStart: s.Second.ExtraStart, Extra: s.Second.Extra}
}

// twistSwingOne poses vertex v with any number of influences, its twists blended as in a stream of [Stream.twists].
func (s *Stream) twistSwingOne(v int, twists *Stream, p *Palette) {
	var d geom.DualQuat32
	var m geom.Mat34
	b := &s.Bindings[v]
	s.blendMatrix(&m, v, b, p.Swings)
	twists.blendTwist(&d, v, p.Twists)
	r := &s.Rest[v]
	k := twiceOverSquare(&d)
	moved := moveDual(&d, k, r[0], r[1], r[2])
	s.Positions[v] = apply(&m, &moved)
	if s.Normals != nil {
		n := &s.RestNormals[v]
		turned := turn(&d, k, n[0], n[1], n[2])
		transformNormal(&s.Normals[v], &m, &turned)
	}
}

// blendTwist sets d to the sum of the twists of vertex v, or to the strongest where that is too short to have a
// direction, which it reports.
func (s *Stream) blendTwist(d *geom.DualQuat32, v int, twists []geom.DualQuat32) (short bool) {
	b := &s.Bindings[v]
	s.blendDual(d, v, b, twists, true)
	if d[0]*d[0]+d[1]*d[1]+d[2]*d[2]+d[3]*d[3] < ShortTwist*ShortTwist {
		*d = twists[b.Joints[0]]
		return true
	}
	return false
}
