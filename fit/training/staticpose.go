package training

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/geom/procrustes"
)

// The static pose, of a model without a clip, is the first that a viewer shows. It may be far from all that clips show,
// and a fit that has not learnt it would change it. So it is one of the poses that are chosen. Where poses are given, it
// is one more unless it is the bind pose, which most fits keep.

// staticPose in place of a clip is the static pose.
const staticPose = -1

// sameShape is the root of the mean squared distance, as a fraction of the diagonal, up to which two poses bend the
// skin alike: a few roundings of float32 transforms.
const sameShape = 1e-5

// withStatic returns the times with the static pose after them, unless the skin has the shape there in which it is
// bound, or that of one of the times. A rigid motion of the whole skin does not count.
func withStatic(m *skinning.Model, times []ClipTime) []ClipTime {
	if len(m.Skin.Positions) == 0 {
		return times
	}
	static := at(m, []ClipTime{{Clip: staticPose}})[0].Positions(skinning.LBS)
	bound := make([]mgl64.Vec3, len(static))
	for v, p := range m.Skin.Positions {
		bound[v] = geom.Vec64(p)
	}
	most := sameShape * m.Diagonal()
	if !(bentFrom(bound, static) > most) {
		return times
	}
	for i := range times {
		if !(bentFrom(at(m, times[i:i+1])[0].Positions(skinning.LBS), static) > most) {
			return times
		}
	}
	return append(times[:len(times):len(times)], ClipTime{Clip: staticPose})
}

// bentFrom returns the root of the mean squared distance of two shapes after the best rigid motion, metres.
func bentFrom(a, b []mgl64.Vec3) float64 {
	motion := procrustes.Rigid(len(a), func(k int) (x, y mgl64.Vec3) { return a[k], b[k] })
	sum := 0.0
	for k := range a {
		d := motion.Apply(a[k]).Sub(b[k])
		sum += d.Dot(d)
	}
	return math.Sqrt(sum / float64(len(a)))
}

// rangeWithStatic is the range of motion, with the static pose after it as [withStatic] adds it.
func rangeWithStatic(m *skinning.Model, n int) []*skinning.Pose {
	poses := rangeOfMotion(m, n)
	for range withStatic(m, nil) {
		poses = append(poses, m.NewPose())
	}
	return poses
}

// linearAtRest returns the RMS error of linear blending in the static pose, as a fraction of the diagonal.
func linearAtRest(m *skinning.Model, teacher skinning.Reference) float64 {
	f := at(m.WithoutMorphs(), []ClipTime{{Clip: staticPose}})[0]
	sum, want := 0.0, teacher.Positions(f)
	for v, p := range f.Positions(skinning.LBS) {
		d := p.Sub(want[v])
		sum += d.Dot(d)
	}
	return math.Sqrt(sum/float64(max(len(want), 1))) / max(m.Diagonal(), math.SmallestNonzeroFloat64)
}
