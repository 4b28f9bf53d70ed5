package retarget

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
)

// turned returns globals in a world that is turned.
func turned(globals []geom.Affine, by geom.Mat3) []geom.Affine {
	turn := geom.NewAffine(by, mgl64.Vec3{})
	out := make([]geom.Affine, len(globals))
	for i := range out {
		out[i] = turn.Mul(globals[i])
	}
	return out
}

// facing returns the rotation whose columns are left, up and forward of a body at rest, each the nearest axis of the
// world. It is not ok for a body without two legs or two arms, and a trunk.
func facing(b anatomy.Body, rest []geom.Affine) (frame geom.Mat3, ok bool) {
	at := func(part string) (mgl64.Vec3, bool) {
		if len(b[part]) == 0 {
			return mgl64.Vec3{}, false
		}
		nodes := b[part]
		return rest[nodes[len(nodes)-1]].Translation(), true
	}
	var left, up mgl64.Vec3
	for _, part := range []string{"UpperLeg", "UpperArm"} {
		l, hasLeft := at("left" + part)
		r, hasRight := at("right" + part)
		if hasLeft && hasRight && left == (mgl64.Vec3{}) {
			left = l.Sub(r)
		}
	}
	hips, hasHips := at("hips")
	for _, part := range []string{"head", "neck", "spine"} {
		if top, has := at(part); has && hasHips && up == (mgl64.Vec3{}) {
			up = top.Sub(hips)
		}
	}
	return nearestAxes(left, up)
}

// nearestAxes returns the rotation whose columns are left, up and forward, each the nearest axis of the world. It is not
// ok for directions of no length or along one axis.
func nearestAxes(left, up mgl64.Vec3) (frame geom.Mat3, ok bool) {
	up = nearestAxis(up)
	left = nearestAxis(left.Sub(up.Mul(left.Dot(up))))
	forward := left.Cross(up)
	return geom.Mat3{left[0], up[0], forward[0], left[1], up[1], forward[1], left[2], up[2], forward[2]},
		forward.Len() > 0
}

// findTurn finds A and the direction that is up for the character. Of two skeletons that are one, the first joint says
// how one lies in the world of the other, whatever the pose at rest.
func (r *Retargeter) findTurn() {
	frame, ok := facing(r.body, r.rest)
	of, has := facing(r.source, r.sourceRest)
	if ok {
		r.up = frame.Apply(mgl64.Vec3{0, 1, 0})
	}
	switch {
	case r.same:
		p := r.pairs[0]
		turn := rotationOf(&r.rest[p.Node]).Mul(rotationOf(&r.sourceRest[p.Source]).Transpose())
		r.turn, _ = nearestAxes(turn.Apply(mgl64.Vec3{1, 0, 0}), turn.Apply(mgl64.Vec3{0, 1, 0}))
	case ok && has:
		r.turn = frame.Mul(of.Transpose())
	}
	r.sourceRest = turned(r.sourceRest, r.turn)
}

// nearestAxis returns the axis of the world, with its sign, that is nearest to a direction; zero for none.
func nearestAxis(v mgl64.Vec3) (axis mgl64.Vec3) {
	most := 0
	for k := range v {
		if math.Abs(v[k]) > math.Abs(v[most]) {
			most = k
		}
	}
	if v[most] != 0 && geom.IsFinite(v[most]) {
		axis[most] = math.Copysign(1, v[most])
	}
	return axis
}

// limbs are the parts of arms and legs from the trunk outwards.
var limbs = [][]string{{"leftShoulder", "leftUpperArm", "leftLowerArm", "leftHand"},
	{"rightShoulder", "rightUpperArm", "rightLowerArm", "rightHand"},
	{"", "leftUpperLeg", "leftLowerLeg", "leftFoot", "leftToes"},
	{"", "rightUpperLeg", "rightLowerLeg", "rightFoot", "rightToes"}}

// chainNext returns the node that continues a limb behind a matched one: the next part of an arm or a leg, else the only
// matched node next below, on the same side of the body. It is −1 for a joint of the trunk, and for the end of a limb.
func (r *Retargeter) chainNext(p *pair) int {
	for _, limb := range limbs {
		for k, part := range limb {
			switch {
			case !slices.Contains(r.body[part], p.Node):
			case k == 0 || k >= 3: // a collar, the end, toes
				return -1
			case len(r.body[limb[k+1]]) > 0:
				return r.at[r.body[limb[k+1]][0]]
			}
		}
	}
	next := -1
	for k := range r.pairs {
		if r.pairs[k].above != r.at[p.Node] {
			continue
		}
		if next >= 0 {
			return -1
		}
		next = k
	}
	nodes := r.character.Skeleton.Nodes
	if next >= 0 && !anatomy.SameSide(nodes[p.Node].Name, nodes[r.pairs[next].Node].Name) {
		return -1
	}
	return next
}

