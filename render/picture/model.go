package picture

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/gpu"
	"skinlab/render/skin"
	"skinlab/skinning"
)

// drawItem is one part of a mesh: a range of triangles with one material.
type drawItem struct {
	firstIndex, indices int // in the index buffer
	material            int // index into shown.materials
	rigid               int // index into Model.Rigid, −1 for the skin
	// bothSides is drawn from both sides: by its material, or because some of its triangles wind against their
	// normals, so that their winding does not tell the outside.
	bothSides bool
	// Of a transparent part, for the order of drawing: the middle of its vertices at rest, the joint that most of them
	// follow, and the square of the distance from the eye.
	middle   mgl32.Vec3
	joint    int
	distance float32
}

// place finds the middle and the joint of a part.
func (i *drawItem) place(mesh *skinning.Mesh, p *skinning.Part) {
	follow := map[uint16]int{}
	for v := p.FirstVertex; v < p.FirstVertex+p.VertexCount; v++ {
		i.middle = i.middle.Add(mesh.Positions[v].Mul(1 / float32(p.VertexCount)))
		if i.rigid < 0 {
			j := mesh.Bindings[v].Joints[0]
			follow[j]++
			if follow[j] > follow[uint16(i.joint)] {
				i.joint = int(j)
			}
		}
	}
}

// run is a range of the index buffer and of the vertices of parts that follow each other and are not hidden, all of the
// skin or all of rigid meshes.
type run struct {
	rigid                 bool
	firstIndex, indices   int
	firstVertex, vertices int
}

// Model is a model on the GPU. It adds textures and materials to the data for posing, and buffers that some surfaces
// and overlays make when they are first drawn.
type Model struct {
	*skin.Model
	owner     gpu.Owner
	textures  []*gpu.Texture
	materials []skinning.Material // of the file, followed by a default material
	hidden    []bool              // per part, the skin's before the rigid meshes'; nil while all are drawn
	opaque    []drawItem          // of the visible parts, sorted by material
	blended   []drawItem
	runs      []run
	Values    *vertexValues // nil until a surface that shows numbers is drawn
	lines     lineArrays
	ghost     *ghost // nil until it is drawn
}

// NewModel uploads a model. On an error it frees everything it made. Limit is the largest texture buffer in texels. If
// a model's data exceeds it, the CPU adds the morph targets or solves for the proxy bones.
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
	s.materials = append(s.materials, skinning.Matte("", 0.8, 0.8, 0.8))
	s.collectItems()
	return gpu.Made(s, &s.owner)
}

// Hide draws all parts but those that hidden marks: one entry per part, the skin's in their order, then those of the
// rigid meshes; nil draws all. Hidden parts cast no shadows and have no edges, ghost or normals either. It copies
// hidden.
func (s *Model) Hide(hidden []bool) {
	if parts := s.Source.PartCount(); hidden != nil && len(hidden) != parts {
		panic(fmt.Sprintf("picture: Hide: %d entries for %d parts", len(hidden), parts))
	}
	s.hidden = slices.Clone(hidden)
	s.collectItems()
}

// collectItems lists the visible parts in drawing order. The opaque parts come first, sorted by material to change
// little state between them. The blended parts follow.
func (s *Model) collectItems() {
	triangle, vertex, part := 0, 0, -1
	s.opaque, s.blended, s.runs = s.opaque[:0], s.blended[:0], s.runs[:0]
	add := func(mesh *skinning.Mesh, rigid int) {
		for k := range mesh.Parts {
			p := &mesh.Parts[k]
			item := drawItem{firstIndex: 3 * (triangle + p.FirstTriangle), indices: 3 * p.TriangleCount, material: p.Material,
				rigid: rigid}
			if item.material < 0 {
				item.material = len(s.materials) - 1
			}
			part++
			if s.hidden != nil && s.hidden[part] {
				continue
			}
			item.bothSides = s.materials[item.material].DoubleSided || mesh.AgainstNormals(p) > 0
			s.extendRuns(run{rigid >= 0, item.firstIndex, item.indices, vertex + p.FirstVertex, p.VertexCount})
			if p.TriangleCount == 0 {
				continue
			}
			if s.materials[item.material].Blend {
				item.place(mesh, p)
				s.blended = append(s.blended, item)
			} else {
				s.opaque = append(s.opaque, item)
			}
		}
		triangle += len(mesh.Triangles)
		vertex += len(mesh.Positions)
	}
	add(&s.Source.Skin, -1)
	for i := range s.Source.Rigid {
		add(&s.Source.Rigid[i], i)
	}
	slices.SortStableFunc(s.opaque, func(a, b drawItem) int { return cmp.Compare(a.material, b.material) })
}

// extendRuns adds a part to the last run where it follows that, else as a run of its own.
func (s *Model) extendRuns(r run) {
	if n := len(s.runs); n > 0 {
		last := &s.runs[n-1]
		if last.rigid == r.rigid && last.firstIndex+last.indices == r.firstIndex &&
			last.firstVertex+last.vertices == r.firstVertex {
			last.indices += r.indices
			last.vertices += r.vertices
			return
		}
	}
	s.runs = append(s.runs, r)
}

// Delete is nil-safe.
func (s *Model) Delete() {
	if s != nil {
		s.owner.Delete()
	}
}
