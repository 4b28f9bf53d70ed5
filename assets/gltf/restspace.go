package gltf

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// The rest space of a skin is given by A = G_r·B_r, the global transform of a joint r in the static pose times its
// inverse bind matrix. Linear blending does not depend on A. Methods that blend rotations do: they take the scale of
// C_j = G_j·B_j·A⁻¹ for a motion of joint j. Three rules choose A.
//
//  1. Joints of most weight rest rigidly: the joints are divided into classes whose G_j·B_j differ by rigid motions, and
//     r is the first joint of the class of most weight, but no unbound one (see [bestCandidate]).
//  2. A skin with joints of an earlier skin is bound as there: with F_n = A·B_n⁻¹ of the earlier skin at a shared node
//     n, A is the F_n·B_n that shared joints of most weight agree on. Skins come in falling order of weight.
//  3. A size that every clip gives to all joints of weight, and the static pose has not, belongs to A: see
//     [Source.shownGlobals].
//
// A skin whose rigs were written with a list of joints keeps the A of that list, because rigs are numbers of one rest
// space: see [Source.listedSpace]. Such skins come first.

// restSpace is A of a skin.
type restSpace struct {
	a, back geom.Affine   // A and A⁻¹
	globals []geom.Affine // of the nodes, where A was taken
}

// boundNode says how a skin binds a node.
type boundNode struct {
	toRest  geom.Affine // F_n = A·B_n⁻¹
	weight  float64     // of the node's joint in that skin
	globals []geom.Affine
}

// restSpaces returns the rest space of every skin that has inverse bind matrices.
func (d *Source) restSpaces(draws []draw, binds [][]geom.Affine) ([]restSpace, error) {
	weights, err := d.jointWeights(draws)
	if err != nil {
		return nil, err
	}
	order, total := make([]int, len(binds)), make([]float64, len(binds))
	listed := make([]*candidate, len(binds))
	for i := range order {
		order[i] = i
		if binds[i] != nil {
			if at, ok := d.listedSpace(i, binds[i]); ok {
				listed[i], total[i] = &at, math.MaxFloat32
			}
		}
		for _, w := range weights[i] {
			total[i] += w
		}
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(total[k], total[i]) })
	spaces, bound := make([]restSpace, len(binds)), map[int]boundNode{}
	for _, i := range order {
		if binds[i] != nil {
			spaces[i] = d.restSpace(d.Doc.Skins[i].Joints, binds[i], weights[i], listed[i],
				bound)
		}
	}
	return spaces, nil
}

// jointWeights returns, by skin and joint, the sum of the weights that vertices have for the joint.
func (d *Source) jointWeights(draws []draw) ([][]float64, error) {
	weights := make([][]float64, len(d.Doc.Skins))
	for i, s := range d.Doc.Skins {
		weights[i] = make([]float64, len(s.Joints))
	}
	g := geometry{Source: d} // its counts are left aside: the vertices are read again
	for i := range draws {
		dr := &draws[i]
		if dr.skin < 0 {
			continue
		}
		var m skinning.Mesh
		if err := g.linearInfluences(&m, dr); err != nil {
			return nil, fmt.Errorf("%s: %w", d.place(dr), err)
		}
		for _, all := range m.All() {
			for _, f := range all {
				weights[dr.skin][f.Joint] += float64(f.Weight)
			}
		}
	}
	return weights, nil
}

// candidate is an A that a joint offers.
type candidate struct {
	a, back geom.Affine
	joint   int
	weight  float64
	placed  bool // it has weight, or an inverse bind matrix that is not the identity
}

