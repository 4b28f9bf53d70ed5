package gltf

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// geometry fills meshes and counts what was unusual on the way.
type geometry struct {
	*Source
	filled, all  int // primitives
	unnormalised tally
	negative     tally
	zeroWeights  tally
	zeroNormals  tally
	plainWeights tally
	wildColors   tally
	strayJoints  tally
	against      int // triangles that wind against their normals
	triangleSum  int
	noOriginal   error // why the weights from before a fit are left out
}

// tally counts vertices and remembers the first.
type tally struct {
	count int
	first string
}

func (t *tally) add(g *geometry, dr *draw, vertex int) {
	t.count++
	if t.count == 1 {
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
		{g.negative, "%d vertices have weights below 0 (first: %s); these are left out, and the others are normalised"},
		{g.zeroWeights, "%d vertices have no weight above 0 (first: %s); they follow joint 0 of their skin"},
		{g.zeroNormals, "%d vertices have a normal of length zero (first: %s); it is computed from the triangles"},
		{g.strayJoints, "%d influences of weight 0 name a joint that the skin does not have (first: %s); they are left out"},
		{g.plainWeights, "%d vertices have integer weights that are not marked as normalised (first: %s)"},
		{g.wildColors, "%d vertices have colours outside 0 to 1 (first: %s); they are clamped"},
	} {
		if w.count > 0 {
			g.notes.Add(w.what, w.count, w.first)
		}
	}
	if g.against > 0 {
		g.notes.Add("%d of %d triangles wind against their normals; their meshes are drawn from both sides", g.against,
			g.triangleSum)
	}
}

// fill makes a mesh of primitives: in rest space where they are skinned, in the node's space where they are rigid. The
// instances of a primitive are one part. Lists have their final length from the start.
func (g *geometry) fill(m *skinning.Mesh, draws []draw) error {
	vertices, triangles := 0, 0
	for i := range draws {
		vertices += draws[i].vertices
		triangles += draws[i].triangles
	}
	if vertices == 0 {
		return nil
	}
	if uint64(vertices) > math.MaxUint32 {
		return fault.Unsupported("%d vertices in one mesh", vertices)
	}
	m.Positions, m.Normals = make([]mgl32.Vec3, vertices), make([]mgl32.Vec3, vertices)
	m.Triangles = make([][3]uint32, triangles)
	makeSurface(&m.Surface, draws, vertices)
	if draws[0].skin >= 0 {
		m.Bindings = make([]skinning.Binding, 0, vertices)
	}
	for _, in := range inputsOf(draws) {
		m.SetInput(skinning.InputData{Input: in})
	}
	next := skinning.Part{}
	for i := range draws {
		dr := &draws[i]
		if err := g.progress.at(stepMeshes, g.filled, g.all); err != nil {
			return err
		}
		g.filled++
		part := g.part(dr, next.FirstVertex, next.FirstTriangle)
		if err := g.fillPart(m, dr, &part); err != nil {
			return fmt.Errorf("%s: %w", g.place(dr), err)
		}
		if last := len(m.Parts) - 1; dr.instance != nil && last >= 0 && m.Parts[last].Primitive == dr.primitive {
			m.Parts[last].VertexCount += part.VertexCount
			m.Parts[last].TriangleCount += part.TriangleCount
			m.Instanced = true
		} else {
			m.Parts = append(m.Parts, part)
		}
		g.against += m.AgainstNormals(&part)
		g.triangleSum += part.TriangleCount
		next.FirstVertex += part.VertexCount
		next.FirstTriangle += part.TriangleCount
	}
	if g.noOriginal != nil && m.Input(&skinning.OriginalWeights) != nil {
		m.DropInput(&skinning.OriginalWeights)
		g.notes.Add("the weights from before the fit are left out: %v", g.noOriginal)
	}
	for i := range m.Inputs {
		makeMissing(m, &m.Inputs[i], draws)
	}
	return nil
}

var errNoOriginal = errors.New("it has none")

func (g *geometry) part(dr *draw, firstVertex, firstTriangle int) skinning.Part {
	part := skinning.Part{
		Name: cmp.Or(g.Doc.Meshes[dr.mesh].Name, g.Doc.Nodes[dr.node].Name), Node: dr.node, Primitive: dr.primitive,
		FirstVertex: firstVertex, VertexCount: dr.vertices, FirstTriangle: firstTriangle, TriangleCount: dr.triangles,
		Material: -1,
	}
	if dr.Material != nil {
		part.Material = *dr.Material
	}
	return part
}

