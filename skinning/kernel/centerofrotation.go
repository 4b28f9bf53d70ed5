package kernel

import (
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// CenterOfRotation poses a stream by skinning with optimised centres of rotation (Le and Hodgins 2016): the joints'
// scales are blended linearly, then [Spherical] about a centre of each vertex, which the same scale has moved. The first
// three of [Stream.Values] are that centre. It reads the rigid parts, also as matrices, and the scales. Assembly leaves
// the scale phase out where no joint has a scale.
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
	turn := groupCall{level: level, joints: p.Packed.joints(), form: ownCenter, palette: p.spherical.entries,
		rigid: p.packedRigid}
	if p.unscaled {
		s.groups(&turn)
	} else {
		s.scaledRuns(&turn, p.packedScales)
	}
	for v := range s.moreThanFour {
		s.centerOfRotationOne(v, p)
	}
}

// scaledRuns poses the stream run by run by a call, after a scale phase of vertices and centres.
func (s *Stream) scaledRuns(c *groupCall, scales packedPalette) {
	var rest, normals, centers, scaledCenters [runVertices]mgl32.Vec3
	var values [runVertices][4]float32
	scale := groupCall{level: c.level, joints: c.joints, form: linear, palette: scales}
	for lo := 0; lo < len(s.Rest); lo += runVertices {
		run := s.Slice(lo, min(lo+runVertices, len(s.Rest)))
		n := len(run.Rest)
		for v, x := range run.Values {
			centers[v] = mgl32.Vec3{x[0], x[1], x[2]}
		}
		phase := run
		phase.Positions, phase.Values = rest[:n], nil
		if run.Normals != nil {
			phase.Normals = normals[:n]
		}
		phase.groups(&scale)
		phase.Rest, phase.Positions, phase.Normals, phase.RestNormals = centers[:n], scaledCenters[:n], nil, nil
		phase.groups(&scale)
		for v, x := range scaledCenters[:n] {
			values[v] = [4]float32{x[0], x[1], x[2]}
		}
		run.Rest, run.Values = rest[:n], values[:n]
		if run.Normals != nil {
			run.RestNormals = normals[:n]
		}
		run.groups(c)
	}
}

// centerOfRotationOne poses vertex v with any number of influences.
func (s *Stream) centerOfRotationOne(v int, p *Palette) {
	var m geom.Mat34
	s.blendMatrix(&m, v, &s.Bindings[v], p.Scales)
	rest, center := apply(&m, &s.Rest[v]), mgl32.Vec3(s.Values[v][:3])
	center = apply(&m, &center)
	if s.Normals == nil {
		s.turnAbout(v, p, &center, &rest, nil, false)
		return
	}
	var n mgl32.Vec3
	transformNormal(&n, &m, &s.RestNormals[v])
	s.turnAbout(v, p, &center, &rest, &n, false)
}
