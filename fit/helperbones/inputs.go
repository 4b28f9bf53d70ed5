package helperbones

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// input is a joint's own rotation in the examples (HBR section 5.2).
type input struct {
	rig.HelperInput
	values [][3]float64 // one for each example: [rig.HelperInput.Variables]
}

// A joint counts as turned about an axis if the standard deviation of the angle is at least leastSpread, half a degree
// in radians. A smaller rotation moves the skin by less than the noise in examples, and its square and cube are noise.
const leastSpread = 0.5 * math.Pi / 180

// Variables are clamped to the range of the examples, extended by the share beyond of it on either side. A
// polynomial still holds a little outside the range: some held-out poses of the arm turn a joint further than all other
// examples, and without the extension their error is a twentieth larger.
const beyond = 0.25

// inputsOf returns the joints that the examples turn against their parents, with the axes about which they turn them.
// Roots only move the whole character and are not inputs. If joints of several skins share a node, the first is the
// input.
func inputsOf(s *skinning.Skeleton, palettes [][]geom.Affine) (all []input) {
	seen := map[int]bool{}
	for j := range s.Joints {
		if node := s.Joints[j].Node; s.Joints[j].Parent >= 0 && !seen[node] {
			seen[node] = true
			if in := inputOf(s, palettes, j); len(in.Axes) > 0 {
				all = append(all, in)
			}
		}
	}
	return all
}

func inputOf(s *skinning.Skeleton, palettes [][]geom.Affine, j int) input {
	in := input{HelperInput: rig.NewHelperInput(s, j)}
	turns := make([]geom.Quat, len(palettes))
	for n, palette := range palettes {
		turns[n] = in.Turn(s, palette)
	}
	in.Center = centerOf(turns)
	logs := make([]mgl64.Vec3, len(turns))
	for n, q := range turns {
		logs[n] = logAbout(q, in.Center)
	}
	in.Axes, in.Least, in.Most = axesOf(logs), nil, nil
	for k, axis := range in.Axes {
		in.Least, in.Most = append(in.Least, math.Inf(1)), append(in.Most, math.Inf(-1))
		for _, log := range logs {
			in.Least[k], in.Most[k] = min(in.Least[k], axis.Dot(log)), max(in.Most[k], axis.Dot(log))
		}
		margin := beyond * (in.Most[k] - in.Least[k])
		in.Least[k], in.Most[k] = in.Least[k]-margin, in.Most[k]+margin
	}
	for _, log := range logs {
		in.values = append(in.values, in.Variables(log))
	}
	return in
}

// centerOf returns a mean of rotations. Each rotation is represented by the one of its two quaternions that is nearer
// to the mean. The search starts at the identity, so that the logarithms of a joint that stays near the bind pose are
// below half a turn. The w of the result is not negative, as rigs require.
func centerOf(rotations []geom.Quat) geom.Quat {
	center := geom.IdentityQuat()
	for range 4 { // the sides are found at once unless a joint turns all the way round
		var sum geom.Quat
		for _, q := range rotations {
			if q.Dot(center) < 0 {
				q = q.Scale(-1)
			}
			sum = sum.Add(q)
		}
		center = sum.Normalize()
		if center[3] < 0 {
			center = center.Scale(-1)
		}
	}
	return center
}

// logAbout returns the rotation vector, axis times angle in radians, of the one of q and −q that is nearer to center.
func logAbout(q, center geom.Quat) mgl64.Vec3 {
	if q.Dot(center) < 0 {
		q = q.Scale(-1)
	}
	return q.Log().Mul(2)
}

// axesOf returns the orthonormal axes along which rotation vectors spread by [leastSpread] and more. They are the
// coordinate axes or, if the rotation vectors spread over a plane or a line only, directions in it that are near to the
// coordinate axes.
func axesOf(logs []mgl64.Vec3) []mgl64.Vec3 {
	var mean mgl64.Vec3
	for _, v := range logs {
		mean = mean.Add(v.Mul(1 / float64(len(logs))))
	}
	var a [9]float64
	for _, v := range logs {
		v = v.Sub(mean)
		for r := range 3 {
			for c := range 3 {
				a[3*r+c] += v[r] * v[c] / float64(len(logs))
			}
		}
	}
	vectors := geom.Identity3()
	geom.Diagonalize(a[:], vectors[:], 3, 1e-15)
	var used, unused []mgl64.Vec3
	for c := range 3 {
		axis := mgl64.Vec3{vectors[c], vectors[3+c], vectors[6+c]}
		if a[4*c] > leastSpread*leastSpread {
			used = append(used, axis)
		} else {
			unused = append(unused, axis)
		}
	}
	switch len(used) {
	case 1:
		return []mgl64.Vec3{positive(used[0])}
	case 2:
		first := positive(geom.Perpendicular(unused[0]))
		return []mgl64.Vec3{first, positive(unused[0].Cross(first))}
	case 3:
		return []mgl64.Vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	}
	return nil
}

// positive returns v or −v, whichever has a positive largest component.
func positive(v mgl64.Vec3) mgl64.Vec3 {
	most := 0
	for k := range v {
		if math.Abs(v[k]) > math.Abs(v[most]) {
			most = k
		}
	}
	if v[most] < 0 {
		return v.Mul(-1)
	}
	return v
}
