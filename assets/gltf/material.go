package gltf

import (
	"fmt"
	"math"

	"skinlab/assets/fault"
	"skinlab/assets/strictjson"
	"skinlab/skinning"
)

// adoptDiffuse takes the diffuse colour of the older specular-glossiness model for the base colour where a material has
// none: for what is not metal they are the same.
func (doc *document) adoptDiffuse() {
	for i := range doc.Materials {
		m := &doc.Materials[i]
		if old := m.Extensions.SpecularGlossiness; old != nil && m.PBR.BaseColorFactor == nil &&
			m.PBR.BaseColorTexture == nil {
			m.PBR.BaseColorFactor, m.PBR.BaseColorTexture = old.DiffuseFactor, old.DiffuseTexture
		}
	}
}

// readMaterials reads the base colour of every material. Textures follow once the geometry is in, see readTextures.
func (d *Source) readMaterials() error {
	d.Model.Materials = make([]skinning.Material, len(d.Doc.Materials))
	for i := range d.Doc.Materials {
		if err := d.readMaterial(i); err != nil {
			return fmt.Errorf("%s: %w", fault.Element("material", i, d.Doc.Materials[i].Name), err)
		}
	}
	return nil
}

func (d *Source) readMaterial(i int) error {
	info := &d.Doc.Materials[i]
	m := skinning.Material{
		Name: info.Name, BaseColor: [4]float32{1, 1, 1, 1}, Texture: -1,
		DoubleSided: info.DoubleSided, Unlit: info.Extensions.Unlit != nil,
	}
	if f := info.PBR.BaseColorFactor; f != nil {
		if len(f) != 4 {
			return fault.Malformed("baseColorFactor has %d numbers, expected 4", len(f))
		}
		for k := range f {
			m.BaseColor[k] = float32(min(max(f[k], 0), 1))
			if f[k] < 0 || f[k] > 1 {
				d.notes.Add("%s: baseColorFactor %g is clamped to 0..1", fault.Element("material", i, info.Name), f[k])
			}
		}
	}
	switch info.AlphaMode {
	case "", "OPAQUE":
	case "BLEND":
		m.Blend = true
	case "MASK":
		m.AlphaCutoff = 0.5
		if c := info.AlphaCutoff; c != nil {
			m.AlphaCutoff = float32(min(max(*c, 0), math.MaxFloat32))
		}
	default:
		d.notes.Add("%s: alphaMode %q is unknown; drawn opaque", fault.Element("material", i, info.Name),
			fault.Shorten(info.AlphaMode))
	}
	if t := info.PBR.BaseColorTexture; t != nil {
		if err := t.check(); err != nil {
			return fmt.Errorf("baseColorTexture: %w", err)
		}
	}
	d.Model.Materials[i] = m
	return nil
}

func (t *texInfo) check() error {
	set, _ := t.coordinates()
	if set < 0 {
		return fault.Malformed("texCoord is %d", set)
	}
	if x := t.Extensions.Transform; x != nil {
		if x.Offset != nil && len(x.Offset) != 2 || x.Scale != nil && len(x.Scale) != 2 {
			return fault.Malformed("KHR_texture_transform: offset has %d numbers and scale %d, expected 2 each", len(x.Offset),
				len(x.Scale))
		}
	}
	return nil
}

// uvTransform maps texture coordinates: row-major 2×3.
type uvTransform [6]float64

func (t uvTransform) apply(v [2]float64) [2]float64 {
	return [2]float64{t[0]*v[0] + t[1]*v[1] + t[2], t[3]*v[0] + t[4]*v[1] + t[5]}
}

// coordinates returns the texture coordinate set and the transform of KHR_texture_transform: scale, then a rotation
// counter-clockwise as seen in the picture (v points down), then offset.
func (t *texInfo) coordinates() (set strictjson.Integer, m uvTransform) {
	set, m = t.TexCoord, uvTransform{1, 0, 0, 0, 1, 0}
	x := t.Extensions.Transform
	if x == nil {
		return set, m
	}
	if x.TexCoord != nil {
		set = *x.TexCoord
	}
	su, sv := 1.0, 1.0
	if len(x.Scale) == 2 {
		su, sv = x.Scale[0], x.Scale[1]
	}
	sin, cos := math.Sincos(x.Rotation)
	m = uvTransform{cos * su, sin * sv, 0, -sin * su, cos * sv, 0}
	if len(x.Offset) == 2 {
		m[2], m[5] = x.Offset[0], x.Offset[1]
	}
	return set, m
}

// attribute names the texture coordinates that the texture is looked up with.
func (t *texInfo) attribute() string {
	set, _ := t.coordinates()
	return fmt.Sprintf("TEXCOORD_%d", set)
}
