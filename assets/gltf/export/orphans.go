package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"
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
	if !onlyKnownExtensions(x.out.doc) {
		return o
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
func viewsOf(a *gltf.Accessor) []int {
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

// onlyKnownExtensions reports whether all extensions anywhere in a tree are known not to refer to accessors or buffer
// views.
func onlyKnownExtensions(v any) bool {
	switch v := v.(type) {
	case items:
		for _, item := range v {
			if !onlyKnownExtensions(item) {
				return false
			}
		}
	case dict:
		for key, item := range v {
			if extensions, ok := item.(dict); ok && key == "extensions" {
				for name := range extensions {
					known := slices.Contains([]string{"KHR_texture_transform", "KHR_mesh_quantization", "KHR_lights_punctual"}, name)
					if !known && !strings.HasPrefix(name, "KHR_materials_") {
						return false
					}
				}
			}
			if !onlyKnownExtensions(item) {
				return false
			}
		}
	}
	return true
}

// compact takes the indices out that nothing took, and changes all references to accessors and buffer views to match.
// In a document that has such indices all references are known, see findOrphans.
func (w *treeWriter) compact() {
	accessors, views := w.without("accessors"), w.without("bufferViews")
	if accessors == nil && views == nil {
		return
	}
	for i := range w.list("accessors") {
		a := w.at("accessors", i)
		views.turn(a, "bufferView")
		if sparse, ok := a["sparse"].(dict); ok {
			for _, part := range [...]string{"indices", "values"} {
				if p, ok := sparse[part].(dict); ok {
					views.turn(p, "bufferView")
				}
			}
		}
	}
	for i := range w.list("images") {
		views.turn(w.at("images", i), "bufferView")
	}
	for i := range w.list("skins") {
		accessors.turn(w.at("skins", i), "inverseBindMatrices")
	}
	for i := range w.list("animations") {
		samplers, _ := w.at("animations", i)["samplers"].(items)
		for _, s := range samplers {
			accessors.turn(s.(dict), "input")
			accessors.turn(s.(dict), "output")
		}
	}
	turned := map[string]bool{} // lists of attributes that several places share in the tree
	for i := range w.list("meshes") {
		primitives, _ := w.at("meshes", i)["primitives"].(items)
		for _, p := range primitives {
			accessors.turn(p.(dict), "indices")
			attributes, _ := p.(dict)["attributes"].(dict)
			targets, _ := p.(dict)["targets"].(items)
			for _, list := range append(items{attributes}, targets...) {
				list, _ := list.(dict)
				if at := fmt.Sprintf("%p", list); !turned[at] {
					turned[at] = true
					for name := range list {
						accessors.turn(list, name)
					}
				}
			}
		}
	}
}

// renumbering says where the elements of a list went; nil where they stayed.
type renumbering []int

// without takes the free indices out of one of the document's lists.
func (w *treeWriter) without(name string) renumbering {
	free := w.free[name]
	if len(free) == 0 {
		return nil
	}
	list := w.list(name)
	to, gone := make(renumbering, len(list)), make([]bool, len(list))
	for _, i := range free {
		gone[i] = true
	}
	var kept items
	for i := range list {
		if to[i] = len(kept); !gone[i] {
			kept = append(kept, list[i])
		}
	}
	if w.doc[name] = kept; len(kept) == 0 {
		delete(w.doc, name)
	}
	return to
}

// turn changes a reference, where there is one.
func (r renumbering) turn(o dict, name string) {
	if i, ok := asInt(o[name]); ok && r != nil && i >= 0 && i < len(r) {
		o[name] = r[i]
	}
}
