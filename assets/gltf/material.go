package gltf

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/skinning"
)

// textureUse is how a material looks a texture up: the file's texture, −1 for none, by a set of texture coordinates and
// their transform.
type textureUse struct {
	texture int
	coordinates
}

// coordinates are a set of texture coordinates with the transform of a texture.
type coordinates struct {
	set       int
	transform uvTransform
}

// attribute names the texture coordinates.
func (c *coordinates) attribute() string { return fmt.Sprintf("TEXCOORD_%d", c.set) }

// materialUse is what a material wants of files and meshes: the textures of the base colour and of its maps, and the
// coordinates that they are looked up with. Those of the base colour come first where it has a texture.
type materialUse struct {
	base        int
	maps        []int // the file's textures, in the order of the material's maps
	coordinates []coordinates
}

// mostCoordinates is how many kinds of texture coordinates a mesh has: [skinning.Surface.UVs] and SecondUVs.
const mostCoordinates = 2

// add returns the index of coordinates, which are added unless they are there; false where there are too many.
func (u *materialUse) add(c coordinates) (k int, ok bool) {
	if k = slices.Index(u.coordinates, c); k >= 0 {
		return k, true
	}
	if len(u.coordinates) == mostCoordinates {
		return 0, false
	}
	u.coordinates = append(u.coordinates, c)
	return len(u.coordinates) - 1, true
}

// readMaterials reads every material. Textures follow once the geometry is in, see readTextures.
func (d *Source) readMaterials() error {
	n := len(d.Doc.Materials)
	d.Model.Materials, d.uses = make([]skinning.Material, n), make([]materialUse, n)
	return each("material", d.Doc.Materials, d.readMaterial)
}

func (d *Source) readMaterial(i int, info *gltf.Material) error {
	m := skinning.Matte(info.Name, 0, 0, 0)
	m.DoubleSided, m.Unlit = info.DoubleSided, has(info.Extensions, UnlitExtension)
	place := fault.Element("material", i, info.Name)
	clamped := func(name string, v, least, most float64) float32 {
		if v < least || v > most {
			d.notes.Add("%s: %s %g is clamped to %g..%g", place, name, v, least, most)
		}
		return float32(min(max(v, least), most))
	}
	color, texture, err := baseColor(info)
	if err != nil {
		return err
	}
	for k, c := range color {
		m.BaseColor[k] = clamped("baseColorFactor", c, 0, 1)
	}
	switch info.AlphaMode {
	case gltf.AlphaBlend:
		m.Blend = true
	case gltf.AlphaMask:
		m.AlphaCutoff = float32(min(max(info.AlphaCutoffOrDefault(), 0), math.MaxFloat32))
	}
	use := &d.uses[i]
	base, err := d.textureUse(texture)
	if err != nil {
		return fmt.Errorf("baseColorTexture: %w", err)
	}
	if use.base = base.texture; use.base >= 0 {
		use.add(base.coordinates)
	}
	pbr := cmp.Or(info.PBRMetallicRoughness, &gltf.PBRMetallicRoughness{})
	m.Metallic = clamped("metallicFactor", pbr.MetallicFactorOrDefault(), 0, 1)
	m.Roughness = clamped("roughnessFactor", pbr.RoughnessFactorOrDefault(), 0, 1)
	if has(info.Extensions, specularExtension) && info.PBRMetallicRoughness == nil {
		m.Metallic = 0 // its colour is a diffuse one
	}
	if err := reflectance(info, &m, clamped); err != nil {
		d.notes.Add("%s: %v; it is left out", place, err)
	}
	for _, t := range mapsOf(info, pbr) {
		to, err := d.textureUse(t.info)
		if err != nil {
			d.notes.Add("%s: %s: %v; drawn without", place, t.name, err)
			continue
		}
		if to.texture < 0 {
			continue
		}
		k, ok := use.add(to.coordinates)
		if !ok {
			d.notes.Add("%s: %s has a third kind of texture coordinates, %s with another transform than the other textures; "+
				"drawn without", place, t.name, to.attribute())
			continue
		}
		use.maps = append(use.maps, to.texture)
		m.Maps = append(m.Maps, skinning.Map{Kind: t.kind, Texture: -1, Second: k > 0,
			Strength: clamped(t.name+"'s strength", t.strength, t.least, t.most)})
	}
	d.Model.Materials[i] = m
	return nil
}

// mostFactor bounds factors that glTF does not: half floats of a picture hold it.
const mostFactor = 1e4

// mapOf is a texture of a material besides the base colour's.
type mapOf struct {
	kind                  skinning.MapKind
	name                  string
	info                  *gltf.TextureInfo
	strength, least, most float64
}

