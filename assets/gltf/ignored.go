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
	for _, kind := range d.references() {
		unused := 0
		for i := range kind.n {
			if !kind.used[i] {
				unused++
			}
		}
		add(unused, "unused "+kind.one, "unused "+kind.many)
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

// used are the indices of a list's elements that something refers to.
type used map[int]bool

func (u used) add(i *int) {
	if i != nil {
		u[*i] = true
	}
}

// referredKind is a list of the document: what one of its elements is called, and which of them are in use.
type referredKind struct {
	one, many string
	n         int
	used      used
}

// references finds which meshes, skins, materials, textures and images something refers to.
func (d *Source) references() []referredKind {
	meshes, skins, materials, textures, images := used{}, used{}, used{}, used{}, used{}
	for _, n := range d.Doc.Nodes {
		meshes.add(n.Mesh)
		if n.Mesh != nil {
			skins.add(n.Skin)
		}
	}
	for i := range d.Doc.Skins {
		skins[i] = skins[i] || d.Model.IsSkeleton() // whose skins list its joints
	}
	for _, mesh := range d.Doc.Meshes {
		for _, p := range mesh.Primitives {
			materials.add(p.Material)
		}
	}
	for i, m := range d.Doc.Materials {
		textures.add(&d.uses[i].base)
		pbr := cmp.Or(m.PBRMetallicRoughness, &gltf.PBRMetallicRoughness{})
		for _, t := range append(mapsOf(m, pbr), mapOf{info: pbr.BaseColorTexture}) {
			if t.info != nil {
				textures.add(&t.info.Index)
			}
		}
	}
	for _, t := range d.Doc.Textures {
		images.add(t.Source)
	}
	return []referredKind{
		{"mesh", "meshes", len(d.Doc.Meshes), meshes}, {"skin", "skins", len(d.Doc.Skins), skins},
		{"material", "materials", len(d.Doc.Materials), materials},
		{"texture", "textures", len(d.Doc.Textures), textures}, {"image", "images", len(d.Doc.Images), images},
	}
}
