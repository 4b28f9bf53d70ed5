package export

import (
	"slices"
	"strings"

	qgltf "github.com/qmuntal/gltf"
)

// Orphans are the accessors and buffer views that the source's document refers to and the result does not: the old
// weights and inverse bind matrices of a fit. They leave the file with their bytes. Elements that nothing referred to
// from the start stay, for they are not the export's.

// turnAccessors replaces every reference to an accessor that glTF has.
func turnAccessors(doc *qgltf.Document, to func(int) int) {
	for _, mesh := range doc.Meshes {
		for _, p := range mesh.Primitives {
			turn(&p.Indices, to)
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
		turn(&skin.InverseBindMatrices, to)
	}
}

// turnViews replaces every reference to a buffer view that glTF has.
func turnViews(doc *qgltf.Document, to func(int) int) {
	for _, a := range doc.Accessors {
		turn(&a.BufferView, to)
		if a.Sparse != nil {
			a.Sparse.Indices.BufferView = to(a.Sparse.Indices.BufferView)
			a.Sparse.Values.BufferView = to(a.Sparse.Values.BufferView)
		}
	}
	for _, image := range doc.Images {
		turn(&image.BufferView, to)
	}
}

// turn replaces a reference, where there is one; what shares its pointer keeps the old.
func turn(i **int, to func(int) int) {
	if *i != nil {
		*i = qgltf.Index(to(**i))
	}
}

// referred returns which of the first n elements are referred to.
func referred(doc *qgltf.Document, n int, turn func(*qgltf.Document, func(int) int)) []bool {
	out := make([]bool, n)
	turn(doc, func(i int) int {
		if i < n {
			out[i] = true
		}
		return i
	})
	return out
}

// dropOrphans takes the orphans out. The elements that the export has added take their indices, so that few others
// change. In a document with an extension that may refer to accessors or buffer views, all stay.
func (x *exporter) dropOrphans() {
	for name := range x.Extensions {
		if !refersToNoData(name) {
			return
		}
	}
	drop(&x.Doc.Accessors, &x.Doc, x.accessors, turnAccessors)
	x.orphaned = drop(&x.Doc.BufferViews, &x.Doc, x.views, turnViews)
}

// drop takes the elements out of a list that were referred to at first and are not now, and reports whether there are
// some.
func drop[T any](list *[]*T, doc *qgltf.Document, first []bool, turn func(*qgltf.Document, func(int) int)) (some bool) {
	now := referred(doc, len(first), turn)
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
	turn(doc, func(i int) int { return to[i] })
	return some
}

// refersToNoData reports whether an extension is known not to refer to accessors or buffer views.
func refersToNoData(extension string) bool {
	switch extension {
	case "KHR_texture_transform", "KHR_mesh_quantization", "KHR_lights_punctual":
		return true
	}
	return strings.HasPrefix(extension, "KHR_materials_")
}
