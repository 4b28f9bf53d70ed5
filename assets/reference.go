package assets

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"skinlab/skinning/messages"
)

// checkVersion accepts glTF 2.x files that a 2.0 reader may read (glTF 2.0, section 3.2).
func (d *decoder) checkVersion() error {
	if d.doc.Asset == nil {
		return malformed("the JSON has no asset object: this is not glTF")
	}
	major, _, ok := parseVersion(d.doc.Asset.Version)
	if !ok {
		return malformed("asset.version is %q, expected 2.0", shorten(d.doc.Asset.Version))
	}
	if major != 2 {
		return unsupported("asset.version is %s, this reader reads 2.0", shorten(d.doc.Asset.Version))
	}
	if least := d.doc.Asset.MinVersion; least != "" {
		major, minor, ok := parseVersion(least)
		if !ok {
			return malformed("asset.minVersion is %q, expected a version like 2.0", shorten(least))
		}
		if major > 2 || major == 2 && minor > 0 {
			return unsupported("asset.minVersion is %s, this reader reads 2.0", shorten(least))
		}
	}
	return nil
}

func parseVersion(s string) (major, minor int, ok bool) {
	a, b, ok := strings.Cut(s, ".")
	major, err1 := strconv.Atoi(a)
	minor, err2 := strconv.Atoi(b)
	return major, minor, ok && err1 == nil && err2 == nil && major >= 0 && minor >= 0
}

// checkExtensions refuses files that require an extension without which the shape would be wrong.
func (d *decoder) checkExtensions() error {
	var refused []string
	for _, name := range d.doc.ExtensionsRequired {
		switch {
		case name == "KHR_mesh_quantization" || name == "KHR_texture_transform" || name == "KHR_materials_unlit":
		case changesOnlyLooks(name):
			d.notes.add("the required extension %s is ignored: shape and motion are right, colours or light may differ",
				shorten(name))
		case !slices.Contains(refused, messages.Printable(name)) && len(refused) < 3:
			refused = append(refused, messages.Printable(name))
		}
	}
	if refused != nil {
		return unsupported("extensionsRequired: %s is not read", strings.Join(refused, ", "))
	}
	return nil
}

// changesOnlyLooks reports whether a file shows its shape and motion right without the extension.
func changesOnlyLooks(extension string) bool {
	switch extension {
	case "KHR_lights_punctual", "EXT_lights_ies", "EXT_lights_image_based", "KHR_xmp_json_ld",
		"KHR_texture_basisu", "EXT_texture_webp", "EXT_texture_avif", "MSFT_texture_dds":
		return true
	}
	return strings.HasPrefix(extension, "KHR_materials_")
}

