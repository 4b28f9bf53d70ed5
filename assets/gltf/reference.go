package gltf

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
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

// inRange checks an index into a list of n elements of a kind.
func inRange(kind string, i, n int) error {
	if i < 0 || i >= n {
		return fault.Malformed("%s %d does not exist, there are %d", kind, i, n)
	}
	return nil
}

// reference is an index into a list of n elements of a kind, or nil. In errors, what stands in front of the kind,
// unless it is empty.
type reference struct {
	what, kind string
	index      *int
	n          int
}

// inRanges checks references.
func inRanges(all ...reference) error {
	for _, r := range all {
		if r.index == nil {
			continue
		}
		if err := inRange(r.kind, *r.index, r.n); err != nil && r.what != "" {
			return fmt.Errorf("%s: %w", r.what, err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// located is an error in an element of the file.
type located struct {
	element string
	err     error
}

func (l *located) Unwrap() error { return l.err }

func (l *located) Error() string {
	if _, deeper := l.err.(*located); deeper {
		return l.element + ", " + l.err.Error()
	}
	return l.element + ": " + l.err.Error()
}

// each checks the elements of a list and names the one that has a fault.
func each[T any](kind string, list []*T, check func(i int, item *T) error) error {
	for i, item := range list {
		if err := check(i, item); err != nil {
			name := ""
			if f := reflect.ValueOf(item).Elem().FieldByName("Name"); f.IsValid() {
				name = f.String()
			}
			return &located{fault.Element(kind, i, name), err}
		}
	}
	return nil
}

// checkReferences checks every index of the file, used or not, against the list that it points into.
func (d *Source) checkReferences() error {
	lastSkin := make([]int, len(d.Doc.Nodes)) // the last skin that listed the node, counted from 1
	if err := each("mesh", d.Doc.Meshes, d.checkMesh); err != nil {
		return err
	}
	err := each("skin", d.Doc.Skins, func(i int, s *gltf.Skin) error { return d.checkSkin(i, s, lastSkin) })
	if err != nil {
		return err
	}
	if err := each("animation", d.Doc.Animations, d.checkAnimation); err != nil {
		return err
	}
	err = each("texture", d.Doc.Textures, func(_ int, t *gltf.Texture) error {
		return inRanges(reference{"", "image", t.Source, len(d.Doc.Images)},
			reference{"", "sampler", t.Sampler, len(d.Doc.Samplers)})
	})
	if err != nil {
		return err
	}
	return each("image", d.Doc.Images, func(_ int, image *gltf.Image) error {
		return inRanges(reference{"", "buffer view", image.BufferView, len(d.Doc.BufferViews)})
	})
}

func (d *Source) checkMesh(_ int, m *gltf.Mesh) error {
	if len(m.Primitives) == 0 {
		return fault.Malformed("no primitives")
	}
	targets := len(m.Primitives[0].Targets)
	if targets > 0 && m.Weights != nil && (len(m.Weights) != targets || !finite(m.Weights)) {
		return fault.Malformed("weights are %d numbers for %d morph targets, or beyond float32", len(m.Weights), targets)
	}
	return each("primitive", m.Primitives, func(_ int, p *gltf.Primitive) error {
		if n := len(p.Targets); n != targets {
			return fault.Malformed("%d morph targets, primitive 0 has %d", n, targets)
		}
		err := inRanges(reference{"indices", "accessor", p.Indices, len(d.Accessors)},
			reference{"", "material", p.Material, len(d.Doc.Materials)})
		if err == nil {
			err = d.checkAttributes(p.Attributes)
		}
		for t := 0; t < targets && err == nil; t++ {
			if err = d.checkAttributes(p.Targets[t]); err != nil {
				err = fmt.Errorf("morph target %d: %w", t, err)
			}
		}
		return err
	})
}

// checkAttributes names the first fault in alphabetical order, so that a file gives the same error every time.
func (d *Source) checkAttributes(attributes gltf.PrimitiveAttributes) error {
	first := ""
	for name, a := range attributes {
		if inRange("accessor", a, len(d.Accessors)) != nil && (first == "" || name < first) {
			first = name
		}
	}
	if first == "" {
		return nil
	}
	return fmt.Errorf("%s: %w", fault.Shorten(first), inRange("accessor", attributes[first], len(d.Accessors)))
}

func (d *Source) checkAnimation(_ int, a *gltf.Animation) error {
	err := each("sampler", a.Samplers, func(_ int, s *gltf.AnimationSampler) error {
		return inRanges(reference{"input", "accessor", &s.Input, len(d.Accessors)},
			reference{"output", "accessor", &s.Output, len(d.Accessors)})
	})
	if err != nil {
		return err
	}
	return each("channel", a.Channels, func(_ int, c *gltf.AnimationChannel) error {
		return inRanges(reference{"sampler", "sampler", &c.Sampler, len(a.Samplers)},
			reference{"", "node", c.Target.Node, len(d.Doc.Nodes)})
	})
}
