package gltf

import (
	"fmt"
	"math"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/skinning"
)

// influences reads all JOINTS_n/WEIGHTS_n of a skinned primitive into m.Influences.
func (g *geometry) influences(m *skinning.Mesh, dr *draw) error {
	skin := &g.Skins[dr.skin]
	count := len(g.Doc.Skins[dr.skin].Joints)
	joints, weights := make([]reader, dr.sets), make([]reader, dr.sets)
	tolerance := 0.0
	for n := range joints {
		var err error
		if joints[n], err = g.jointSet(dr, n); err != nil {
			return err
		}
		if weights[n], _, err = g.attribute(dr, dr.Attributes, fmt.Sprintf("WEIGHTS_%d", n), gltf.AccessorVec4); err != nil {
			return err
		}
		tolerance = max(tolerance, sumTolerance(weights[n].ComponentType))
	}
	raw := make([]skinning.Influence, 0, 4*dr.sets)
	var j, w [4]float64
	for v := range dr.vertices {
		raw = raw[:0]
		sum := 0.0
		for n := range joints {
			joints[n].Value(j[:])
			weights[n].Value(w[:])
			if !finite(w[:]) {
				return notFinite(fmt.Sprintf("WEIGHTS_%d", n), v, w[:])
			}
			for k := range w {
				if int(j[k]) >= count && !(w[k] > 0) {
					g.strayJoints.add(g, dr, v) // it moves nothing, so the picture is right
					continue
				}
				if int(j[k]) >= count {
					return fault.Malformed("JOINTS_%d: vertex %d: joint %d does not exist, the skin has %d", n, v, int(j[k]), count)
				}
				if w[k] > 0 {
					sum += w[k]
					raw = append(raw, skinning.Influence{Joint: uint16(skin.First + int(j[k])), Weight: float32(w[k])})
				}
			}
		}
		if weights[0].ComponentType != gltf.ComponentFloat && !weights[0].Normalized {
			g.plainWeights.add(g, dr, v)
		} else if sum > 0 && !(math.Abs(sum-1) <= tolerance) {
			g.unnormalised.add(g, dr, v)
		}
		if !(sum > 0) {
			g.zeroWeights.add(g, dr, v)
			g.moved[skin.First] = true
		}
		if !(sum > 1e-30 && sum < 1e30) { // float32 sums of such weights would overflow or vanish
			for k := range raw {
				raw[k].Weight = float32(float64(raw[k].Weight) / sum)
			}
		}
		for k := range raw {
			g.moved[raw[k].Joint] = true
		}
		m.Append(raw, uint16(skin.First))
	}
	return nil
}

func (g *geometry) jointSet(dr *draw, n int) (reader, error) {
	name := fmt.Sprintf("JOINTS_%d", n)
	r, _, err := g.attribute(dr, dr.Attributes, name, gltf.AccessorVec4)
	if err != nil {
		return reader{}, err
	}
	if r.ComponentType != gltf.ComponentUbyte && r.ComponentType != gltf.ComponentUshort {
		return reader{}, fault.Malformed("%s: component type is %s, expected UNSIGNED_BYTE or UNSIGNED_SHORT", name,
			r.ComponentType)
	}
	r.accessor = plain(r.accessor)
	return r, nil
}

// sumTolerance is how far the weights of a vertex may sum from 1 without a warning: a few roundings of the component.
func sumTolerance(component gltf.ComponentType) float64 {
	switch component {
	case gltf.ComponentUbyte, gltf.ComponentByte:
		return 2.0 / math.MaxUint8
	default:
		return 1e-3
	}
}
