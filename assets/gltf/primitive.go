package gltf

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// draw is one primitive on one mesh node.
type draw struct {
	*gltf.Primitive
	node, primitive int
	mesh            int
	skin            int // −1 for a rigid one
	vertices        int
	triangles       int
	sets            int                     // JOINTS_n and WEIGHTS_n pairs
	inputs          map[*skinning.Input]int // of methods, those that it has: such pairs of each, 0 of numbers
	coordinates     [mostCoordinates]bool   // of its material, those that it has
	colored         bool                    // has COLOR_0
	tangents        bool                    // has TANGENT and a normal map
	instance        *geom.Affine            // of a rigid one that is shown several times: its place in the node's space
}

// Bytes that a model holds for one of each, charged to the budget.
const (
	bytesPerDraw      = 256
	bytesPerVertex    = 12 + 12 + 8 // position, normal, texture coordinates
	bytesPerSecond    = 8           // second texture coordinates
	bytesPerColor     = 8
	bytesPerTangent   = 16
	bytesPerBinding   = 24
	bytesPerSet       = 4 * 8 // influences past the fourth
	bytesPerTriangle  = 12
	bytesPerDelta     = 12
	bytesPerMorphSlot = 64
)

// readMeshes reads the geometry of all drawn mesh nodes, in order of node index and primitive, and on the way the
// clips, which the rest spaces of skins depend on.
func (d *Source) readMeshes() error {
	var draws []draw
	used := make([]bool, len(d.Doc.Skins))
	for i, info := range d.Doc.Nodes {
		if info.Mesh == nil {
			if info.Skin != nil {
				d.notes.Add("%s: has a skin but no mesh", fault.Element("node", i, info.Name))
			}
			continue
		}
		if !d.drawn[i] {
			continue
		}
		for p, primitive := range d.Doc.Meshes[*info.Mesh].Primitives {
			dr := draw{Primitive: primitive, node: i, mesh: *info.Mesh, primitive: p, skin: -1}
			ok, err := d.plan(&dr)
			if err != nil {
				return fmt.Errorf("%s: %w", d.place(&dr), err)
			}
			if !ok {
				continue
			}
			if dr.skin >= 0 {
				used[dr.skin] = true
			}
			places, err := d.instances(&dr)
			if err != nil {
				return &located{fault.Element("node", i, info.Name), err}
			}
			if places == nil {
				draws = append(draws, dr)
			}
			for k := range places {
				if dr.instance = &places[k]; k > 0 {
					if err := d.charge(&dr); err != nil {
						return fmt.Errorf("%s: instance %d: %w", d.place(&dr), k, err)
					}
				}
				draws = append(draws, dr)
			}
		}
	}
	if err := errors.Join(d.chargeInputs(draws), d.chargeSurface(draws)); err != nil {
		return err
	}
	for i := range used {
		used[i] = used[i] || len(draws) == 0 // a skeleton alone
	}
	if err := d.readSlots(); err != nil {
		return err
	}
	if err := d.readClips(); err != nil {
		return err
	}
	if err := d.bindSkins(draws, used); err != nil {
		return err
	}
	return d.readGeometry(draws)
}

// place names a primitive in errors.
func (d *Source) place(dr *draw) string {
	return fmt.Sprintf("%s, primitive %d", fault.Element("mesh", dr.mesh, d.Doc.Meshes[dr.mesh].Name), dr.primitive)
}

