package skinning

import (
	"image"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// Material is the metallic-roughness material of glTF. Colours and reflectances are linear RGB.
type Material struct {
	Name      string
	BaseColor [4]float32 // linear RGBA factor
	Texture   int        // of the base colour: index into Model.Textures, −1 for none; sRGB
	Metallic  float32    // 0 to 1
	Roughness float32    // 0 to 1: the square root of GGX's α
	// Reflectance is that of surfaces that are not metal, seen from the front, and Grazing that at grazing angles:
	// ((ior−1)/(ior+1))² and 1, times what KHR_materials_specular says. Both are 0 for a surface without gloss.
	Reflectance [3]float32
	Grazing     float32
	Emissive    [3]float32 // radiance, with KHR_materials_emissive_strength
	Maps        []Map      // further textures, at most one of each kind
	DoubleSided bool
	Unlit       bool    // KHR_materials_unlit
	AlphaCutoff float32 // below it a pixel is dropped; 0 means opaque
	Blend       bool    // alphaMode BLEND
}

// Matte returns an opaque material without textures, of the gloss of cloth or dry paint.
func Matte(name string, r, g, b float32) Material {
	return Material{Name: name, BaseColor: [4]float32{r, g, b, 1}, Texture: -1, Roughness: 0.6,
		Reflectance: [3]float32{0.04, 0.04, 0.04}, Grazing: 1}
}

// MapKind is what a map of a material changes.
type MapKind uint8

// The kinds of maps.
const (
	RoughnessMap MapKind = iota // blue times Metallic, green times Roughness
	NormalMap                   // direction in tangent space, red, green and blue from −1 to 1
	OcclusionMap                // red: the share of the surroundings' light that arrives
	EmissiveMap                 // times Emissive; sRGB
	MapKinds                    // their number
)

// Map is a texture of a material besides the base colour's.
type Map struct {
	Kind     MapKind
	Texture  int     // index into Model.Textures
	Second   bool    // looked up with Surface.SecondUVs instead of UVs
	Strength float32 // the scale of a normal map, the strength of an occlusion map; 1 elsewhere
}

// mapNames are for people.
var mapNames = [MapKinds]string{"metallic-roughness", "normal", "occlusion", "emissive"}

// String returns the kind's name.
func (k MapKind) String() string { return mapNames[k] }

// MapNames lists the material's maps.
func (m *Material) MapNames() (names []string) {
	for i := range m.Maps {
		names = append(names, m.Maps[i].Kind.String())
	}
	return names
}

// Map returns the material's map of a kind, nil for none.
func (m *Material) Map(kind MapKind) *Map {
	for i := range m.Maps {
		if m.Maps[i].Kind == kind {
			return &m.Maps[i]
		}
	}
	return nil
}

// Surface is what materials read of each vertex. Each list is nil or has one element per vertex.
type Surface struct {
	UVs       []mgl32.Vec2 // of the base colour's texture, or of the first map where there is none; transform applied
	SecondUVs []mgl32.Vec2 // of maps that have other coordinates, or another transform
	Colors    []Color      // times the base colour
	// Tangents are unit vectors along growing u of a normal map, in the space of the positions; w is 1 or −1, the sign
	// of the bitangent w·(normal × tangent). Zero means unknown.
	Tangents []mgl32.Vec4
}

// Color is a linear RGBA colour, 0 to 65535 for 0 to 1.
type Color [4]uint16

// White changes nothing.
var White = Color{0xffff, 0xffff, 0xffff, 0xffff}

// Extend appends the vertices of another surface to one that has n vertices so far. Lists that only one of the two has
// are filled up: with white, else with zeros. It turns tangents by turn.
func (s *Surface) Extend(n int, from *Surface, more int, turn func(mgl32.Vec4) mgl32.Vec4) {
	s.UVs = joined(s.UVs, n, from.UVs, more, mgl32.Vec2{})
	s.SecondUVs = joined(s.SecondUVs, n, from.SecondUVs, more, mgl32.Vec2{})
	s.Colors = joined(s.Colors, n, from.Colors, more, White)
	s.Tangents = joined(s.Tangents, n, from.Tangents, more, mgl32.Vec4{})
	for i := n; i < len(s.Tangents); i++ {
		s.Tangents[i] = turn(s.Tangents[i])
	}
}

// MapTangent returns a tangent, as in Surface.Tangents, on a surface that m has mapped. A mirror image has the other
// sign, because normals stay outside. A tangent without a direction is zero.
func MapTangent(m geom.Mat3, t mgl32.Vec4) mgl32.Vec4 {
	to := geom.UnitOr(m.Apply(geom.Vec64(t.Vec3())), mgl64.Vec3{})
	if m.Det() < 0 {
		t[3] = -t[3]
	}
	return geom.Vec32(to).Vec4(t[3])
}

// joined returns a list of n elements followed by one of more; nil where both are. Missing elements are fill.
func joined[T any](a []T, n int, b []T, more int, fill T) []T {
	if a == nil && b == nil {
		return nil
	}
	for len(a) < n {
		a = append(a, fill)
	}
	a = append(a, b...)
	for len(a) < n+more {
		a = append(a, fill)
	}
	return a
}

// Wrap is how a texture repeats.
type Wrap uint8

// The wrap modes of glTF.
const (
	WrapRepeat Wrap = iota
	WrapMirror
	WrapClamp
)

// Texture is a decoded picture with its sampler.
type Texture struct {
	Name         string
	Image        *image.NRGBA // straight alpha, row 0 on top
	Linear       bool         // the picture holds numbers; otherwise its colours are sRGB
	WrapU, WrapV Wrap
	Nearest      bool // magnification filter
}