// checkReferences checks every index of the file, used or not, against the list that it points into.
func (d *decoder) checkReferences() error {
	for _, check := range []func() error{d.checkMeshes, d.checkSkins, d.checkAnimations, d.checkLooks} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// optional checks an index that may be absent.
func optional(kind string, i *integer, n int) error {
	if i == nil {
		return nil
	}
	return inRange(kind, int64(*i), n)
}

// required checks an index that must be there.
func required(what, kind string, i *integer, n int) error {
	if i == nil {
		return malformed("no %s", what)
	}
	if err := inRange(kind, int64(*i), n); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func (d *decoder) checkMeshes() error {
	for i := range d.doc.Meshes {
		m := &d.doc.Meshes[i]
		if len(m.Primitives) == 0 {
			return fmt.Errorf("%s: %w", element("mesh", i, m.Name), malformed("no primitives"))
		}
		for j := range m.Primitives {
			if err := d.checkPrimitive(&m.Primitives[j]); err != nil {
				return fmt.Errorf("%s, primitive %d: %w", element("mesh", i, m.Name), j, err)
			}
			if n, first := len(m.Primitives[j].Targets), len(m.Primitives[0].Targets); n != first {
				return fmt.Errorf("%s, primitive %d: %w", element("mesh", i, m.Name), j,
					malformed("%d morph targets, primitive 0 has %d", n, first))
			}
		}
		if n := len(m.Primitives[0].Targets); n > 0 && m.Weights != nil && (len(m.Weights) != n || !finite(m.Weights)) {
			return fmt.Errorf("%s: %w", element("mesh", i, m.Name),
				malformed("weights are %d numbers for %d morph targets, or beyond float32", len(m.Weights), n))
		}
	}
	return nil
}

func (d *decoder) checkPrimitive(p *primitiveInfo) error {
	if p.Mode != nil && (*p.Mode < 0 || *p.Mode > modeTriangleFan) {
		return malformed("mode is %d, expected 0 to 6", *p.Mode)
	}
	if err := optional("accessor", p.Indices, len(d.accessors)); err != nil {
		return fmt.Errorf("indices: %w", err)
	}
	if err := optional("material", p.Material, len(d.doc.Materials)); err != nil {
		return err
	}
	if err := d.checkAttributes(p.Attributes); err != nil {
		return err
	}
	for t, target := range p.Targets {
		if err := d.checkAttributes(target); err != nil {
			return fmt.Errorf("morph target %d: %w", t, err)
		}
	}
	return nil
}

// checkAttributes names the first fault in alphabetical order, so that a file gives the same error every time.
func (d *decoder) checkAttributes(attributes map[string]integer) error {
	fault := ""
	for name, a := range attributes {
		if inRange("accessor", int64(a), len(d.accessors)) != nil && (fault == "" || name < fault) {
			fault = name
		}
	}
	if fault != "" {
		return fmt.Errorf("%s: %w", shorten(fault), inRange("accessor", int64(attributes[fault]), len(d.accessors)))
	}
	return nil
}

func (d *decoder) checkAnimations() error {
	for i := range d.doc.Animations {
		a := &d.doc.Animations[i]
		where := element("animation", i, a.Name)
		for j := range a.Samplers {
			s := &a.Samplers[j]
			if err := required("input", "accessor", s.Input, len(d.accessors)); err != nil {
				return fmt.Errorf("%s, sampler %d: %w", where, j, err)
			}
			if err := required("output", "accessor", s.Output, len(d.accessors)); err != nil {
				return fmt.Errorf("%s, sampler %d: %w", where, j, err)
			}
		}
		for j := range a.Channels {
			c := &a.Channels[j]
			if err := required("sampler", "sampler", c.Sampler, len(a.Samplers)); err != nil {
				return fmt.Errorf("%s, channel %d: %w", where, j, err)
			}
			if err := optional("node", c.Target.Node, len(d.doc.Nodes)); err != nil {
				return fmt.Errorf("%s, channel %d: %w", where, j, err)
			}
		}
	}
	return nil
}

// checkLooks checks the indices between materials, textures, images and samplers.
func (d *decoder) checkLooks() error {
	for i := range d.doc.Materials {
		if t := d.doc.Materials[i].PBR.BaseColorTexture; t != nil {
			if err := required("texture index", "texture", t.Index, len(d.doc.Textures)); err != nil {
				return fmt.Errorf("%s: baseColorTexture: %w", element("material", i, d.doc.Materials[i].Name), err)
			}
		}
	}
	for i := range d.doc.Textures {
		t := &d.doc.Textures[i]
		if err := optional("image", t.Source, len(d.doc.Images)); err != nil {
			return fmt.Errorf("%s: %w", element("texture", i, t.Name), err)
		}
		if err := optional("sampler", t.Sampler, len(d.doc.Samplers)); err != nil {
			return fmt.Errorf("%s: %w", element("texture", i, t.Name), err)
		}
	}
	for i := range d.doc.Images {
		if err := optional("buffer view", d.doc.Images[i].BufferView, len(d.doc.BufferViews)); err != nil {
			return fmt.Errorf("%s: %w", element("image", i, d.doc.Images[i].Name), err)
		}
	}
	return nil
}
