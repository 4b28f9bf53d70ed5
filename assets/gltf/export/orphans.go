package export

import (
	"strings"

	qgltf "github.com/qmuntal/gltf"
)

// orphans are the accessors and buffer views that nothing refers to once a fit's weights and inverse bind matrices have
// replaced the old ones. New ones take their indices, and their bytes are left out, so that nothing dead stays in the
// file and no other index changes.
type orphans struct {
	accessors, views []bool
}

// findOrphans counts all references to accessors and buffer views that glTF has. In a document with an extension that
// may hold others, nothing is given up.
func (x *exporter) findOrphans() *orphans {
	o := &orphans{make([]bool, len(x.Doc.Accessors)), make([]bool, len(x.Doc.BufferViews))}
	for name := range x.Extensions {
		if !refersToNoData(name) {
			return o
		}
	}
	kept := make([]int, len(x.Doc.Accessors))
	gone := make([]int, len(x.Doc.Accessors))
	rebound := x.reboundPrimitives()
	users := x.meshUsers()
	for m := range x.Doc.Meshes {
		for p := range x.Doc.Meshes[m].Primitives {
			primitive := x.Doc.Meshes[m].Primitives[p]
			for name, a := range primitive.Attributes {
				if rebound[[2]int{m, p}] && (strings.HasPrefix(name, "JOINTS_") || strings.HasPrefix(name, "WEIGHTS_")) {
					gone[a]++
				} else {
					kept[a]++
				}
			}
			for _, target := range primitive.Targets {
				for _, a := range target {
					if users[m] == 0 && (x.morphs.dropped[m] || x.morphs.zeroed[m] && rebound[[2]int{m, p}]) {
						gone[a]++
					} else {
						kept[a]++
					}
				}
			}
			if primitive.Indices != nil {
				kept[*primitive.Indices]++
			}
		}
	}
	for i := range x.Doc.Animations {
		for k, s := range x.Doc.Animations[i].Samplers {
			count := kept
			if x.morphs.sampler(i, k) {
				count = gone
			}
			count[s.Input]++
			count[s.Output]++
		}
	}
	for i := range x.Doc.Skins {
		if a := x.Doc.Skins[i].InverseBindMatrices; a != nil {
			if p := x.skinPlans[i]; p != nil && len(p.bones) > 0 {
				gone[*a]++
			} else {
				kept[*a]++
			}
		}
	}
	needed := make([]int, len(x.Doc.BufferViews))
	for i := range x.Doc.Images {
		if v := x.Doc.Images[i].BufferView; v != nil {
			needed[*v]++
		}
	}
	for i := range x.Doc.Accessors {
		if o.accessors[i] = gone[i] > 0 && kept[i] == 0; o.accessors[i] {
			continue
		}
		for _, v := range viewsOf(x.Doc.Accessors[i]) {
			needed[v]++
		}
	}
	for i := range x.Doc.Accessors {
		for _, v := range viewsOf(x.Doc.Accessors[i]) {
			o.views[v] = needed[v] == 0 // only those that the export itself frees
		}
	}
	return o
}

// viewsOf returns the buffer views that an accessor reads.
func viewsOf(a *qgltf.Accessor) []int {
	var views []int
	if a.BufferView != nil {
		views = append(views, *a.BufferView)
	}
	if a.Sparse != nil {
		views = append(views, a.Sparse.Indices.BufferView, a.Sparse.Values.BufferView)
	}
	return views
}

// reboundPrimitives returns the mesh and index of the primitives whose weights are replaced where they stand: those of
// meshes that no node needs as they were.
func (x *exporter) reboundPrimitives() map[[2]int]bool {
	users := x.meshUsers()
	rebound := map[[2]int]bool{}
	for _, p := range x.fitted.Skin.Parts {
		if mesh := *x.Doc.Nodes[p.Node].Mesh; users[mesh] == 0 {
			rebound[[2]int{mesh, p.Primitive}] = true
		}
	}
	return rebound
}

// meshUsers counts the nodes that need a mesh as it is, for every mesh: those without a fitted part.
func (x *exporter) meshUsers() []int {
	users := make([]int, len(x.Doc.Meshes))
	for i := range x.Doc.Nodes {
		if m := x.Doc.Nodes[i].Mesh; m != nil {
			users[*m]++
		}
	}
	for i, p := range x.fitted.Skin.Parts {
		if i == 0 || p.Node != x.fitted.Skin.Parts[i-1].Node {
			users[*x.Doc.Nodes[p.Node].Mesh]--
		}
	}
	return users
}

// refersToNoData reports whether an extension is known not to refer to accessors or buffer views.
func refersToNoData(extension string) bool {
	switch extension {
	case "KHR_texture_transform", "KHR_mesh_quantization", "KHR_lights_punctual":
		return true
	}
	return strings.HasPrefix(extension, "KHR_materials_")
}

// compact takes the indices out that nothing took, and changes all references to accessors and buffer views to match.
// In a document that has such indices all references are known, see findOrphans.
func (w *writer) compact() {
	accessors, views := without(&w.doc.Accessors, w.freeAccessors), without(&w.doc.BufferViews, w.freeViews)
	for _, a := range w.doc.Accessors {
		views.turn(&a.BufferView)
		if a.Sparse != nil {
			a.Sparse.Indices.BufferView = views.of(a.Sparse.Indices.BufferView)
			a.Sparse.Values.BufferView = views.of(a.Sparse.Values.BufferView)
		}
	}
	for _, image := range w.doc.Images {
		views.turn(&image.BufferView)
	}
	for _, skin := range w.doc.Skins {
		accessors.turn(&skin.InverseBindMatrices)
	}
	for _, animation := range w.doc.Animations {
		for _, s := range animation.Samplers {
			s.Input, s.Output = accessors.of(s.Input), accessors.of(s.Output)
		}
	}
	for _, mesh := range w.doc.Meshes {
		for _, p := range mesh.Primitives {
			accessors.turn(&p.Indices)
			for _, attributes := range append(p.Targets[:len(p.Targets):len(p.Targets)], p.Attributes) {
				for name, a := range attributes {
					attributes[name] = accessors.of(a)
				}
			}
		}
	}
}

// renumbering says where the elements of a list went; nil where they stayed.
type renumbering []int

// without takes the free indices out of a list.
func without[T any](list *[]*T, free []int) renumbering {
	if len(free) == 0 {
		return nil
	}
	to, gone := make(renumbering, len(*list)), make([]bool, len(*list))
	for _, i := range free {
		gone[i] = true
	}
	var kept []*T
	for i, item := range *list {
		if to[i] = len(kept); !gone[i] {
			kept = append(kept, item)
		}
	}
	*list = kept
	return to
}

func (r renumbering) of(i int) int {
	if r == nil {
		return i
	}
	return r[i]
}

// turn changes a reference, where there is one.
func (r renumbering) turn(i **int) {
	if *i != nil {
		*i = qgltf.Index(r.of(**i))
	}
}
