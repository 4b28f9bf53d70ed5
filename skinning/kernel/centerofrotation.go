package kernel

import (
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// CenterOfRotation poses a stream by skinning with optimised centres of rotation (Le and Hodgins 2016): the joints'
// scales are blended linearly, then [Spherical] about a centre of each vertex, which the same scale has moved. The first
// three of [Stream.Values] are that centre. It reads the rigid parts, also as matrices, and the scales. The scale
// phase is left out where no joint has a scale.
func CenterOfRotation(p *Palette, s Stream, level simd.Level) {
	s.check("CenterOfRotation")
	if s.Values == nil && len(s.Rest) > 0 {
		panic("kernel: CenterOfRotation: no centres")
	}
	if level == simd.Scalar || !p.packedRigid.serve(&s) {
		for v := range s.Rest {
			s.centerOfRotationOne(v, p)
		}
		return
	}
	c := groupCall{level: level, joints: p.Packed.joints(), form: ownCenter, palette: p.spherical.entries,
		rigid: p.packedRigid}
	if !p.unscaled {
		c.scales = p.packedScales
	}
	s.groups(&c)
	for v := range s.moreThanFour {
		s.centerOfRotationOne(v, p)
	}
}

// centerOfRotationOne poses vertex v with any number of influences.
func (s *Stream) centerOfRotationOne(v int, p *Palette) {
	rest, center := s.Rest[v], mgl32.Vec3(s.Values[v][:3])
	var normal *mgl32.Vec3
	if s.Normals != nil {
		n := s.RestNormals[v]
		normal = &n
	}
	if !p.unscaled {
		var m geom.Mat34
		s.blendMatrix(&m, v, &s.Bindings[v], p.Scales)
		rest, center = apply(&m, &rest), apply(&m, &center)
		if normal != nil {
			n := *normal
			transformNormal(normal, &m, &n)
		}
	}
	s.turnAbout(v, p, &center, &rest, normal, false)
}