// restSpace chooses A of one skin and adds its joints to those that are bound. Listed is the A in which its rigs were
// made, nil for a skin without rigs.
func (d *Source) restSpace(joints []int, bind []geom.Affine, weights []float64, listed *candidate,
	bound map[int]boundNode) restSpace {
	globals := d.globals
	var shared, own []candidate
	for j, node := range joints {
		if at, ok := bound[node]; ok {
			shared = appendCandidate(shared, &at.toRest, &bind[j], j, min(at.weight, weights[j]))
		}
		own = appendCandidate(own, &d.globals[node], &bind[j], j, weights[j])
	}
	best, count := bestCandidate(shared, sameSpace)
	if count > 0 {
		globals = bound[joints[best.joint]].globals
	} else if best, count = bestCandidate(own, rigidlyAlike); count == 0 {
		best.a, best.back = geom.IdentityAffine(), geom.IdentityAffine()
	} else if at := d.shownGlobals(joints, weights); at != nil {
		again := appendCandidate(nil, &at[joints[best.joint]], &bind[best.joint], best.joint, best.weight)
		if len(again) > 0 {
			best, globals = again[0], at
		}
	}
	if listed != nil && !sameSpace(&best.a, &listed.a) {
		best = *listed
	}
	for j, node := range joints {
		before, twice := bound[node]
		if twice && (before.weight > 0 || weights[j] == 0) {
			continue
		}
		if inverse, ok := bind[j].Inverse(); ok {
			bound[node] = boundNode{best.a.Mul(inverse), weights[j], globals}
		}
	}
	return restSpace{best.a, best.back, globals}
}

// appendCandidate appends the A of a joint with a global transform and an inverse bind matrix, unless it cannot be
// inverted, as that of a joint that is scaled to zero.
func appendCandidate(to []candidate, global, bind *geom.Affine, joint int, weight float64) []candidate {
	a := global.Mul(*bind)
	if back, ok := a.Inverse(); ok && finite(a[:]) && finite(back[:]) {
		return append(to, candidate{a, back, joint, weight, weight > 0 || *bind != geom.IdentityAffine()})
	}
	return to
}

// mostClasses bounds the classes that [bestCandidate] makes, so that its time is linear in the joints.
const mostClasses = 64

// bestCandidate divides candidates into classes, from the heaviest candidate on, and returns the first of the heaviest
// class. Joints that no vertex follows and whose inverse bind matrix is the identity come last there: that is what
// exporters write for joints that they do not bind. Among classes of equal weight the largest counts, then the one
// that comes first. Count is the size of the class, 0 without candidates.
func bestCandidate(all []candidate, alike func(a, b *geom.Affine) bool) (best candidate, count int) {
	type class struct {
		head   *geom.Affine
		first  candidate
		weight float64
		count  int
	}
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b candidate) int { return cmp.Compare(b.weight, a.weight) })
	var classes []class
	for i := range order {
		c := &order[i]
		at := slices.IndexFunc(classes, func(k class) bool { return alike(k.head, &c.a) })
		if at < 0 && len(classes) == mostClasses {
			continue
		}
		if at < 0 {
			at = len(classes)
			classes = append(classes, class{head: &c.a, first: *c})
		}
		k := &classes[at]
		k.weight += c.weight
		k.count++
		if c.placed && !k.first.placed || c.placed == k.first.placed && c.joint < k.first.joint {
			k.first = *c
		}
	}
	if len(classes) == 0 {
		return best, 0
	}
	most := slices.MaxFunc(classes, func(a, b class) int {
		return cmp.Or(cmp.Compare(a.weight, b.weight), cmp.Compare(a.count, b.count),
			cmp.Compare(b.first.joint, a.first.joint))
	})
	return most.first, most.count
}

// sameSpace reports whether two A are the same up to the float32 rounding of inverse bind matrices. Linear parts may be
// small: those of meshes in integers are 1e-5.
func sameSpace(a, b *geom.Affine) bool {
	largest := 0.0
	for _, v := range a.Linear() {
		largest = max(largest, math.Abs(v))
	}
	for k, v := range a {
		size := largest
		if k%4 == 3 {
			size = 1 + math.Abs(v)
		}
		if !(math.Abs(b[k]-v) <= 1e-4*size) {
			return false
		}
	}
	return true
}

// alikeScale is the ratio of two lengths up to which they count as equal here.
const alikeScale = 1.01

