package kernel

import (
	"runtime"

	"skinlab/skinning/simd"
)

// Skin is for vertices that are posed repeatedly. It keeps the checked bindings and the workers that pose them. Every
// vertex is posed by the same arithmetic whichever worker takes it, so the result does not depend on their number. Only
// one caller may use it at a time.
type Skin struct {
	influences Influences // bindings are its own
	twists     Influences // of the second set, or none
	checked    *checkedBindings
	twist      *checkedBindings // nil for none; its counts are the larger of both
	sets       checkedSets
	flipped    flippedBindings // of checked
	workers    *workerPool
}

// NewSkin copies bindings, and those of a second set of weights ([Stream.Twist]) unless it is nil. Workers is the
// number of workers, including the caller's goroutine; 0 means GOMAXPROCS. Close ends the others. The copy of a set of
// bindings takes 24 bytes a vertex, and the copy of centre sets 4. A skin takes up to 36 bytes a vertex more once a
// pose has turned the motions of one vertex into two hemispheres.
func NewSkin(in Influences, twist *Influences, workers int) *Skin {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	k := &Skin{influences: in, checked: checkBindings(in.Bindings), workers: newWorkerPool(workers)}
	k.influences.Bindings = k.checked.bindings
	if twist != nil {
		k.twist, k.twists = checkBindings(twist.Bindings), *twist
		k.twists.Bindings = k.twist.bindings
		for i := range k.twist.counts {
			k.twist.counts[i] = max(k.twist.counts[i], k.checked.counts[i])
		}
	}
	return k
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

// Pose poses all vertices by a kernel. It sets the stream's bindings itself. It copies the stream's centre sets, and
// copies them again only when they are another slice. It allocates nothing but the memory that [NewSkin] lists.
func (k *Skin) Pose(kernel Func, p *Palette, s Stream, level simd.Level) {
	if s.Sets != nil {
		k.sets.keep(s.Sets)
		s.Sets, s.largestSet = k.sets.ofVertex, k.sets.largest
	}
	s.Bindings, s.ExtraStart, s.Extra = k.checked.bindings, k.influences.ExtraStart, k.influences.Extra
	s.Twist, s.twist = k.twists, k.twist
	s.checked, s.entries = k.checked, k.flipped.entries(k.checked)
	s.check("Skin.Pose")
	k.workers.pose(job{s, kernel, p, level})
}
