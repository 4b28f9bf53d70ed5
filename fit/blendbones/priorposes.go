package blendbones

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// A dozen poses leave much open. A joint that they do not turn moves like its parent, and a vertex between the two may
// follow either. What rounding decides there is wrong in the next clip. But the operator is known for any pose. So prior
// poses are appended to the given ones, with so little weight that they decide only what those leave open. In a prior
// pose, every joint takes its rotation in one of the given poses, chosen at random for each joint, and scales its angle
// by a random factor, which may be above 1: a dozen poses of a motion are not likely to contain its deepest squat. A
// joint that never turns turns a little.
//
// What they do for DQS with 10 bones and 12 poses, EE in percent without them, with them, and of linear blending: a
// human trained on exercises 51, 14 and 23 on a walk, 65, 42 and 56 on a dance, 48, 25 and 38 where every joint bends;
// the knight trained on reloading 30, 14 and 37 when it dodges, 93, 29 and 37 where every joint bends. The training EE
// of the human stays 8.6, the knight's rises from 4.9 to 5.1. Tried as well: turns mixed but no longer than the given
// ones, and no turns of still joints (half the gain or less); turns about any axis, and turns to the other side (no
// gain); three to thirty times the weight (training EE rises by 2 to 15 %). And still joints that turn farther, 0.6, 1
// or 1.5 radians: bones that these win are missed by what was given. The arm trained on flexing goes from 73.6 on a
// twist to 23.5 at 1.5 radians, for 2.3 instead of 1.9 in training, and the human trained on exercises from 13.6 to
// 10.7 on a walk; but the fox's training EE doubles, the figure's rises by a fifth, and neither gains on other clips.
// And the range of motion beside them, of as much weight: clips that were left out of a training on all others go from
// 10.9 to 9.8 on the fox and from 21.0 to 20.1 on the figure, but from 2.7 to 4.5 on the arm, in the geometric mean.
//
// The constants were tuned on the sets (rows 75 to 86). Without prior poses a fit fails on other motions (row 74).
const (
	priorShare  = 0.01 // the weight of all of them together, of that of the given ones
	mostPriors  = 12   // poses; 24 and 48 do no better
	longestTurn = 2    // radians to which turns are made longer at most, about what hips and knees reach
	stretchMost = 3    // how many times longer at most
	stillTurn   = 0.3  // radians at most, of a joint that never turns
	still       = 1e-3 // radians: less is no turn
)

// priorPoses makes poses from the given ones. The same problem has the same prior poses. There are none where a given
// pose is unrolled, because its rotations have no shorter way round, or where a node of one has collapsed to less than
// three dimensions.
func priorPoses(given []*skinning.Frame) []*skinning.Frame {
	model := given[0].Model
	s := &model.Skeleton
	locals := make([][]geom.Transform, len(given))
	for f, frame := range given {
		var ok bool
		if locals[f], ok = localTransforms(s, frame.Globals); !ok || frame.Unrolled {
			return nil
		}
	}
	moves := make([]bool, len(s.Nodes)) // what may turn without having been seen to
	for _, j := range s.Joints {
		moves[j.Node] = s.Nodes[j.Node].Matrix == nil
	}
	farthest := make([]float64, len(s.Nodes))
	for i := range s.Nodes {
		for _, pose := range locals {
			farthest[i] = max(farthest[i], turn(s, i, &pose[i]).Len())
		}
	}
	pairs := sharedPairs(model, given[0].Centers)
	var frames []*skinning.Frame
	for k := range min(mostPriors, 2*s.JointNodes()) {
		rng := rand.New(rand.NewPCG(uint64(k), 0))
		pose, turns := model.NewPose(), make([]mgl64.Vec3, len(s.Nodes))
		copy(pose.Morphs, given[0].Morphs)
		for i := range s.Nodes {
			from, share := &locals[rng.IntN(len(given))][i], rng.Float64()
			axis := mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			if farthest[i] >= still {
				pose.Local[i] = *from
				turns[i] = turn(s, i, from).Mul(share * min(max(longestTurn/farthest[i], 1), stretchMost))
			} else if l := axis.Len(); moves[i] && l > 0 {
				turns[i] = axis.Mul(share * stillTurn / l)
			}
		}
		for range 20 {
			for i, t := range turns {
				if farthest[i] >= still || moves[i] {
					pose.Local[i].Rotation = turned(s, i, t)
				}
			}
			if oneWayRound(s, pose, pairs) {
				break
			}
			for i := range turns {
				turns[i] = turns[i].Mul(0.8)
			}
		}
		frame := skinning.NewFrame(model, given[0].Centers)
		frame.SetPose(pose)
		if !slices.ContainsFunc(frame.Matrices, func(a geom.Affine) bool { return !a.IsFinite() }) {
			frames = append(frames, frame)
		}
	}
	return frames
}

// pair is two joints that a vertex follows.
type pair struct {
	a, b uint16
	sign float64 // of the product of their quaternions at rest
}

// farRound is the cosine of half the angle, 170 degrees, beyond which the shorter way round between two joints is no
// longer sure: there dual quaternions jump, and such a pose teaches nothing.
const farRound = 0.087

