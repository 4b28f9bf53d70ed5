package skin

import (
	"fmt"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/passes"
	"skinlab/skinning"
)

// rings holds one model's one-rings, from which normals of the posed surface are summed, and the buffer for the
// vertices with them.
type rings struct {
	ring      *gpu.Buffer[[2]uint32]        // per vertex: index of its first triangle and their number, with ringReversed
	triangles *gpu.TextureBuffer[[3]uint32] // the vertices of each triangle, a copy per ring: one look-up reads them
	posed     *gpu.TextureBuffer[Vertex]    // reads the posed vertices
	Shaded    *gpu.Buffer[Vertex]           // the posed vertices with these normals, written by sumNormals
	array     uint32
}

// ringReversed is a flag in a ring's count: see skinning.Ring.
const ringReversed = 1 << 31

// newRings collects the one-rings of the skin and of each rigid mesh, each mesh on its own. limit is the largest
// texture buffer in texels.
func newRings(g *Model, limit int) (r *rings, err error) {
	s := g.Streams
	all := make([][2]uint32, 0, s.All)
	var list [][3]uint32
	add := func(mesh *skinning.Mesh, base int) {
		o := skinning.NewOneRings(mesh, g.Source.Skeleton.Joints)
		for _, ring := range o.Rings {
			entry := [2]uint32{ring.First + uint32(len(list)), ring.Count}
			if ring.Reversed {
				entry[1] |= ringReversed
			}
			all = append(all, entry)
		}
		for _, i := range o.Triangles {
			t := mesh.Triangles[i]
			list = append(list, [3]uint32{t[0] + uint32(base), t[1] + uint32(base), t[2] + uint32(base)})
		}
	}
	add(&g.Source.Skin, s.First[0])
	for i := range g.Source.Rigid {
		add(&g.Source.Rigid[i], s.First[i+1])
	}
	if most := max(2*s.All, len(list)); most > limit {
		return nil, fmt.Errorf("render: normals from the surface of %q need a texture buffer of %d texels, the driver has %d",
			g.Source.Name, most, limit)
	}
	r = &rings{}
	o := &gpu.Owner{}
	r.ring = gpu.NewBuffer(o, "one-rings", gl.ARRAY_BUFFER, gl.STATIC_DRAW, all)
	r.Shaded = gpu.NewBuffer(o, "surface normals", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, make([]Vertex, s.All))
	r.triangles = gpu.NewTextureBuffer(o, "triangles of one-rings", gl.RGB32UI, gl.STATIC_DRAW, list)
	r.posed = gpu.TextureBufferOf(o, gl.RGB32F, s.Posed)
	r.array = o.Array(func() { gpu.IntegerAttribute(r.ring.ID, attributeExtra, 2, gl.UNSIGNED_INT, 8) })
	o.Fail(gpu.Error("one-rings of %q", g.Source.Name))
	r, err = gpu.Made(r, o)
	if err == nil {
		g.owner.Own(o.Delete)
	}
	return r, err
}

// Recompute sums the normals of the posed surface from the cross products of its triangles (RTER section 6, third
// pass). It reads the posed vertices of g, after Pose, and writes g.Rings.Shaded in the same way.
func (p *Poser) Recompute(g *Model, f *skinning.Frame, s Way, t *passes.Timer) error {
	t.Begin(passes.Normals)
	defer t.End(passes.Normals)
	r, err := p.rings(g)
	if err != nil {
		return err
	}
	return p.sumNormals(g, s, r.posed, r.Shaded, f.Mirrored())
}

// RecomputeCrowd is Recompute for all instances of a crowd, after PoseCrowd has posed them into a buffer. The passes
// that draw the crowd then read its vertices with the normals of the surface.
func (p *Poser) RecomputeCrowd(g *Model, c *Crowd, s Way, t *passes.Timer) error {
	t.Begin(passes.Normals)
	defer t.End(passes.Normals)
	if _, err := p.rings(g); err != nil {
		return err
	}
	b := p.Crowd
	if err := b.shaded.Reserve(c.instances * g.Streams.All); err != nil {
		return err
	}
	err := p.sumNormals(g, s, b.read, b.shaded, c.mirrored)
	b.readShaded.Bind(gpu.UnitPosedCrowd)
	return err
}

// rings returns the model's rings, collected when they are first needed.
func (p *Poser) rings(g *Model) (r *rings, err error) {
	if g.Rings == nil {
		g.Rings, err = newRings(g, p.Texels)
	}
	return g.Rings, err
}

// sumNormals copies posed vertices, of as many instances as were posed last, with the normals of the posed surface.
func (p *Poser) sumNormals(g *Model, s Way, posed *gpu.TextureBuffer[Vertex], to *gpu.Buffer[Vertex], mirrored bool) error {
	program, stages := &p.normals, gpu.Stages{Vertex: "normals.vert.glsl", Captured: "position normal"}
	if s == InBufferCompute {
		program, stages = &p.normalsCompute, gpu.Stages{Compute: "normals.comp.glsl"}
	}
	if err := gpu.Compile(&p.owner, program, "surface normals", stages); err != nil {
		return err
	}
	(*program).Use()
	(*program).Set("unit", 1/g.Diagonal)
	(*program).SetBool("mirrored", mirrored)
	posed.Bind(gpu.UnitPosed)
	g.Rings.triangles.Bind(gpu.UnitRings)
	instances := int(p.block.Data.instances)
	gl.BindVertexArray(g.Rings.array)
	for _, part := range g.Streams.spans(g.Streams.All) {
		if s == InBufferCompute {
			p.dispatch(*program, part, &[storages]uint32{storageRest: g.Rings.ring.ID, storagePosed: to.ID})
			continue
		}
		gpu.Feedback{Buffer: to.ID, Offset: part.first * instances * int(VertexSize), Point: int(VertexSize)}.Run(
			part.first, part.count, instances)
	}
	gl.BindVertexArray(0)
	return nil
}