// mapsOf lists the maps of a material by their rows.
func mapsOf(m *gltf.Material, pbr *gltf.PBRMetallicRoughness) []mapOf {
	all := []mapOf{{skinning.RoughnessMap, "metallicRoughnessTexture", pbr.MetallicRoughnessTexture, 1, 0, 1},
		{skinning.EmissiveMap, "emissiveTexture", m.EmissiveTexture, 1, 0, 1}}
	if t := m.NormalTexture; t != nil && t.Index != nil {
		info := &gltf.TextureInfo{Extensions: t.Extensions, Index: *t.Index, TexCoord: t.TexCoord}
		all = append(all, mapOf{skinning.NormalMap, "normalTexture", info, t.ScaleOrDefault(), -mostFactor, mostFactor})
	}
	if t := m.OcclusionTexture; t != nil && t.Index != nil {
		info := &gltf.TextureInfo{Extensions: t.Extensions, Index: *t.Index, TexCoord: t.TexCoord}
		all = append(all, mapOf{skinning.OcclusionMap, "occlusionTexture", info, t.StrengthOrDefault(), 0, 1})
	}
	return all
}

// reflectance reads what a material emits, and what it reflects where it is not metal.
func reflectance(info *gltf.Material, m *skinning.Material, clamped func(name string, v, least, most float64) float32) error {
	emission := struct {
		Strength float64 `json:"emissiveStrength,omitempty"`
	}{1}
	index := struct {
		IOR float64 `json:"ior,omitempty"`
	}{1.5}
	specular := struct {
		Factor float64    `json:"specularFactor,omitempty"`
		Color  [3]float64 `json:"specularColorFactor,omitempty"`
	}{1, [3]float64{1, 1, 1}}
	err := errors.Join(extension(info.Extensions, EmissiveStrengthExtension, &emission),
		extension(info.Extensions, iorExtension, &index), extension(info.Extensions, ReflectanceExtension, &specular))
	strength := float64(clamped("emissiveStrength", emission.Strength, 0, mostFactor))
	f0 := 1.0 // of an index of 0, as the extension defines it
	if index.IOR != 0 {
		n := max(index.IOR, 1)
		f0 = (n - 1) * (n - 1) / ((n + 1) * (n + 1))
	}
	factor := float64(clamped("specularFactor", specular.Factor, 0, 1))
	m.Grazing = float32(factor)
	for k := range m.Emissive {
		m.Emissive[k] = float32(float64(clamped("emissiveFactor", info.EmissiveFactor[k], 0, 1)) * strength)
		color := float64(clamped("specularColorFactor", specular.Color[k], 0, mostFactor))
		m.Reflectance[k] = float32(min(f0*color, 1) * factor)
	}
	return err
}

// baseColor returns a material's base colour. A material of the older specular-glossiness model has a diffuse colour,
// which is taken where there is no base colour: for materials other than metal the two are the same.
func baseColor(m *gltf.Material) (color [4]float64, texture *gltf.TextureInfo, err error) {
	color = (&gltf.PBRMetallicRoughness{}).BaseColorFactorOrDefault()
	if p := m.PBRMetallicRoughness; p != nil {
		color, texture = p.BaseColorFactorOrDefault(), p.BaseColorTexture
	}
	if texture != nil || color != [4]float64{1, 1, 1, 1} {
		return color, texture, nil
	}
	var old struct {
		DiffuseFactor  *[4]float64       `json:"diffuseFactor,omitempty"`
		DiffuseTexture *gltf.TextureInfo `json:"diffuseTexture,omitempty"`
	}
	err = extension(m.Extensions, specularExtension, &old)
	if old.DiffuseFactor != nil {
		color = *old.DiffuseFactor
	}
	return color, old.DiffuseTexture, err
}

// texTransform is KHR_texture_transform.
type texTransform struct {
	Offset   [2]float64  `json:"offset"`
	Rotation float64     `json:"rotation,omitempty"`
	Scale    *[2]float64 `json:"scale,omitempty"`
	TexCoord *int        `json:"texCoord,omitempty"`
}

// textureUse checks a texture and reads how it is looked up.
func (d *Source) textureUse(use *gltf.TextureInfo) (textureUse, error) {
	if use == nil {
		return textureUse{texture: -1}, nil
	}
	if err := inRange("texture", use.Index, len(d.Doc.Textures)); err != nil {
		return textureUse{}, err
	}
	var x texTransform
	if err := extension(use.Extensions, textureTransformExtension, &x); err != nil {
		return textureUse{}, err
	}
	out := textureUse{use.Index, coordinates{use.TexCoord, x.matrix()}}
	if x.TexCoord != nil {
		out.set = *x.TexCoord
	}
	if out.set < 0 {
		return out, fault.Malformed("texCoord is %d, expected 0 or more", out.set)
	}
	return out, nil
}

// uvTransform maps texture coordinates: row-major 2×3.
type uvTransform [6]float64

func (t uvTransform) apply(v [2]float64) [2]float64 {
	return [2]float64{t[0]*v[0] + t[1]*v[1] + t[2], t[3]*v[0] + t[4]*v[1] + t[5]}
}

// matrix is scale, then a rotation counter-clockwise as seen in the picture (v points down), then offset.
func (x *texTransform) matrix() uvTransform {
	scale := [2]float64{1, 1}
	if x.Scale != nil {
		scale = *x.Scale
	}
	sin, cos := math.Sincos(x.Rotation)
	return uvTransform{cos * scale[0], sin * scale[1], x.Offset[0], -sin * scale[0], cos * scale[1], x.Offset[1]}
}
