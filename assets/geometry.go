package assets

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// geometry appends primitives to meshes and counts what was unusual on the way.
type geometry struct {
	*decoder
	texturedSkin bool
	moved        []bool // whether a vertex follows the joint, one per joint
	unnormalised tally
	zeroWeights  tally
	zeroNormals  tally
	plainWeights tally
}

// tally counts vertices and remembers the first.
type tally struct {
	count int
	first string
}

func (t *tally) add(g *geometry, dr *draw, vertex int) {
	if t.count++; t.count == 1 {
		t.first = fmt.Sprintf("%s, vertex %d", g.place(dr), vertex)
	}
}

// report turns the counts into one warning each.
func (g *geometry) report() {
	for _, w := range []struct {
		tally
		what string
	}{
		{g.unnormalised, "%d vertices have weights that do not sum to 1 (first: %s); they are normalised"},
		{g.zeroWeights, "%d vertices have no weight above 0 (first: %s); they follow joint 0 of their skin"},
		{g.zeroNormals, "%d vertices have a normal of length zero (first: %s); it is computed from the triangles"},
		{g.plainWeights, "%d vertices have integer weights that are not marked as normalised (first: %s)"},
	} {
		if w.count > 0 {
			g.notes.add(w.what, w.count, w.first)
		}
	}
	for i := range g.skins {
		skin, unused := &g.skins[i], 0
		if !skin.used {
			continue
		}
		joints := len(g.doc.Skins[i].Joints)
		for j := range joints {
			if !g.moved[skin.first+j] {
				unused++
			}
		}
		if unused > 0 {
			g.notes.add("%s: %d of %d joints move no vertex", element("skin", i, g.doc.Skins[i].Name), unused, joints)
		}
	}
}

// add appends one primitive to a mesh: vertices in rest space for a skinned one, in the node's space for a rigid one.
func (g *geometry) add(m *skinning.Mesh, dr *draw) error {
	p := &g.doc.Meshes[dr.mesh].Primitives[dr.primitive]
	toRest, mirrors := skinning.IdentityAffine(), false
	if dr.skin >= 0 {
		toRest, mirrors = g.skins[dr.skin].toRest, g.skins[dr.skin].mirrors
	}
	positions, err := g.positions(dr, p, toRest)
	if err != nil {
		return err
	}
	triangles, err := g.triangles(dr, mirrors)
	if err != nil {
		return err
	}
	normals, scales, err := g.normals(dr, p, toRest, positions, triangles)
	if err != nil {
		return err
	}
	uvs, err := g.uvs(dr, p)
	if err != nil {
		return err
	}
	part := skinning.Part{
		Name: g.doc.Meshes[dr.mesh].Name, Node: dr.node, Primitive: dr.primitive,
		FirstVertex: len(m.Positions), VertexCount: dr.vertices,
		FirstTriangle: len(m.Triangles), TriangleCount: dr.triangles,
		Material: -1,
	}
	if part.Name == "" {
		part.Name = g.doc.Nodes[dr.node].Name
	}
	if p.Material != nil {
		part.Material = int(*p.Material)
	}
	if dr.skin >= 0 {
		if err := g.influences(m, dr, p); err != nil {
			return err
		}
		g.texturedSkin = g.texturedSkin || uvs != nil
		if uvs == nil {
			uvs = make([]mgl32.Vec2, dr.vertices)
		}
		m.UVs = append(m.UVs, uvs...)
	} else if uvs != nil || m.UVs != nil {
		// A rigid mesh has texture coordinates from its first textured part on.
		m.UVs = append(m.UVs, make([]mgl32.Vec2, part.FirstVertex-len(m.UVs))...)
		if uvs == nil {
			uvs = make([]mgl32.Vec2, dr.vertices)
		}
		m.UVs = append(m.UVs, uvs...)
	}
	m.Positions = append(m.Positions, positions...)
	m.Normals = append(m.Normals, normals...)
	for _, t := range triangles {
		first := uint32(part.FirstVertex)
		m.Triangles = append(m.Triangles, [3]uint32{t[0] + first, t[1] + first, t[2] + first})
	}
	m.Parts = append(m.Parts, part)
	return g.morphs(m, dr, p, toRest, part.FirstVertex, scales)
}

