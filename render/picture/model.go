package picture

import (
	"cmp"
	"slices"

	"skinlab/render/gpu"
	"skinlab/render/skin"
	"skinlab/skinning"
)

// drawItem is one part of a mesh: a range of triangles with one material.
type drawItem struct {
	firstIndex, indices int // in the index buffer
	material            int // index into shown.materials
	rigid               int // index into Model.Rigid, −1 for the skin
}

// Model is a model on the GPU with what drawing it needs beyond posing it: textures, materials, and what some surfaces
// and overlays make when they are first drawn.
type Model struct {
	*skin.Model
	owner     gpu.Owner
	textures  []*gpu.Texture
	materials []skinning.Material // the model's, and a default one at the end
	opaque    []drawItem          // by material
	blended   []drawItem
	Values    *vertexValues // nil until a surface of numbers is drawn
	lines     lineArrays
	ghost     *ghost // nil until it is drawn
}

// NewModel uploads a model; on error nothing stays behind. Limit is the largest texture buffer in texels: past it the
// CPU adds morph targets and solves for proxy bones.
func NewModel(m *skinning.Model, limit int) (*Model, error) {
	g, err := skin.NewModel(m, limit)
	if err != nil {
		return nil, err
	}
	s := &Model{Model: g}
	s.owner.Own(g.Delete)
	for i := range m.Textures {
		s.textures = append(s.textures, gpu.NewImageTexture(&s.owner, &m.Textures[i]))
	}
	s.materials = append(s.materials, m.Materials...)
	s.materials = append(s.materials, skinning.Material{BaseColor: [4]float32{0.8, 0.8, 0.8, 1}, Texture: -1})
	s.collectItems()
	return gpu.Made(s, &s.owner)
}

// collectItems lists the parts in drawing order: opaque ones by material, so that state changes little, then blended
// ones in file order.
func (s *Model) collectItems() {
	triangle := 0
	add := func(mesh *skinning.Mesh, rigid int) {
		for _, p := range mesh.Parts {
			item := drawItem{3 * (triangle + p.FirstTriangle), 3 * p.TriangleCount, p.Material, rigid}
			if item.material < 0 {
				item.material = len(s.materials) - 1
			}
			if p.TriangleCount == 0 {
				continue
			}
			if s.materials[item.material].Blend {
				s.blended = append(s.blended, item)
			} else {
				s.opaque = append(s.opaque, item)
			}
		}
		triangle += len(mesh.Triangles)
	}
	add(&s.Source.Skin, -1)
	for i := range s.Source.Rigid {
		add(&s.Source.Rigid[i], i)
	}
	slices.SortStableFunc(s.opaque, func(a, b drawItem) int { return cmp.Compare(a.material, b.material) })
}

// Delete is nil-safe.
func (s *Model) Delete() {
	if s != nil {
		s.owner.Delete()
	}
}