func (g *geometry) fillPart(m *skinning.Mesh, dr *draw, part *skinning.Part) error {
	toRest, mirrors := geom.IdentityAffine(), false
	if dr.skin >= 0 {
		toRest, mirrors = g.Skins[dr.skin].ToRest, g.Skins[dr.skin].mirrors
	} else if dr.instance != nil {
		toRest, mirrors = *dr.instance, dr.instance.Linear().Det() < 0
	}
	end := part.FirstVertex + part.VertexCount
	positions, normals := m.Positions[part.FirstVertex:end], m.Normals[part.FirstVertex:end]
	triangles := m.Triangles[part.FirstTriangle : part.FirstTriangle+part.TriangleCount]
	if err := g.positions(positions, dr, toRest); err != nil {
		return err
	}
	if err := g.triangles(triangles, dr, mirrors); err != nil {
		return err
	}
	scales, err := g.normals(normals, dr, toRest, positions, triangles)
	if err != nil {
		return err
	}
	for i := range triangles { // only now: normals are computed over the part alone
		for k := range triangles[i] {
			triangles[i][k] += uint32(part.FirstVertex)
		}
	}
	tangentScales, err := g.surface(&m.Surface, dr, toRest, part.FirstVertex, end)
	if err != nil {
		return err
	}
	if dr.skin >= 0 {
		if err := g.linearInfluences(m, dr); err != nil {
			return err
		}
	}
	for i := range m.Inputs {
		in := &m.Inputs[i]
		err := g.input(m, in, dr, toRest, part.FirstVertex)
		if _, has := dr.inputs[in.Input]; in.Input == &skinning.OriginalWeights && g.noOriginal == nil && (err != nil || !has) {
			g.noOriginal = fmt.Errorf("%s: %w", g.place(dr), cmp.Or(err, errNoOriginal))
		}
		if err != nil && in.Input != &skinning.OriginalWeights { // no picture needs original weights
			return err
		}
	}
	return g.morphs(m, dr, toRest, part.FirstVertex, scales, tangentScales)
}

// attribute starts reading a vertex attribute of the given shape; ok is false where the primitive has none.
func (g *geometry) attribute(
	dr *draw, attributes gltf.PrimitiveAttributes, name string, shape gltf.AccessorType,
) (r reader, ok bool, err error) {
	i, ok := attributes[name]
	if !ok {
		return reader{}, false, nil
	}
	a := &g.Accessors[i]
	switch {
	case a.Type != shape:
		return reader{}, false, fault.Malformed("%s: accessor %d is %s, expected %s", name, i, a.Type, shape)
	case a.ComponentType == gltf.ComponentUint:
		return reader{}, false, fault.Malformed("%s: accessor %d is of UNSIGNED_INT, which no vertex attribute has", name, i)
	case a.Count != dr.vertices:
		return reader{}, false, fault.Malformed("%s: accessor %d has %d elements, POSITION has %d", name, i, a.Count,
			dr.vertices)
	}
	if r, err = g.Read(i); err != nil {
		return reader{}, false, fmt.Errorf("%s: %w", name, err)
	}
	return r, true, nil
}

// notFinite is the error for a value that is NaN, infinite or beyond float32.
func notFinite(name string, vertex int, v []float64) error {
	return fault.Malformed("%s: vertex %d is %v, expected finite numbers", name, vertex, v)
}

// vectors reads the elements of an attribute through a map to rest space.
func (g *geometry) vectors(
	out []mgl32.Vec3, name string, r *reader, toRest func(i int, v mgl64.Vec3) mgl64.Vec3,
) error {
	var v mgl64.Vec3
	for i := range out {
		r.Value(v[:])
		if !finite(v[:]) {
			return notFinite(name, i, v[:])
		}
		rest := toRest(i, v)
		if !finite(rest[:]) {
			return notFinite(name+" in rest space", i, rest[:])
		}
		out[i] = geom.Vec32(rest)
	}
	return nil
}

func (g *geometry) positions(out []mgl32.Vec3, dr *draw, toRest geom.Affine) error {
	r, _, err := g.attribute(dr, dr.Attributes, "POSITION", gltf.AccessorVec3)
	if err != nil {
		return err
	}
	return g.vectors(out, "POSITION", &r, func(_ int, v mgl64.Vec3) mgl64.Vec3 { return toRest.Apply(v) })
}

// normals fills out with unit normals: N·n / |N·n|, with the normal matrix N of toRest. It returns the lengths |N·n|,
// by which deltas of normals in morph targets are divided too; nil where the file has no normals.
func (g *geometry) normals(out []mgl32.Vec3, dr *draw, toRest geom.Affine,
	positions []mgl32.Vec3, triangles [][3]uint32) (scales []float64, err error) {
	r, ok, err := g.attribute(dr, dr.Attributes, "NORMAL", gltf.AccessorVec3)
	if err != nil {
		return nil, err
	}
	if !ok {
		copy(out, skinning.ComputeNormals(positions, triangles))
		return nil, nil
	}
	matrix := normalMatrix(toRest)
	scales = make([]float64, dr.vertices)
	var computed []mgl32.Vec3
	var v mgl64.Vec3
	for i := range out {
		r.Value(v[:])
		if !finite(v[:]) {
			return nil, notFinite("NORMAL", i, v[:])
		}
		n := matrix.Apply(v)
		scales[i] = n.Len()
		if scales[i] > 1e-12 {
			out[i] = geom.Vec32(n.Mul(1 / scales[i]))
			continue
		}
		if computed == nil {
			computed = skinning.ComputeNormals(positions, triangles)
		}
		out[i], scales[i] = computed[i], 1
		g.zeroNormals.add(g, dr, i)
	}
	return scales, nil
}

// normalMatrix returns the normal matrix of a, scaled so that its largest entry is 1. Its scale does not matter, but
// the cofactors of a unit conversion (1e-3) would come close to the threshold for a normal of length zero.
func normalMatrix(a geom.Affine) geom.Mat3 {
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
