package skin

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/gpu"
	"skinlab/skinning"
)

// rings is what normals from the posed surface need of one model: its one-rings, and where the normals go.
type rings struct {
	ring      *gpu.Buffer[[2]uint32]         // per vertex: first and count, with ringReversed
	triangles *gpu.TextureBuffer[[3]uint32]  // the vertices of each: copies, so that no look-up waits for another one
	posed     *gpu.TextureBuffer[RestVertex] // of the posed stream
	Normals   *gpu.Buffer[mgl32.Vec3]        // written by transform feedback
	array     uint32
}

// NormalSize is the bytes of one normal of the posed surface.
const NormalSize = int32(unsafe.Sizeof(mgl32.Vec3{}))

// ringReversed marks a ring's count: see skinning.Ring.
const ringReversed = 1 << 31

// newRings collects the rings of the skin and of the rigid meshes, each by itself. limit is the largest texture buffer
// in texels.
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
	defer func() {
		if err != nil {
			r.Delete()
			r = nil
		}
	}()
	if r.ring, err = gpu.NewBuffer("one-rings", gl.ARRAY_BUFFER, gl.STATIC_DRAW, all); err != nil {
		return
	}
	if r.Normals, err = gpu.NewBuffer("surface normals", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY,
		make([]mgl32.Vec3, s.All)); err != nil {
		return
	}
	if r.triangles, err = gpu.NewTextureBuffer("triangles of one-rings", gl.RGB32UI, gl.STATIC_DRAW, list); err != nil {
		return
	}
	if r.posed, err = gpu.TextureBufferOf("posed", gl.RGB32F, s.Posed); err != nil {
		return
	}
	gl.GenVertexArrays(1, &r.array)
	gl.BindVertexArray(r.array)
	gpu.FloatAttribute(s.Posed.ID, AttributeNormal, 3, VertexSize, unsafe.Offsetof(RestVertex{}.Normal))
	gpu.IntegerAttribute(r.ring.ID, AttributeExtra, 2, gl.UNSIGNED_INT, 8)
	gl.BindVertexArray(0)
	return r, gpu.Error("one-rings of %q", g.Source.Name)
}

// Delete is nil-safe and releases in reverse order.
func (r *rings) Delete() {
	if r == nil {
		return
	}
	if r.array != 0 {
		gl.DeleteVertexArrays(1, &r.array)
		r.array = 0
	}
	r.posed.Delete()
	r.triangles.Delete()
	r.Normals.Delete()
	r.ring.Delete()
}

// normalPass sums the normals of the posed surface from the cross products of its triangles (RTER section 6, third
// pass). It works on the posed buffer, and compiles when it first runs.
type normalPass struct {
	program        *gpu.Program
	unit, mirrored int32
}

// Run recomputes the normals of what the posed buffer of g holds into g.rings.normals, which it makes where it is not
// there yet.
func (p *normalPass) Run(g *Model, f *skinning.Frame, limit int) (err error) {
	if p.program == nil {
		if p.program, err = gpu.NewProgram("surface normals", []string{"normals.vert.glsl"}, nil, "normal"); err != nil {
			return err
		}
		p.unit, p.mirrored = p.program.Uniform("unit"), p.program.Uniform("mirrored")
	}
	if g.Rings == nil {
		if g.Rings, err = newRings(g, limit); err != nil {
			return err
		}
	}
	r := g.Rings
	gl.UseProgram(p.program.ID)
	gl.Uniform1f(p.unit, 1/g.Diagonal)
	gl.Uniform1i(p.mirrored, gpu.Bool(SkinMirrored(f)))
	r.posed.Bind(gpu.UnitPosed)
	r.triangles.Bind(gpu.UnitRings)
	gl.BindVertexArray(r.array)
	gpu.Feedback{Buffer: r.Normals.ID, Offset: 0, Point: int(NormalSize)}.Run(0, g.Streams.All, 1)
	gl.BindVertexArray(0)
	return nil
}

// Delete is nil-safe.
func (p *normalPass) Delete() {
	if p != nil {
		p.program.Delete()
	}
}

// SkinMirrored reports whether a joint of the pose is mirrored.
func SkinMirrored(f *skinning.Frame) bool {
	for j := range f.Matrices {
		if f.Matrices[j].Linear().Det() < 0 {
			return true
		}
	}
	return false
}
