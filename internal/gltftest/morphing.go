package gltftest

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Morphing returns a model without a skin: two strips of 13 × 3 vertices that bend in a clip of so many frames, 8 a
// second, each frame a morph target, and a stage without morph targets. The first strip's node is turned, moved and
// twice as large; that of the second, below it, mirrors.
func Morphing(frames int) *skinning.Model {
	const columns, rows = 13, 3
	turned := geom.Transform{Translation: mgl64.Vec3{0.3, 1, -0.2}, Scale: mgl64.Vec3{2, 2, 2},
		Rotation: geom.AxisAngle(mgl64.Vec3{0.6, 0, 0.8}, 0.7)}
	mirrored := geom.Transform{Translation: mgl64.Vec3{0, 0, 3}, Scale: mgl64.Vec3{1, 1, -1},
		Rotation: geom.IdentityQuat()}
	m := &skinning.Model{Name: "morphing.glb", Skeleton: skinning.Skeleton{Nodes: []skinning.Node{
		{Name: "strip", Parent: -1, Rest: turned}, {Name: "mirror", Parent: 0, Rest: mirrored},
		{Name: "stage", Parent: -1, Rest: geom.IdentityTransform()}}}}
	if err := m.Skeleton.SortNodes(); err != nil {
		panic(err)
	}
	clip := skinning.Clip{Name: "bend", Seconds: float64(frames-1) / 8}
	for node := range m.Skeleton.Nodes {
		var mesh skinning.Mesh
		at := func(frame int, x, y float64) mgl32.Vec3 { // an arc, which bends by 90 degrees in the last frame
			if frame < 0 {
				return mgl32.Vec3{float32(x), float32(y), 0}
			}
			angle := math.Pi / 2 * float64(frame+1) / float64(frames)
			sin, cos := math.Sincos(angle * x)
			return mgl32.Vec3{float32(sin / angle), float32(y), float32((1 - cos) / angle)}
		}
		for i := range columns {
			for k := range rows {
				mesh.Positions = append(mesh.Positions, at(-1, float64(i)/(columns-1), 0.1*float64(k)))
				mesh.Normals = append(mesh.Normals, mgl32.Vec3{0, 0, 1})
				if a := uint32(i*rows + k); i > 0 && k > 0 {
					mesh.Triangles = append(mesh.Triangles, [3]uint32{a - rows - 1, a - 1, a},
						[3]uint32{a - rows - 1, a, a - rows})
				}
			}
		}
		mesh.Parts = []skinning.Part{{Name: m.Skeleton.Nodes[node].Name, Node: node, VertexCount: len(mesh.Positions),
			TriangleCount: len(mesh.Triangles), Material: -1}}
		channel := skinning.Channel{Node: node, Path: skinning.PathWeights, FirstSlot: len(m.MorphSlots), Width: frames}
		for f := 0; f < frames && node < 2; f++ {
			morph := skinning.Morph{Slot: len(m.MorphSlots)}
			for v, p := range mesh.Positions {
				morph.Positions = append(morph.Positions, at(f, float64(p[0]), float64(p[1])).Sub(mesh.Positions[v]))
			}
			mesh.Morphs = append(mesh.Morphs, morph)
			m.MorphSlots = append(m.MorphSlots, skinning.MorphSlot{Name: skinning.Named("", "Morph target", f), Node: node, Target: f})
			channel.Times = append(channel.Times, float32(f)/8)
			row := make([]float32, frames)
			row[f] = 1
			channel.Values = append(channel.Values, row...)
		}
		if node < 2 {
			clip.Channels = append(clip.Channels, channel)
		}
		m.Rigid = append(m.Rigid, mesh)
	}
	m.Clips = []skinning.Clip{clip}
	return m
}
