package export

import (
	"math"
	"slices"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/gltf"
)

// Orphans are accessors and buffer views that the source refers to and the result does not: the weights and inverse
// bind matrices that a fit has replaced. They leave the file with their bytes, and views that end in such an accessor
// are cut. Elements without a reference in the source stay: the export did not free them.

// renumberAccessors maps every reference to an accessor that glTF has.
func renumberAccessors(doc *qgltf.Document, to func(int) int) {
	for _, mesh := range doc.Meshes {
		for _, p := range mesh.Primitives {
			renumber(&p.Indices, to)
			for _, attributes := range append(slices.Clip(p.Targets), p.Attributes) {
				for name, a := range attributes {
					attributes[name] = to(a)
				}
			}
		}
	}
	for _, animation := range doc.Animations {
		for _, s := range animation.Samplers {
			s.Input, s.Output = to(s.Input), to(s.Output)
		}
	}
	for _, skin := range doc.Skins {
		renumber(&skin.InverseBindMatrices, to)
	}
}

// renumberViews maps every reference to a buffer view that glTF has.
func renumberViews(doc *qgltf.Document, to func(int) int) {
	for _, a := range doc.Accessors {
		renumber(&a.BufferView, to)
		if a.Sparse != nil {
			a.Sparse.Indices.BufferView = to(a.Sparse.Indices.BufferView)
			a.Sparse.Values.BufferView = to(a.Sparse.Values.BufferView)
		}
	}
	for _, image := range doc.Images {
		renumber(&image.BufferView, to)
	}
}

// renumber maps a reference unless it is nil. The reference gets a new pointer, so that others that share the old one
// do not change.
func renumber(i **int, to func(int) int) {
	if *i != nil {
		*i = qgltf.Index(to(**i))
	}
}

// referred returns which of the first n elements are referred to.
func referred(doc *qgltf.Document, n int, references func(*qgltf.Document, func(int) int)) []bool {
	out := make([]bool, n)
	references(doc, func(i int) int {
		if i < n {
			out[i] = true
		}
		return i
	})
	return out
}

// dropOrphans takes the orphans out. In a document with an extension that may refer to accessors or buffer views it
// leaves all as it is.
func (x *exporter) dropOrphans() {
	for name := range x.Extensions {
		if !gltf.ExtensionHasNoData(name) {
			return
		}
	}
	before := x.viewEnds()
	drop(&x.Doc.Accessors, &x.Doc, x.accessors, renumberAccessors)
	for view, end := range x.viewEnds() {
		if v := x.Doc.BufferViews[view]; view < len(x.views) && end > 0 && end < before[view] && len(v.Extensions) == 0 {
			v.ByteLength = min(v.ByteLength, end)
			x.orphaned = true
		}
	}
	x.orphaned = drop(&x.Doc.BufferViews, &x.Doc, x.views, renumberViews) || x.orphaned
}

// viewEnds returns the number of bytes of each buffer view that are in use, up to the end of the last reference into
// it: all of a view that is a picture or holds parts of a sparse accessor, 0 of a view that nothing refers to.
func (x *exporter) viewEnds() []int {
	ends := make([]int, len(x.Doc.BufferViews))
	whole := func(view int) int {
		ends[view] = math.MaxInt
		return view
	}
	for _, image := range x.Doc.Images {
		renumber(&image.BufferView, whole)
	}
	for _, a := range x.Doc.Accessors {
		if a.Sparse != nil {
			whole(a.Sparse.Indices.BufferView)
			whole(a.Sparse.Values.BufferView)
		}
		if a.BufferView == nil || a.Count == 0 {
			continue
		}
		_, size := gltf.ElementLayout(a.Type, a.ComponentType)
		stride := max(x.Doc.BufferViews[*a.BufferView].ByteStride, size)
		// An interleaved view ends with a whole stride. The standard asks only for the last element, but three.js and
		// assimp refuse a view that ends there.
		end := a.ByteOffset/stride*stride + a.Count*stride
		ends[*a.BufferView] = max(ends[*a.BufferView], end, a.ByteOffset+(a.Count-1)*stride+size)
	}
	return ends
}

// drop takes out of a list the elements that references led to at first and do not now, and reports whether there were
// any. Added elements, those behind the first, move into their places.
func drop[T any](list *[]*T, doc *qgltf.Document, first []bool,
	references func(*qgltf.Document, func(int) int)) (some bool) {
	now := referred(doc, len(first), references)
	added := (*list)[len(first):]
	to := make([]int, len(*list))
	var out []*T
	for i, item := range (*list)[:len(first)] {
		orphan := first[i] && !now[i]
		some = some || orphan
		switch {
		case !orphan:
			to[i] = len(out)
			out = append(out, item)
		case len(added) > 0:
			to[len(*list)-len(added)] = len(out)
			out, added = append(out, added[0]), added[1:]
		}
	}
	for k := range added {
		to[len(*list)-len(added)+k] = len(out) + k
	}
	*list = append(out, added...)
	references(doc, func(i int) int { return to[i] })
	return some
}
