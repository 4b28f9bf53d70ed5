package transfer

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/bodymodel"
	"skinlab/skinning"
	"skinlab/skinning/stress"
)

// shapeQuantiles is how many quantiles a profile has.
const shapeQuantiles = 64

// profile has the quantiles of the distances between points of a surface (the D2 shape distribution of Osada et al.
// 2002). They depend on the pose, but not on the place and the direction of the whole surface. A mirror image has the
// same profile.
type profile [shapeQuantiles]float64

func newProfile(points []mgl64.Vec3) (p profile) {
	var all []float64
	for i, a := range points {
		for _, b := range points[:i] {
			all = append(all, a.Sub(b).Len())
		}
	}
	if len(all) == 0 {
		return p // a point has no size
	}
	slices.Sort(all)
	for k := range p {
		p[k] = all[(2*k+1)*len(all)/(2*len(p))]
	}
	return p
}

// distance returns the mean difference of quantiles, metres.
func (p *profile) distance(q *profile) (sum float64) {
	for k := range p {
		sum += math.Abs(p[k] - q[k])
	}
	return sum / shapeQuantiles
}

// median returns the median distance, in metres. It is a size of the surface that hardly depends on any single vertex.
func (p *profile) median() float64 { return p[shapeQuantiles/2] }

// likePairs lists the pairs of a pose and a frame with the most similar profiles. No pose and no frame is in two pairs.
func likePairs(poses, frames []profile) (pairs [][2]int) {
	type pair struct {
		pose, frame int
		distance    float64
	}
	var all []pair
	for i := range poses {
		for k := range frames {
			all = append(all, pair{i, k, poses[i].distance(&frames[k])})
		}
	}
	slices.SortStableFunc(all, func(a, b pair) int { return cmp.Compare(a.distance, b.distance) })
	usedPose, usedFrame := make([]bool, len(poses)), make([]bool, len(frames))
	for _, p := range all {
		if len(pairs) < startPairs && !usedPose[p.pose] && !usedFrame[p.frame] {
			usedPose[p.pose], usedFrame[p.frame] = true, true
			pairs = append(pairs, [2]int{p.pose, p.frame})
		}
	}
	return pairs
}

// knownPoses lists the given pose or, if it is nil, the bind pose and poses of the model's clips, spread evenly over
// their time.
func (r *rig) knownPoses(given *skinning.Pose) []bodymodel.Pose {
	m := r.model
	if given != nil {
		frame := skinning.NewFrame(m, nil)
		frame.SetPose(given)
		return []bodymodel.Pose{r.poseOf(frame)}
	}
	poses := []bodymodel.Pose{r.rest()}
	clips := stress.Own(m)
	total := 0.0
	for c := range clips {
		total += m.Clips[c].Seconds
	}
	frame, pose := skinning.NewFrame(m, nil), m.NewPose()
	for c := range clips {
		seconds := m.Clips[c].Seconds
		n := 1
		if total > 0 {
			n = max(1, int(startPoses*seconds/total))
		}
		for k := range n {
			if len(poses) > startPoses {
				break
			}
			m.SamplePose(pose, c, seconds*(float64(k)+0.5)/float64(n))
			frame.SetPose(pose)
			poses = append(poses, r.poseOf(frame))
		}
	}
	return poses
}
