package skin

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// jointTexels is the number of RGBA32F texels of one palette entry, see palette.glsl: 3 rows of C_j, the real and the
// dual quaternion, 3 rows of the scale phase.
const jointTexels = 8

// Proxy bones, the joints of the model's SolvedRig, lie behind everything else, of all instances of a crowd together,
// so that one transform feedback writes them. Solved for on the GPU they have the three rows of their matrix alone;
// from the CPU they are entries as others.
const (
	proxyTexels = 3
	proxyAlign  = 16 // of the first, in texels: the largest alignment that GL allows for a range of a storage buffer
)

// paletteLayout is what a palette consists of: the joints' entries, one entry with only a matrix per rigid mesh, the
// rotation centres, and then the proxy bones.
type paletteLayout struct {
	joints  []int // without the proxies
	Rigid   []int // node of each rigid mesh
	centers int
	proxies []int
}

func newPaletteLayout(m *skinning.Model, centers int) (p paletteLayout) {
	p.centers = centers
	isProxy := make([]bool, len(m.Skeleton.Joints))
	if rig := m.SolvedRig(); rig != nil {
		p.proxies = rig.Joints()
		for _, j := range p.proxies {
			isProxy[j] = true
		}
	}
	for j, is := range isProxy {
		if !is {
			p.joints = append(p.joints, j)
		}
	}
	for i := range m.Rigid {
		p.Rigid = append(p.Rigid, m.Rigid[i].Parts[0].Node)
	}
	return p
}

// entries returns the place of each joint in the palette: what influences name it by.
func (p *paletteLayout) entries() []uint16 {
	of := make([]uint16, len(p.joints)+len(p.proxies))
	for k, j := range p.joints {
		of[j] = uint16(k)
	}
	for k, j := range p.proxies {
		of[j] = uint16(p.firstProxy() + k)
	}
	return of
}

// firstProxy is the entry of the first proxy bone.
func (p *paletteLayout) firstProxy() int { return len(p.joints) + len(p.Rigid) }

// centerBase is the texel of the first rotation centre.
func (p *paletteLayout) centerBase() int { return jointTexels * p.firstProxy() }

// proxyBase is the texel of the first proxy bone, behind a number of instances of so many texels each.
func (p *paletteLayout) proxyBase(instances, texels int) int {
	n := instances * texels
	if len(p.proxies) == 0 {
		return n
	}
	return (n + proxyAlign - 1) / proxyAlign * proxyAlign
}

// fill writes what the block says of proxies: bones of so many texels behind a number of instances.
func (p *paletteLayout) fill(b *poseBlock, instances, texels int, solved bool) {
	b.firstProxy, b.proxies, b.proxyTexels = int32(p.firstProxy()), int32(len(p.proxies)), jointTexels
	b.proxyBase = int32(p.proxyBase(instances, texels))
	if solved {
		b.proxyTexels = proxyTexels
	}
}

// packEntries writes the entries of some joints, with those forms that are to be read. Others are left as they are: a
// frame computes what it is asked for, so nobody asks for more.
func packEntries(data [][4]float32, f *skinning.Frame, joints []int, reads skinning.Forms) {
	for k, j := range joints {
		*(*geom.Mat34)(unsafe.Pointer((*[3][4]float32)(data[jointTexels*k:]))) = f.Float32(0).Matrices[j]
	}
	if reads&skinning.Motions != 0 {
		motions := f.Float32(skinning.Motions).Rigid
		for k, j := range joints {
			*(*geom.DualQuat32)(unsafe.Pointer((*[2][4]float32)(data[jointTexels*k+3:]))) = motions[j]
		}
	}
	if reads&skinning.Scales != 0 {
		scales := f.Float32(skinning.Scales).Scales
		for k, j := range joints {
			*(*geom.Mat34)(unsafe.Pointer((*[3][4]float32)(data[jointTexels*k+5:]))) = scales[j]
		}
	}
}

// pack writes those forms of a frame that are to be read: its palette without the proxies, the rotation centres where
// data has room for them.
func (p *paletteLayout) pack(data [][4]float32, f *skinning.Frame, reads skinning.Forms) {
	packEntries(data, f, p.joints, reads)
	for i, node := range p.Rigid {
		entry := &data[jointTexels*(len(p.joints)+i)]
		*(*geom.Mat34)(unsafe.Pointer(entry)) = f.Globals[node].Float32()
	}
	if reads&skinning.Centers == 0 {
		return
	}
	at := data[p.centerBase():] // none for a binding that is posed by linear blending alone
	for k, c := range f.Float32(skinning.Centers).Centers {
		at[k] = [4]float32{c[0], c[1], c[2], 0}
	}
}

// packProxies writes the entries of the proxies as the CPU has them.
func (p *paletteLayout) packProxies(data [][4]float32, f *skinning.Frame, reads skinning.Forms) {
	if len(p.proxies) == 0 {
		return
	}
	f.SolveProxies()
	packEntries(data, f, p.proxies, reads)
}

// palette is the per-frame upload.
type palette struct {
	paletteLayout
	Texels *gpu.TextureBuffer[[4]float32]
	data   [][4]float32 // with room for the proxies' entries at its end
	Base   int          // of the proxies
	entry  []uint16     // of each joint
}

// newPalette sizes the upload for a model with the given number of rotation centres.
func newPalette(m *skinning.Model, centers int) (*palette, error) {
	p := &palette{paletteLayout: newPaletteLayout(m, centers)}
	p.entry = p.entries()
	p.Base = p.proxyBase(1, p.instance())
	p.data = make([][4]float32, p.Base+jointTexels*len(p.proxies))
	var err error
	p.Texels, err = gpu.NewTextureBuffer("palette", gl.RGBA32F, gl.STREAM_DRAW, p.data)
	return p, err
}

// instance is the texels of one instance.
func (p *palette) instance() int { return p.centerBase() + p.centers }

// EntryOf returns the entry of a joint, −1 where the model has no such joint.
func (p *palette) EntryOf(joint int) int32 {
	if joint < 0 || joint >= len(p.entry) {
		return -1
	}
	return int32(p.entry[joint])
}

// pack packs what a method needs of a frame's palette: without the proxies where the GPU solves for them.
func (p *palette) pack(f *skinning.Frame, method skinning.Method, solved bool) {
	p.paletteLayout.pack(p.data[:p.instance()], f, method.Reads())
	if !solved {
		p.packProxies(p.data[p.Base:], f, method.Reads())
	}
}

// send uploads what was packed, with room for what is solved for.
func (p *palette) send(solved bool) {
	if solved {
		p.Texels.Buffer.SetPart(p.data[:p.instance()], p.Base+proxyTexels*len(p.proxies))
	} else {
		p.Texels.Buffer.Set(p.data)
	}
}

// Delete is nil-safe.
func (p *palette) Delete() {
	if p != nil {
		p.Texels.Delete()
	}
}
