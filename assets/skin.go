package assets

import (
	"fmt"
	"math"
	"strconv"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// maxJoints is what a vertex's 16-bit joint index can name, over all skins together.
const maxJoints = 1 << 16

// boundSkin is a skin that a mesh uses, in rest space.
type boundSkin struct {
	used    bool
	first   int         // its joint 0 in Skeleton.Joints
	toRest  geom.Affine // A = G_0·B_0
	mirrors bool        // det A < 0
}

func (d *decoder) checkSkins() error {
	lastSkin := make([]int, len(d.doc.Nodes)) // the last skin that listed the node, counted from 1
	for i := range d.doc.Skins {
		if err := d.checkSkin(i, lastSkin); err != nil {
			return fmt.Errorf("%s: %w", element("skin", i, d.doc.Skins[i].Name), err)
		}
	}
	return nil
}

func (d *decoder) checkSkin(i int, lastSkin []int) error {
	s := &d.doc.Skins[i]
	if len(s.Joints) == 0 {
		return malformed("no joints")
	}
	for j, node := range s.Joints {
		if err := inRange("node", int64(node), len(d.doc.Nodes)); err != nil {
			return fmt.Errorf("joint %d: %w", j, err)
		}
		if lastSkin[node] == i+1 {
			return malformed("joint %d: node %d is a joint of this skin already", j, node)
		}
		lastSkin[node] = i + 1
	}
	if err := optional("node", s.Skeleton, len(d.doc.Nodes)); err != nil {
		return fmt.Errorf("skeleton: %w", err)
	}
	if err := optional("accessor", s.InverseBindMatrices, len(d.accessors)); err != nil {
		return fmt.Errorf("inverseBindMatrices: %w", err)
	}
	if s.InverseBindMatrices != nil {
		a := &d.accessors[*s.InverseBindMatrices]
		if a.shape != "MAT4" || a.component != componentFloat {
			return malformed("inverseBindMatrices: accessor %d is %s of component type %d, expected MAT4 of 5126 (float)",
				*s.InverseBindMatrices, a.shape, a.component)
		}
		if a.count < len(s.Joints) {
			return malformed("inverseBindMatrices: %d matrices for %d joints", a.count, len(s.Joints))
		}
	}
	return nil
}

// bindSkins brings the used skins into rest space, by skin index, and fills Skeleton.Joints.
func (d *decoder) bindSkins(used []bool) error {
	d.skins = make([]boundSkin, len(d.doc.Skins))
	total := 0
	for i := range d.doc.Skins {
		if used[i] {
			total += len(d.doc.Skins[i].Joints)
		}
	}
	if total > maxJoints {
		return unsupported("the skins have %d joints together, %d can be told apart", total, maxJoints)
	}
	d.model.Skeleton.Joints = make([]skinning.Joint, 0, total)
	for i := range d.doc.Skins {
		if !used[i] {
			d.notes.add("%s: no drawn mesh uses it", element("skin", i, d.doc.Skins[i].Name))
			continue
		}
		if err := d.bindSkin(i); err != nil {
			return fmt.Errorf("%s, %w", element("skin", i, d.doc.Skins[i].Name), err)
		}
	}
	d.linkJoints()
	return nil
}

// bindSkin appends the joints of one skin: FromRest = B_j·A⁻¹, Position = translation of A·B_j⁻¹.
func (d *decoder) bindSkin(i int) error {
	info := &d.doc.Skins[i]
	bind, err := d.inverseBinds(info)
	if err != nil {
		return err
	}
	skin := boundSkin{used: true, first: len(d.model.Skeleton.Joints), toRest: geom.IdentityAffine()}
	back := geom.IdentityAffine()
	// A comes from joint 0, or from the first joint where it can be inverted (a joint scaled to zero cannot).
	for j, node := range info.Joints {
		a := d.globals[node].Mul(bind[j])
		if inverse, ok := a.Inverse(); ok && finite(a[:]) && finite(inverse[:]) {
			skin.toRest, back = a, inverse
			break
		}
	}
	skin.mirrors = skin.toRest.Linear().Det() < 0
	for j, node := range info.Joints {
		inverse, ok := bind[j].Inverse()
		if !ok {
			return fmt.Errorf("joint %d: %w", j, malformed("inverse bind matrix is singular"))
		}
		joint := skinning.Joint{
			Name: d.doc.Nodes[node].Name, Node: node, Skin: i, Parent: -1,
			FromRest: bind[j].Mul(back), Position: skin.toRest.Mul(inverse).Translation(),
		}
		if joint.Name == "" {
			joint.Name = "#" + strconv.Itoa(node)
		}
		if !finite(joint.FromRest[:]) || !finite(joint.Position[:]) {
			return fmt.Errorf("joint %d: %w", j, malformed("its bind pose is beyond float32"))
		}
		d.model.Skeleton.Joints = append(d.model.Skeleton.Joints, joint)
	}
	d.skins[i] = skin
	return nil
}

// inverseBinds reads the inverse bind matrices; the identity where the skin has none.
func (d *decoder) inverseBinds(info *skinInfo) ([]geom.Affine, error) {
	bind := make([]geom.Affine, len(info.Joints))
	if info.InverseBindMatrices == nil {
		for j := range bind {
			bind[j] = geom.IdentityAffine()
		}
		return bind, nil
	}
	r, err := d.read(int(*info.InverseBindMatrices))
	if err != nil {
		return nil, fmt.Errorf("inverseBindMatrices: %w", err)
	}
	projective := 0
	var m [16]float64
	for j := range bind {
		r.value(m[:])
		if !finite(m[:]) {
			return nil, fmt.Errorf("joint %d: %w", j, malformed("inverse bind matrix is not finite"))
		}
		if !isAffine(&m) {
			projective++
		}
		bind[j] = geom.AffineFromColumns(m)
	}
	if projective > 0 {
		d.notes.add("%d inverse bind matrices have a last row other than 0 0 0 1, which is ignored", projective)
	}
	return bind, nil
}

// isAffine reports whether the last row of a column-major matrix is 0 0 0 1, to what exporters round.
func isAffine(m *[16]float64) bool {
	return math.Abs(m[3])+math.Abs(m[7])+math.Abs(m[11])+math.Abs(m[15]-1) < 1e-4
}

// linkJoints sets every joint's parent: the nearest ancestor that is a joint of the same skin. One walk over the tree
// serves all skins: near[s] is the joint of skin s that is nearest above the current node, and every node restores on
// leaving what it replaced on entering. Time is linear in nodes plus joints, whatever the depth.
func (d *decoder) linkJoints() {
	s := &d.model.Skeleton
	jointsOf := make([][]int, len(s.Nodes))
	for j := range s.Joints {
		jointsOf[s.Joints[j].Node] = append(jointsOf[s.Joints[j].Node], j)
	}
	near := make([]int, len(d.doc.Skins))
	for i := range near {
		near[i] = -1
	}
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
				s.Joints[j].Parent = near[s.Joints[j].Skin]
				near[s.Joints[j].Skin] = j
			}
			stack = append(stack, ^node)
			stack = append(stack, d.doc.Nodes[node].Children...)
		}
	}
}
