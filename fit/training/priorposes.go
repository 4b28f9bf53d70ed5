package training

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
// In a prior pose every joint takes its transform from one of the given poses, chosen at random for each joint, and a
// random part of its turn from rest. The turn is made longer before, because a dozen poses of a motion hardly contain
// its deepest squat. A joint that never turns is given a small turn. Whole poses take the transforms as they are.
const (
	longestTurn = 2    // radians to which turns are made longer at most, about what hips and knees reach
	stretchMost = 3    // how many times longer at most
	stillTurn   = 0.3  // radians at most, of a joint that never turns
	still       = 1e-3 // radians: less is no turn
)

// PriorPoses makes at most n poses from the given ones, whole or with turns of other lengths. The same problem always
// gives the same prior poses. There are none if a given pose is unrolled, because its rotations do not take the
// shorter way, or if a node has collapsed to fewer than three dimensions.
func PriorPoses(given []*skinning.Frame, n int, whole bool) (frames []*skinning.Frame) {
	model := given[0].Model
	s := &model.Skeleton
	poses := make([][]geom.Transform, len(given))
	for f, frame := range given {
		var ok bool
		poses[f], ok = localTransforms(s, frame.Globals)
		if !ok || frame.Unrolled {
			return nil
		}
	}
	moves, farthest := make([]bool, len(s.Nodes)), make([]float64, len(s.Nodes))
	for _, j := range s.Joints {
		moves[j.Node] = s.Nodes[j.Node].Matrix == nil
	}
	for i := range s.Nodes {
		for f := range poses {
			farthest[i] = max(farthest[i], turnOf(s, i, &poses[f][i]).Len())
		}
	}
	for k := range min(n, 2*s.JointNodes()) {
		rng := rand.New(rand.NewPCG(uint64(k), 0))
		pose := model.NewPose()
		copy(pose.Morphs, given[0].Morphs)
		for i := range s.Nodes {
			from, share := &poses[rng.IntN(len(given))][i], rng.Float64()
			axis := mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			switch {
			case whole:
				pose.Local[i] = *from
			case farthest[i] >= still:
				pose.Local[i] = *from
				longer := min(max(longestTurn/farthest[i], 1), stretchMost)
				pose.Local[i].Rotation = turned(s, i, turnOf(s, i, from).Mul(share*longer))
			case moves[i] && axis.Len() > 0:
				pose.Local[i].Rotation = turned(s, i, axis.Mul(share*stillTurn/axis.Len()))
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

// turnOf is the rotation vector by which a transform turns node i from rest, in the node's own space.
func turnOf(s *skinning.Skeleton, i int, local *geom.Transform) mgl64.Vec3 {
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
		linear, sign := local.Linear(), s.Nodes[i].Rest.Scale
		for k := range sign {
			sign[k] = math.Copysign(1, sign[k])
		}
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
