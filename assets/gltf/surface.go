package gltf

import (
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// makeSurface makes the lists that a mesh of primitives has. Primitives that lack one have zeros in it, and white.
func makeSurface(s *skinning.Surface, draws []draw, vertices int) {
	has := func(what func(dr draw) bool) bool { return slices.ContainsFunc(draws, what) }
	if has(func(dr draw) bool { return dr.coordinates[0] }) {
		s.UVs = make([]mgl32.Vec2, vertices)
	}
	if has(func(dr draw) bool { return dr.coordinates[1] }) {
		s.SecondUVs = make([]mgl32.Vec2, vertices)
	}
	if has(func(dr draw) bool { return dr.colored }) {
		s.Colors = slices.Repeat([]skinning.Color{skinning.White}, vertices)
	}
	if has(func(dr draw) bool { return dr.tangents }) {
		s.Tangents = make([]mgl32.Vec4, vertices)
	}
}

// surface reads what the primitive's material reads of its vertices. It returns what tangents returns, nil without
// tangents.
func (g *geometry) surface(s *skinning.Surface, dr *draw, toRest geom.Affine, first, end int) ([]float64, error) {
	for k, to := range [mostCoordinates][]mgl32.Vec2{s.UVs, s.SecondUVs} {
		if dr.coordinates[k] {
			if err := g.uvs(to[first:end], dr, &g.uses[*dr.Material].coordinates[k]); err != nil {
				return nil, err
			}
		}
	}
	if dr.colored {
		if err := g.colors(s.Colors[first:end], dr); err != nil {
			return nil, err
		}
	}
	if dr.tangents {
		return g.tangents(s.Tangents[first:end], dr, toRest.Linear())
	}
	return nil, nil
}

// uvs fills out with texture coordinates, their transform applied.
func (g *geometry) uvs(out []mgl32.Vec2, dr *draw, of *coordinates) error {
	name := of.attribute()
	r, _, err := g.attribute(dr, dr.Attributes, name, gltf.AccessorVec2)
	if err != nil {
		return err
	}
	var v [2]float64
	for i := range out {
		r.Value(v[:])
		v = of.transform.apply(v)
		if !finite(v[:]) {
			return notFinite(name, i, v[:])
		}
		out[i] = mgl32.Vec2{float32(v[0]), float32(v[1])}
	}
	return nil
}

// colors fills out with COLOR_0, which has three or four components. glTF clamps it.
func (g *geometry) colors(out []skinning.Color, dr *draw) error {
	const name = "COLOR_0"
	shape := gltf.AccessorVec4
	if g.Accessors[dr.Attributes[name]].Type == gltf.AccessorVec3 {
		shape = gltf.AccessorVec3
	}
	r, _, err := g.attribute(dr, dr.Attributes, name, shape)
	if err != nil {
		return err
	}
	v := [4]float64{3: 1}
	of := v[:shape.Components()]
	for i := range out {
		r.Value(of)
		if !finite(of) {
			return notFinite(name, i, of)
		}
		if slices.Min(of) < 0 || slices.Max(of) > 1 {
			g.wildColors.add(g, dr, i)
		}
		for k, x := range v {
			out[i][k] = uint16(min(max(x, 0), 1)*65535 + 0.5)
		}
	}
	return nil
}

// tangents fills out with TANGENT in rest space. It returns the lengths that unit tangents have there, by which deltas
// of tangents in morph targets are divided.
func (g *geometry) tangents(out []mgl32.Vec4, dr *draw, toRest geom.Mat3) (scales []float64, err error) {
	const name = "TANGENT"
	r, _, err := g.attribute(dr, dr.Attributes, name, gltf.AccessorVec4)
	if err != nil {
		return nil, err
	}
	scales = make([]float64, len(out))
	var v mgl64.Vec4
	for i := range out {
		r.Value(v[:])
		if !finite(v[:]) {
			return nil, notFinite(name, i, v[:])
		}
		t := mgl32.Vec4{float32(v[0]), float32(v[1]), float32(v[2]), 1}
		if v[3] < 0 {
			t[3] = -1
		}
		out[i] = skinning.MapTangent(toRest, t)
		if scales[i] = toRest.Apply(v.Vec3()).Len(); scales[i] <= 1e-12 {
			scales[i] = 1
		}
	}
	return scales, nil
}
