package export

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/gltf"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// skinPlan lists the joints that a skin of the file gains: added joints, and joints of other skins that its vertices
// follow or that are masters of its bones.
type skinPlan struct {
	first, count int           // its own joints: the model's first, first+1, …
	bones        []int         // rising indices into exporter.bones
	foreign      []int         // rising indices of the model's joints
	local        map[int]int   // joints of the fitted model to joints of the extended skin
	whole        map[int]bool  // the rigs, by index, that it keeps whole: it has all their joints and all that they read
	rests        []geom.Affine // FromRest of the joints of the extended skin
	reordered    bool          // [gltf.boundSkin.Reordered]
	root         int           // a node that was added above the roots of its joints; −1 for none
}

// planSkins finds the joints that each skin gains. An added joint goes to its own skin, that of its masters, and to all
// skins whose vertices follow it.
func (x *exporter) planSkins() {
	x.skinPlans = map[int]*skinPlan{}
	for i := range x.Skins {
		if x.Skins[i].Used {
			x.skinPlans[i] = &skinPlan{first: x.Skins[i].First, count: len(x.Doc.Skins[i].Joints), local: map[int]int{},
				whole: map[int]bool{}, reordered: x.Skins[i].Reordered, root: -1}
		}
	}
	x.gatherBones()
	boneOf := map[int]int{}
	for k := range x.bones {
		boneOf[x.bones[k].Joint] = k
	}
	for k := range x.bones {
		plan := x.skinPlans[x.fitted.Skeleton.Joints[x.bones[k].Joint].Skin]
		plan.need(x.bones[k].Joint, boneOf)
	}
	for r, rig := range x.fitted.Rigs {
		joints := rig.Joints()
		if _, divided := rig.(skinning.DividedRig); divided || x.fromFile[r] || len(joints) == 0 {
			continue
		}
		plan := x.skinPlans[x.fitted.Skeleton.Joints[joints[0]].Skin]
		plan.whole[r] = true
		for _, j := range slices.Concat(joints, rig.Reads()) {
			plan.need(j, boneOf)
		}
	}
	var buf []skinning.Influence
	for _, part := range x.fitted.Skin.Parts {
		plan := x.skinPlans[*x.Doc.Nodes[part.Node].Skin]
		for v := part.FirstVertex; v < part.FirstVertex+part.VertexCount; v++ {
			buf = buf[:0]
			for _, set := range x.fitted.Skin.WeightSets() {
				buf = set.Of(buf, v)
			}
			for _, f := range buf {
				plan.need(int(f.Joint), boneOf)
			}
		}
	}
	for _, plan := range x.skinPlans {
		for _, k := range plan.bones {
			for _, j := range x.bones[k].Masters {
				plan.need(int(j), boneOf)
			}
		}
	}
}

// need notes that a skin needs a joint of the fitted model.
func (p *skinPlan) need(joint int, boneOf map[int]int) {
	if joint >= p.first && joint < p.first+p.count {
		return
	}
	into, value := &p.foreign, joint
	if k, ok := boneOf[joint]; ok {
		into, value = &p.bones, k
	}
	if at, found := slices.BinarySearch(*into, value); !found {
		*into = slices.Insert(*into, at, value)
	}
}

