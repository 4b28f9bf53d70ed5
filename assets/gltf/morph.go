package gltf

import (
	"encoding/json"
	"fmt"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// slotRange is the run of morph slots of one node.
type slotRange struct{ first, count int }

// readSlots gives every drawn mesh node a slot for each of its mesh's morph targets.
func (d *Source) readSlots() error {
	d.slots = make([]slotRange, len(d.Doc.Nodes))
	total := 0
	for i := range d.Doc.Nodes {
		info := d.Doc.Nodes[i]
		if info.Mesh == nil || !d.drawn[i] {
			continue
		}
		targets := len(d.Doc.Meshes[*info.Mesh].Primitives[0].Targets)
		if err := d.checkWeights(info.Weights, targets, i); err != nil {
			return fmt.Errorf("%s: %w", fault.Element("node", i, info.Name), err)
		}
		if err := d.budget.charge(int64(targets), bytesPerMorphSlot, "morph targets"); err != nil {
			return err
		}
		d.slots[i] = slotRange{total, targets}
		total += targets
	}
	d.Model.MorphSlots = make([]skinning.MorphSlot, 0, total)
	names := map[int][]string{}
	for i := range d.Doc.Nodes {
		if d.slots[i].count > 0 {
			d.addSlots(i, names)
		}
	}
	return nil
}

func (d *Source) checkWeights(weights []float64, targets, node int) error {
	switch {
	case weights == nil:
	case targets == 0:
		d.notes.Add("%s: has weights, but its mesh has no morph targets", fault.Element("node", node, d.Doc.Nodes[node].Name))
	case len(weights) != targets:
		return fault.Malformed("%d weights for %d morph targets", len(weights), targets)
	case !finite(weights):
		return fault.Malformed("weights beyond float32: %s", notFiniteOf(weights))
	}
	return nil
}

// addSlots appends the slots of one node. Its own weights come before those of its mesh.
func (d *Source) addSlots(node int, names map[int][]string) {
	info := d.Doc.Nodes[node]
	mesh := d.Doc.Meshes[*info.Mesh]
	name, ok := names[*info.Mesh]
	if !ok {
		name = targetNames(mesh.Extras)
		names[*info.Mesh] = name
	}
	weights := mesh.Weights
	if info.Weights != nil {
		weights = info.Weights
	}
	for t := range d.slots[node].count {
		slot := skinning.MorphSlot{Node: node, Target: t, Name: skinning.Named("", "Morph target", t)}
		if t < len(name) && name[t] != "" {
			slot.Name = name[t]
		}
		if weights != nil {
			slot.Default = weights[t]
		}
		d.Model.MorphSlots = append(d.Model.MorphSlots, slot)
	}
}

// targetNames reads the names that exporters leave in mesh.extras.targetNames. Extras may hold anything.
func targetNames(extras any) []string {
	text, _ := extras.(json.RawMessage)
	var e struct {
		TargetNames []string `json:"targetNames"`
	}
	if json.Unmarshal(text, &e) != nil {
		return nil
	}
	return e.TargetNames
}

// morphs appends the primitive's morph targets to m. Deltas of positions go through the linear part of A, deltas of
// normals through the normal matrix and the division by the length of the vertex's normal, deltas of tangents through
// the linear part and the division by the length of the vertex's tangent. A target that changes none of them is left
// out; its slot stays.
func (g *geometry) morphs(m *skinning.Mesh, dr *draw, toRest geom.Affine, first int,
	scales, tangentScales []float64) error {
	slots := g.slots[dr.node]
	for t, target := range dr.Targets {
		morph := skinning.Morph{Slot: slots.first + t, FirstVertex: first}
		var err error
		morph.Positions, err = g.deltas(dr, target, "POSITION", toRest.Linear(), nil)
		if err == nil && scales != nil {
			morph.Normals, err = g.deltas(dr, target, "NORMAL", normalMatrix(toRest), scales)
		}
		if err == nil && tangentScales != nil {
			morph.Tangents, err = g.deltas(dr, target, "TANGENT", toRest.Linear(), tangentScales)
		}
		if err != nil {
			return fmt.Errorf("morph target %d: %w", t, err)
		}
		if morph.Positions == nil && morph.Normals == nil && morph.Tangents == nil {
			continue
		}
		if morph.Positions == nil {
			morph.Positions = make([]mgl32.Vec3, dr.vertices)
		}
		m.Morphs = append(m.Morphs, morph)
	}
	return nil
}

// deltas reads one attribute of a morph target through matrix, divided by scales where they are given; nil where the
// target does not have the attribute.
func (g *geometry) deltas(dr *draw, target gltf.PrimitiveAttributes, name string, matrix geom.Mat3,
	scales []float64) ([]mgl32.Vec3, error) {
	r, ok, err := g.attribute(dr, target, name, gltf.AccessorVec3)
	if err != nil || !ok {
		return nil, err
	}
	out := make([]mgl32.Vec3, dr.vertices)
	return out, g.vectors(out, name, &r, func(i int, v mgl64.Vec3) mgl64.Vec3 {
		if scales == nil {
			return matrix.Apply(v)
		}
		return matrix.Apply(v).Mul(1 / scales[i])
	})
}
