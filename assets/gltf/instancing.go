package gltf

import (
	"fmt"
	"math"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/skinning/geom"
)

// instances returns where the extension for instancing shows a rigid primitive: transforms in the node's space, nil for
// a node without it. A skinned primitive, which other programs show in different ways, is drawn once, with a warning.
func (d *Source) instances(dr *draw) ([]geom.Affine, error) {
	node := d.Doc.Nodes[dr.node]
	var x struct {
		Attributes map[string]int `json:"attributes"`
	}
	if err := extension(node.Extensions, instancingExtension, &x); err != nil {
		return nil, err
	}
	switch {
	case len(x.Attributes) == 0:
		return nil, nil
	case dr.skin >= 0:
		d.notes.Add("%s: %s shows a skinned mesh, which is drawn once", fault.Element("node", dr.node, node.Name),
			instancingExtension)
		return nil, nil
	}
	var all []geom.Transform
	for _, attribute := range []struct {
		name  string
		shape gltf.AccessorType
		set   func(t *geom.Transform, v []float64)
	}{
		{"TRANSLATION", gltf.AccessorVec3, func(t *geom.Transform, v []float64) { copy(t.Translation[:], v) }},
		{"ROTATION", gltf.AccessorVec4, func(t *geom.Transform, v []float64) { copy(t.Rotation[:], v) }},
		{"SCALE", gltf.AccessorVec3, func(t *geom.Transform, v []float64) { copy(t.Scale[:], v) }},
	} {
		i, ok := x.Attributes[attribute.name]
		if !ok {
			continue
		}
		name := instancingExtension + ": " + attribute.name
		if i < 0 || i >= len(d.Accessors) {
			return nil, fault.Malformed("%s: accessor %d does not exist", name, i)
		}
		a := &d.Accessors[i]
		if a.Type != attribute.shape {
			return nil, fault.Malformed("%s: accessor %d is %s, expected %s", name, i, a.Type, attribute.shape)
		}
		if all == nil {
			if err := d.budget.charge(int64(a.Count), bytesPerDraw, "instances"); err != nil {
				return nil, err
			}
			all = make([]geom.Transform, a.Count)
			for k := range all {
				all[k] = geom.IdentityTransform()
			}
		}
		if a.Count != len(all) {
			return nil, fault.Malformed("%s: accessor %d has %d elements, another attribute has %d", name, i, a.Count, len(all))
		}
		r, err := d.Read(i)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		v := make([]float64, attribute.shape.Components())
		for k := range all {
			if r.Value(v); !finite(v) {
				return nil, fault.Malformed("%s: instance %d is %v, expected finite numbers", name, k, v)
			}
			attribute.set(&all[k], v)
		}
	}
	places := make([]geom.Affine, len(all))
	for k := range all {
		q := all[k].Rotation
		length := math.Sqrt(q.Dot(q))
		if !(length > 1e-12) {
			return nil, fault.Malformed("%s: ROTATION of instance %d is a quaternion of length zero", instancingExtension, k)
		}
		all[k].Rotation = q.Normalize()
		places[k] = all[k].Affine()
	}
	return places, nil
}
