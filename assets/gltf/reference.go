package gltf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/skinning/messages"
)

// checkVersion accepts glTF 2.x files that a 2.0 reader may read (glTF 2.0, section 3.2).
func (d *Source) checkVersion() error {
	major, _, ok := parseVersion(d.Doc.Asset.Version)
	if !ok {
		return fault.Malformed("asset.version is %q, expected 2.0", fault.Shorten(d.Doc.Asset.Version))
	}
	if major != 2 {
		return fault.Unsupported("asset.version is %s, this reader reads 2.0", fault.Shorten(d.Doc.Asset.Version))
	}
	if least := d.Doc.Asset.MinVersion; least != "" {
		major, minor, ok := parseVersion(least)
		if !ok {
			return fault.Malformed("asset.minVersion is %q, expected a version like 2.0", fault.Shorten(least))
		}
		if major > 2 || major == 2 && minor > 0 {
			return fault.Unsupported("asset.minVersion is %s, this reader reads 2.0", fault.Shorten(least))
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
func (d *Source) checkExtensions() error {
	var refused []string
	for _, name := range d.Doc.ExtensionsRequired {
		switch {
		case name == "KHR_mesh_quantization" || name == "KHR_texture_transform" || name == "KHR_materials_unlit":
		case changesOnlyLooks(name):
			d.notes.Add("the required extension %s is ignored: shape and motion are right, colours or light may differ",
				fault.Shorten(name))
		case !slices.Contains(refused, messages.Printable(name)) && len(refused) < 3:
			refused = append(refused, messages.Printable(name))
		}
	}
	if refused != nil {
		return fault.Unsupported("extensionsRequired: %s is not read", strings.Join(refused, ", "))
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
func (d *Source) checkReferences() error {
	for _, check := range []func() error{d.checkMeshes, d.checkSkins, d.checkAnimations, d.checkLooks} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// optional checks an index that may be absent.
func optional(kind string, i *int, n int) error {
	if i == nil {
		return nil
	}
	return inRange(kind, *i, n)
}

func (d *Source) checkMeshes() error {
	for i := range d.Doc.Meshes {
		m := d.Doc.Meshes[i]
		if len(m.Primitives) == 0 {
			return fmt.Errorf("%s: %w", fault.Element("mesh", i, m.Name), fault.Malformed("no primitives"))
		}
		for j := range m.Primitives {
			if err := d.checkPrimitive(m.Primitives[j]); err != nil {
				return fmt.Errorf("%s, primitive %d: %w", fault.Element("mesh", i, m.Name), j, err)
			}
			if n, first := len(m.Primitives[j].Targets), len(m.Primitives[0].Targets); n != first {
				return fmt.Errorf("%s, primitive %d: %w", fault.Element("mesh", i, m.Name), j,
					fault.Malformed("%d morph targets, primitive 0 has %d", n, first))
			}
		}
		if n := len(m.Primitives[0].Targets); n > 0 && m.Weights != nil && (len(m.Weights) != n || !finite(m.Weights)) {
			return fmt.Errorf("%s: %w", fault.Element("mesh", i, m.Name),
				fault.Malformed("weights are %d numbers for %d morph targets, or beyond float32", len(m.Weights), n))
		}
	}
	return nil
}

func (d *Source) checkPrimitive(p *gltf.Primitive) error {
	if err := optional("accessor", p.Indices, len(d.Accessors)); err != nil {
		return fmt.Errorf("indices: %w", err)
	}
	if err := optional("material", p.Material, len(d.Doc.Materials)); err != nil {
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
func (d *Source) checkAttributes(attributes gltf.PrimitiveAttributes) error {
	first := ""
	for name, a := range attributes {
		if inRange("accessor", a, len(d.Accessors)) != nil && (first == "" || name < first) {
			first = name
		}
	}
	if first != "" {
		return fmt.Errorf("%s: %w", fault.Shorten(first), inRange("accessor", attributes[first], len(d.Accessors)))
	}
	return nil
}

func (d *Source) checkAnimations() error {
	for i := range d.Doc.Animations {
		a := d.Doc.Animations[i]
		where := fault.Element("animation", i, a.Name)
		for j := range a.Samplers {
			if err := inRange("accessor", a.Samplers[j].Input, len(d.Accessors)); err != nil {
				return fmt.Errorf("%s, sampler %d: input: %w", where, j, err)
			}
			if err := inRange("accessor", a.Samplers[j].Output, len(d.Accessors)); err != nil {
				return fmt.Errorf("%s, sampler %d: output: %w", where, j, err)
			}
		}
		for j := range a.Channels {
			c := a.Channels[j]
			if err := inRange("sampler", c.Sampler, len(a.Samplers)); err != nil {
				return fmt.Errorf("%s, channel %d: sampler: %w", where, j, err)
			}
			if err := optional("node", c.Target.Node, len(d.Doc.Nodes)); err != nil {
				return fmt.Errorf("%s, channel %d: %w", where, j, err)
			}
		}
	}
	return nil
}

// checkLooks checks the indices between textures, images and samplers.
func (d *Source) checkLooks() error {
	for i := range d.Doc.Textures {
		t := d.Doc.Textures[i]
		if err := optional("image", t.Source, len(d.Doc.Images)); err != nil {
			return fmt.Errorf("%s: %w", fault.Element("texture", i, t.Name), err)
		}
		if err := optional("sampler", t.Sampler, len(d.Doc.Samplers)); err != nil {
			return fmt.Errorf("%s: %w", fault.Element("texture", i, t.Name), err)
		}
	}
	for i := range d.Doc.Images {
		if err := optional("buffer view", d.Doc.Images[i].BufferView, len(d.Doc.BufferViews)); err != nil {
			return fmt.Errorf("%s: %w", fault.Element("image", i, d.Doc.Images[i].Name), err)
		}
	}
	return nil
}
