package training

import (
	"math"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// The static pose, of a model without a clip, is the first that a viewer shows. In many files it is the bind pose, which
// every fit keeps. In others it may be far from all that clips show, and a fit that has not seen it would change it. So
// it is one of the training poses there.

// staticPose in place of a clip is the static pose.
const staticPose = -1

// sameShape is the root of the mean squared distance, as a fraction of the diagonal, up to which two poses bend the skin
// alike: a few roundings of float32 transforms.
const sameShape = 1e-5

// withStatic returns the times with the static pose after them, unless the skin has the shape there in which it is bound,
// or that of one of the times. A rigid motion of the whole skin does not count.
func withStatic(m *skinning.Model, times []ClipTime) []ClipTime {
	bends := bendsOf(m)
	mass := 0.0
	for k := range bends {
		mass += bends[k].mass
	}
	most := mass * math.Pow(sameShape*m.Diagonal(), 2)
	all := append(slices.Clip(times), ClipTime{Clip: staticPose})
	static, other := make([]float64, numbersOfBend*len(bends)), make([]float64, numbersOfBend*len(bends))
	bound := slices.Repeat([]geom.Affine{geom.IdentityAffine()}, len(m.Skeleton.Joints))
	palettes(m, all[len(times):], func(_ int, matrices []geom.Affine) { describe(static, bends, matrices) })
	describe(other, bends, bound)
	shown := !(apart(static, other) > most)
	palettes(m, times, func(_ int, matrices []geom.Affine) {
		describe(other, bends, matrices)
		shown = shown || !(apart(static, other) > most)
	})
	if shown {
		return times
	}
	return all
}

// rangeWithStatic is [RangeOfMotionPoses], with the static pose after them as [withStatic] adds it.
func rangeWithStatic(m *skinning.Model, n int) []*skinning.Frame {
	return append(RangeOfMotionPoses(m, n), at(m, withStatic(m, nil))...)
}

// linearAtRest returns the RMS error of linear blending in the static pose, as a fraction of the diagonal.
func (s *Set) linearAtRest(m *skinning.Model) float64 {
	f := at(WithoutMorphs(m), []ClipTime{{Clip: staticPose}})[0]
	sum, want := 0.0, f.Positions(s.Teacher)
	for v, p := range f.Positions(skinning.LBS) {
		d := p.Sub(want[v])
		sum += d.Dot(d)
	}
	return math.Sqrt(sum/float64(max(len(want), 1))) / max(m.Diagonal(), math.SmallestNonzeroFloat64)
}
