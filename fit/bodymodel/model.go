package bodymodel

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// ScansClip is the name of the clip that shows the scans.
const ScansClip = "scans"

// model makes a model of a body: its mesh, with the vertices, parts and materials of the subject's; its weights; its
// skeleton, the subject's own with joints moved or one of its own; and clips, of which the last shows the scans.
func (u *subject) model(b *Body) (*skinning.Model, error) {
	out := &skinning.Model{Name: u.m.Name, Skin: u.mesh(b), Materials: u.m.Materials, Textures: u.m.Textures}
	var joints, limbs []int // that clips move, and the limb of each
	var influences func(shares [][]skinning.Share) skinning.Influences
	if u.limbs == nil {
		joints = u.ownSkeleton(out, b)
		for l := range joints {
			limbs = append(limbs, l)
		}
		influences = func(shares [][]skinning.Share) skinning.Influences {
			return skinning.InfluencesOf(training.Pick(shares, u.point), func(l uint16) int { return joints[l] })
		}
	} else {
		now := u.movedSkeleton(out, b)
		for _, j := range slices.Sorted(maps.Keys(now)) {
			if l, ok := u.limbOf[j]; ok {
				joints, limbs = append(joints, now[j]), append(limbs, l)
			}
		}
		influences = func(shares [][]skinning.Share) skinning.Influences {
			spread := training.Pick(u.spread(shares), u.point)
			return skinning.InfluencesOf(spread, func(j uint16) int { return now[int(j)] })
		}
	}
	out.Skin.Influences = influences(b.Swing)
	if !b.Linear {
		twist := influences(b.Twist)
		out.Skin.SetSecond(skinning.TwistSwing, &twist)
	}
	if err := out.Skeleton.SortNodes(); err != nil {
		return nil, err
	}
	clip, err := u.scansClip(out, b, joints, limbs)
	if err != nil {
		return nil, err
	}
	out.Clips = slices.DeleteFunc(out.Clips, func(c skinning.Clip) bool { return c.Name == ScansClip })
	out.Clips = append(out.Clips, clip)
	return out, out.Skin.Validate(len(out.Skeleton.Joints))
}

// mesh returns the subject's mesh with the body's bind shape, without morph targets and weights. Normals turn as the
// surface does from the subject's shape to this one.
func (u *subject) mesh(b *Body) skinning.Mesh {
	from := &u.m.Skin
	out := skinning.Mesh{Surface: from.Surface, Triangles: from.Triangles, Parts: slices.Clone(from.Parts),
		Positions: make([]mgl32.Vec3, len(from.Positions)), Normals: make([]mgl32.Vec3, len(from.Normals))}
	out.Tangents = nil // they are the subject's
	before, after := make([]mgl64.Vec3, len(u.first)), make([]mgl64.Vec3, len(u.first))
	for _, t := range u.scans.Triangles {
		p, q, r := from.Positions[u.first[t[0]]], from.Positions[u.first[t[1]]], from.Positions[u.first[t[2]]]
		old := geom.Vec64(q.Sub(p)).Cross(geom.Vec64(r.Sub(p)))
		now := b.Vertices[t[1]].Sub(b.Vertices[t[0]]).Cross(b.Vertices[t[2]].Sub(b.Vertices[t[0]]))
		for _, v := range t {
			before[v], after[v] = before[v].Add(old), after[v].Add(now)
		}
	}
	for v, k := range u.point {
		out.Positions[v] = geom.Vec32(b.Vertices[k])
		n := geom.Vec64(from.Normals[v])
		n = geom.SmallestTurn(before[k], after[k]).Rotate(n)
		out.Normals[v] = geom.Vec32(geom.UnitOr(n, mgl64.Vec3{0, 1, 0}))
	}
	return out
}

