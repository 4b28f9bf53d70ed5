package picture

import "skinlab/skinning"

// Surface is what the model's surface shows. All but SurfaceMaterial are opaque, whatever the file's materials say.
type Surface uint8

// The surfaces. Those from SurfaceHeat on show numbers: where the surface faces the eye the colours are those of
// [Colormap], without light, shadow or tone curve, so that a legend can be read against them; where it turns away it is
// shaded. What has no number, meshes that are not part of the skin, is grey.
const (
	SurfaceMaterial   Surface = iota // the file's
	SurfaceClay                      // one plain material
	SurfacePaint                     // clay under the tints of the frame's model, see [render.Renderer.SetTints]
	SurfaceHeat                      // the distance to Scene.Heat
	SurfaceWeights                   // the weight of Scene.Joint, 0 to 1
	SurfaceInfluences                // the number of influences, in the steps of [InfluenceColors]
	SurfaceNormals                   // the world's normal: x, y and z from −1 to 1 as red, green and blue from 0 to 255
)

// Lit reports whether the surface is shaded by the studio's lights.
func (s Surface) Lit() bool { return s <= SurfacePaint }

// numeric reports whether the surface shows a number per vertex.
func (s Surface) numeric() bool {
	return s == SurfaceHeat || s == SurfaceWeights || s == SurfaceInfluences
}

// Heat is what SurfaceHeat compares with: the skin posed by another method, in another pose, or with another binding.
// The distance is that of a vertex from where the reference has the same vertex.
type Heat struct {
	// of a model given to SetModel, SetBeside or SetFitted with as many skin vertices as the scene's
	Frame  *skinning.Frame
	Method skinning.Method
	Full   float32 // the distance at the top of the colour map, metres; at 0 or less any distance is
}
