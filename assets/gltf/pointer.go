package gltf

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
)

// Target is what a channel of an animation moves.
type Target struct {
	Node   int
	Path   gltf.TRSProperty
	Weight int // the one morph weight that it moves; −1 for all of them, and for other paths
}

// Targets lists what a channel moves: the property of a node, or by [animationPointer] that of a node or the weights of
// a mesh, which all nodes have that show the mesh and have no weights of their own. The error says why nothing is
// moved. A channel that names neither a node nor a pointer moves nothing, which is no fault (glTF 2.0, section 3.11).
func (d *Source) Targets(t *gltf.AnimationChannelTarget) ([]Target, error) {
	if has(t.Extensions, animationPointer) {
		var p struct {
			Pointer string `json:"pointer"`
		}
		if err := extension(t.Extensions, animationPointer, &p); err != nil {
			return nil, err
		}
		return d.pointed(p.Pointer)
	}
	if t.Node == nil {
		return nil, nil
	}
	if name, ok := d.Paths[t]; ok {
		return nil, fmt.Errorf("animates %q, which is not read", fault.Shorten(name))
	}
	return []Target{{*t.Node, t.Path, -1}}, nil
}

// pointed resolves a JSON pointer.
func (d *Source) pointed(pointer string) ([]Target, error) {
	refused := fmt.Errorf("animates %q, which is not read", fault.Shorten(pointer))
	parts := strings.Split(pointer, "/")
	if strings.HasSuffix(pointer, "/extensions/"+visibilityExtension+"/visible") {
		return nil, fmt.Errorf("animates %q: visibility is not animated, and stays as it is without the clip",
			fault.Shorten(pointer))
	}
	if len(parts) < 4 || len(parts) > 5 || parts[0] != "" {
		return nil, refused
	}
	index, err := strconv.Atoi(parts[2])
	if err != nil {
		return nil, refused
	}
	t := Target{Node: index, Weight: -1}
	switch parts[3] {
	case "translation":
		t.Path = gltf.TRSTranslation
	case "rotation":
		t.Path = gltf.TRSRotation
	case "scale":
		t.Path = gltf.TRSScale
	case "weights":
		t.Path = gltf.TRSWeights
	default:
		return nil, refused
	}
	if len(parts) == 5 {
		t.Weight, err = strconv.Atoi(parts[4])
		if err != nil || t.Weight < 0 || t.Path != gltf.TRSWeights {
			return nil, refused
		}
	}
	switch {
	case parts[1] == "nodes":
		if err := inRange("node", index, len(d.Doc.Nodes)); err != nil {
			return nil, fmt.Errorf("pointer %q: %w", fault.Shorten(pointer), err)
		}
		return []Target{t}, nil
	case parts[1] == "meshes" && t.Path == gltf.TRSWeights:
		if err := inRange("mesh", index, len(d.Doc.Meshes)); err != nil {
			return nil, fmt.Errorf("pointer %q: %w", fault.Shorten(pointer), err)
		}
		var all []Target
		for n, node := range d.Doc.Nodes {
			if node.Mesh != nil && *node.Mesh == index && len(node.Weights) == 0 {
				all = append(all, Target{n, t.Path, t.Weight})
			}
		}
		return all, nil
	}
	return nil, refused
}