// ownSkeleton gives a model a node for each limb, with x along its bone (EBM section 3), and one for each node that
// parts hang on. It returns the joint of each limb.
func (u *subject) ownSkeleton(out *skinning.Model, b *Body) (joints []int) {
	s := &out.Skeleton
	global, names := make([]geom.Affine, len(b.Joints)), nameLimbs(b, u.template)
	for l, at := range b.Joints {
		global[l] = geom.NewAffine(alongX(b.Axes[l]), at)
		node := skinning.Node{Name: names[l], Parent: b.Parents[l], Rest: geom.IdentityTransform()}
		local := global[l]
		if p := b.Parents[l]; p >= 0 {
			back, _ := global[p].Inverse() // rigid
			local = back.Mul(local)
		}
		node.Rest, _ = geom.DecomposeAffine(local) // rigid
		back, _ := global[l].Inverse()
		s.Nodes = append(s.Nodes, node)
		s.Joints = append(s.Joints, skinning.Joint{Name: node.Name, Node: l, Parent: b.Parents[l], FromRest: back,
			Position: at})
		joints = append(joints, l)
	}
	nodes := map[int]int{}
	for k := range out.Skin.Parts {
		part := &out.Skin.Parts[k]
		n, ok := nodes[part.Node]
		if !ok {
			n = len(s.Nodes)
			nodes[part.Node] = n
			s.Nodes = append(s.Nodes, skinning.Node{Name: u.m.Skeleton.Nodes[part.Node].Name, Parent: -1,
				Rest: geom.IdentityTransform()})
		}
		part.Node = n
	}
	return joints
}

// alongX returns the rotation that takes x to a unit vector and y as near to up as it can be.
func alongX(x mgl64.Vec3) geom.Mat3 {
	if x.Len() == 0 {
		return geom.Identity3()
	}
	up := mgl64.Vec3{0, 1, 0}
	if math.Abs(x[1]) > 0.9 { // the bone itself goes up or down
		up = mgl64.Vec3{0, 0, 1}
	}
	z := x.Cross(up).Normalize()
	y := z.Cross(x)
	return geom.Mat3{x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]}
}

// movedSkeleton gives a model the subject's nodes with the joints where the body has them. Directions stay, so that its
// clips play on; their translations move along. At rest the limbs stand as [subject.atRest] says, and the joints of a
// limb behind its first where they stood. Joints without weight keep their place in their parents' space. It returns
// the new joint of each joint of the subject.
func (u *subject) movedSkeleton(out *skinning.Model, b *Body) (joints map[int]int) {
	from := &u.m.Skeleton
	s := &out.Skeleton
	s.Nodes = slices.Clone(from.Nodes)
	out.Rigid = u.m.Rigid
	at := map[int]int{}                     // by node: the new joint
	carrier := make([]int, len(from.Nodes)) // of a node, the nearest joint's node at it or above it; −1 for none
	moved := make([]mgl64.Vec3, len(from.Nodes))
	motion := slices.Repeat([]geom.Affine{geom.IdentityAffine()}, len(from.Nodes)) // of the limb, from the bind pose to rest
	shift := make([]mgl64.Vec3, len(from.Nodes))                                   // of translations, in the parent's space
	bind := make([]geom.Affine, len(from.Nodes))                                   // globals in the bind pose
	joints, stands := map[int]int{}, u.atRest(b)
	first := map[int]int{} // of a node, its joint: a limb, or the first
	for j := len(from.Joints) - 1; j >= 0; j-- {
		first[from.Joints[j].Node] = j
	}
	for j := range u.limbOf {
		first[from.Joints[j].Node] = j
	}
	for _, n := range from.Order {
		parent := from.Nodes[n].Parent
		carrier[n] = -1
		above := geom.IdentityAffine()
		if parent >= 0 {
			carrier[n], moved[n], motion[n], above = carrier[parent], moved[parent], motion[parent], bind[parent]
		}
		rest := from.Nodes[n].Rest.Affine()
		if a := from.Nodes[n].Matrix; a != nil {
			rest = *a
		}
		bind[n] = above.Mul(rest)
		j, isJoint := first[n]
		if !isJoint {
			continue
		}
		old := &from.Joints[j]
		if g, ok := old.FromRest.Inverse(); ok {
			bind[n] = g
			if carrier[n] < 0 { // nodes above a root are in the world, not in rest space
				if back, ok := rest.Inverse(); ok {
					above = g.Mul(back)
				}
			}
		}
		if l, ok := u.limbOf[j]; ok {
			by := mgl64.Vec3{} // of a joint that the scans do not tell of
			if u.limbs[l] == j {
				motion[n] = stands[l]
				by = motion[n].Apply(b.Joints[l]).Sub(old.Position)
			}
			if back, ok := above.Linear().Inverse(); ok {
				shift[n] = back.Apply(by.Sub(moved[n]))
			}
			moved[n] = by
		}
		joint := *old
		joint.Skin, joint.Parent = 0, -1
		if carrier[n] >= 0 {
			joint.Parent = at[carrier[n]]
		}
		carrier[n] = n
		back, _ := motion[n].Inverse() // rigid
		joint.Position = back.Apply(old.Position.Add(moved[n]))
		joint.FromRest = old.FromRest.Mul(geom.NewAffine(geom.Identity3(), moved[n].Mul(-1))).Mul(motion[n])
		at[n] = len(s.Joints)
		s.Joints = append(s.Joints, joint)
		joints[j] = at[n]
		if node := &s.Nodes[n]; shift[n] != (mgl64.Vec3{}) {
			node.Rest.Translation = node.Rest.Translation.Add(shift[n])
			node.Matrix = nil
		}
	}
	for c := range u.m.Clips {
		if clip, ok := shiftedClip(&u.m.Clips[c], shift); ok {
			out.Clips = append(out.Clips, clip)
		}
	}
	return joints
}

