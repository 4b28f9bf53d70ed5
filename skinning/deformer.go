package skinning

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning/kernel"
	"skinlab/skinning/simd"
)

// Output is where a [Deformer] writes: one position (metres, world space) and one normal per vertex of the skin, whose
// length is free (shaders normalise anyway; here it would cost a fifth of the time). Normals may be nil.
type Output struct {
	Positions, Normals []mgl32.Vec3
}

// NewOutput makes buffers for the skin of m.
func NewOutput(m *Model) Output {
	n := len(m.Skin.Positions)
	return Output{make([]mgl32.Vec3, n), make([]mgl32.Vec3, n)}
}

// Deformer poses one model's skin with any method on a fixed set of workers. Every vertex is posed by the same
// arithmetic whichever worker takes it, so the result does not depend on their number. It is for one caller at a time.
type Deformer struct {
	mesh        *Mesh
	rest        []mgl32.Vec3 // with morph targets applied; the mesh's own slices where there are none
	restNormals []mgl32.Vec3
	morphs      []float64 // the weights that rest was made for
	skin        *kernel.Skin
	inputs      []*kernel.Inputs // by method, nil for none, or none yet
	level       simd.Level
}

// NewDeformer makes a deformer with a number of workers; 0 means GOMAXPROCS. The caller's goroutine is one of them.
// Close ends the others. The deformer keeps copies of the skin's bindings and of a frame's centre sets, and does not
// see later changes of them. [kernel.NewSkin] says how much memory they take.
func NewDeformer(m *Model, workers int) *Deformer {
	level, _ := simd.Default() // the program reports the error when it starts
	d := &Deformer{mesh: &m.Skin, rest: m.Skin.Positions, restNormals: m.Skin.Normals,
		skin: kernel.NewSkin(m.Skin.Influences, workers), inputs: make([]*kernel.Inputs, len(methods)), level: level}
	if len(m.Skin.Morphs) > 0 {
		d.rest, d.restNormals = slices.Clone(d.rest), slices.Clone(d.restNormals)
		d.morphs = make([]float64, len(m.MorphSlots))
	}
	return d
}

// UseLevel makes the deformer pose by kernels of a level in place of [simd.Default]; it panics unless the level is one
// of [simd.Levels]. Levels differ by rounding.
func (d *Deformer) UseLevel(level simd.Level) {
	mustHave(level)
	d.level = level
}

func mustHave(level simd.Level) {
	if !slices.Contains(simd.Levels(), level) {
		panic(fmt.Sprintf("skinning: UseLevel: this machine has no %v", level))
	}
}

// Prepare makes the frame compute the forms that Deform reads for a method, and at the first call for a method what it
// reads of each vertex. Deform does so itself. Benchmarks call Prepare first, to time the kernel separately.
func (d *Deformer) Prepare(method Method, f *Frame) {
	f.Prepare(method)
	if len(method.Inputs()) > 0 && d.inputs[method] == nil {
		d.inputs[method] = d.skin.NewInputs(d.mesh.Second(method), f.values(method))
	}
	if method.Reads()&RigidParts != 0 {
		d.skin.Follow(f.palette, d.level)
	}
}

// Close ends the workers. The deformer must not be used afterwards.
func (d *Deformer) Close() { d.skin.Close() }

// Deform poses the skin. It allocates only the memory that [kernel.NewSkin] describes.
func (d *Deformer) Deform(out *Output, method Method, f *Frame) {
	d.Prepare(method, f)
	d.applyMorphs(f.Morphs)
	s := kernel.Stream{Positions: out.Positions, Normals: out.Normals, Rest: d.rest}
	if out.Normals != nil {
		s.RestNormals = d.restNormals
	}
	if method.Reads()&Centers != 0 {
		s.Sets = f.Centers.OfVertex
	}
	d.skin.Pose(method.Kernel(), f.palette, s, d.inputs[method], d.level)
}

// applyMorphs brings rest up to date with the weights. Each time, vertices are summed from the mesh, so that errors do
// not accumulate.
func (d *Deformer) applyMorphs(weights []float64) {
	changed := false
	for i, w := range d.morphs {
		changed = changed || w != weights[i]
	}
	if !changed {
		return
	}
	copy(d.morphs, weights)
	mesh := d.mesh
	copy(d.rest, mesh.Positions)
	copy(d.restNormals, mesh.Normals)
	for i := range mesh.Morphs {
		t := &mesh.Morphs[i]
		w := float32(weights[t.Slot])
		if w == 0 {
			continue
		}
		addScaled(d.rest[t.FirstVertex:], t.Positions, w)
		addScaled(d.restNormals[t.FirstVertex:], t.Normals, w)
	}
}

func addScaled(dst, delta []mgl32.Vec3, w float32) {
	for k, v := range delta {
		p := &dst[k]
		p[0], p[1], p[2] = p[0]+w*v[0], p[1]+w*v[1], p[2]+w*v[2]
	}
}