// extendSkin appends joints and inverse bind matrices to a skin and writes the controllers into its extras. The inverse
// bind matrix of a joint is FromRest·A, with A from the skin's mesh space to rest space.
func (x *exporter) extendSkin(i int, p *skinPlan) {
	skin := x.Doc.Skins[i]
	for j := range p.count {
		p.local[p.first+j] = j
		p.rests = append(p.rests, x.Model.Skeleton.Joints[p.first+j].FromRest)
	}
	nodes := slices.Clone(skin.Joints)
	binds := x.bindBytes(i, p)
	put := func(node int, fromRest geom.Affine) {
		nodes, p.rests = append(nodes, node), append(p.rests, fromRest)
		binds = appendMatrix(binds, fromRest.Mul(x.Skins[i].ToRest))
	}
	add := func(joint, node int, fromRest geom.Affine) {
		p.local[joint] = len(nodes)
		put(node, fromRest)
	}
	for _, k := range p.bones {
		add(x.bones[k].Joint, x.jointNode[k], x.bones[k].FromRest)
	}
	for _, k := range p.bones {
		// Blender takes a bone's place from its inverse bind matrix where its parent has one too, and otherwise from
		// its node's rest transform. Where a bone of two nodes rests elsewhere, the outer one becomes a joint that
		// moves no vertex.
		if bone := &x.bones[k]; bone.Nested && bone.Aside {
			put(x.outerNode[k], bone.FromRest)
		}
	}
	for _, joint := range p.foreign {
		node := x.fitted.Skeleton.Joints[joint].Node
		if at := slices.Index(nodes, node); at >= 0 {
			if p.first+at < x.masters() && at < p.count &&
				x.fitted.Skeleton.Joints[p.first+at].MovesLike(&x.fitted.Skeleton.Joints[joint], 1e-6) {
				p.local[joint] = at
				continue
			}
			// The skin already has this node with another inverse bind matrix, and may name a node only once. So a
			// child node takes its place.
			child := push(&x.Doc.Nodes, newNode(x.fitted.Skeleton.Joints[joint].Name))
			x.attach(child, node)
			node = child
		}
		add(joint, node, x.fitted.Skeleton.Joints[joint].FromRest)
	}
	if len(nodes) > p.count || len(x.Skins[i].Singular) > 0 {
		skin.Joints = nodes
		skin.InverseBindMatrices = qgltf.Index(
			x.out.accessor(binds, qgltf.Accessor{Type: qgltf.AccessorMat4}, qgltf.TargetNone))
	}
	x.dropSkeleton(i, p)
	x.putControllers(skin, p)
}

// bindBytes returns a skin's inverse bind matrices as they are in the file, bit for bit. Only singular ones are those
// of the model, because a fit may follow their joints.
func (x *exporter) bindBytes(i int, p *skinPlan) []byte {
	info := x.Doc.Skins[i]
	var out []byte
	if info.InverseBindMatrices == nil {
		for range info.Joints {
			out = appendMatrix(out, geom.IdentityAffine())
		}
		return out
	}
	r, err := x.Read(*info.InverseBindMatrices)
	if err != nil {
		panic(err) // it has been read before
	}
	var m [16]float64
	for j := range info.Joints {
		r.Value(m[:])
		if x.Skins[i].Singular[j] {
			out = appendMatrix(out, x.fitted.Skeleton.Joints[p.first+j].FromRest.Mul(x.Skins[i].ToRest))
			continue
		}
		for _, v := range m {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
		}
	}
	return out
}

// appendMatrix appends a MAT4 of float32, column by column.
func appendMatrix(out []byte, a geom.Affine) []byte {
	for column := range 4 {
		for row := range 3 {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(a[4*row+column])))
		}
		last := float32(0)
		if column == 3 {
			last = 1
		}
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(last))
	}
	return out
}

