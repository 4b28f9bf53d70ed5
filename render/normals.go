package render

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
)

// rings is what normals from the posed surface need of one model: its one-rings, and where the normals go.
type rings struct {
	ring      *buffer[[2]uint32]         // per vertex: first and count, with ringReversed
	triangles *textureBuffer[[3]uint32]  // the vertices of each: copies, so that no look-up waits for another one
	posed     *textureBuffer[restVertex] // of the posed stream
	normals   *buffer[mgl32.Vec3]        // written by transform feedback
	array     uint32
}

// normalSize is the bytes of one normal of the posed surface.
const normalSize = int32(unsafe.Sizeof(mgl32.Vec3{}))

// ringReversed marks a ring's count: see skinning.Ring.
const ringReversed = 1 << 31

// newRings collects the rings of the skin and of the rigid meshes, each by itself. limit is the largest texture buffer
// in texels.
func newRings(g *gpuModel, limit int) (r *rings, err error) {
	s := g.streams
	all := make([][2]uint32, 0, s.all)
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
	add(&g.model.Skin, s.first[0])
	for i := range g.model.Rigid {
		add(&g.model.Rigid[i], s.first[i+1])
	}
	if most := max(2*s.all, len(list)); most > limit {
		return nil, fmt.Errorf("render: normals from the surface of %q need a texture buffer of %d texels, the driver has %d",
			g.model.Name, most, limit)
	}
	r = &rings{}
	defer func() {
		if err != nil {
			r.Delete()
			r = nil
		}
	}()
	if r.ring, err = newBuffer("one-rings", gl.ARRAY_BUFFER, gl.STATIC_DRAW, all); err != nil {
		return
	}
	if r.normals, err = newBuffer("surface normals", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY,
		make([]mgl32.Vec3, s.all)); err != nil {
		return
	}
	if r.triangles, err = newTextureBuffer("triangles of one-rings", gl.RGB32UI, gl.STATIC_DRAW, list); err != nil {
		return
	}
	if r.posed, err = textureBufferOf("posed", gl.RGB32F, s.posed); err != nil {
		return
	}
	gl.GenVertexArrays(1, &r.array)
	gl.BindVertexArray(r.array)
	floatAttribute(s.posed.id, attributeNormal, 3, vertexSize, unsafe.Offsetof(restVertex{}.normal))
	integerAttribute(r.ring.id, attributeExtra, 2, gl.UNSIGNED_INT, 8)
	gl.BindVertexArray(0)
	return r, glError("one-rings of %q", g.model.Name)
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
	r.normals.Delete()
	r.ring.Delete()
}

// normalPass sums the normals of the posed surface from the cross products of its triangles (RTER section 6, third
// pass). It works on the posed buffer, and compiles when it first runs.
type normalPass struct {
	program        *program
	unit, mirrored int32
}

// Run recomputes the normals of what the posed buffer of g holds into g.rings.normals, which it makes where it is not
// there yet.
func (p *normalPass) Run(g *gpuModel, f *skinning.Frame, limit int) (err error) {
	if p.program == nil {
		if p.program, err = newProgram("surface normals", []string{"normals.vert.glsl"}, nil, "normal"); err != nil {
			return err
		}
		p.unit, p.mirrored = p.program.Uniform("unit"), p.program.Uniform("mirrored")
	}
	if g.rings == nil {
		if g.rings, err = newRings(g, limit); err != nil {
			return err
		}
	}
	r := g.rings
	gl.UseProgram(p.program.id)
	gl.Uniform1f(p.unit, 1/g.diagonal)
	gl.Uniform1i(p.mirrored, boolean(skinMirrored(f)))
	r.posed.Bind(unitPosed)
	r.triangles.Bind(unitRings)
	gl.BindVertexArray(r.array)
	feedback{r.normals.id, 0, int(normalSize)}.run(0, g.streams.all, 1)
	gl.BindVertexArray(0)
	return nil
}

// Delete is nil-safe.
func (p *normalPass) Delete() {
	if p != nil {
		p.program.Delete()
	}
}

// skinMirrored reports whether a joint of the pose is mirrored.
func skinMirrored(f *skinning.Frame) bool {
	for j := range f.Matrices {
		if f.Matrices[j].Linear().Det() < 0 {
			return true
		}
	}
	return false
}
