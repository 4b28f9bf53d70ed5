package skinning

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// Snapshot returns a frame whose skin stands in given places, posed by nothing: shapes that no palette makes, such as
// displacements interpolated in pose space, are then drawn and measured as any other. It has a model of its own, which
// shares all but the skin's places with f's; all joints hold still, and rigid meshes are where f has them. Normals are
// summed from the places. There is one position per vertex of the skin, metres, world space.
func (f *Frame) Snapshot(positions []mgl64.Vec3) *Frame {
	skin := &f.Model.Skin
	if len(positions) != len(skin.Positions) {
		panic(fmt.Sprintf("skinning: Frame.Snapshot: %d positions of %d", len(positions), len(skin.Positions)))
	}
	m := *f.Model
	m.Skin.Positions, m.Skin.Normals, m.Skin.Morphs = nil, nil, nil
	m.Rigs = nil
	rings := NewOneRings(skin.Positions, skin.Normals, skin.Triangles)
	rest := f.Model.Skin.RestShape(make([]float64, len(f.Model.MorphSlots)))
	normals := rings.Normals(Shape{Positions: positions, Normals: rest.Normals}, false)
	for v, p := range positions {
		m.Skin.Positions = append(m.Skin.Positions, geom.Vec32(p))
		m.Skin.Normals = append(m.Skin.Normals, geom.Vec32(normals[v]))
	}
	out := NewFrame(&m, f.Centers)
	copy(out.Globals, f.Globals)
	for j := range out.Matrices {
		rest := geom.IdentityAffine()
		out.SetMatrix(j, &rest)
	}
	out.forget()
	return out
}