// bindMeshes gives the skinned primitives their new weights. A mesh that other nodes use with other weights, with
// another skin or with none is copied first.
func (x *exporter) bindMeshes() {
	users := x.meshUsers()
	copies := map[string]int{}
	originals := make([]*qgltf.Mesh, len(x.Doc.Meshes))
	parts := x.fitted.Skin.Parts
	for len(parts) > 0 {
		n := 1
		for n < len(parts) && parts[n].Node == parts[0].Node {
			n++
		}
		node := x.Doc.Nodes[parts[0].Node]
		mesh := *node.Mesh
		if originals[mesh] == nil {
			originals[mesh] = cloneMesh(x.Doc.Meshes[mesh])
		}
		plan := x.skinPlans[*node.Skin]
		attributes := make([]qgltf.PrimitiveAttributes, n) // of the weight sets
		for i := range attributes {
			attributes[i] = x.weightSets(&parts[i], plan, originals[mesh])
		}
		key := fmt.Sprint(mesh, attributes)
		to, ok := copies[key]
		if !ok {
			to = mesh
			users[mesh]++
			if users[mesh] > 1 {
				to = push(&x.Doc.Meshes, cloneMesh(originals[mesh]))
			}
			copies[key] = to
			for i := range attributes {
				setWeightSets(x.Doc.Meshes[to].Primitives[parts[i].Primitive].Attributes, attributes[i])
			}
			x.dropTargets(mesh, x.Doc.Meshes[to], parts[:n])
		}
		node.Mesh = &to
		if x.morphs.dropped[mesh] {
			node.Weights = nil
		}
		parts = parts[n:]
	}
}

// meshUsers counts, for every mesh, the nodes without a fitted part, which need the mesh unchanged.
func (x *exporter) meshUsers() []int {
	users := make([]int, len(x.Doc.Meshes))
	for i := range x.Doc.Nodes {
		if m := x.Doc.Nodes[i].Mesh; m != nil {
			users[*m]++
		}
	}
	for i, p := range x.fitted.Skin.Parts {
		if i == 0 || p.Node != x.fitted.Skin.Parts[i-1].Node {
			users[*x.Doc.Nodes[p.Node].Mesh]--
		}
	}
	return users
}

// cloneMesh copies a mesh as deep as the export changes meshes.
func cloneMesh(m *qgltf.Mesh) *qgltf.Mesh {
	out := *m
	out.Primitives = make([]*qgltf.Primitive, len(m.Primitives))
	for i, p := range m.Primitives {
		q := *p
		q.Attributes, q.Targets = maps.Clone(p.Attributes), slices.Clone(p.Targets)
		for t := range q.Targets {
			q.Targets[t] = maps.Clone(q.Targets[t])
		}
		out.Primitives[i] = &q
	}
	return &out
}

// weightSets adds the weights and the inputs of a part and returns the attributes that have them. Source is the part's
// mesh in the file. Its inputs stay as they are unless the fit has changed them.
func (x *exporter) weightSets(part *skinning.Part, plan *skinPlan, source *qgltf.Mesh) qgltf.PrimitiveAttributes {
	out := qgltf.PrimitiveAttributes{}
	out[qgltf.JOINTS_0], out[qgltf.WEIGHTS_0] = x.bindings(part, plan, &x.fitted.Skin.Influences)
	for i := range x.fitted.Skin.Inputs {
		in := &x.fitted.Skin.Inputs[i]
		set := gltf.SetOf(in.Input)
		switch from := x.Model.Skin.Input(in.Input); {
		case from != nil && sameInput(in, from, part):
			for name, accessor := range source.Primitives[part.Primitive].Attributes {
				if gltf.InputOf(name) == in.Input {
					out[name] = accessor
				}
			}
		case in.Input == &skinning.OriginalWeights: // no engine reads them, and five digits are enough for reports
			x.out.wholeSet(out, part, &in.Weights, set, func(joint int) int { return plan.local[joint] }, true)
		case in.Components == 0:
			out[set.Joints(0)], out[set.Weights(0)] = x.bindings(part, plan, &in.Weights)
		default:
			out[gltf.Attribute(in.Input)] = x.out.values(in, part, x.Skins[*x.Doc.Nodes[part.Node].Skin].ToRest)
		}
	}
	return out
}

// sameInput reports whether the vertices of a part are the same in two data of an input.
func sameInput(a, b *skinning.InputData, part *skinning.Part) bool {
	if a.Components > 0 {
		return slices.Equal(a.ValuesOf(part), b.ValuesOf(part))
	}
	var x, y []skinning.Influence
	for v := part.FirstVertex; v < part.FirstVertex+part.VertexCount; v++ {
		x, y = a.Weights.Of(x[:0], v), b.Weights.Of(y[:0], v)
		if !slices.Equal(x, y) {
			return false
		}
	}
	return true
}

