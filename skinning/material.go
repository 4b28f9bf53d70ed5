package skinning

import "image"

// Material is the part of a glTF material that the viewer draws: the base colour of the metallic-roughness model.
type Material struct {
	Name        string
	BaseColor   [4]float32 // linear RGBA factor
	Texture     int        // index into Model.Textures, −1 for none; sRGB
	DoubleSided bool
	Unlit       bool    // KHR_materials_unlit
	AlphaCutoff float32 // below it a pixel is dropped; 0 means opaque
	Blend       bool    // alphaMode BLEND
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
	Image        *image.NRGBA // sRGB, straight alpha, row 0 on top
	WrapU, WrapV Wrap
	Nearest      bool // magnification filter
}
