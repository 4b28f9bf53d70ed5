package export

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/assets/gltf"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// nodePart is a primitive of the mesh that a node will have.
type nodePart struct {
	mesh    *skinning.Mesh
	part    *skinning.Part
	skinned bool
}

// meshes writes one mesh for every node that has parts, skinned or rigid.
func (e *encoder) meshes() error {
	byNode := map[int][]nodePart{}
	collect := func(m *skinning.Mesh, skinned bool) {
		for i := range m.Parts {
			byNode[m.Parts[i].Node] = append(byNode[m.Parts[i].Node], nodePart{m, &m.Parts[i], skinned})
		}
	}
	collect(&e.m.Skin, true)
	for i := range e.m.Rigid {
		collect(&e.m.Rigid[i], false)
	}
	for node := range e.m.Skeleton.Nodes {
		parts := byNode[node]
		if parts == nil {
			continue
		}
		slices.SortStableFunc(parts, func(a, b nodePart) int { return a.part.Primitive - b.part.Primitive })
		if err := e.mesh(node, parts); err != nil {
			return fmt.Errorf("%s: %w", fault.Element("node", node, e.m.Skeleton.Nodes[node].Name), err)
		}
	}
	return nil
}

func (e *encoder) mesh(node int, parts []nodePart) error {
	out := e.doc.Nodes[node]
	slots := e.slotsOf(node)
	mesh := &qgltf.Mesh{Name: parts[0].part.Name}
	for _, p := range parts {
		primitive := e.primitive(&p, slots)
		if p.skinned {
			skin, err := e.skinOf(p.part)
			if err != nil {
				return err
			}
			if out.Skin != nil && *out.Skin != skin {
				return fmt.Errorf("its parts follow skin %d and skin %d", *out.Skin, skin)
			}
			out.Skin = &skin
			e.influences(primitive.Attributes, &p, &e.m.Skin.Influences, gltf.LinearSet, &e.skins[skin])
			for i := range e.m.Skin.Inputs {
				if in := &e.m.Skin.Inputs[i]; in.Components == 0 {
					e.influences(primitive.Attributes, &p, &in.Weights, gltf.SetOf(in.Input), &e.skins[skin])
				} else {
					primitive.Attributes[gltf.Attribute(in.Input)] = e.values(in, p.part, geom.IdentityAffine())
				}
			}
		}
		mesh.Primitives = append(mesh.Primitives, primitive)
	}
	if len(slots) > 0 {
		var names []string
		for i, s := range slots {
			mesh.Weights = append(mesh.Weights, e.m.MorphSlots[s].Default)
			if name := e.m.MorphSlots[s].Name; name != skinning.Named("", "Morph target", i) {
				names = append(names, name)
			} else {
				names = append(names, "")
			}
		}
		mesh.Extras = map[string]any{"targetNames": names}
	}
	out.Mesh = qgltf.Index(push(&e.doc.Meshes, mesh))
	return nil
}

// slotsOf returns the morph slots of a node, in order of their targets.
func (e *encoder) slotsOf(node int) []int {
	var slots []int
	for i := range e.m.MorphSlots {
		if e.m.MorphSlots[i].Node == node {
			slots = append(slots, i)
		}
	}
	slices.SortStableFunc(slots, func(a, b int) int { return e.m.MorphSlots[a].Target - e.m.MorphSlots[b].Target })
	return slots
}

func (e *encoder) primitive(p *nodePart, slots []int) *qgltf.Primitive {
	m, first, end := p.mesh, p.part.FirstVertex, p.part.FirstVertex+p.part.VertexCount
	out := &qgltf.Primitive{Attributes: qgltf.PrimitiveAttributes{
		qgltf.POSITION: e.vectors(m.Positions[first:end], true),
		qgltf.NORMAL:   e.vectors(m.Normals[first:end], false),
	}}
	if k := p.part.Material; k >= 0 {
		out.Material = &k
		material := &e.m.Materials[k]
		if m.UVs != nil && (material.Texture >= 0 || len(material.Maps) > 0) {
			out.Attributes[qgltf.TEXCOORD_0] = e.floats(flat(m.UVs[first:end]), qgltf.AccessorVec2, qgltf.TargetArrayBuffer,
				false)
		}
		if second := func(t skinning.Map) bool { return t.Second }; m.SecondUVs != nil &&
			slices.ContainsFunc(material.Maps, second) {
			out.Attributes[qgltf.TEXCOORD_1] = e.floats(flat(m.SecondUVs[first:end]), qgltf.AccessorVec2,
				qgltf.TargetArrayBuffer, false)
		}
		if m.Tangents != nil && material.Map(skinning.NormalMap) != nil {
			out.Attributes[qgltf.TANGENT] = e.floats(flat(m.Tangents[first:end]), qgltf.AccessorVec4, qgltf.TargetArrayBuffer,
				false)
		}
	}
	if m.Colors != nil {
		var colors []float32
		for _, c := range m.Colors[first:end] {
			for _, x := range c {
				colors = append(colors, float32(x)/65535)
			}
		}
		out.Attributes[qgltf.COLOR_0] = e.floats(colors, qgltf.AccessorVec4, qgltf.TargetArrayBuffer, false)
	}
	for _, s := range slots {
		out.Targets = append(out.Targets, e.target(p, s))
	}
	out.Indices = qgltf.Index(e.indices(m.Triangles[p.part.FirstTriangle:p.part.FirstTriangle+p.part.TriangleCount],
		first, p.part.VertexCount))
	return out
}