// rigidlyAlike reports whether A·B⁻¹ of two maps is a rigid motion within a hundredth of a length: whether AᵀA of their
// linear parts agrees, and the sign of their determinants.
func rigidlyAlike(a, b *geom.Affine) bool {
	p, q := a.Linear(), b.Linear()
	if (p.Det() < 0) != (q.Det() < 0) {
		return false
	}
	p, q = p.Transpose().Mul(p), q.Transpose().Mul(q)
	largest := max(p[0], p[4], p[8])
	for k := range p {
		if !(math.Abs(p[k]-q[k]) <= (alikeScale*alikeScale-1)*largest) {
			return false
		}
	}
	return true
}

// scaleTimes is the number of times, over a clip, at which [Source.shownGlobals] looks.
const scaleTimes = 33

// mostScaled is the most clips times nodes with which it looks at all: those take seconds.
const mostScaled = 1 << 20

// otherSize is the ratio of two scales from which on a file is shown in another size than it rests in.
const otherSize = 2.

// shownGlobals returns the globals of the static pose with the nodes' scales as clips show them; nil for those of the
// static pose itself. A file may rest in a frame at which it is scaled to almost nothing, and every clip brings it to
// its size. Each clip shows the largest scale that it gives to all joints of weight alike, and the clip that shows the
// smallest counts.
func (d *Source) shownGlobals(joints []int, weights []float64) []geom.Affine {
	m := d.Model
	if len(m.Clips) == 0 || len(m.Clips)*len(d.globals) > mostScaled ||
		slices.ContainsFunc(m.Clips, func(c skinning.Clip) bool { return !d.scales(&c) }) {
		return nil
	}
	at, pose := make([]geom.Affine, len(d.globals)), m.NewPose()
	least, clipOf, timeOf := math.Inf(1), 0, 0
	for clip := range m.Clips {
		most, time := 0.0, 0
		for k := range scaleTimes {
			d.scaledGlobals(at, pose, clip, k)
			if ratio, alike := d.commonRatio(at, joints, weights); alike && ratio > most {
				most, time = ratio, k
			}
		}
		if most < least {
			least, clipOf, timeOf = most, clip, time
		}
	}
	if least == 0 || least > 1/otherSize && least < otherSize {
		return nil
	}
	d.scaledGlobals(at, pose, clipOf, timeOf)
	return at
}

// scales reports whether a clip gives a node another scale than the static pose.
func (d *Source) scales(clip *skinning.Clip) bool {
	return slices.ContainsFunc(clip.Channels, func(c skinning.Channel) bool {
		if c.Path != skinning.PathScale {
			return false
		}
		rest := d.Model.Skeleton.Nodes[c.Node].Rest.Scale
		for k, v := range c.Values {
			if !equalLengths(float64(v), rest[k%3]) {
				return true
			}
		}
		return false
	})
}

// scaledGlobals fills dst with the globals of the static pose with the scales of a clip at one of [scaleTimes] times.
func (d *Source) scaledGlobals(dst []geom.Affine, pose *skinning.Pose, clip, k int) {
	m := d.Model
	m.SamplePose(pose, clip, m.Clips[clip].Seconds*float64(k)/(scaleTimes-1))
	for i := range pose.Local {
		scale := pose.Local[i].Scale
		pose.Local[i] = m.Skeleton.Nodes[i].Rest
		pose.Local[i].Scale = scale
	}
	m.Skeleton.Globals(dst, pose)
}

// commonRatio returns the ratio of scale between some globals and the static ones that all joints of weight have.
func (d *Source) commonRatio(at []geom.Affine, joints []int, weights []float64) (ratio float64, alike bool) {
	for j, node := range joints {
		if weights[j] == 0 {
			continue
		}
		r := math.Cbrt(at[node].Linear().Det() / d.globals[node].Linear().Det())
		if !(r > 0 && r < math.MaxFloat32) || alike && !equalLengths(r, ratio) {
			return 0, false
		}
		if !alike {
			ratio, alike = r, true
		}
	}
	return ratio, alike
}

// equalLengths reports whether two lengths are equal within [alikeScale]; those of other signs are not.
func equalLengths(a, b float64) bool {
	return a == b || a*b > 0 && max(a/b, b/a) <= alikeScale
}