// plan checks the parts of a primitive, finds its size and charges that to the budget. It returns false for one that is
// not drawn.
func (d *Source) plan(dr *draw) (ok bool, err error) {
	if err := d.budget.charge(1, bytesPerDraw, "mesh instances"); err != nil {
		return false, err
	}
	switch dr.Mode {
	case gltf.PrimitivePoints, gltf.PrimitiveLines, gltf.PrimitiveLineLoop, gltf.PrimitiveLineStrip:
		d.notes.Add("%s: points and lines are not drawn", d.place(dr))
		return false, nil
	}
	position, ok := dr.Attributes["POSITION"]
	if !ok {
		d.notes.Add("%s: has no POSITION and is not drawn", d.place(dr))
		return false, nil
	}
	if d.Doc.Accessors[position].BufferView == nil && has(dr.Extensions, dracoExtension) {
		return false, fault.Unsupported("the data is compressed with %s, which is not read: %s", dracoExtension, decompress)
	}
	dr.vertices = d.Accessors[position].Count
	corners := dr.vertices
	if dr.Indices != nil {
		a := &d.Accessors[*dr.Indices]
		if a.Type != gltf.AccessorScalar || !unsigned(a.ComponentType) {
			return false, fault.Malformed("indices: accessor %d is %s of %s, expected SCALAR of UNSIGNED_BYTE, "+
				"UNSIGNED_SHORT or UNSIGNED_INT", *dr.Indices, a.Type, a.ComponentType)
		}
		corners = a.Count
	}
	dr.triangles = d.countTriangles(dr, corners)
	if dr.sets, err = influenceSets(dr, LinearSet); err != nil {
		return false, err
	}
	switch skin := d.Doc.Nodes[dr.node].Skin; {
	case skin != nil && dr.sets > 0:
		dr.skin = *skin
		if dr.inputs, err = inputSets(dr); err != nil {
			return false, err
		}
	case skin != nil:
		d.notes.Add("%s: node %d has a skin, but the primitive has no JOINTS_0: drawn as a rigid mesh", d.place(dr), dr.node)
	}
	d.planSurface(dr)
	return true, d.charge(dr)
}

// charge charges the vertices and triangles of a primitive to the budget.
func (d *Source) charge(dr *draw) error {
	if err := d.budget.addVertices(dr.vertices, dr.skin >= 0); err != nil {
		return err
	}
	perVertex := int64(bytesPerVertex)
	if dr.skin >= 0 {
		perVertex += bytesPerBinding + bytesPerSet*int64(dr.sets-1)
	}
	for _, target := range dr.Targets {
		if target != nil {
			perVertex += 2 * bytesPerDelta
		}
		if _, ok := target["TANGENT"]; ok {
			perVertex += bytesPerDelta
		}
	}
	if err := d.budget.charge(int64(dr.vertices), perVertex, "vertices"); err != nil {
		return err
	}
	return d.budget.charge(int64(dr.triangles), bytesPerTriangle, "triangles")
}

// chargeInputs charges the inputs of methods, which every skinned vertex has where a primitive has them.
func (d *Source) chargeInputs(draws []draw) error {
	for _, in := range inputsOf(draws) {
		for i := range draws {
			dr := &draws[i]
			if dr.skin < 0 {
				continue
			}
			perVertex := 4 * int64(in.Components)
			if in.Components == 0 {
				sets := max(dr.sets, dr.inputs[in]) // a vertex may take those of the first set
				perVertex = bytesPerBinding + bytesPerSet*int64(sets-1)
			}
			if err := d.budget.charge(int64(dr.vertices), perVertex, "inputs of "+in.Reader()); err != nil {
				return fmt.Errorf("%s: %w", d.place(dr), err)
			}
		}
	}
	return nil
}

// planSurface finds what of its material the primitive can show. A texture without its coordinates is a warning.
func (d *Source) planSurface(dr *draw) {
	_, dr.colored = dr.Attributes["COLOR_0"]
	if dr.Material == nil {
		return
	}
	for k := range d.uses[*dr.Material].coordinates {
		name := d.uses[*dr.Material].coordinates[k].attribute()
		if _, dr.coordinates[k] = dr.Attributes[name]; !dr.coordinates[k] {
			d.notes.Add("%s: its texture needs %s, which it does not have", d.place(dr), name)
		}
	}
	_, normals := dr.Attributes["NORMAL"] // without them glTF ignores tangents
	_, tangents := dr.Attributes["TANGENT"]
	dr.tangents = normals && tangents && d.Model.Materials[*dr.Material].Map(skinning.NormalMap) != nil
}

// chargeSurface charges what every vertex of a mesh has where one of its primitives has it.
func (d *Source) chargeSurface(draws []draw) error {
	perVertex := int64(0)
	for _, list := range []struct {
		bytes int64
		has   func(dr draw) bool
	}{
		{bytesPerSecond, func(dr draw) bool { return dr.coordinates[1] }},
		{bytesPerColor, func(dr draw) bool { return dr.colored }},
		{bytesPerTangent, func(dr draw) bool { return dr.tangents }},
	} {
		if slices.ContainsFunc(draws, list.has) {
			perVertex += list.bytes
		}
	}
	for i := range draws {
		if err := d.budget.charge(int64(draws[i].vertices), perVertex, "vertices"); err != nil {
			return fmt.Errorf("%s: %w", d.place(&draws[i]), err)
		}
	}
	return nil
}

