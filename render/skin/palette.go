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

// Proxy bones are the joints of the model's SolvedRig. Those of all instances lie together behind everything else, so
// that one transform feedback writes them. Where the GPU solves for them, an entry is the three rows of a matrix; where
// the CPU does, it is like any other.
const (
	proxyTexels = 3
	proxyAlign  = 16 // of the first, in texels: the largest alignment that GL allows for a range of a storage buffer
)

// paletteLayout is what a palette consists of: the joints' entries, one entry with only a matrix per rigid mesh, the
// rotation centres, and then the proxy bones.
type paletteLayout struct {
	joints  []int // without the proxies
	rigid   []int // node of each rigid mesh
	centers int
	proxies []int
	entry   []uint16 // of each joint: what influences name it by
}

func newPaletteLayout(m *skinning.Model, centers int) *paletteLayout {
	p := &paletteLayout{centers: centers}
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
		p.rigid = append(p.rigid, m.Rigid[i].Parts[0].Node)
	}
	p.entry = make([]uint16, len(isProxy))
	for k, j := range p.joints {
		p.entry[j] = uint16(k)
	}
	for k, j := range p.proxies {
		p.entry[j] = uint16(p.firstProxy() + k)
	}
	return p
}

// firstProxy is the entry of the first proxy bone.
func (p *paletteLayout) firstProxy() int { return len(p.joints) + len(p.rigid) }

// centerBase is the texel of the first rotation centre.
func (p *paletteLayout) centerBase() int { return jointTexels * p.firstProxy() }

// instance is the texels of one instance's palette without its proxies, where these forms are read.
func (p *paletteLayout) instance(reads skinning.Forms) int {
	n := p.centerBase()
	if reads&skinning.Centers != 0 {
		n += p.centers
	}
	return n
}

// packEntries writes the entries of some joints, with those forms that are to be read. The other forms keep what was
// there: a frame computes a form when it is first asked for it.
func packEntries(data [][4]float32, f *skinning.Frame, joints []int, reads skinning.Forms) {
	for k, j := range joints {
		*(*geom.Mat34)(unsafe.Pointer((*[3][4]float32)(data[jointTexels*k:]))) = f.Float32(0).Matrices[j]
	}
	if reads&skinning.RigidParts != 0 {
		motions := f.Float32(skinning.RigidParts).Rigid
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
	for i, node := range p.rigid {
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

// EntryOf returns the entry of a joint, −1 where the model has no such joint.
func (p *paletteLayout) EntryOf(joint int) int32 {
	if joint < 0 || joint >= len(p.entry) {
		return -1
	}
	return int32(p.entry[joint])
}

// upload is what one or many instances are posed from, packed one behind the other.
type upload struct {
	layout    *paletteLayout
	proxies   *proxyMatrices // nil where the GPU solves for no proxy bones
	instances int
	reads     skinning.Forms // what methods may read of it
	texels    int            // of one instance's palette, without its proxies
	solved    bool           // on the GPU, from inputs; else proxy bones lie behind all palettes
	palettes  [][4]float32
	inputs    [][4]float32
}

// resize makes room for instances that are posed for methods that read no more than these forms.
func (u *upload) resize(instances int, reads skinning.Forms, solved bool) {
	u.instances, u.reads, u.solved = instances, reads, solved
	u.texels = u.layout.instance(reads)
	size := u.proxyBase()
	if solved {
		u.inputs = room(u.inputs, instances*u.proxies.columns())
	} else {
		size += instances * jointTexels * len(u.layout.proxies)
	}
	u.palettes = room(u.palettes, size)
}

// room returns s with n elements.
func room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// proxyBase is the texel of the first proxy bone, behind all instances.
func (u *upload) proxyBase() int {
	n := u.instances * u.texels
	if len(u.layout.proxies) == 0 {
		return n
	}
	return (n + proxyAlign - 1) / proxyAlign * proxyAlign
}

// pack packs what is read of an instance's frame: without the proxies where the GPU solves for them. Instances may be
// packed at once.
func (u *upload) pack(instance int, f *skinning.Frame) {
	u.layout.pack(u.palettes[instance*u.texels:(instance+1)*u.texels], f, u.reads)
	switch proxies := u.layout.proxies; {
	case u.solved:
		n := u.proxies.columns()
		u.proxies.pack(u.inputs[instance*n:(instance+1)*n], f)
	case len(proxies) > 0:
		f.SolveProxies()
		packEntries(u.palettes[u.proxyBase()+instance*jointTexels*len(proxies):], f, proxies, u.reads)
	}
}

// describe writes what the block says of the palettes.
func (u *upload) describe(b *poseBlock) {
	p := u.layout
	b.instanceTexels, b.centerBase = int32(u.texels), int32(p.centerBase())
	b.firstProxy, b.proxies, b.proxyTexels = int32(p.firstProxy()), int32(len(p.proxies)), jointTexels
	b.proxyBase = int32(u.proxyBase())
	if u.solved {
		b.proxyTexels = proxyTexels
	}
}

// uploadBuffers are where an upload goes.
type uploadBuffers struct {
	Palettes *gpu.TextureBuffer[[4]float32]
	inputs   *gpu.TextureBuffer[[4]float32]
}

func newUploadBuffers(o *gpu.Owner) uploadBuffers {
	return uploadBuffers{
		gpu.NewTextureBuffer[[4]float32](o, "palettes", gl.RGBA32F, gl.STREAM_DRAW, nil),
		gpu.NewTextureBuffer[[4]float32](o, "q and d", gl.RGBA32F, gl.STREAM_DRAW, nil),
	}
}

// set sends an upload, with room for what is solved for.
func (b *uploadBuffers) set(u *upload) {
	if !u.solved {
		b.Palettes.Set(u.palettes)
		return
	}
	b.Palettes.SetPart(u.palettes, len(u.palettes)+u.instances*proxyTexels*len(u.layout.proxies))
	b.inputs.Set(u.inputs)
}
