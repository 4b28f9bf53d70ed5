package gltf

import (
	"fmt"
	"math"
	"slices"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/remodel"
)

// maxJoints bounds the joints of all skins together: a vertex has 16-bit joint indices.
const maxJoints = 1 << 16

// boundSkin is a skin that a mesh uses, in rest space.
type boundSkin struct {
	Used    bool
	First   int               // its joint 0 in Skeleton.Joints
	ToRest  geom.Affine       // A = G_r·B_r, see restspace.go
	mirrors bool              // det A < 0
	inputs  []*skinning.Input // of methods, those that a primitive has
	// Reordered is set if the list of joints in its extras does not name its joints in their order.
	Reordered bool
	// Singular are its joints whose inverse bind matrix is singular. No vertex follows them, and they are bound where
	// they rest.
	Singular map[int]bool
}

func (d *Source) checkSkin(i int, s *gltf.Skin, lastSkin []int) error {
	if len(s.Joints) == 0 {
		return fault.Malformed("no joints")
	}
	for j, node := range s.Joints {
		if err := inRange("node", node, len(d.Doc.Nodes)); err != nil {
			return fmt.Errorf("joint %d: %w", j, err)
		}
		if lastSkin[node] == i+1 {
			d.notes.Add("%s, joint %d: node %d is a joint of this skin already; both move as the node does",
				fault.Element("skin", i, s.Name), j, node)
		}
		lastSkin[node] = i + 1
	}
	err := inRanges(reference{"skeleton", "node", s.Skeleton, len(d.Doc.Nodes)},
		reference{"inverseBindMatrices", "accessor", s.InverseBindMatrices, len(d.Accessors)})
	if err != nil {
		return err
	}
	if s.InverseBindMatrices != nil {
		a := &d.Accessors[*s.InverseBindMatrices]
		if a.Type != gltf.AccessorMat4 || a.ComponentType != gltf.ComponentFloat {
			return fault.Malformed("inverseBindMatrices: accessor %d is %s of %s, expected MAT4 of FLOAT",
				*s.InverseBindMatrices, a.Type, a.ComponentType)
		}
		if a.Count < len(s.Joints) {
			return fault.Malformed("inverseBindMatrices: %d matrices for %d joints", a.Count, len(s.Joints))
		}
	}
	return nil
}

// bindSkins brings the used skins into rest space, by skin index, and fills Skeleton.Joints.
func (d *Source) bindSkins(draws []draw, used []bool) error {
	d.Skins = make([]boundSkin, len(d.Doc.Skins))
	total := 0
	for i := range d.Doc.Skins {
		if used[i] {
			total += len(d.Doc.Skins[i].Joints)
		}
	}
	if total > maxJoints {
		return fault.Unsupported("the skins have %d joints together, %d can be told apart", total, maxJoints)
	}
	d.Model.Skeleton.Joints = make([]skinning.Joint, 0, total)
	binds := make([][]geom.Affine, len(d.Doc.Skins))
	err := each("skin", d.Doc.Skins, func(i int, s *gltf.Skin) (err error) {
		if !used[i] {
			d.notes.Add("%s: no drawn mesh uses it", fault.Element("skin", i, s.Name))
			return nil
		}
		binds[i], err = d.inverseBinds(s)
		return err
	})
	if err != nil {
		return err
	}
	spaces, err := d.restSpaces(draws, binds)
	if err != nil {
		return err
	}
	err = each("skin", d.Doc.Skins, func(i int, s *gltf.Skin) error {
		if !used[i] {
			return nil
		}
		return d.bindSkin(i, s, binds[i], &spaces[i])
	})
	if err == nil {
		d.linkJoints()
	}
	return err
}

// bindSkin appends the joints of one skin: FromRest = B_j·A⁻¹, Position = translation of A·B_j⁻¹.
func (d *Source) bindSkin(i int, info *gltf.Skin, bind []geom.Affine, space *restSpace) error {
	skin := boundSkin{Used: true, First: len(d.Model.Skeleton.Joints), Singular: map[int]bool{}, ToRest: space.a,
		mirrors: space.a.Linear().Det() < 0}
	for j, node := range info.Joints {
		inverse, ok := bind[j].Inverse()
		if !ok {
			skin.Singular[j] = true
			rest, _ := space.globals[node].Inverse() // of a joint scaled to zero, the identity
			bind[j] = rest.Mul(skin.ToRest)
			inverse, _ = bind[j].Inverse()
		}
		joint := skinning.Joint{
			Name: skinning.Named(d.Doc.Nodes[node].Name, "Joint", len(d.Model.Skeleton.Joints)), Node: node, Skin: i, Parent: -1,
			FromRest: bind[j].Mul(space.back), Position: skin.ToRest.Mul(inverse).Translation(),
		}
		if !finite(joint.FromRest[:]) || !finite(joint.Position[:]) {
			return inJoint(j, fault.Malformed("its bind pose is beyond float32"))
		}
		d.Model.Skeleton.Joints = append(d.Model.Skeleton.Joints, joint)
	}
	if n := len(skin.Singular); n > 0 {
		d.notes.Add("%s: %d joints that no vertex follows have a singular inverse bind matrix; they are bound where they rest",
			fault.Element("skin", i, info.Name), n)
	}
	d.Skins[i] = skin
	return nil
}