// attribute starts reading a vertex attribute of the given shape; ok is false where the primitive has none.
func (g *geometry) attribute(dr *draw, attributes map[string]integer, name, shape string) (r reader, ok bool, err error) {
	i, ok := attributes[name]
	if !ok {
		return reader{}, false, nil
	}
	a := &g.accessors[i]
	switch {
	case a.shape != shape:
		return reader{}, false, malformed("%s: accessor %d is %s, expected %s", name, i, a.shape, shape)
	case a.component == componentUint:
		return reader{}, false, malformed("%s: accessor %d has component type 5125 (unsigned int), which no vertex attribute has", name, i)
	case a.count != dr.vertices:
		return reader{}, false, malformed("%s: accessor %d has %d elements, POSITION has %d", name, i, a.count, dr.vertices)
	}
	if r, err = g.read(int(i)); err != nil {
		return reader{}, false, fmt.Errorf("%s: %w", name, err)
	}
	return r, true, nil
}

// notFinite is the error for a value that is NaN, infinite or beyond float32.
func notFinite(name string, vertex int, v []float64) error {
	return malformed("%s: vertex %d is %v, expected finite numbers", name, vertex, v)
}

func (g *geometry) positions(dr *draw, p *primitiveInfo, toRest skinning.Affine) ([]mgl32.Vec3, error) {
	r, _, err := g.attribute(dr, p.Attributes, "POSITION", "VEC3")
	if err != nil {
		return nil, err
	}
	out := make([]mgl32.Vec3, dr.vertices)
	var v mgl64.Vec3
	for i := range out {
		r.value(v[:])
		if !finite(v[:]) {
			return nil, notFinite("POSITION", i, v[:])
		}
		rest := toRest.Apply(v)
		if !finite(rest[:]) {
			return nil, notFinite("POSITION in rest space", i, rest[:])
		}
		out[i] = skinning.Vec32(rest)
	}
	return out, nil
}

// normals returns unit normals, and by how much each was divided to become unit after the normal matrix N of toRest,
// which morph deltas of normals need too: |N·n|. The scales are nil where the file has no normals.
func (g *geometry) normals(dr *draw, p *primitiveInfo, toRest skinning.Affine, positions []mgl32.Vec3,
	triangles [][3]uint32) (out []mgl32.Vec3, scales []float64, err error) {
	r, ok, err := g.attribute(dr, p.Attributes, "NORMAL", "VEC3")
	if err != nil {
		return nil, nil, err
	}
	if !ok {
		return skinning.ComputeNormals(positions, triangles), nil, nil
	}
	matrix := normalMatrix(toRest)
	out, scales = make([]mgl32.Vec3, dr.vertices), make([]float64, dr.vertices)
	var computed []mgl32.Vec3
	var v mgl64.Vec3
	for i := range out {
		r.value(v[:])
		if !finite(v[:]) {
			return nil, nil, notFinite("NORMAL", i, v[:])
		}
		n := matrix.Apply(v)
		scales[i] = n.Len()
		if scales[i] > 1e-12 {
			out[i] = skinning.Vec32(n.Mul(1 / scales[i]))
			continue
		}
		if computed == nil {
			computed = skinning.ComputeNormals(positions, triangles)
		}
		out[i], scales[i] = computed[i], 1
		g.zeroNormals.add(g, dr, i)
	}
	return out, scales, nil
}

// normalMatrix returns the normal matrix of a, scaled so that its largest entry is 1: its length does not matter, but
// cofactors of a unit conversion (1e-3) would come close to the threshold for a normal of length zero.
func normalMatrix(a skinning.Affine) skinning.Mat3 {
	m := a.Linear().NormalMatrix()
	most := 0.0
	for _, x := range m {
		most = math.Max(most, math.Abs(x))
	}
	if most > 0 {
		for i := range m {
			m[i] /= most
		}
	}
	return m
}

// uvs returns the texture coordinates of the primitive's base colour texture with the texture's transform applied, nil
// where it has no such texture.
func (g *geometry) uvs(dr *draw, p *primitiveInfo) ([]mgl32.Vec2, error) {
	if p.Material == nil {
		return nil, nil
	}
	use := g.doc.Materials[*p.Material].PBR.BaseColorTexture
	if use == nil {
		return nil, nil
	}
	set, transform := use.coordinates()
	name := fmt.Sprintf("TEXCOORD_%d", set)
	r, ok, err := g.attribute(dr, p.Attributes, name, "VEC2")
	if err != nil {
		return nil, err
	}
	if !ok {
		g.notes.add("%s: its texture needs %s, which it does not have", g.place(dr), name)
		return nil, nil
	}
	out := make([]mgl32.Vec2, dr.vertices)
	var v [2]float64
	for i := range out {
		r.value(v[:])
		v = transform.apply(v)
		if !finite(v[:]) {
			return nil, notFinite(name, i, v[:])
		}
		out[i] = mgl32.Vec2{float32(v[0]), float32(v[1])}
	}
	return out, nil
}
