package anatomy

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Mirror turns poses of one model into their mirror images, in which the right hand moves as the left hand did. It is
// read-only and may be shared.
type Mirror struct {
	Plane Plane // the model's plane of symmetry, rest space
	// Pair is, per node, the node on the other side: itself for a node of the middle, −1 for one that has no
	// counterpart.
	Pair  []int
	nodes []mirrored
	sides []side // per node with a counterpart on the other side, its own
	slots []int  // per morph slot, the slot on the other side, or itself
	slot  []side // per morph slot with another on the other side, its own
}

// mirrored carries the local transform of one node's counterpart over to the node.
type mirrored struct {
	from        int       // the counterpart's node; −1 copies
	turn        geom.Quat // of Q, the orthogonal part of toParent: rotations are conjugated by it
	toParent    geom.Mat3 // G_p⁻¹·M·G_q over the parents p of the node and q of its counterpart
	axes        geom.Mat3 // squares of the orthogonal part of G⁻¹·M·G': which axis of the counterpart is which of the node
	bound, away geom.Transform
}

// NewMirror pairs the nodes of m by their names and the positions of their bind pose, see [Mirror.Pair]: names decide
// if they contain a side (Left and Right, L and R with separators) and the positions do not contradict them. Otherwise
// nodes are paired that lie opposite each other across the plane.
func NewMirror(m *skinning.Model) *Mirror {
	s := &m.Skeleton
	bind := BindGlobals(s)
	at := make([]mgl64.Vec3, len(bind))
	for i := range bind {
		at[i] = bind[i].Translation()
	}
	y := newSymmetry(s, at)
	r := &Mirror{Plane: y.plane, Pair: y.pair, nodes: make([]mirrored, len(bind))}
	reflect := y.plane.affine()
	for i := range r.nodes {
		r.nodes[i] = newMirrored(s, bind, reflect, i, y.pair[i])
	}
	r.sides = y.pairSides()
	r.pairSlots(m)
	return r
}

// BindGlobals returns the global transform of every node in the bind pose. That of a joint comes from its inverse bind
// matrix, of the first skin that has one, and that of another node is its parent's times its static transform.
func BindGlobals(s *skinning.Skeleton) []geom.Affine {
	globals, bound := make([]geom.Affine, len(s.Nodes)), make([]bool, len(s.Nodes))
	for j := range s.Joints {
		if i := s.Joints[j].Node; !bound[i] {
			globals[i], bound[i] = s.Joints[j].FromRest.Inverse()
		}
	}
	for _, i := range s.Order {
		if bound[i] {
			continue
		}
		n := &s.Nodes[i]
		n.Local(&globals[i], &n.Rest)
		if n.Parent >= 0 {
			globals[i] = globals[n.Parent].Mul(globals[i])
		}
	}
	return globals
}

// newMirrored derives how node i follows its counterpart k. With M the reflection, C = G'·G⁻¹ the motion of a node from
// its bind transform G to its posed G', the mirror image wants C_i = M·C_k·M; in terms of local transforms L that is
//
//	L'_i = (G_p⁻¹·M·G_q)·L'_k·(G_k⁻¹·M·G_i)
//
// over the bind pose, p and q being the parents of i and k. It holds whatever the joints' orientations are, which the
// two sides of a rig rarely mirror.
func newMirrored(s *skinning.Skeleton, bind []geom.Affine, reflect geom.Affine, i, k int) mirrored {
	if k < 0 {
		return mirrored{from: -1}
	}
	parentInverse := func(i int) (parent, inverse geom.Affine, ok bool) {
		parent = geom.IdentityAffine()
		if p := s.Nodes[i].Parent; p >= 0 {
			parent = bind[p]
		}
		inverse, ok = parent.Inverse()
		return parent, inverse, ok
	}
	_, pInverse, okP := parentInverse(i)
	q, qInverse, okQ := parentInverse(k)
	kInverse, okK := bind[k].Inverse()
	if !okP || !okQ || !okK { // a collapsed node: nothing to turn about
		return mirrored{from: -1}
	}
	n := mirrored{from: k, toParent: pInverse.Mul(reflect).Mul(q).Linear()}
	// PolarDecompose gives −Q for the reflection Q, and conjugating by −Q is conjugating by Q.
	r, _ := geom.PolarDecompose(n.toParent)
	n.turn = geom.QuatFromMat3(r)
	r, _ = geom.PolarDecompose(kInverse.Mul(reflect).Mul(bind[i]).Linear())
	for c, x := range r {
		n.axes[c] = x * x
	}
	n.bound, n.away = bindLocal(s, bind, pInverse, i), bindLocal(s, bind, qInverse, k)
	return n
}

