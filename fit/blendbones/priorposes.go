package blendbones

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Prior poses are added to the training poses, since a dozen poses determine too little. A joint that none of them
// turns moves like its parent, and a vertex between the two may follow either. Rounding decides there, and the result
// is wrong in the next clip. But the operator can be evaluated in any pose. So prior poses get a weight so small that
// they decide only what the given poses leave open.
//
// In a prior pose every joint takes its rotation from one of the given poses, chosen at random for each joint. Its
// angle is multiplied by a random factor. The factor may be above 1, because a dozen poses of a motion hardly contain
// its deepest squat. A joint that never turns is given a small turn.
//
// Measured for DQS with 10 bones and 12 poses, as EE in percent without prior poses, with them, and of linear blending.
// The human trained on exercises: 51, 14 and 23 on a walk; 65, 42 and 56 on a dance; 48, 25 and 38 where every joint
// bends. The knight trained on reloading: 30, 14 and 37 when it dodges; 93, 29 and 37 where every joint bends. The
// training EE of the human stays 8.6, and that of the knight rises from 4.9 to 5.1.
//
// Other ways that were tried:
// - Turns mixed but not made longer, or no turns of still joints: half the improvement or less.
// - Turns about any axis, or turns to the opposite side: no improvement.
// - Three to thirty times the weight: the training EE rises by 2 to 15 %.
// - Still joints that turn farther, 0.6, 1 or 1.5 radians: bones go to these joints, and the given poses miss them. At
// 1.5 radians the arm trained on flexing goes from 73.6 to 23.5 on a twist, and from 1.9 to 2.3 in training; the human
// trained on exercises goes from 13.6 to 10.7 on a walk. But the training EE of the fox doubles, that of the figure
// rises by a fifth, and neither improves on other clips.
// - The range of motion too, with as much weight: on clips that a training on all others left out, the geometric mean
// goes from 10.9 to 9.8 for the fox and from 21.0 to 20.1 for the figure, but from 2.7 to 4.5 for the arm.
//
// The constants were tuned on the sets of the ablation table (rows 75 to 86).
const (
	priorShare  = 0.01 // see [Options.priorShare]
	mostPriors  = 12   // poses; 24 and 48 do no better
	longestTurn = 2    // radians to which turns are made longer at most, about what hips and knees reach
	stretchMost = 3    // how many times longer at most
	stillTurn   = 0.3  // radians at most, of a joint that never turns
	still       = 1e-3 // radians: less is no turn
)

// priorPoses makes poses from the given ones. The same problem always gives the same prior poses. There are none if a
// given pose is unrolled, because its rotations do not take the shorter way, or if a node has collapsed to fewer than
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
	moves := make([]bool, len(s.Nodes)) // the joints that may get a small turn
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
	sign float64 // the sign of the product of their quaternions at rest
}

// farRound is the cosine of half of 170 degrees, the largest turn between two joints of a pair. Near a half turn the
// shorter way is ambiguous and dual quaternions jump, so a pose beyond it teaches nothing.
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

// oneWayRound reports whether the turn between the joints of every pair stays below the limit of farRound, on the way
// from rest.
func oneWayRound(s *skinning.Skeleton, pose *skinning.Pose, pairs []pair) bool {
	q := quaternions(s, pose)
	return !slices.ContainsFunc(pairs, func(p pair) bool { return !(p.sign*q[p.a].Dot(q[p.b]) > farRound) })
}

// quaternions returns the rotations of the joints' matrices. Their signs follow the turns continuously from rest. For a
// reflection it is the rotation of the negated matrix: the remaining factor −I commutes with every matrix.
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

// halfTurn is the rotation in a scale of these signs: a half turn about one axis, or none. For a reflection it is that
// of the negated scale.
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

// localTransforms computes a pose's local transforms from the global transforms of its nodes. Scales keep their signs
// at rest, because a matrix with two negative scales equals one with a half turn. It is not ok where a transform has no
// inverse, or where a pose turns a node inside out that is not so at rest.
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

// priorShare returns the weight of all prior poses together, as a share of that of the given ones. Poses that are made
// from the skeleton are not wanted for themselves, so prior poses count as much as they do. With the small share, models
// that learnt a range of motion were no better than published ones on other clips. With the whole, EE there is 6 % lower
// in the geometric mean over seven models (docs/ablation.md).
func (o *Options) priorShare() float64 {
	if o.FromSkeleton {
		return 1
	}
	return priorShare
}

// withPriorPoses appends prior poses of this share of the weight to the given ones, none for 0. It also returns the
// square root of each pose's weight, the factor of that pose's equations. Given poses have weight 1 where poseWeights is
// nil.
func withPriorPoses(given []*skinning.Frame, poseWeights []float64, share float64) (
	frames []*skinning.Frame, roots []float64,
) {
	var more []*skinning.Frame
	if share > 0 {
		more = priorPoses(given)
	}
	for f := range given {
		w := 1.0
		if poseWeights != nil {
			w = poseWeights[f]
		}
		roots = append(roots, math.Sqrt(w))
	}
	for range more {
		roots = append(roots, math.Sqrt(share*float64(len(given))/float64(len(more))))
	}
	return append(given[:len(given):len(given)], more...), roots
}