// sharedPairs lists all pairs of joints that a vertex follows.
func sharedPairs(m *skinning.Model, centers *skinning.CenterSets) []pair {
	var pairs []pair
	q := quaternions(&m.Skeleton, m.NewPose())
	seen := make(map[[2]uint16]bool)
	for _, set := range centers.Joints {
		for i, a := range set {
			for _, b := range set[:i] {
				if d := q[a].Dot(q[b]); !seen[[2]uint16{a, b}] && math.Abs(d) > farRound {
					pairs = append(pairs, pair{a, b, math.Copysign(1, d)})
				}
				seen[[2]uint16{a, b}] = true
			}
		}
	}
	return pairs
}

// oneWayRound reports whether no pair is turned so far against each other, on the way from rest, that the way round is
// not sure.
func oneWayRound(s *skinning.Skeleton, pose *skinning.Pose, pairs []pair) bool {
	q := quaternions(s, pose)
	return !slices.ContainsFunc(pairs, func(p pair) bool { return !(p.sign*q[p.a].Dot(q[p.b]) > farRound) })
}

// quaternions returns the rotations of the joints' matrices, with signs that follow the turns continuously from rest.
// Of a reflection it is that of its negative: −I, which is left, trades places with every matrix.
func quaternions(s *skinning.Skeleton, pose *skinning.Pose) []geom.Quat {
	nodes, joints := make([]geom.Quat, len(s.Nodes)), make([]geom.Quat, len(s.Joints))
	for _, i := range s.Order {
		n := &s.Nodes[i]
		nodes[i] = pose.Local[i].Rotation
		if nodes[i].Dot(n.Rest.Rotation) < 0 {
			nodes[i] = nodes[i].Scale(-1)
		}
		nodes[i] = nodes[i].Mul(halfTurn(n.Rest.Scale))
		if n.Parent >= 0 {
			nodes[i] = nodes[n.Parent].Mul(nodes[i])
		}
	}
	for j := range joints {
		r, _ := geom.PolarDecompose(s.Joints[j].FromRest.Linear())
		joints[j] = nodes[s.Joints[j].Node].Mul(geom.QuatFromMat3(r))
	}
	return joints
}

// halfTurn is the rotation that scales of these signs are, or of a reflection its negative: about one axis, or none.
func halfTurn(scale mgl64.Vec3) geom.Quat {
	s := signs(scale)
	if s[0]*s[1]*s[2] < 0 {
		s = s.Mul(-1)
	}
	for k := range s {
		if s[(k+1)%3] < 0 && s[(k+2)%3] < 0 {
			var q geom.Quat
			q[k] = 1
			return q
		}
	}
	return geom.IdentityQuat()
}

// signs returns 1 or −1 for each number.
func signs(v mgl64.Vec3) (s mgl64.Vec3) {
	for k := range v {
		s[k] = math.Copysign(1, v[k])
	}
	return s
}

// turn is the rotation vector by which a pose turns node i from rest, in the node's own space.
func turn(s *skinning.Skeleton, i int, local *geom.Transform) mgl64.Vec3 {
	return geom.RotationVector(s.Nodes[i].Rest.Rotation.Conjugate().Mul(local.Rotation))
}

// turned is the rotation of node i turned from rest by a rotation vector.
func turned(s *skinning.Skeleton, i int, v mgl64.Vec3) geom.Quat {
	angle := v.Len()
	if angle < 1e-12 {
		return s.Nodes[i].Rest.Rotation
	}
	return s.Nodes[i].Rest.Rotation.Mul(geom.AxisAngle(v.Mul(1/angle), angle))
}

// localTransforms takes a pose back from the global transforms of its nodes. Scales have the signs that they have at
// rest: a matrix does not tell two negative ones from half a turn. It fails where a transform has no inverse, and where
// a pose turns a node inside out that is not so at rest.
func localTransforms(s *skinning.Skeleton, globals []geom.Affine) ([]geom.Transform, bool) {
	out := make([]geom.Transform, len(s.Nodes))
	for i := range s.Nodes {
		local := globals[i]
		if p := s.Nodes[i].Parent; p >= 0 {
			inverse, ok := globals[p].Inverse()
			if !ok {
				return nil, false
			}
			local = inverse.Mul(local)
		}
		linear, sign := local.Linear(), signs(s.Nodes[i].Rest.Scale)
		for k := range linear {
			linear[k] *= sign[k%3]
		}
		if linear.Det() < 0 {
			return nil, false
		}
		r, scale := geom.PolarDecompose(linear)
		out[i] = geom.Transform{Translation: local.Translation(), Rotation: geom.QuatFromMat3(r),
			Scale: mgl64.Vec3{sign[0] * scale[0], sign[1] * scale[4], sign[2] * scale[8]}}
	}
	return out, true
}

// scaled returns a with all its entries multiplied by a number.
func scaled(a geom.Affine, by float64) geom.Affine {
	if by == 1 {
		return a
	}
	for k := range a {
		a[k] *= by
	}
	return a
}

// withPriorPoses appends prior poses to the given ones, and returns the square root of each pose's weight, by which its
// equations are multiplied. Weights of the given poses are 1 where poseWeights is nil.
func withPriorPoses(given []*skinning.Frame, poseWeights []float64) (frames []*skinning.Frame, roots []float64) {
	more := priorPoses(given)
	for f := range given {
		w := 1.0
		if poseWeights != nil {
			w = poseWeights[f]
		}
		roots = append(roots, math.Sqrt(w))
	}
	for range more {
		roots = append(roots, math.Sqrt(priorShare*float64(len(given))/float64(len(more))))
	}
	return append(given[:len(given):len(given)], more...), roots
}