// bindLocal returns a node's local transform of the bind pose; the scale is the static one.
func bindLocal(s *skinning.Skeleton, bind []geom.Affine, parentInverse geom.Affine, i int) geom.Transform {
	local := parentInverse.Mul(bind[i])
	r, _ := geom.PolarDecompose(local.Linear())
	return geom.Transform{Translation: local.Translation(), Rotation: geom.QuatFromMat3(r), Scale: s.Nodes[i].Rest.Scale}
}

// pairSlots pairs the morph weights of one mesh by name.
func (r *Mirror) pairSlots(m *skinning.Model) {
	r.slots, r.slot = make([]int, len(m.MorphSlots)), make([]side, len(m.MorphSlots))
	type key struct {
		node int
		side side
		stem string
	}
	seen := make(map[key]int)
	for i, slot := range m.MorphSlots {
		r.slots[i] = i
		at, stem := sideName(slot.Name)
		if at == noSide {
			continue
		}
		if k, ok := seen[key{slot.Node, leftSide + rightSide - at, stem}]; ok && r.slots[k] == k {
			r.slots[i], r.slots[k] = k, i
			r.slot[i], r.slot[k] = at, leftSide+rightSide-at
		}
		seen[key{slot.Node, at, stem}] = i
	}
}

// Apply sets dst to the mirror image of src, two poses of the mirror's model; they may not be the same. Rotations,
// translations and uniform scales are mirrored exactly, so that applying it twice gives src back. A scale along a
// joint's axes is projected onto the axes of the other side, if the axes of the two sides are not parallel. A node
// without a counterpart keeps its own local transform. It allocates nothing.
func (r *Mirror) Apply(dst, src *skinning.Pose) {
	r.check(dst, src)
	for i := range r.nodes {
		dst.Local[i] = r.image(i, src)
	}
	for i, k := range r.slots {
		dst.Morphs[i] = src.Morphs[k]
	}
}

// CopySide sets dst to src with one side replaced by the mirror image of the other, as Apply makes it: the right side
// by the left if left is set, else the left by the right. Joints in the middle and joints without a counterpart keep
// their pose. Dst and src must be two poses. It allocates nothing.
func (r *Mirror) CopySide(dst, src *skinning.Pose, left bool) {
	r.check(dst, src)
	to := leftSide
	if left {
		to = rightSide
	}
	for i := range r.nodes {
		dst.Local[i] = src.Local[i]
		if r.sides[i] == to {
			dst.Local[i] = r.image(i, src)
		}
	}
	for i, k := range r.slots {
		dst.Morphs[i] = src.Morphs[i]
		if r.slot[i] == to {
			dst.Morphs[i] = src.Morphs[k]
		}
	}
}

// sided reports whether a node has a counterpart on the other side.
func (r *Mirror) sided(node int) bool { return r.sides[node] != noSide }

// HasSides reports whether any node has.
func (r *Mirror) HasSides() bool {
	return slices.ContainsFunc(r.sides, func(s side) bool { return s != noSide })
}

func (r *Mirror) check(dst, src *skinning.Pose) {
	if len(src.Local) != len(r.nodes) || len(dst.Local) != len(r.nodes) || len(src.Morphs) != len(r.slots) ||
		len(dst.Morphs) != len(r.slots) {
		panic(fmt.Sprintf("anatomy: Mirror: poses of %d and %d nodes, %d and %d morphs, mirror of %d and %d",
			len(dst.Local), len(src.Local), len(dst.Morphs), len(src.Morphs), len(r.nodes), len(r.slots)))
	}
	if dst == src {
		panic("anatomy: Mirror: dst is src")
	}
}

// image returns the mirrored transform of a node's counterpart in src. A node without a counterpart keeps its own
// transform.
func (r *Mirror) image(node int, src *skinning.Pose) geom.Transform {
	n := &r.nodes[node]
	if n.from < 0 {
		return src.Local[node]
	}
	return n.apply(src.Local[n.from])
}

func (n *mirrored) apply(from geom.Transform) geom.Transform {
	turned := from.Rotation.Mul(n.away.Rotation.Conjugate()) // about the counterpart's parent axes
	out := geom.Transform{
		Translation: n.bound.Translation.Add(n.toParent.Apply(from.Translation.Sub(n.away.Translation))),
		Rotation:    n.turn.Mul(turned).Mul(n.turn.Conjugate()).Mul(n.bound.Rotation).Normalize(),
		Scale:       n.bound.Scale,
	}
	var ratio mgl64.Vec3
	for c := range ratio {
		ratio[c] = 1
		if n.away.Scale[c] != 0 {
			ratio[c] = from.Scale[c] / n.away.Scale[c]
		}
	}
	if ratio != (mgl64.Vec3{1, 1, 1}) {
		for c := range out.Scale {
			out.Scale[c] *= n.axes[c]*ratio[0] + n.axes[3+c]*ratio[1] + n.axes[6+c]*ratio[2]
		}
	}
	return out
}