// compareRest finds Q of every pair, parents first.
func (r *Retargeter) compareRest() {
	for k := range r.pairs {
		p := &r.pairs[k]
		if r.same {
			p.q = rotationOf(&r.sourceRest[p.Source]).Mul(rotationOf(&r.rest[p.Node]).Transpose())
			continue
		}
		p.q = geom.Identity3()
		if p.above >= 0 && !slices.Contains(r.body["leftFoot"], p.Node) && !slices.Contains(r.body["rightFoot"], p.Node) {
			p.q = r.pairs[p.above].q
		}
		next := r.chainNext(p)
		if next < 0 {
			continue
		}
		n := &r.pairs[next]
		have := p.q.Apply(r.rest[n.Node].Translation().Sub(r.rest[p.Node].Translation()))
		want := r.sourceRest[n.Source].Translation().Sub(r.sourceRest[p.Source].Translation())
		p.q = geom.SmallestTurn(have, want).Mat3().Mul(p.q)
	}
}

func rotationOf(m *geom.Affine) (r geom.Mat3) {
	geom.PolarRotation(&r, m)
	return r
}

// sameLocal is the largest difference between local translations of two skeletons that count as one, as a share of the
// root of their mean square.
const sameLocal = 1e-4

// findSame finds out whether both skeletons are the same one, and the factor between their local translations.
func (r *Retargeter) findSame() {
	nodes, sources := r.character.Skeleton.Nodes, r.motion.Skeleton.Nodes
	var ab, bb float64
	branches, n := false, 0
	first := map[int]mgl64.Vec3{}
	each := func(f func(p *pair, have, want mgl64.Vec3)) {
		for k := range r.pairs {
			if p := &r.pairs[k]; r.follows(p) {
				f(p, nodes[p.Node].Rest.Translation, sources[p.Source].Rest.Translation)
			}
		}
	}
	each(func(p *pair, have, want mgl64.Vec3) {
		ab, bb, n = ab+have.Dot(want), bb+want.Dot(want), n+1
		parent := nodes[p.Node].Parent
		if have.Cross(first[parent]).Len() > 0.01*have.Len()*first[parent].Len() {
			branches = true
		}
		if first[parent] == (mgl64.Vec3{}) {
			first[parent] = have
		}
		r.same = r.same && p.By == ByName
	})
	if !(bb > 0) || !(ab > 0) || !branches {
		r.same = false
		return
	}
	r.localScale = ab / bb
	r.localLimit = sameLocal * r.localScale * math.Sqrt(bb/float64(n))
	each(func(_ *pair, have, want mgl64.Vec3) {
		r.same = r.same && have.Sub(want.Mul(r.localScale)).Len() <= r.localLimit
	})
}

// copies reports whether the keys of a pair can be taken as they are: its parents are a pair, or both are roots that lie
// alike in the world.
func (r *Retargeter) copies(p *pair) bool {
	have, want := &r.character.Skeleton.Nodes[p.Node], &r.motion.Skeleton.Nodes[p.Source]
	return r.same && (r.follows(p) || have.Parent < 0 && want.Parent < 0 && r.turn == geom.Identity3() &&
		have.Rest.Translation.Sub(want.Rest.Translation.Mul(r.localScale)).Len() <= r.localLimit)
}

// follows reports whether a pair's parents are a pair.
func (r *Retargeter) follows(p *pair) bool {
	above := r.character.Skeleton.Nodes[p.Node].Parent
	return above >= 0 && r.at[above] >= 0 &&
		r.pairs[r.at[above]].Source == r.motion.Skeleton.Nodes[p.Source].Parent
}

// length returns the length of the legs at rest, thigh and shin, and whether the body has them.
func legLength(b anatomy.Body, rest []geom.Affine) (length float64, ok bool) {
	n := 0.0
	for _, side := range []string{"left", "right"} {
		thigh, shin, foot := b[side+"UpperLeg"], b[side+"LowerLeg"], b[side+"Foot"]
		if len(thigh) == 0 || len(shin) == 0 || len(foot) == 0 {
			continue
		}
		knee := rest[shin[0]].Translation()
		length += rest[thigh[0]].Translation().Sub(knee).Len() + rest[foot[0]].Translation().Sub(knee).Len()
		n++
	}
	return length / max(n, 1), n > 0 && length > 0
}

// findScale finds the factor of translations.
func (r *Retargeter) findScale() {
	have, ok := legLength(r.body, r.rest)
	want, has := legLength(r.source, r.sourceRest)
	r.leg = want
	if !ok || !has || r.same {
		have, want = 0, 0
		for k := range r.pairs {
			if p := &r.pairs[k]; p.above >= 0 {
				above := &r.pairs[p.above]
				have += r.rest[p.Node].Translation().Sub(r.rest[above.Node].Translation()).Len()
				want += r.sourceRest[p.Source].Translation().Sub(r.sourceRest[above.Source].Translation()).Len()
			}
		}
	}
	r.scale = 1
	if have > 0 && want > 0 && geom.IsFinite(have/want) {
		r.scale = have / want
	}
}