func (d *Source) countTriangles(dr *draw, corners int) int {
	if dr.Mode != gltf.PrimitiveTriangles {
		return max(corners-2, 0)
	}
	if corners%3 != 0 {
		d.notes.Add("%s: %d corners are not whole triangles; the last %d are ignored", d.place(dr), corners, corners%3)
	}
	return corners / 3
}

// triangles fills out with the primitive's triangles, over vertices 0 … dr.vertices−1 (glTF 2.0, section 3.7.2.1). With
// flip they are turned around.
func (d *Source) triangles(out [][3]uint32, dr *draw, flip bool) error {
	corner, err := d.corners(dr)
	if err != nil {
		return err
	}
	for t := range out {
		a, b, c := 3*t, 3*t+1, 3*t+2
		switch dr.Mode {
		case gltf.PrimitiveTriangleStrip:
			a, b, c = t, t+1+t%2, t+2-t%2
		case gltf.PrimitiveTriangleFan:
			a, b, c = t+1, t+2, 0
		}
		if flip {
			b, c = c, b
		}
		out[t] = [3]uint32{corner(a), corner(b), corner(c)}
	}
	return nil
}

// corners returns the function from corner number to vertex; all indices have been checked.
func (d *Source) corners(dr *draw) (func(int) uint32, error) {
	if dr.Indices == nil {
		return func(i int) uint32 { return uint32(i) }, nil
	}
	r, err := d.Read(*dr.Indices)
	if err != nil {
		return nil, fmt.Errorf("indices: %w", err)
	}
	r.accessor = plain(r.accessor)
	restart := map[gltf.ComponentType]uint32{gltf.ComponentUbyte: math.MaxUint8, gltf.ComponentUshort: math.MaxUint16,
		gltf.ComponentUint: math.MaxUint32}[r.ComponentType]
	list := make([]uint32, r.Count)
	var v [1]float64
	for i := range list {
		r.Value(v[:])
		list[i] = uint32(v[0])
		switch {
		case list[i] == restart:
			return nil, fault.Malformed("indices: index %d is %d, the primitive restart value, which glTF does not allow", i,
				restart)
		case int64(list[i]) >= int64(dr.vertices):
			return nil, fault.Malformed("indices: index %d is %d, the primitive has %d vertices", i, list[i], dr.vertices)
		}
	}
	return func(i int) uint32 { return list[i] }, nil
}

// plain returns a copy of a that reads integers as they are.
func plain(a *accessor) *accessor {
	c, info := *a, *a.Accessor
	c.Accessor, info.Normalized = &info, false
	return &c
}

// readGeometry fills the skin, then one rigid mesh for each node that has rigid primitives.
func (d *Source) readGeometry(draws []draw) error {
	g := geometry{Source: d, all: len(draws)}
	var skinned, rigid []draw
	own, shown := 0, 0 // vertices
	seen := map[[2]int]bool{}
	for _, dr := range draws {
		shown += dr.vertices
		if part := [2]int{dr.mesh, dr.primitive}; !seen[part] {
			seen[part], own = true, own+dr.vertices
		}
		if dr.skin >= 0 {
			skinned = append(skinned, dr)
		} else {
			rigid = append(rigid, dr)
		}
	}
	if err := g.fill(&d.Model.Skin, skinned); err != nil {
		return err
	}
	for len(rigid) > 0 {
		n := 1
		for n < len(rigid) && rigid[n].node == rigid[0].node {
			n++
		}
		d.Model.Rigid = append(d.Model.Rigid, skinning.Mesh{})
		if err := g.fill(&d.Model.Rigid[len(d.Model.Rigid)-1], rigid[:n]); err != nil {
			return err
		}
		rigid = rigid[n:]
	}
	g.report()
	if shown >= crowdVertices && shown >= crowdCopies*own {
		d.notes.Add("nodes show the %d vertices of the file's meshes %d times, %d in all: commands take as long as for a file "+
			"that has them all", own, shown/own, shown)
	}
	return nil
}

// A file gets a warning if its nodes show at least crowdVertices vertices and at least crowdCopies times its own.
// Posing it takes longer than its size suggests.
const (
	crowdVertices = 50_000
	crowdCopies   = 4
)
