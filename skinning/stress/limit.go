package stress

import (
	"math"

	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
)

// mostApart is how far joints that share vertices turn against each other at most: far enough to show every fault, and
// far from the half turn at which methods that blend rotations change sides, see [metrics.HalfTurns].
const mostApart = 120 * math.Pi / 180

// turned is a bone and the turn by which its node's static rotation is multiplied on the right.
type turned struct {
	bone int
	turn geom.Quat
}

// limitSteps is the number of shares of a turn that limit tries.
const limitSteps = 20

// limit returns the poses with their turns shortened to one share, the largest at which no two joints that share
// vertices are more than mostApart apart, or nil where that is none. Joints that are so far apart in the static pose
// already do not count.
func (r *rig) limit(poses ...[]turned) [][]turned {
	share := limitSteps
	for k := 1; k <= limitSteps; k++ { // from below: past half a turn an angle falls again
		if r.apart(shortened(poses, k)) {
			share = k - 1
			break
		}
	}
	if share == 0 {
		return nil
	}
	return shortened(poses, share)
}

func shortened(poses [][]turned, share int) [][]turned {
	out := make([][]turned, len(poses))
	for i, pose := range poses {
		for _, t := range pose {
			out[i] = append(out[i], turned{t.bone, geom.Slerp(geom.IdentityQuat(), t.turn, float64(share)/limitSteps)})
		}
	}
	return out
}

// apart reports whether two joints that share vertices are too far apart in one of the poses.
func (r *rig) apart(poses [][]turned) bool {
	least := math.Cos(mostApart/2) - 1e-9 // rounding
	for _, pose := range poses {
		motion := r.motions(pose)
		for _, p := range r.pairs {
			a, b := motion[p.bones[0]].Mul(p.static[0]), motion[p.bones[1]].Mul(p.static[1])
			if math.Abs(a.Dot(b)) < least {
				return true
			}
		}
	}
	return false
}

// motions returns the rotation of each bone from the static pose to a pose, in world space.
func (r *rig) motions(pose []turned) []geom.Quat {
	motion := make([]geom.Quat, len(r.bones))
	turn := make(map[int]geom.Quat, len(pose))
	for _, t := range pose {
		turn[t.bone] = t.turn
	}
	for b := range r.bones {
		motion[b] = geom.IdentityQuat()
		if p := r.bones[b].parent; p >= 0 {
			motion[b] = motion[p]
		}
		if q, ok := turn[b]; ok {
			motion[b] = motion[b].Mul(r.bones[b].global).Mul(q).Mul(r.bones[b].global.Conjugate())
		}
	}
	return motion
}

// sharing is two bones whose joints share vertices, and the rotations of these joints from rest to the static pose.
type sharing struct {
	bones  [2]int
	static [2]geom.Quat
}

// findSharing sets the static rotations of the bones and the pairs that share vertices.
func (r *rig) findSharing() {
	s := &r.model.Skeleton
	globals := make([]geom.Affine, len(s.Nodes))
	palette := make([]geom.Affine, len(s.Joints))
	s.Globals(globals, r.model.NewPose())
	s.Palette(palette, globals)
	rotation := func(a *geom.Affine) geom.Quat {
		var m geom.Mat3
		geom.PolarRotation(&m, a)
		return geom.QuatFromMat3(m)
	}
	of := make(map[int]int, len(r.bones)) // node -> bone
	for b := range r.bones {
		r.bones[b].global = rotation(&globals[r.bones[b].node])
		of[r.bones[b].node] = b
	}
	for _, p := range metrics.NewHalfTurns(r.model).Pairs() {
		var one sharing
		for k, j := range p {
			one.bones[k], one.static[k] = of[s.Joints[j].Node], rotation(&palette[j])
		}
		if math.Abs(one.static[0].Dot(one.static[1])) >= math.Cos(mostApart/2) {
			r.pairs = append(r.pairs, one)
		}
	}
}
