package picture

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// ghost is a model's rest pose as a surface of its own.
type ghost struct {
	vertices *gpu.Buffer[skin.RestVertex]
	array    uint32
}

func newGhost(g *skin.Model) (*ghost, error) {
	vertices, err := gpu.NewBuffer("rest pose", gl.ARRAY_BUFFER, gl.STATIC_DRAW, restPose(g.Source))
	if err != nil {
		return nil, err
	}
	h := &ghost{vertices: vertices}
	gl.GenVertexArrays(1, &h.array)
	gl.BindVertexArray(h.array)
	gpu.FloatAttribute(vertices.ID, skin.AttributePosition, 3, skin.VertexSize, 0)
	gpu.FloatAttribute(vertices.ID, skin.AttributeNormal, 3, skin.VertexSize, unsafe.Offsetof(skin.RestVertex{}.Normal))
	gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, g.Streams.Index.ID)
	gl.BindVertexArray(0)
	return h, gpu.Error("rest pose of %q", g.Source.Name)
}

// restPose returns the model's vertices as it was bound: the skin as it is, and rigid meshes moved with the joint that
// they hang on.
func restPose(m *skinning.Model) []skin.RestVertex {
	var out []skin.RestVertex
	for v, p := range m.Skin.Positions {
		out = append(out, skin.RestVertex{Position: p, Normal: m.Skin.Normals[v]})
	}
	still := make([]geom.Affine, len(m.Skeleton.Nodes))
	m.Skeleton.Globals(still, m.NewPose())
	palette := make([]geom.Affine, len(m.Skeleton.Joints))
	m.Skeleton.Palette(palette, still)
	for i := range m.Rigid {
		mesh := &m.Rigid[i]
		at := still[mesh.Parts[0].Node]
		if j := jointAbove(&m.Skeleton, mesh.Parts[0].Node); j >= 0 {
			if unbend, ok := palette[j].Inverse(); ok { // from the static pose back to where the joint was bound
				at = unbend.Mul(at)
			}
		}
		turn := at.Linear().NormalMatrix()
		for v, p := range mesh.Positions {
			n := geom.Vec32(turn.Apply(geom.Vec64(mesh.Normals[v])))
			out = append(out, skin.RestVertex{Position: geom.Vec32(at.Apply(geom.Vec64(p))), Normal: n})
		}
	}
	return out
}

// jointAbove returns the first joint of a node or of those that it hangs on, −1 for none.
func jointAbove(s *skinning.Skeleton, node int) int {
	for ; node >= 0; node = s.Nodes[node].Parent {
		for j := range s.Joints {
			if s.Joints[j].Node == node {
				return j
			}
		}
	}
	return -1
}

// Delete is nil-safe.
func (h *ghost) Delete() {
	if h == nil {
		return
	}
	if h.array != 0 {
		gl.DeleteVertexArrays(1, &h.array)
		h.array = 0
	}
	h.vertices.Delete()
}

// ghostPass draws the rest pose over the picture. It compiles when it is first used.
type ghostPass struct{ program *gpu.Program }

// Ready makes what is not there yet.
func (p *ghostPass) Ready(g *Model) (err error) {
	if p.program == nil {
		if p.program, err = gpu.NewProgram("rest pose", []string{"ghost.vert.glsl"},
			[]string{"ghost.frag.glsl"}); err != nil {
			return err
		}
	}
	if g.ghost == nil {
		if g.ghost, err = newGhost(g.Model); err != nil {
			return err
		}
	}
	return nil
}

// Draw draws the rest pose translucent, without writing depth: what stands in front of it hides it.
func (p *ghostPass) Draw(g *Model) {
	if g.Streams.Index.Len == 0 {
		return
	}
	gl.UseProgram(p.program.ID)
	gl.Enable(gl.BLEND)
	gl.BlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
	gl.DepthMask(false)
	gl.Enable(gl.CULL_FACE)
	gl.Enable(gl.POLYGON_OFFSET_FILL)
	gl.PolygonOffset(1, 1) // behind the posed surface where both are one
	gl.BindVertexArray(g.ghost.array)
	gl.DrawElements(gl.TRIANGLES, int32(3*g.Streams.Index.Len), gl.UNSIGNED_INT, nil)
	gl.BindVertexArray(0)
	gl.Disable(gl.POLYGON_OFFSET_FILL)
	gl.Disable(gl.CULL_FACE)
	gl.DepthMask(true)
	gl.Disable(gl.BLEND)
}

// Delete is nil-safe.
func (p *ghostPass) Delete() {
	if p != nil {
		p.program.Delete()
	}
}
