package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"skinlab/skinning"
)

// drawItem is one part of a mesh: a range of triangles with one material.
type drawItem struct {
	firstIndex, indices int // in the index buffer
	material            int // index into gpuModel.materials
	rigid               int // index into Model.Rigid, −1 for the skin
}

// gpuModel is everything of one model that lives on the GPU.
type gpuModel struct {
	model     *skinning.Model
	streams   *streams
	own       *bound
	fitted    *bound        // nil where nothing is fitted
	values    *vertexValues // nil until a surface of numbers is drawn
	rings     *rings        // nil until normals are recomputed
	lines     lineArrays
	ghost     *ghost // nil until it is drawn
	morphs    *morphs
	textures  []*texture
	materials []skinning.Material // the model's, and a default one at the end
	opaque    []drawItem          // by material
	blended   []drawItem
	diagonal  float32 // of the rest pose with rigid meshes, at least 1e-6
	floor     float32 // height of the floor: the lowest point of the static pose
}

// newGPUModel uploads a model; on error nothing stays behind. Limit is the largest texture buffer in texels: past it
// the CPU adds morph targets and solves for proxy bones.
func newGPUModel(m *skinning.Model, limit int) (g *gpuModel, err error) {
	if err := checkPalette(m); err != nil {
		return nil, err
	}
	g = &gpuModel{model: m}
	defer func() {
		if err != nil {
			g.Delete()
			g = nil
		}
	}()
	centers := skinning.NewCenterSets(&m.Skin.Influences, &m.Skeleton)
	var rest []restVertex
	if g.streams, rest, err = newStreams(m); err != nil {
		return
	}
	if g.own, err = newBound(m, g.streams, centers, limit); err != nil {
		return
	}
	if g.morphs, err = newMorphs(m, g.streams.first, rest, limit); err != nil {
		return
	}
	for i := range m.Textures {
		t, err := newImageTexture(&m.Textures[i])
		if err != nil {
			return g, err
		}
		g.textures = append(g.textures, t)
	}
	g.materials = append(g.materials, m.Materials...)
	g.materials = append(g.materials, skinning.Material{BaseColor: [4]float32{0.8, 0.8, 0.8, 1}, Texture: -1})
	g.collectItems()
	// Vertex by vertex: morph targets that no pose shows alone may reach far below the static pose.
	lo, hi := PosedBounds(skinning.NewFrame(m, centers))
	g.diagonal = max(box{lo, hi}.diagonal(), 1e-6)
	g.floor = lo[1]
	return g, nil
}

// checkPalette reports a model with more joints and rigid meshes than a 16-bit index tells apart.
func checkPalette(m *skinning.Model) error {
	if n := len(m.Skeleton.Joints) + len(m.Rigid); n > math.MaxUint16+1 {
		return fmt.Errorf("render: %q has %d joints and rigid meshes, the palette holds %d", m.Name, n, math.MaxUint16+1)
	}
	return nil
}

// collectItems lists the parts in drawing order: opaque ones by material, so that state changes little, then blended
// ones in file order.
func (g *gpuModel) collectItems() {
	triangle := 0
	add := func(mesh *skinning.Mesh, rigid int) {
		for _, p := range mesh.Parts {
			item := drawItem{3 * (triangle + p.FirstTriangle), 3 * p.TriangleCount, p.Material, rigid}
			if item.material < 0 {
				item.material = len(g.materials) - 1
			}
			if p.TriangleCount == 0 {
				continue
			}
			if g.materials[item.material].Blend {
				g.blended = append(g.blended, item)
			} else {
				g.opaque = append(g.opaque, item)
			}
		}
		triangle += len(mesh.Triangles)
	}
	add(&g.model.Skin, -1)
	for i := range g.model.Rigid {
		add(&g.model.Rigid[i], i)
	}
	slices.SortStableFunc(g.opaque, func(a, b drawItem) int { return cmp.Compare(a.material, b.material) })
}

// Delete is nil-safe and releases in reverse order.
func (g *gpuModel) Delete() {
	if g == nil {
		return
	}
	for i := len(g.textures) - 1; i >= 0; i-- {
		g.textures[i].Delete()
	}
	g.ghost.Delete()
	g.lines.Delete()
	g.rings.Delete()
	g.values.Delete()
	g.deleteFitted()
	g.morphs.Delete()
	g.own.Delete()
	g.streams.Delete()
}