// target writes the deltas of one slot on one part. If the slot does not change the part, they are zeros, which take no
// bytes.
func (e *encoder) target(p *nodePart, slot int) qgltf.PrimitiveAttributes {
	for i := range p.mesh.Morphs {
		k := &p.mesh.Morphs[i]
		if k.Slot != slot || k.FirstVertex < p.part.FirstVertex || k.FirstVertex >= p.part.FirstVertex+p.part.VertexCount {
			continue
		}
		out := qgltf.PrimitiveAttributes{qgltf.POSITION: e.vectors(k.Positions, true)}
		if k.Normals != nil {
			out[qgltf.NORMAL] = e.vectors(k.Normals, false)
		}
		if k.Tangents != nil {
			out[qgltf.TANGENT] = e.vectors(k.Tangents, false)
		}
		return out
	}
	return qgltf.PrimitiveAttributes{
		qgltf.POSITION: e.zeros(qgltf.ComponentFloat, qgltf.AccessorVec3, p.part.VertexCount, true)}
}

func (e *encoder) vectors(v []mgl32.Vec3, bounds bool) int {
	return e.floats(flat(v), qgltf.AccessorVec3, qgltf.TargetArrayBuffer, bounds)
}

// flat returns the numbers of vectors one after the other.
func flat[V mgl32.Vec2 | mgl32.Vec3 | mgl32.Vec4](v []V) (out []float32) {
	for i := range v {
		for k := range len(v[i]) {
			out = append(out, v[i][k])
		}
	}
	return out
}

// indices writes triangles over the vertices of a part that starts at vertex first. The largest index of a type is
// never used: it is the primitive restart value.
func (e *encoder) indices(triangles [][3]uint32, first, vertices int) int {
	var data []byte
	component := qgltf.ComponentUshort
	if vertices > 1<<16-1 {
		component = qgltf.ComponentUint
	}
	for _, t := range triangles {
		for _, v := range t {
			if component == qgltf.ComponentUshort {
				data = binary.LittleEndian.AppendUint16(data, uint16(v-uint32(first)))
			} else {
				data = binary.LittleEndian.AppendUint32(data, v-uint32(first))
			}
		}
	}
	return e.accessor(data, qgltf.Accessor{ComponentType: component, Type: qgltf.AccessorScalar},
		qgltf.TargetElementArrayBuffer)
}

// influences writes the JOINTS_n and WEIGHTS_n of a weight set.
func (e *encoder) influences(attributes qgltf.PrimitiveAttributes, p *nodePart, in *skinning.Influences,
	set gltf.WeightSet, skin *encodedSkin) {
	if len(in.Bindings) == 0 { // bound later: zeros without bytes in their place
		attributes[set.Joints(0)] = e.zeros(qgltf.ComponentUbyte, qgltf.AccessorVec4, p.part.VertexCount, false)
		attributes[set.Weights(0)] = e.zeros(qgltf.ComponentFloat, qgltf.AccessorVec4, p.part.VertexCount, false)
		return
	}
	e.wholeSet(attributes, p.part, in, set, func(joint int) int { return skin.local[joint] }, false)
}

// wholeSet writes a weight set of a part with all of its influences: as many JOINTS_n and WEIGHTS_n as the vertex with
// the most of them needs. Local gives the skin's number of a joint.
func (w *writer) wholeSet(attributes qgltf.PrimitiveAttributes, part *skinning.Part, in *skinning.Influences,
	set gltf.WeightSet, local func(joint int) int, short bool) {
	var buf []skinning.Influence
	sets := 1
	for v := range part.VertexCount {
		sets = max(sets, (len(in.Of(buf[:0], part.FirstVertex+v))+3)/4)
	}
	for n := range sets {
		binds := make([]skinning.Binding, part.VertexCount)
		most := uint16(0)
		for v := range binds {
			all := in.Of(buf[:0], part.FirstVertex+v)
			for k := 4 * n; k < min(4*n+4, len(all)); k++ {
				j := uint16(local(int(all[k].Joint)))
				binds[v].Joints[k-4*n], binds[v].Weights[k-4*n] = j, all[k].Weight
				most = max(most, j)
			}
		}
		attributes[set.Joints(n)], attributes[set.Weights(n)] = w.bindings(binds, most, short)
	}
}