// setWeightSets replaces the weight sets and the inputs of a primitive.
func setWeightSets(attributes, sets qgltf.PrimitiveAttributes) {
	maps.DeleteFunc(attributes, func(name string, _ int) bool { return gltf.IsWeightSet(name) || gltf.InputOf(name) != nil })
	maps.Copy(attributes, sets)
}

// bindings adds the joints and weights of a part: at most four a vertex, weights that sum to 1, unused joints 0.
func (x *exporter) bindings(part *skinning.Part, plan *skinPlan, in *skinning.Influences) (joints, weights int) {
	binds := make([]skinning.Binding, part.VertexCount)
	most := uint16(0)
	for v := range binds {
		b := in.Bindings[part.FirstVertex+v]
		if len(in.ExtraOf(part.FirstVertex+v)) > 0 {
			x.report.Cut++
		}
		for k := range b.Joints {
			if b.Weights[k] > 0 {
				b.Joints[k] = uint16(plan.local[int(b.Joints[k])])
				most = max(most, b.Joints[k])
			} else {
				b.Joints[k], b.Weights[k] = 0, 0
			}
		}
		oncePerJoint(&b)
		b.Weights = unitSum(b.Weights)
		binds[v] = b
	}
	return x.out.bindings(binds, most, false)
}

// oncePerJoint adds up the weights of a joint that a vertex follows twice, which glTF does not allow. Joints of two
// skins that bind a node alike become one joint, say.
func oncePerJoint(b *skinning.Binding) {
	n := 0
	for k := range b.Joints {
		joint, weight := b.Joints[k], b.Weights[k]
		b.Joints[k], b.Weights[k] = 0, 0
		if weight == 0 {
			continue
		}
		at := slices.Index(b.Joints[:n], joint)
		if at < 0 {
			at = n
			n++
		}
		b.Joints[at] = joint
		b.Weights[at] += weight
	}
}

// unitSum scales weights to the sum 1. The first, the largest, takes up the rounding of the others to float32.
func unitSum(w [4]float32) [4]float32 {
	sum := float64(w[0]) + float64(w[1]) + float64(w[2]) + float64(w[3])
	rest := 0.0
	for k := 1; k < 4; k++ {
		w[k] = float32(float64(w[k]) / sum)
		rest += float64(w[k])
	}
	w[0] = float32(1 - rest)
	return w
}

// bindings adds JOINTS_0, in bytes where the largest index allows, and WEIGHTS_0, as floats or as normalised shorts.
func (w *writer) bindings(binds []skinning.Binding, most uint16, short bool) (joints, weights int) {
	var index []byte
	var share []float32
	component := qgltf.ComponentUbyte
	if most > math.MaxUint8 {
		component = qgltf.ComponentUshort
	}
	for v := range binds {
		for k, j := range binds[v].Joints {
			if component == qgltf.ComponentUbyte {
				index = append(index, byte(j))
			} else {
				index = binary.LittleEndian.AppendUint16(index, j)
			}
			share = append(share, binds[v].Weights[k])
		}
	}
	a := qgltf.Accessor{ComponentType: component, Type: qgltf.AccessorVec4}
	joints = w.accessor(index, a, qgltf.TargetArrayBuffer)
	if !short {
		return joints, w.floats(share, qgltf.AccessorVec4, qgltf.TargetArrayBuffer, false)
	}
	var shorts []byte
	for _, x := range share {
		shorts = binary.LittleEndian.AppendUint16(shorts, uint16(math.Round(math.MaxUint16*float64(x))))
	}
	return joints, w.accessor(shorts, qgltf.Accessor{ComponentType: qgltf.ComponentUshort, Type: qgltf.AccessorVec4,
		Normalized: true}, qgltf.TargetArrayBuffer)
}
