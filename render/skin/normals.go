package skin

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/gpu"
	"skinlab/render/passes"
	"skinlab/skinning"
)

// rings holds one model's one-rings, from which normals of the posed surface are summed, and the buffer for the
// normals.
type rings struct {
	ring      *gpu.Buffer[[2]uint32]        // per vertex: index of its first triangle and their number, with ringReversed
	triangles *gpu.TextureBuffer[[3]uint32] // the vertices of each triangle, a copy per ring: one look-up reads them
	posed     *gpu.TextureBuffer[Vertex]    // reads the posed vertices
	Normals   *gpu.Buffer[mgl32.Vec3]       // written by transform feedback
	array     uint32
}

// NormalSize is the size of one recomputed normal in bytes.
const NormalSize = int32(unsafe.Sizeof(mgl32.Vec3{}))

// ringReversed is a flag in a ring's count: see skinning.Ring.
const ringReversed = 1 << 31

// newRings collects the one-rings of the skin and of each rigid mesh, each mesh on its own. limit is the largest
// texture buffer in texels.
func newRings(g *Model, limit int) (r *rings, err error) {
	s := g.Streams
	all := make([][2]uint32, 0, s.All)
	var list [][3]uint32
	add := func(mesh *skinning.Mesh, base int) {
		o := skinning.NewOneRings(mesh.Positions, mesh.Normals, mesh.Triangles)
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
	r.Normals = gpu.NewBuffer(o, "surface normals", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, make([]mgl32.Vec3, s.All))
	r.triangles = gpu.NewTextureBuffer(o, "triangles of one-rings", gl.RGB32UI, gl.STATIC_DRAW, list)
	r.posed = gpu.TextureBufferOf(o, gl.RGB32F, s.Posed)
	r.array = o.Array(func() {
		gpu.FloatAttribute(s.Posed.ID, AttributeNormal, 3, VertexSize, unsafe.Offsetof(Vertex{}.Normal))
		gpu.IntegerAttribute(r.ring.ID, AttributeExtra, 2, gl.UNSIGNED_INT, 8)
	})
	o.Fail(gpu.Error("one-rings of %q", g.Source.Name))
	if r, err = gpu.Made(r, o); err == nil {
		g.owner.Own(o.Delete)
	}
	return r, err
}

// Recompute sums the normals of the posed surface from the cross products of its triangles (RTER section 6, third
// pass). It reads the posed vertices of g, after Pose, and writes g.Rings.Normals.
func (p *Poser) Recompute(g *Model, f *skinning.Frame, t *passes.Timer) (err error) {
	t.Begin(passes.Normals)
	defer t.End(passes.Normals)
	if err := gpu.Compile(&p.owner, &p.normals, "surface normals",
		gpu.Stages{Vertex: "normals.vert.glsl", Captured: "normal"}); err != nil {
		return err
	}
	if g.Rings == nil {
		if g.Rings, err = newRings(g, p.Texels); err != nil {
			return err
		}
	}
	r := g.Rings
	p.normals.Use()
	p.normals.Set("unit", 1/g.Diagonal)
	p.normals.SetBool("mirrored", Mirrored(f))
	r.posed.Bind(gpu.UnitPosed)
	r.triangles.Bind(gpu.UnitRings)
	gl.BindVertexArray(r.array)
	gpu.Feedback{Buffer: r.Normals.ID, Offset: 0, Point: int(NormalSize)}.Run(0, g.Streams.All, 1)
	gl.BindVertexArray(0)
	return nil
}

// Mirrored reports whether a joint of the pose has a mirroring matrix.
func Mirrored(f *skinning.Frame) bool {
	for j := range f.Matrices {
		if f.Matrices[j].Linear().Det() < 0 {
			return true
		}
	}
	return false
}
