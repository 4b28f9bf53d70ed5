package skin

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// An entry of a palette, see palette.glsl, has jointTexels RGBA32F texels: 3 for the rows of the matrix C_j, 2 for
// the real and the dual quaternion, 3 for the rows of the scale phase. Where a method reads twists, it has
// twistTexels more: 2 for the accumulated twist and 3 for the rows of the swing matrix.
const (
	jointTexels = 8
	twistTexels = 5
)

// entryTexels returns the number of texels of an entry for methods that read these forms.
func entryTexels(reads skinning.Forms) int {
	if reads&skinning.Twists != 0 {
		return jointTexels + twistTexels
	}
	return jointTexels
}

// Proxy bones are the joints of the model's SolvedRig. The proxy bones of all instances lie together at the end, so
// that one transform feedback can write them. If the GPU solves for them, an entry is the three rows of a matrix. If
// the CPU does, it is like any other entry.
const (
	proxyTexels = 3
	proxyAlign  = 16 // texels; the largest alignment that GL requires of a range of a storage buffer
)

// paletteLayout is the order of a palette: the joints' entries, one entry with only a matrix per rigid mesh, the
// rotation centres, and then the proxy bones.
type paletteLayout struct {
	joints  []int // without the proxy bones
	rigid   []int // node of each rigid mesh
	centers int
	proxies []int
	entry   []uint16 // of each joint: the index by which influences name it
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

// firstProxy returns the index of the first proxy bone's entry.
func (p *paletteLayout) firstProxy() int { return len(p.joints) + len(p.rigid) }

// centerBase returns the first rotation centre's texel, for methods that read these forms.
func (p *paletteLayout) centerBase(reads skinning.Forms) int {
	return entryTexels(reads) * p.firstProxy()
}

// instance returns the number of texels of one instance's palette without its proxy bones, for methods that read these
// forms.
func (p *paletteLayout) instance(reads skinning.Forms) int {
	n := p.centerBase(reads)
	if reads&skinning.Centers != 0 {
		n += p.centers
	}
	return n
}

// packEntries writes the entries of some joints. It writes only the forms in reads, because a frame computes a form
// when it is first asked for. The other forms keep their old values.
func packEntries(data [][4]float32, f *skinning.Frame, joints []int, reads skinning.Forms) {
	size := entryTexels(reads)
	for k, j := range joints {
		*(*geom.Mat34)(unsafe.Pointer((*[3][4]float32)(data[size*k:]))) = f.Float32(0).Matrices[j]
	}
	if reads&skinning.RigidParts != 0 {
		motions := f.Float32(skinning.RigidParts).Rigid
		for k, j := range joints {
			*(*geom.DualQuat32)(unsafe.Pointer((*[2][4]float32)(data[size*k+3:]))) = motions[j]
		}
	}
	if reads&skinning.Scales != 0 {
		scales := f.Float32(skinning.Scales).Scales
		for k, j := range joints {
			*(*geom.Mat34)(unsafe.Pointer((*[3][4]float32)(data[size*k+5:]))) = scales[j]
		}
	}
	if reads&skinning.Twists != 0 {
		p := f.Float32(skinning.Twists)
		for k, j := range joints {
			at := data[size*k+jointTexels:]
			*(*geom.DualQuat32)(unsafe.Pointer((*[2][4]float32)(at))) = p.Twists[j]
			*(*geom.Mat34)(unsafe.Pointer((*[3][4]float32)(at[2:]))) = p.Swings[j]
		}
	}
}

// pack writes the palette of a frame without the proxy bones, in the forms in reads. It writes the rotation centres if
// data has room for them.
func (p *paletteLayout) pack(data [][4]float32, f *skinning.Frame, reads skinning.Forms) {
	packEntries(data, f, p.joints, reads)
	for i, node := range p.rigid {
		entry := &data[entryTexels(reads)*(len(p.joints)+i)]
		*(*geom.Mat34)(unsafe.Pointer(entry)) = f.Globals[node].Float32()
	}
	if reads&skinning.Centers == 0 {
		return
	}
	at := data[p.centerBase(reads):] // empty for a binding that only linear blending poses
	for k, c := range f.Float32(skinning.Centers).Centers {
		at[k] = [4]float32{c[0], c[1], c[2], 0}
	}
}

// entryOf returns the index of a joint's entry, −1 if the model has no such joint.
func (p *paletteLayout) entryOf(joint int) int32 {
	if joint < 0 || joint >= len(p.entry) {
		return -1
	}
	return int32(p.entry[joint])
}

// upload holds the palettes of one or many instances, one after the other, with the inputs of the proxy bones' pass.
type upload struct {
	layout    *paletteLayout
	proxies   *proxyMatrices // nil if the GPU solves for no proxy bones
	instances int
	reads     skinning.Forms // forms that methods may read
	texels    int            // of one instance's palette, without its proxy bones
	solved    bool           // the GPU solves for the proxy bones from inputs; else they are packed after all palettes
	palettes  [][4]float32
	inputs    [][4]float32
}

// resize makes room for a number of instances, for methods that read only these forms.
func (u *upload) resize(instances int, reads skinning.Forms, solved bool) {
	u.instances, u.reads, u.solved = instances, reads, solved
	u.texels = u.layout.instance(reads)
	size := u.proxyBase()
	if solved {
		u.inputs = room(u.inputs, instances*u.proxies.columns())
	} else {
		size += instances * entryTexels(reads) * len(u.layout.proxies)
	}
	u.palettes = room(u.palettes, size)
}

// room returns a slice of n elements, which is s if s has the capacity.
func room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// proxyBase returns the texel of the first proxy bone, after the palettes of all instances.
func (u *upload) proxyBase() int {
	n := u.instances * u.texels
	if len(u.layout.proxies) == 0 {
		return n
	}
	return (n + proxyAlign - 1) / proxyAlign * proxyAlign
}

// pack packs the palette of an instance's frame, and the inputs of the proxy bones' pass if the GPU solves for them.
// Several goroutines may pack different instances at a time.
func (u *upload) pack(instance int, f *skinning.Frame) {
	u.layout.pack(u.palettes[instance*u.texels:(instance+1)*u.texels], f, u.reads)
	switch proxies := u.layout.proxies; {
	case u.solved:
		n := u.proxies.columns()
		u.proxies.pack(u.inputs[instance*n:(instance+1)*n], f)
	case len(proxies) > 0:
		f.SolveProxies()
		packEntries(u.palettes[u.proxyBase()+instance*entryTexels(u.reads)*len(proxies):], f, proxies, u.reads)
	}
}

// describe writes the places of the palettes into the uniform block.
func (u *upload) describe(b *poseBlock) {
	p := u.layout
	b.instanceTexels, b.centerBase = int32(u.texels), int32(p.centerBase(u.reads))
	b.jointTexels = int32(entryTexels(u.reads))
	b.firstProxy, b.proxies, b.proxyTexels = int32(p.firstProxy()), int32(len(p.proxies)), b.jointTexels
	b.proxyBase = int32(u.proxyBase())
	if u.solved {
		b.proxyTexels = proxyTexels
	}
}

// uploadBuffers are the GPU buffers of an upload.
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

// set sends an upload and makes room for the proxy bones that the GPU solves for.
func (b *uploadBuffers) set(u *upload) {
	if !u.solved {
		b.Palettes.Set(u.palettes)
		return
	}
	b.Palettes.SetPart(u.palettes, len(u.palettes)+u.instances*proxyTexels*len(u.layout.proxies))
	b.inputs.Set(u.inputs)
}
