package picture

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// ghost draws a model's rest pose as a surface of its own.
type ghost struct {
	vertices *gpu.Buffer[skin.Vertex]
	array    uint32
}

func newGhost(g *Model) (*ghost, error) {
	var o gpu.Owner
	h := &ghost{gpu.NewBuffer(&o, "rest pose", gl.ARRAY_BUFFER, gl.STATIC_DRAW, restPose(g.Source)), 0}
	h.array = o.Array(func() {
		gpu.FloatAttribute(h.vertices.ID, skin.AttributePosition, 3, skin.VertexSize, 0)
		gpu.FloatAttribute(h.vertices.ID, skin.AttributeNormal, 3, skin.VertexSize, unsafe.Offsetof(skin.Vertex{}.Normal))
		gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, g.Streams.Index.ID)
	})
	o.Fail(gpu.Error("rest pose of %q", g.Source.Name))
	g.owner.Own(o.Delete)
	return gpu.Made(h, &o)
}

// restPose returns the vertices of the model in the pose in which it was bound. Rigid meshes move with the joint above
// them in the skeleton.
func restPose(m *skinning.Model) []skin.Vertex {
	var out []skin.Vertex
	for v, p := range m.Skin.Positions {
		out = append(out, skin.Vertex{Position: p, Normal: m.Skin.Normals[v]})
	}
	still := make([]geom.Affine, len(m.Skeleton.Nodes))
	m.Skeleton.Globals(still, m.NewPose())
	palette := make([]geom.Affine, len(m.Skeleton.Joints))
	m.Skeleton.Palette(palette, still)
	for i := range m.Rigid {
		mesh := &m.Rigid[i]
		at := still[mesh.Parts[0].Node]
		if j := jointAbove(&m.Skeleton, mesh.Parts[0].Node); j >= 0 {
			if unbend, ok := palette[j].Inverse(); ok { // back to the bind pose from the static pose
				at = unbend.Mul(at)
			}
		}
		turn := at.Linear().NormalMatrix()
		for v, p := range mesh.Positions {
			n := geom.Vec32(turn.Apply(geom.Vec64(mesh.Normals[v])))
			out = append(out, skin.Vertex{Position: geom.Vec32(at.Apply(geom.Vec64(p))), Normal: n})
		}
	}
	return out
}

// jointAbove returns the first joint on the way from a node up to its root, the node included. It is −1 if there is
// none.
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

// readyGhost makes the programs and buffers for drawing the rest pose.
func (p *Painter) readyGhost(g *Model) (err error) {
	if err := gpu.Compile(&p.owner, &p.ghost, "rest pose",
		gpu.Stages{Vertex: "ghost.vert.glsl", Fragment: "ghost.frag.glsl"}); err != nil {
		return err
	}
	if g.ghost == nil {
		g.ghost, err = newGhost(g)
	}
	return err
}

// drawGhost draws the rest pose translucent. It writes no depth, and surfaces in front hide it.
func (p *Painter) drawGhost(g *Model) {
	p.ghost.Use()
	blend()
	gl.DepthMask(false)
	gl.Enable(gl.CULL_FACE)
	gl.Enable(gl.POLYGON_OFFSET_FILL)
	gl.PolygonOffset(1, 1) // push it behind the posed surface where the two coincide
	gl.BindVertexArray(g.ghost.array)
	for i := range g.runs {
		if r := &g.runs[i]; r.indices > 0 {
			gl.DrawElementsWithOffset(gl.TRIANGLES, int32(r.indices), gl.UNSIGNED_INT, uintptr(4*r.firstIndex))
		}
	}
	gl.BindVertexArray(0)
	gl.Disable(gl.POLYGON_OFFSET_FILL)
	gl.Disable(gl.CULL_FACE)
	gl.DepthMask(true)
	gl.Disable(gl.BLEND)
}
