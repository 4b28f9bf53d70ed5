package transfer

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/bodymodel"
	"skinlab/fit/procrustes"
	"skinlab/skinning/geom"
)

// shapeQuantiles is how many quantiles a profile has.
const shapeQuantiles = 64

// profile has the quantiles of the distances between points of a surface (the D2 shape distribution of Osada et al.
// 2002). They depend on the pose, but not on the place and the direction of the whole surface.
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

// knownPose is a pose of the body from which a fit may start.
type knownPose struct {
	pose    *bodymodel.Pose
	shape   []mgl64.Vec3
	points  []mgl64.Vec3 // that stand for its surface
	profile profile
}

func (s *poser) knownPose(pose *bodymodel.Pose, chosen []int) knownPose {
	shape := make([]mgl64.Vec3, len(s.body.Vertices))
	s.set(pose)
	s.shape(shape)
	points := pick(shape, chosen)
	return knownPose{pose, shape, points, newProfile(points)}
}

// startTarget is a frame in which a fit may start.
type startTarget struct {
	*target
	frame   int
	profile profile
}

// posePair is a pose of the body and a frame that may show it.
type posePair struct {
	known *knownPose
	to    *startTarget
}

// likePairs lists the pairs of a pose and a frame with the most similar profiles. No pose and no frame is in two pairs.
func likePairs(known []knownPose, targets []startTarget) (pairs []posePair) {
	var all []posePair
	for i := range known {
		for k := range targets {
			all = append(all, posePair{&known[i], &targets[k]})
		}
	}
	apart := func(p posePair) float64 { return p.known.profile.distance(&p.to.profile) }
	slices.SortStableFunc(all, func(a, b posePair) int { return cmp.Compare(apart(a), apart(b)) })
	for _, p := range all {
		used := slices.ContainsFunc(pairs, func(q posePair) bool { return q.known == p.known || q.to == p.to })
		if len(pairs) < startPairs && !used {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

const (
	alignReach = 0.05 // of the shape's diagonal: points farther than this from the other surface count for this
	alignSteps = 12   // at most, of each
)

// align moves the pose rigidly to the frame by iterated closest points of both surfaces (Besl and McKay 1992), from
// directions about the vertical. It returns the alignments that differ by 30 degrees.
func (p *posePair) align(triangles [][3]uint32) (kept []beginning) {
	a := aligner{p, newTree(p.known.shape, triangles), alignReach * diagonal(p.known.shape)}
	var all []beginning
	to := mean(pick(p.to.target.frame.Positions, p.to.chosen))
	from := mean(p.known.points)
	for k := range startPairs {
		turn := geom.AxisAngle(mgl64.Vec3{0, 1, 0}, 2*math.Pi*float64(k)/startPairs).Mat3()
		motion := geom.NewAffine(turn, to.Sub(turn.Apply(from)))
		cost, next := a.step(&motion)
		for range alignSteps {
			lower, after := a.step(&next)
			if !(lower < cost) {
				break
			}
			motion, cost, next = next, lower, after
		}
		pose := moved(p.known.pose, geom.QuatFromMat3(motion.Linear()), motion.Translation())
		all = append(all, beginning{p.to.frame, pose, cost})
	}
	sortByCost(all)
	for _, x := range all {
		if !slices.ContainsFunc(kept, func(k beginning) bool {
			return turnFrom(x.pose.Turns[0], k.pose.Turns[0]).Len() < math.Pi/6
		}) {
			kept = append(kept, x)
		}
	}
	return kept
}

// mean returns the mean of points.
func mean(points []mgl64.Vec3) (sum mgl64.Vec3) {
	for _, p := range points {
		sum = sum.Add(p.Mul(1 / float64(len(points))))
	}
	return sum
}

// aligner compares the surfaces of a pair within a reach, metres.
type aligner struct {
	*posePair
	tree  *tree // of the pose
	reach float64
}

// step returns the mean squared distance of the points of both surfaces from each other after a rigid motion of the
// pose, where far points count for the reach, and the motion that brings the points nearest to those that they are
// closest to now.
func (a *aligner) step(motion *geom.Affine) (cost float64, next geom.Affine) {
	back, _ := motion.Inverse()
	turnBack := back.Linear()
	most := a.reach * a.reach
	var sums procrustes.Sums
	count := len(a.to.chosen) + len(a.known.points)
	cost = most * float64(count)
	to, known := a.to.target, a.tree
	for _, v := range to.chosen {
		at := to.frame.Positions[v]
		if q, d, ok := known.nearest(back.Apply(at), turnBack.Apply(to.normals[v]), agree, most); ok {
			cost += d - most
			sums.Add(1, q.of(known.positions, known.triangles), at)
		}
	}
	for _, at := range a.known.points {
		q, d, ok := to.tree.nearest(motion.Apply(at), mgl64.Vec3{}, -1, most)
		if ok && !to.mesh.onBorder(&q) {
			cost += d - most
			sums.Add(1, at, q.of(to.tree.positions, to.tree.triangles))
		}
	}
	next = *motion
	if sums.Weight >= 3 {
		next, _ = sums.Rigid()
	}
	return cost / float64(count), next
}