// atRest returns the motions of the limbs from the body's bind pose to the subject's, where they come nearest to its
// bind shape. A turn that the body's bind shape has and every pose takes back changes no scan. So the bind pose of a
// fit is no pose of the subject's clips.
func (u *subject) atRest(b *Body) []geom.Affine {
	shape := &scans{Shapes: [][]mgl64.Vec3{u.skeleton.Vertices}, Triangles: u.scans.Triangles, Rings: u.scans.Rings}
	posed, _ := fitPoses(context.Background(), b, shape, 0)
	palette := b.NewPalette()
	posed.SetPalette(palette, &posed.Poses[0])
	return palette.Motions
}

// shiftedClip returns a clip with nodes' translations shifted, and without morph weights. It is not ok where nothing
// else is in it.
func shiftedClip(c *skinning.Clip, shift []mgl64.Vec3) (out skinning.Clip, ok bool) {
	out = skinning.Clip{Name: c.Name, Seconds: c.Seconds}
	for _, ch := range c.Channels {
		if ch.Path == skinning.PathWeights {
			continue
		}
		if ch.Path == skinning.PathTranslation && shift[ch.Node] != (mgl64.Vec3{}) {
			ch.Values = slices.Clone(ch.Values)
			for k := range ch.Values {
				if ch.Interpolation == skinning.CubicSpline && k/3%3 != 1 {
					continue // tangents
				}
				ch.Values[k] += float32(shift[ch.Node][k%3])
			}
		}
		out.Channels = append(out.Channels, ch)
	}
	return out, len(out.Channels) > 0
}

// scansClip returns the clip that shows the scans: the pose of scan i at its time, turning from one to the next unless
// the clip that the scans' poses are from stands still between them.
func (u *subject) scansClip(m *skinning.Model, b *Body, joints, limbs []int) (skinning.Clip, error) {
	nodes, bind := make([]int, len(joints)), make([]geom.Affine, len(joints))
	for k, j := range joints {
		joint, ok := &m.Skeleton.Joints[j], false
		if bind[k], ok = joint.FromRest.Inverse(); !ok {
			return skinning.Clip{}, fmt.Errorf("joint %q: its bind matrix is singular", joint.Name)
		}
		nodes[k] = joint.Node
	}
	clip, _, err := b.Clip(m, nodes, limbs, bind, b.Poses, u.times)
	clip.Name = ScansClip
	for k := range clip.Channels {
		if u.stands {
			clip.Channels[k].Interpolation = skinning.Step
		}
	}
	return clip, err
}
