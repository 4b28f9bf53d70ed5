package gltf

import (
	"bytes"
	"fmt"
	"image"
	imagedraw "image/draw"
	"image/jpeg"
	"image/png"

	"github.com/qmuntal/gltf"
	"golang.org/x/image/webp"

	"skinlab/assets/fault"
	"skinlab/skinning"
)

// maxPictureSide bounds a picture's width and height. Every OpenGL 4.1 driver takes pictures of this size.
const maxPictureSide = 16384

// Wraps is what the document's wrapping modes are in a model.
var Wraps = [...]skinning.Wrap{gltf.WrapRepeat: skinning.WrapRepeat, gltf.WrapClampToEdge: skinning.WrapClamp,
	gltf.WrapMirroredRepeat: skinning.WrapMirror}

// readTextures decodes the textures of the materials that parts use. A picture that cannot be read leaves its material
// without that texture, with a warning: the shape is still right.
func (d *Source) readTextures() error {
	used := make([]bool, len(d.Model.Materials))
	for _, m := range append([]skinning.Mesh{d.Model.Skin}, d.Model.Rigid...) {
		for _, p := range m.Parts {
			if p.Material >= 0 {
				used[p.Material] = true
			}
		}
	}
	textures := map[textureKey]int{}   // the model's textures, −1 for one that failed
	pictures := map[int]*image.NRGBA{} // nil for one that failed
	read := func(t int, linear bool) int {
		key := textureKey{t, linear}
		if _, ok := textures[key]; !ok {
			textures[key] = d.readTexture(t, linear, pictures)
		}
		return textures[key]
	}
	for i := range d.Model.Materials {
		use, m := &d.uses[i], &d.Model.Materials[i]
		if !used[i] || use.base < 0 && len(use.maps) == 0 {
			continue
		}
		if err := d.progress.at(stepPictures, i, len(d.Model.Materials)); err != nil {
			return err
		}
		if use.base >= 0 {
			m.Texture = read(use.base, false)
		}
		kept := m.Maps[:0]
		for k, t := range use.maps {
			to := m.Maps[k]
			if to.Texture = read(t, to.Kind != skinning.EmissiveMap); to.Texture >= 0 {
				kept = append(kept, to)
			}
		}
		m.Maps = kept
	}
	return d.progress.err() // a cancelled picture looks like one that cannot be read
}

// textureKey is a texture of the file, as colours or as numbers.
type textureKey struct {
	texture int
	linear  bool
}

func (d *Source) readTexture(t int, linear bool, pictures map[int]*image.NRGBA) int {
	info := d.Doc.Textures[t]
	i, err := d.pictureOf(info)
	if err != nil {
		d.notes.Add("%s: %v; drawn without", fault.Element("texture", t, info.Name), err)
		return -1
	}
	if _, ok := pictures[i]; !ok {
		picture, err := d.readPicture(i)
		if err != nil {
			d.notes.Add("%s: %v; drawn without", fault.Element("image", i, d.Doc.Images[i].Name), err)
		}
		pictures[i] = picture
	}
	if pictures[i] == nil {
		return -1
	}
	texture := skinning.Texture{Name: info.Name, Image: pictures[i], Linear: linear}
	if texture.Name == "" {
		texture.Name = d.Doc.Images[i].Name
	}
	if info.Sampler != nil {
		s := d.Doc.Samplers[*info.Sampler]
		texture.WrapU, texture.WrapV = Wraps[s.WrapS], Wraps[s.WrapT]
		texture.Nearest = s.MagFilter == gltf.MagNearest
	}
	d.Model.Textures = append(d.Model.Textures, texture)
	return len(d.Model.Textures) - 1
}

// unread says how a texture that only an extension has becomes one that is read.
var unread = map[string]string{
	basisExtension: "gltf-transform ktxdecompress in.glb out.glb writes it as PNG",
	avifExtension:  "gltf-transform png in.glb out.glb writes it as PNG",
}

// pictureOf returns the image of a texture: that of EXT_texture_webp, where it has one.
func (d *Source) pictureOf(t *gltf.Texture) (int, error) {
	if has(t.Extensions, webpExtension) {
		var e struct {
			Source int `json:"source"`
		}
		err := extension(t.Extensions, webpExtension, &e)
		if err == nil {
			err = inRange("image", e.Source, len(d.Doc.Images))
		}
		return e.Source, err
	}
	if t.Source != nil {
		return *t.Source, nil
	}
	for name, cure := range unread {
		if has(t.Extensions, name) {
			return 0, fault.Unsupported("its picture is compressed with %s, which is not read (%s)", name, cure)
		}
	}
	return 0, fault.Unsupported("it has no picture that is read")
}

