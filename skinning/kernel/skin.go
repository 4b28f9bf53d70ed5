package kernel

import (
	"skinlab/skinning/parallel"
	"skinlab/skinning/simd"
)

// Skin is for vertices that are posed repeatedly. It keeps the checked bindings and the workers that pose them. Every
// vertex is posed by the same arithmetic whichever worker takes it, so the result does not depend on their number. Only
// one caller may use it at a time.
type Skin struct {
	influences Influences // bindings are its own
	checked    *checkedBindings
	sets       checkedSets
	flipped    flippedBindings // of checked
	workers    *workerPool
}

// Inputs are what a kernel reads of the vertices of a [Skin] besides what all kernels read.
type Inputs struct {
	Values [][4]float32 // see [Stream.Values]
	second Influences   // bindings are its own
	// checked are the bindings of second, nil for none. Their counts are the larger of both sets.
	checked *checkedBindings
}

// NewSkin copies bindings. Workers is the number of workers, including the caller's goroutine; 0 means GOMAXPROCS.
// Close ends the others. The copy of a set of bindings takes 24 bytes a vertex, and the copy of centre sets 4. A skin
// takes up to 36 bytes a vertex more once a pose has turned the motions of one vertex into two hemispheres.
func NewSkin(in Influences, workers int) *Skin {
	k := &Skin{influences: in, checked: checkBindings(in.Bindings), workers: newWorkerPool(parallel.Workers(workers))}
	k.influences.Bindings = k.checked.bindings
	return k
}

// NewInputs makes inputs of a second weight set, nil for none, whose bindings it copies, and of values.
func (k *Skin) NewInputs(second *Influences, values [][4]float32) *Inputs {
	in := &Inputs{Values: values}
	if second == nil {
		return in
	}
	in.checked, in.second = checkBindings(second.Bindings), *second
	in.second.Bindings = in.checked.bindings
	for i := range in.checked.counts {
		in.checked.counts[i] = max(in.checked.counts[i], k.checked.counts[i])
	}
	return in
}

// Close ends the workers. The skin must not be used afterwards.
func (k *Skin) Close() { k.workers.close() }

// Follow updates the skin's bindings for the rigid parts of a palette, for kernels that read these. [Skin.Pose] does
// not call it, since it is timed separately.
func (k *Skin) Follow(p *Palette, level simd.Level) {
	if level != simd.Scalar && p.packedRigid.stride != 0 {
		k.flipped.follow(k.checked, p.packedRigid)
	}
}

// Pose poses all vertices by a kernel with inputs, nil for none. It sets the stream's bindings itself. It copies the
// stream's centre sets, and copies them again only when they are another slice. It allocates nothing but the memory
// that [NewSkin] lists.
func (k *Skin) Pose(kernel Func, p *Palette, s Stream, in *Inputs, level simd.Level) {
	if s.Sets != nil {
		k.sets.keep(s.Sets)
		s.Sets, s.largestSet = k.sets.ofVertex, k.sets.largest
	}
	s.Bindings, s.ExtraStart, s.Extra = k.checked.bindings, k.influences.ExtraStart, k.influences.Extra
	if in != nil {
		s.Second, s.second, s.Values = in.second, in.checked, in.Values
	}
	s.checked, s.entries = k.checked, k.flipped.entries(k.checked)
	s.check("Skin.Pose")
	k.workers.pose(job{s, kernel, p, level})
}
