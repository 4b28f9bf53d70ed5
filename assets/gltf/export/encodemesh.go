package export

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/assets/fault"
	"skinlab/skinning"
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
	out := e.at("nodes", node)
	slots := e.slotsOf(node)
	var primitives items
	for _, p := range parts {
		primitive := e.primitive(&p, slots)
		if p.skinned {
			skin, err := e.skinOf(p.part)
			if err != nil {
				return err
			}
			if old, ok := out["skin"]; ok && old != skin {
				return fmt.Errorf("its parts follow skin %d and skin %d", old, skin)
			}
			out["skin"] = skin
			e.influences(primitive["attributes"].(dict), &p, &e.skins[skin])
		}
		primitives = append(primitives, primitive)
	}
	mesh := dict{"primitives": primitives}
	if name := parts[0].part.Name; name != "" {
		mesh["name"] = name
	}
	if len(slots) > 0 {
		var weights, names items
		for i, s := range slots {
			weights = append(weights, e.m.MorphSlots[s].Default)
			if name := e.m.MorphSlots[s].Name; name != "#"+strconv.Itoa(i) {
				names = append(names, name)
			} else {
				names = append(names, "")
			}
		}
		mesh["weights"], mesh["extras"] = weights, dict{"targetNames": names}
	}
	out["mesh"] = e.push("meshes", mesh)
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

func (e *encoder) primitive(p *nodePart, slots []int) dict {
	m, first, end := p.mesh, p.part.FirstVertex, p.part.FirstVertex+p.part.VertexCount
	attributes := dict{
		"POSITION": e.vectors(m.Positions[first:end], true),
		"NORMAL":   e.vectors(m.Normals[first:end], false),
	}
	out := dict{"attributes": attributes}
	if k := p.part.Material; k >= 0 {
		out["material"] = k
		if m.UVs != nil && e.m.Materials[k].Texture >= 0 {
			var uv []float32
			for _, v := range m.UVs[first:end] {
				uv = append(uv, v[0], v[1])
			}
			attributes["TEXCOORD_0"] = e.floats(uv, "VEC2", targetVertices, false)
		}
	}
	var targets items
	for _, s := range slots {
		targets = append(targets, e.target(p, s))
	}
	if targets != nil {
		out["targets"] = targets
	}
	out["indices"] = e.indices(m.Triangles[p.part.FirstTriangle:p.part.FirstTriangle+p.part.TriangleCount], first,
		p.part.VertexCount)
	return out
}

// target writes the deltas of one slot on one part: zeros, which take no bytes, where it changes nothing.
func (e *encoder) target(p *nodePart, slot int) dict {
	for i := range p.mesh.Morphs {
		k := &p.mesh.Morphs[i]
		if k.Slot != slot || k.FirstVertex < p.part.FirstVertex || k.FirstVertex >= p.part.FirstVertex+p.part.VertexCount {
			continue
		}
		out := dict{"POSITION": e.vectors(k.Positions, true)}
		if k.Normals != nil {
			out["NORMAL"] = e.vectors(k.Normals, false)
		}
		return out
	}
	zero := []float64{0, 0, 0}
	return dict{"POSITION": e.push("accessors",
		dict{"componentType": kindFloat, "type": "VEC3", "count": p.part.VertexCount, "min": zero, "max": zero})}
}

func (e *encoder) vectors(v []mgl32.Vec3, bounds bool) int {
	flat := make([]float32, 0, 3*len(v))
	for i := range v {
		flat = append(flat, v[i][:]...)
	}
	return e.floats(flat, "VEC3", targetVertices, bounds)
}

// indices writes triangles over the vertices of a part that starts at vertex first. The largest index of a type is
// never used: it is the primitive restart value.
func (e *encoder) indices(triangles [][3]uint32, first, vertices int) int {
	var data []byte
	component := kindUshort
	if vertices > 1<<16-1 {
		component = kindUint
	}
	for _, t := range triangles {
		for _, v := range t {
			if component == kindUshort {
				data = binary.LittleEndian.AppendUint16(data, uint16(v-uint32(first)))
			} else {
				data = binary.LittleEndian.AppendUint32(data, v-uint32(first))
			}
		}
	}
	return e.accessor(data, component, "SCALAR", targetIndices, nil)
}

// influences writes as many JOINTS_n and WEIGHTS_n as the vertex with most influences needs.
func (e *encoder) influences(attributes dict, p *nodePart, skin *encodedSkin) {
	in := &p.mesh.Influences
	if len(in.Bindings) == 0 { // bound later: zeros without bytes in their place
		attributes["JOINTS_0"] = e.push("accessors",
			dict{"componentType": kindUbyte, "type": "VEC4", "count": p.part.VertexCount})
		attributes["WEIGHTS_0"] = e.push("accessors",
			dict{"componentType": kindFloat, "type": "VEC4", "count": p.part.VertexCount})
		return
	}
	var buf []skinning.Influence
	sets := 1
	for v := range p.part.VertexCount {
		sets = max(sets, (len(in.Of(buf[:0], p.part.FirstVertex+v))+3)/4)
	}
	for n := range sets {
		binds := make([]skinning.Binding, p.part.VertexCount)
		most := uint16(0)
		for v := range binds {
			all := in.Of(buf[:0], p.part.FirstVertex+v)
			for k := 4 * n; k < min(4*n+4, len(all)); k++ {
				j := uint16(skin.local[int(all[k].Joint)])
				binds[v].Joints[k-4*n], binds[v].Weights[k-4*n] = j, all[k].Weight
				most = max(most, j)
			}
		}
		s := strconv.Itoa(n)
		attributes["JOINTS_"+s], attributes["WEIGHTS_"+s] = e.bindings(binds, most)
	}
}