func inJoint(j int, err error) error { return &located{fault.Element("joint", j, ""), err} }

// inverseBinds reads the inverse bind matrices; the identity where the skin has none.
func (d *Source) inverseBinds(info *gltf.Skin) ([]geom.Affine, error) {
	bind := make([]geom.Affine, len(info.Joints))
	if info.InverseBindMatrices == nil {
		for j := range bind {
			bind[j] = geom.IdentityAffine()
		}
		return bind, nil
	}
	r, err := d.Read(*info.InverseBindMatrices)
	if err != nil {
		return nil, fmt.Errorf("inverseBindMatrices: %w", err)
	}
	projective := 0
	var m [16]float64
	for j := range bind {
		r.Value(m[:])
		if !finite(m[:]) {
			return nil, inJoint(j, fault.Malformed("inverse bind matrix is not finite"))
		}
		if !isAffine(&m) {
			projective++
		}
		bind[j] = geom.AffineFromColumns(m)
	}
	if projective > 0 {
		d.notes.Add("accessor %d: %d inverse bind matrices have a last row other than 0 0 0 1, which is ignored",
			*info.InverseBindMatrices, projective)
	}
	return bind, nil
}

// isAffine reports whether the last row of a column-major matrix is 0 0 0 1, within the rounding of exporters.
func isAffine(m *[16]float64) bool {
	return math.Abs(m[3])+math.Abs(m[7])+math.Abs(m[11])+math.Abs(m[15]-1) < 1e-4
}

// linkJoints sets every joint's parent: the nearest ancestor that is a joint of the same skin. One walk over the tree
// serves all skins: near[s] is the joint of skin s that is nearest above the current node. When the walk leaves a node,
// it restores the entries that it replaced on entering. Time is linear in nodes plus joints, whatever the depth.
func (d *Source) linkJoints() {
	s := &d.Model.Skeleton
	jointsOf := make([][]int, len(s.Nodes))
	for j := range s.Joints {
		jointsOf[s.Joints[j].Node] = append(jointsOf[s.Joints[j].Node], j)
	}
	near := slices.Repeat([]int{-1}, len(d.Doc.Skins))
	var stack []int // nodes; ^node marks leaving it
	for root := range s.Nodes {
		if s.Nodes[root].Parent >= 0 {
			continue
		}
		stack = append(stack[:0], root)
		for len(stack) > 0 {
			node := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if node < 0 {
				for _, j := range jointsOf[^node] {
					near[s.Joints[j].Skin] = s.Joints[j].Parent
				}
				continue
			}
			for _, j := range jointsOf[node] {
				above := near[s.Joints[j].Skin]
				if above >= 0 && s.Joints[above].Node == node { // the skin lists the node twice
					above = s.Joints[above].Parent
				}
				s.Joints[j].Parent = above
				near[s.Joints[j].Skin] = j
			}
			stack = append(stack, ^node)
			stack = append(stack, d.Doc.Nodes[node].Children...)
		}
	}
}

// BindRigid makes the model a skin of its rigid meshes, see [remodel.BindRigid], and gives the document a skin
// for each of them, without joints so far. It returns the index of the first.
func (d *Source) BindRigid() (first int) {
	first = len(d.Doc.Skins)
	d.Model = remodel.BindRigid(d.Model)
	joints := d.Model.Skeleton.Joints
	for j := range joints {
		joints[j].Skin = len(d.Doc.Skins)
		toRest, _ := joints[j].FromRest.Inverse()
		d.Skins = append(d.Skins, boundSkin{Used: true, First: j, ToRest: toRest})
		info := d.Doc.Nodes[joints[j].Node]
		info.Skin = gltf.Index(len(d.Doc.Skins))
		d.Doc.Skins = append(d.Doc.Skins, &gltf.Skin{Name: joints[j].Name})
	}
	return first
}