func (d *Source) readPicture(i int) (*image.NRGBA, error) {
	info := d.Doc.Images[i]
	var data []byte
	switch {
	case info.BufferView != nil:
		data = d.view(*info.BufferView)
	case info.URI != "":
		var err error
		if data, err = d.Fetch(info.URI, MaxFileSize); err != nil {
			return nil, err
		}
	default:
		return nil, fault.Malformed("neither a URI nor a buffer view")
	}
	kind := PictureKind(data)
	if kind == "" {
		return nil, fault.Unsupported("neither PNG, JPEG nor WebP")
	}
	return d.decodePicture(data, kind)
}

func PictureKind(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return "PNG"
	case bytes.HasPrefix(data, []byte("\xff\xd8")):
		return "JPEG"
	case len(data) > 12 && bytes.HasPrefix(data, []byte("RIFF")) && string(data[8:12]) == "WEBP":
		return "WebP"
	}
	return ""
}

// decodePicture reads the header first, and decodes only if the picture is within bounds, because a kilobyte of PNG can
// contain a gigabyte of pixels.
func (d *Source) decodePicture(data []byte, kind string) (*image.NRGBA, error) {
	readHeader, readPixels := png.DecodeConfig, png.Decode
	switch kind {
	case "JPEG":
		readHeader, readPixels = jpeg.DecodeConfig, jpeg.Decode
	case "WebP":
		readHeader, readPixels = webp.DecodeConfig, webp.Decode
	}
	head, err := readHeader(bytes.NewReader(data))
	if err != nil {
		return nil, fault.Malformed("bad %s: %w", kind, err)
	}
	if head.Width < 1 || head.Height < 1 || head.Width > maxPictureSide || head.Height > maxPictureSide {
		return nil, fault.Unsupported("%d×%d pixels, at most %d×%d are read", head.Width, head.Height, maxPictureSide,
			maxPictureSide)
	}
	pixels := int64(head.Width) * int64(head.Height)
	passing := pixels * workingBytes(data, kind)
	if err := d.budget.charge(1, 4*pixels+passing, fmt.Sprintf("%d×%d pixels", head.Width, head.Height)); err != nil {
		return nil, err
	}
	decoded, err := readPixels(d.progress.reader(bytes.NewReader(data), "", 0))
	if err != nil {
		return nil, fault.Malformed("bad %s: %w", kind, err) // the charge stays, which bounds the number of bad pictures
	}
	d.budget.refund(passing)
	return toNRGBA(decoded), nil
}

// workingBytes returns the number of bytes for each pixel that decoding takes in addition to the four that are kept.
func workingBytes(data []byte, kind string) int64 {
	switch {
	case kind == "PNG" && len(data) > 24 && data[24] == 16: // bit depth, in the header chunk
		return 8
	case kind == "PNG":
		return 1
	case kind == "WebP": // planes of luma, colour and alpha, or whole pixels before transforms
		return 8
	case progressive(data):
		return 3 + 12 // three planes, and their coefficients as int32
	}
	return 3
}

// progressive reports whether a JPEG is progressive: walks its segments up to the frame header (ITU T.81, annex B).
func progressive(data []byte) bool {
	for at := 2; at+4 <= len(data) && data[at] == 0xff; {
		marker := data[at+1]
		if marker >= 0xc0 && marker <= 0xc3 {
			return marker == 0xc2
		}
		at += 2 + int(data[at+2])<<8 + int(data[at+3])
	}
	return true // assume the costly case
}

func toNRGBA(src image.Image) *image.NRGBA {
	switch p := src.(type) {
	case *image.NRGBA:
		if p.Rect.Min == (image.Point{}) && p.Stride == 4*p.Rect.Dx() {
			return p
		}
	case *image.RGBA: // of a PNG without alpha: the two forms are the same where alpha is 255
		if p.Rect.Min == (image.Point{}) && p.Stride == 4*p.Rect.Dx() && p.Opaque() {
			return &image.NRGBA{Pix: p.Pix, Stride: p.Stride, Rect: p.Rect}
		}
	}
	size := image.Rect(0, 0, src.Bounds().Dx(), src.Bounds().Dy())
	// Package draw is faster from JPEG to RGBA than to NRGBA, and the two are the same where alpha is 255.
	if o, ok := src.(interface{ Opaque() bool }); ok && o.Opaque() {
		dst := image.NewRGBA(size)
		imagedraw.Draw(dst, size, src, src.Bounds().Min, imagedraw.Src)
		return &image.NRGBA{Pix: dst.Pix, Stride: dst.Stride, Rect: size}
	}
	dst := image.NewNRGBA(size)
	imagedraw.Draw(dst, size, src, src.Bounds().Min, imagedraw.Src)
	return dst
}
