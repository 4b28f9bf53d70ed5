package gltf

import (
	"fmt"
	"math"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/skinning"
)

// colorTexture is how a material looks its base colour up: the file's texture, −1 for none, by a set of texture
// coordinates and their transform.
type colorTexture struct {
	texture, set int
	transform    uvTransform
}

// readMaterials reads the base colour of every material. Textures follow once the geometry is in, see readTextures.
func (d *Source) readMaterials() error {
	n := len(d.Doc.Materials)
	d.Model.Materials, d.colors = make([]skinning.Material, n), make([]colorTexture, n)
	return each("material", d.Doc.Materials, d.readMaterial)
}

func (d *Source) readMaterial(i int, info *gltf.Material) error {
	m := skinning.Material{Name: info.Name, Texture: -1, DoubleSided: info.DoubleSided,
		Unlit: has(info.Extensions, UnlitExtension)}
	color, texture, err := baseColor(info)
	if err != nil {
		return err
	}
	for k, c := range color {
		m.BaseColor[k] = float32(min(max(c, 0), 1))
		if c < 0 || c > 1 {
			d.notes.Add("%s: baseColorFactor %g is clamped to 0..1", fault.Element("material", i, info.Name), c)
		}
	}
	switch info.AlphaMode {
	case gltf.AlphaBlend:
		m.Blend = true
	case gltf.AlphaMask:
		m.AlphaCutoff = float32(min(max(info.AlphaCutoffOrDefault(), 0), math.MaxFloat32))
	}
	d.Model.Materials[i] = m
	d.colors[i], err = d.colorTexture(texture)
	if err != nil {
		return fmt.Errorf("baseColorTexture: %w", err)
	}
	return nil
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

// colorTexture checks a texture and reads how it is looked up.
func (d *Source) colorTexture(use *gltf.TextureInfo) (colorTexture, error) {
	if use == nil {
		return colorTexture{texture: -1}, nil
	}
	if err := inRange("texture", use.Index, len(d.Doc.Textures)); err != nil {
		return colorTexture{}, err
	}
	var x texTransform
	if err := extension(use.Extensions, textureTransformExtension, &x); err != nil {
		return colorTexture{}, err
	}
	out := colorTexture{use.Index, use.TexCoord, x.matrix()}
	if x.TexCoord != nil {
		out.set = *x.TexCoord
	}
	if out.set < 0 {
		return out, fault.Malformed("texCoord is %d, expected 0 or more", out.set)
	}
	return out, nil
}

// attribute names the texture coordinates that the texture is looked up with.
func (t *colorTexture) attribute() string { return fmt.Sprintf("TEXCOORD_%d", t.set) }

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
