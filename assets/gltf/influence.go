package gltf

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/skinning"
)

// WeightSet names a weight set of a primitive by the prefix of JOINTS_n and WEIGHTS_n in the names of its attributes.
type WeightSet string

// LinearSet is that of linear blending, and every method's where there is no other.
const LinearSet WeightSet = ""

// Joints returns the name of the attribute with the joints of influences 4n to 4n+3.
func (s WeightSet) Joints(n int) string { return string(s) + "JOINTS_" + strconv.Itoa(n) }

// Weights returns the name of the attribute with the weights of influences 4n to 4n+3.
func (s WeightSet) Weights(n int) string { return string(s) + "WEIGHTS_" + strconv.Itoa(n) }

// influenceSets counts JOINTS_0, JOINTS_1, … of a weight set; each needs its WEIGHTS_n, and the numbers must follow one
// another.
func influenceSets(dr *draw, set WeightSet) (int, error) {
	joints, weights := 0, 0
	for name := range dr.Attributes {
		if strings.HasPrefix(name, string(set)+"JOINTS_") {
			joints++
		}
		if strings.HasPrefix(name, string(set)+"WEIGHTS_") {
			weights++
		}
	}
	for n := range max(joints, weights) {
		_, j := dr.Attributes[set.Joints(n)]
		_, w := dr.Attributes[set.Weights(n)]
		switch {
		case j && !w:
			return 0, fault.Malformed("%s without %s", set.Joints(n), set.Weights(n))
		case w && !j:
			return 0, fault.Malformed("%s without %s", set.Weights(n), set.Joints(n))
		case !j:
			return 0, fault.Malformed("there are %d %sJOINTS and %d %sWEIGHTS attributes, but no %s", joints, set, weights, set,
				set.Joints(n))
		}
	}
	return joints, nil
}

// influences appends the influences of a skinned primitive in a weight set to a list. For a vertex without a weight
// above 0, instead is called to append its influences.
func (g *geometry) influences(to *skinning.Influences, dr *draw, set WeightSet, sets int,
	instead func(raw []skinning.Influence, v int) []skinning.Influence) error {
	skin := &g.Skins[dr.skin]
	count := len(g.Doc.Skins[dr.skin].Joints)
	joints, weights := make([]reader, sets), make([]reader, sets)
	tolerance := 0.0
	for n := range joints {
		var err error
		if joints[n], err = g.jointSet(dr, set.Joints(n)); err != nil {
			return err
		}
		if weights[n], _, err = g.attribute(dr, dr.Attributes, set.Weights(n), gltf.AccessorVec4); err != nil {
			return err
		}
		tolerance = max(tolerance, sumTolerance(weights[n].ComponentType))
	}
	raw := make([]skinning.Influence, 0, 4*sets)
	var j, w [4]float64
	for v := range dr.vertices {
		raw = raw[:0]
		sum, negative := 0.0, false
		for n := range joints {
			joints[n].Value(j[:])
			weights[n].Value(w[:])
			if !finite(w[:]) {
				return notFinite(set.Weights(n), v, w[:])
			}
			for k := range w {
				if int(j[k]) >= count && !(w[k] > 0) {
					g.strayJoints.add(g, dr, v) // it moves nothing, so the picture is right
					continue
				}
				if int(j[k]) >= count {
					return fault.Malformed("%s: vertex %d: joint %d does not exist, the skin has %d", set.Joints(n), v, int(j[k]),
						count)
				}
				if w[k] > 0 && skin.Singular[int(j[k])] {
					return fmt.Errorf("%s: vertex %d: %w", set.Joints(n), v,
						&located{fault.Element("skin", dr.skin, g.Doc.Skins[dr.skin].Name),
							inJoint(int(j[k]), fault.Malformed("inverse bind matrix is singular"))})
				}
				negative = negative || w[k] < -tolerance
				if w[k] > 0 {
					sum += w[k]
					raw = append(raw, skinning.Influence{Joint: uint16(skin.First + int(j[k])), Weight: float32(w[k])})
				}
			}
		}
		if sets > 0 && weights[0].ComponentType != gltf.ComponentFloat && !weights[0].Normalized {
			g.plainWeights.add(g, dr, v)
		} else if negative {
			g.negative.add(g, dr, v)
		} else if sum > 0 && !(math.Abs(sum-1) <= tolerance) {
			g.unnormalised.add(g, dr, v)
		}
		if !(sum > 0) {
			raw = instead(raw, v)
		} else if !(sum > 1e-30 && sum < 1e30) { // float32 sums of such weights would overflow or vanish
			for k := range raw {
				raw[k].Weight = float32(float64(raw[k].Weight) / sum)
			}
		}
		to.Append(raw, uint16(skin.First))
	}
	return nil
}

// linearInfluences appends w_LBS of a skinned primitive. A vertex without a weight follows joint 0 of its skin.
func (g *geometry) linearInfluences(m *skinning.Mesh, dr *draw) error {
	first := g.Skins[dr.skin].First
	return g.influences(&m.Influences, dr, LinearSet, dr.sets,
		func(raw []skinning.Influence, v int) []skinning.Influence {
			g.zeroWeights.add(g, dr, v)
			return append(raw, skinning.Influence{Joint: uint16(first), Weight: 1})
		})
}

// jointSet starts reading an attribute of joint indices.
func (g *geometry) jointSet(dr *draw, name string) (reader, error) {
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

// sumTolerance is the deviation of the sum of a vertex's weights from 1 that causes no warning: a few roundings of the
// component.
func sumTolerance(component gltf.ComponentType) float64 {
	switch component {
	case gltf.ComponentUbyte, gltf.ComponentByte:
		return 2.0 / math.MaxUint8
	default:
		return 1e-3
	}
}
