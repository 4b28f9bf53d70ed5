package gltf

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// mostIgnored bounds how many names a line about ignored things holds.
const mostIgnored = 8

// ignored lists the contents of the file that are not in the model: extensions, cameras, lights, attributes and
// textures that are not drawn, and elements that are not referred to. All of them stay in the document, and so in an
// export.
func (d *Source) ignored() (lines []string) {
	add := func(n int, one, many string) {
		if n > 0 {
			lines = append(lines, messages.Count(n, one, many))
		}
	}
	named := func(what string, names map[string]bool) {
		if len(names) == 0 {
			return
		}
		sorted := slices.Sorted(maps.Keys(names))
		for i := range sorted {
			sorted[i] = messages.Printable(sorted[i])
		}
		text := strings.Join(sorted[:min(len(sorted), mostIgnored)], ", ")
		if more := len(sorted) - mostIgnored; more > 0 {
			text += ", " + messages.Count(more, "more", "more")
		}
		lines = append(lines, what+" "+text)
	}
	named("extensions", d.unreadExtensions())
	add(len(d.Doc.Cameras), "camera", "cameras")
	add(d.lights(), "light", "lights")
	named("vertex attributes", d.unreadAttributes())
	named("material textures", d.unreadTextures())
	for _, kind := range []struct {
		name   string
		n      int
		inUse  func(use func(*int))
		plural string
	}{
		{"mesh", len(d.Doc.Meshes), d.usedMeshes, "meshes"},
		{"skin", len(d.Doc.Skins), d.usedSkins, "skins"},
		{"material", len(d.Doc.Materials), d.usedMaterials, "materials"},
		{"texture", len(d.Doc.Textures), d.usedTextures, "textures"},
		{"image", len(d.Doc.Images), d.usedImages, "images"},
	} {
		used := map[int]bool{}
		kind.inUse(func(i *int) {
			if i != nil && *i >= 0 && *i < kind.n {
				used[*i] = true
			}
		})
		add(kind.n-len(used), "unused "+kind.name, "unused "+kind.plural)
	}
	for i := range lines {
		lines[i] = fault.Shorten(lines[i])
	}
	return lines
}

// unreadExtensions returns the names of extensions that the document has or declares, and that are not read.
func (d *Source) unreadExtensions() map[string]bool {
	out := maps.Clone(d.Extensions)
	for _, name := range d.Doc.ExtensionsUsed {
		out[name] = true
	}
	maps.DeleteFunc(out, func(name string, _ bool) bool { return extensionOf(name).read != "" })
	return out
}

// lights counts the lights of the extension.
func (d *Source) lights() int {
	var x struct{ Lights []json.RawMessage }
	text, _ := d.Doc.Extensions[lightsExtension].(json.RawMessage)
	if json.Unmarshal(text, &x) != nil {
		return 0
	}
	return len(x.Lights)
}

// unreadAttributes returns the names of vertex attributes that are not drawn.
func (d *Source) unreadAttributes() map[string]bool {
	read := map[string]bool{"POSITION": true, "NORMAL": true, "COLOR_0": true}
	for i := range d.uses {
		for k := range d.uses[i].coordinates {
			read[d.uses[i].coordinates[k].attribute()] = true
		}
		if d.Model.Materials[i].Map(skinning.NormalMap) != nil {
			read["TANGENT"] = true
		}
	}
	out := map[string]bool{}
	for _, mesh := range d.Doc.Meshes {
		for _, p := range mesh.Primitives {
			for name := range p.Attributes {
				if !read[name] && !IsWeightSet(name) && InputOf(name) == nil {
					out[name] = true
				}
			}
		}
	}
	return out
}

// unreadTextures returns the names of textures of materials that are not drawn.
func (d *Source) unreadTextures() map[string]bool {
	out := map[string]bool{}
	for i, m := range d.Doc.Materials {
		for _, t := range mapsOf(m, cmp.Or(m.PBRMetallicRoughness, &gltf.PBRMetallicRoughness{})) {
			if t.info != nil && d.Model.Materials[i].Map(t.kind) == nil {
				out[t.name] = true
			}
		}
	}
	return out
}

func (d *Source) usedMeshes(use func(*int)) {
	for _, n := range d.Doc.Nodes {
		use(n.Mesh)
	}
}

func (d *Source) usedSkins(use func(*int)) {
	for i := range d.Doc.Skins {
		if d.Model.IsSkeleton() { // whose skins list its joints
			use(&i)
		}
	}
	for _, n := range d.Doc.Nodes {
		if n.Mesh != nil {
			use(n.Skin)
		}
	}
}

func (d *Source) usedMaterials(use func(*int)) {
	for _, mesh := range d.Doc.Meshes {
		for _, p := range mesh.Primitives {
			use(p.Material)
		}
	}
}

func (d *Source) usedTextures(use func(*int)) {
	for i, m := range d.Doc.Materials {
		if t := d.uses[i].base; t >= 0 {
			use(&t)
		}
		pbr := cmp.Or(m.PBRMetallicRoughness, &gltf.PBRMetallicRoughness{})
		for _, t := range append(mapsOf(m, pbr), mapOf{info: pbr.BaseColorTexture}) {
			if t.info != nil {
				use(&t.info.Index)
			}
		}
	}
}

func (d *Source) usedImages(use func(*int)) {
	for _, t := range d.Doc.Textures {
		use(t.Source)
	}
}
