package gltftest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// MaterialRadius is the radius of the spheres of [Materials].
const MaterialRadius = 0.45

// Materials returns a file of copper-coloured spheres in rows, each of a material of its own: not metal, and metal, of
// roughness 0.1, 0.4, 0.7 and 1; then one each with a normal, a metallic-roughness, an emissive and an occlusion map.
// It also returns their names and places.
func Materials() (b *Builder, names []string, places []mgl32.Vec3) {
	b = NewBuilder()
	add := func(name string, metal, rough float64, more Object) {
		material := Object{"name": name, "pbrMetallicRoughness": Object{"baseColorFactor": List{0.8, 0.4, 0.2, 1},
			"metallicFactor": metal, "roughnessFactor": rough}}
		for key, value := range more {
			if key == "metallicRoughnessTexture" {
				material["pbrMetallicRoughness"].(Object)[key] = value
			} else {
				material[key] = value
			}
		}
		b.Push("materials", material)
		places = append(places, mgl32.Vec3{float32(len(names) % 4), -float32(len(names) / 4), 0})
		names = append(names, name)
	}
	for metal := range 2 {
		for _, rough := range []float64{0.1, 0.4, 0.7, 1} {
			add(fmt.Sprintf("metal %d, roughness %g", metal, rough), float64(metal), rough, nil)
		}
	}
	wave := func(x float64) float64 { return math.Cos(2 * math.Pi * x) }
	half := func(x float64) uint8 { return uint8(255*(x+1)/2 + 0.5) }
	add("normal map", 0.5, 0.4, Object{"normalTexture": b.texture(func(u, v float64) color.NRGBA {
		n := [3]float64{wave(8*u + 0.25), wave(6*v + 0.25), 2} // of bumps, green towards smaller v
		l := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
		return color.NRGBA{half(n[0] / l), half(-n[1] / l), half(n[2] / l), 255}
	})})
	add("metallic-roughness map", 1, 1, Object{"metallicRoughnessTexture": b.texture(func(u, v float64) color.NRGBA {
		return color.NRGBA{0, half(0.8 * wave(3*v)), half(wave(4 * u)), 255}
	})})
	add("emissive map", 0.5, 0.4, Object{"emissiveFactor": List{0.2, 0.6, 1}, "emissiveTexture": b.texture(
		func(u, v float64) color.NRGBA {
			x := half(max(wave(6*u)*wave(4*v), 0)*2 - 1)
			return color.NRGBA{x, x, x, 255}
		})})
	add("occlusion map", 0.5, 0.4, Object{"occlusionTexture": b.texture(
		func(u, v float64) color.NRGBA { return color.NRGBA{half(wave(4 * (u + v))), 0, 0, 255} })})
	b.spheres(places)
	return b, names, places
}

// texture adds a picture of 128 × 64 pixels, whose place is 0 to 1.
func (b *Builder) texture(at func(u, v float64) color.NRGBA) Object {
	im := image.NewNRGBA(image.Rect(0, 0, 128, 64))
	for i := range 128 * 64 {
		im.SetNRGBA(i%128, i/128, at((float64(i%128)+0.5)/128, (float64(i/128)+0.5)/64))
	}
	var data bytes.Buffer
	if err := png.Encode(&data, im); err != nil {
		panic(err)
	}
	source := b.Push("images", Object{"bufferView": b.View(data.Bytes()), "mimeType": "image/png"})
	return Object{"index": b.Push("textures", Object{"source": source})}
}

// spheres adds a scene of a sphere for each material.
func (b *Builder) spheres(places []mgl32.Vec3) {
	const across, down = 64, 32
	var normals, positions, uvs, indices []float64
	for v := range down + 1 {
		for u := range across + 1 {
			x, y := float64(u)/across, float64(v)/down
			sin, cos := math.Sincos(math.Pi * y)
			s, c := math.Sincos(2 * math.Pi * x)
			n := []float64{-sin * s, cos, -sin * c}
			normals, uvs = append(normals, n...), append(uvs, x, y)
			for _, k := range n {
				positions = append(positions, MaterialRadius*k)
			}
			if at := float64(v*(across+1) + u); u < across && v < down {
				indices = append(indices, at, at+across+1, at+1, at+1, at+across+1, at+across+2)
			}
		}
	}
	attributes := Object{"POSITION": b.Accessor(Float, "VEC3", positions...),
		"NORMAL": b.Accessor(Float, "VEC3", normals...), "TEXCOORD_0": b.Accessor(Float, "VEC2", uvs...)}
	order := b.Accessor(Ushort, "SCALAR", indices...)
	var nodes List
	for i, at := range places {
		primitive := Object{"attributes": attributes, "indices": order, "material": i}
		mesh := b.Push("meshes", Object{"primitives": List{primitive}})
		nodes = append(nodes, b.Push("nodes", Object{"mesh": mesh, "translation": List{at[0], at[1], at[2]}}))
	}
	b.Push("scenes", Object{"nodes": nodes})
	b.Doc["scene"] = 0
}
