package render

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/skinning"
)

// jointTexels is the number of RGBA32F texels of one palette entry, see palette.glsl: 3 rows of C_j, the real and the dual
// quaternion, 3 rows of the scale phase.
const jointTexels = 8

// paletteLayout is what a palette consists of: the joints' entries, one entry with only a matrix per rigid mesh, then the rotation
// centres.
type paletteLayout struct {
	joints  int
	rigid   []int // node of each rigid mesh
	centers int
}

// palette is the per-frame upload.
type palette struct {
	paletteLayout
	texels *textureBuffer[[4]float32]
	data   [][4]float32
}

// newPalette sizes the upload for a model with the given number of rotation centres.
func newPalette(m *skinning.Model, centers int) (*palette, error) {
	p := &palette{paletteLayout: paletteLayout{joints: len(m.Skeleton.Joints), centers: centers}}
	for i := range m.Rigid {
		p.rigid = append(p.rigid, m.Rigid[i].Parts[0].Node)
	}
	p.data = make([][4]float32, p.centerBase()+centers)
	var err error
	p.texels, err = newTextureBuffer("palette", gl.RGBA32F, gl.STREAM_DRAW, p.data)
	return p, err
}

// centerBase is the texel of the first rotation centre.
func (p *paletteLayout) centerBase() int { return jointTexels * (p.joints + len(p.rigid)) }

// pack writes a frame's palette, with the rotation centres where data has room for them.
func (p *paletteLayout) pack(data [][4]float32, f *skinning.Frame) {
	for j := range p.joints {
		entry := (*[jointTexels][4]float32)(data[jointTexels*j:])
		*(*skinning.Mat34)(unsafe.Pointer(&entry[0])) = f.Palette32[j]
		*(*skinning.DualQuat32)(unsafe.Pointer(&entry[3])) = f.Rigid32[j]
		*(*skinning.Mat34)(unsafe.Pointer(&entry[5])) = f.Scale32[j]
	}
	for i, node := range p.rigid {
		entry := &data[jointTexels*(p.joints+i)]
		*(*skinning.Mat34)(unsafe.Pointer(entry)) = f.Globals[node].Float32()
	}
	centers := data[p.centerBase():] // none for a binding that is posed by linear blending alone, and in crowds that need none
	for k := range centers {
		c := f.Center32[k]
		centers[k] = [4]float32{c[0], c[1], c[2], 0}
	}
}

// Delete is nil-safe.
func (p *palette) Delete() {
	if p != nil {
		p.texels.Delete()
	}
}
