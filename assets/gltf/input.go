package gltf

import (
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Inputs of methods are attributes of primitives: numbers one that has the input's name behind an underscore, a weight
// set such names before JOINTS_n and WEIGHTS_n. glTF leaves names with an underscore to applications.

// Attribute returns the name of the attribute with the numbers of an input.
func Attribute(in *skinning.Input) string { return "_" + in.Name }

// ShapeOf returns the shape of that attribute.
func ShapeOf(in *skinning.Input) gltf.AccessorType {
	return []gltf.AccessorType{gltf.AccessorScalar, gltf.AccessorVec2, gltf.AccessorVec3, gltf.AccessorVec4}[in.Components-1]
}

// SetOf returns the weight set that an input is.
func SetOf(in *skinning.Input) WeightSet { return WeightSet("_" + in.Name + "_") }

// InputOf returns the input that an attribute belongs to, nil for none.
func InputOf(name string) *skinning.Input {
	for _, in := range skinning.Inputs() {
		set, isOfSet := strings.CutPrefix(name, string(SetOf(in)))
		if in.Components > 0 && name == Attribute(in) || in.Components == 0 && isOfSet && IsWeightSet(set) {
			return in
		}
	}
	return nil
}

// IsWeightSet reports whether an attribute belongs to [LinearSet].
func IsWeightSet(name string) bool {
	return strings.HasPrefix(name, "JOINTS_") || strings.HasPrefix(name, "WEIGHTS_")
}

// inputSets finds the inputs that a skinned primitive has.
func inputSets(dr *draw) (map[*skinning.Input]int, error) {
	found := map[*skinning.Input]int{}
	for _, in := range skinning.Inputs() {
		if _, ok := dr.Attributes[Attribute(in)]; ok && in.Components > 0 {
			found[in] = 0
		} else if in.Components == 0 {
			n, err := influenceSets(dr, SetOf(in))
			if err != nil && in != &skinning.OriginalWeights { // faulty original weights are left out
				return nil, err
			}
			if n > 0 {
				found[in] = n
			}
		}
	}
	return found, nil
}

// inputsOf returns the inputs that some primitives have.
func inputsOf(draws []draw) (all []*skinning.Input) {
	for _, in := range skinning.Inputs() {
		if slices.ContainsFunc(draws, func(dr draw) bool { _, ok := dr.inputs[in]; return ok }) {
			all = append(all, in)
		}
	}
	return all
}

// input appends an input of a skinned primitive, whose influences are there. In a weight set, a vertex without a
// weight, and so every vertex of a primitive without the attributes, takes its influences. Numbers of such a primitive
// are zeros until [makeMissing].
func (g *geometry) input(m *skinning.Mesh, to *skinning.InputData, dr *draw, toRest geom.Affine, firstVertex int) error {
	sets, ok := dr.inputs[to.Input]
	if skin := &g.Skins[dr.skin]; ok && !slices.Contains(skin.inputs, to.Input) {
		skin.inputs = append(skin.inputs, to.Input)
	}
	if to.Components == 0 {
		return g.influences(&to.Weights, dr, SetOf(to.Input), sets,
			func(raw []skinning.Influence, v int) []skinning.Influence { return m.Of(raw, firstVertex+v) })
	}
	if !ok {
		to.Values = append(to.Values, make([]float32, to.Components*dr.vertices)...)
		return nil
	}
	r, _, err := g.attribute(dr, dr.Attributes, Attribute(to.Input), ShapeOf(to.Input))
	if err != nil {
		return err
	}
	value := make([]float64, to.Components)
	for v := range dr.vertices {
		r.Value(value)
		if !finite(value) {
			return notFinite(Attribute(to.Input), v, value)
		}
		if to.Place {
			at := toRest.Apply(mgl64.Vec3(value))
			if copy(value, at[:]); !finite(value) {
				return notFinite(Attribute(to.Input)+" in rest space", v, value)
			}
		}
		for _, x := range value {
			to.Values = append(to.Values, float32(x))
		}
	}
	return nil
}

// makeMissing makes the numbers of an input for the parts of a mesh whose primitives do not have them, which is done of
// the whole mesh.
func makeMissing(m *skinning.Mesh, of *skinning.InputData, draws []draw) {
	var made []float32
	for i := range draws {
		if _, ok := draws[i].inputs[of.Input]; ok || of.Components == 0 || of.Make == nil {
			continue
		}
		if made == nil {
			made = of.Make(m, nil)
		}
		to := of.ValuesOf(&m.Parts[i])
		copy(to, made[of.Components*m.Parts[i].FirstVertex:])
	}
}
