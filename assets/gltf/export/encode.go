package export

import (
	"bytes"
	"fmt"
	"image/png"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Encode writes a model as a GLB: nodes, skins, meshes with morph targets and any number of influences, clips,
// materials, pictures. Rest space is the space of the file's skins, so that decoding gives the same model again:
// positions equal to the rounding of inverse bind matrices to float32 (6e-8 of their size), all else bit by bit. It
// serves models that have no file of their own; a model with blend bones is written by [File]. A model that
// glTF cannot hold is an error.
func Encode(m *skinning.Model) ([]byte, error) {
	e := &encoder{treeWriter: newTreeWriter(), m: m}
	for _, step := range []func() error{e.nodes, e.materials, e.bindSkins, e.meshes, e.clips} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	var out bytes.Buffer
	if err := e.writeGLB(&out); err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return out.Bytes(), nil
}

// encoder writes one model.
type encoder struct {
	*treeWriter
	m     *skinning.Model
	skins []encodedSkin
}

// encodedSkin is the joints that share a Joint.Skin.
type encodedSkin struct {
	joints []int // of the model
	local  map[int]int
}

// nodes writes the node tree and a scene of its roots.
func (e *encoder) nodes() error {
	s := &e.m.Skeleton
	children := make([]items, len(s.Nodes))
	roots := items{}
	for i := range s.Nodes {
		if p := s.Nodes[i].Parent; p >= 0 {
			children[p] = append(children[p], i)
		} else {
			roots = append(roots, i)
		}
	}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		node := dict{}
		if n.Name != "" {
			node["name"] = n.Name
		}
		if children[i] != nil {
			node["children"] = children[i]
		}
		if n.Matrix != nil {
			a := n.Matrix
			node["matrix"] = numbersOf([]float64{a[0], a[4], a[8], 0, a[1], a[5], a[9], 0, a[2], a[6], a[10], 0, a[3], a[7],
				a[11], 1})
		} else {
			rest := geom.IdentityTransform()
			if n.Rest.Translation != rest.Translation {
				node["translation"] = numbersOf(n.Rest.Translation[:])
			}
			if n.Rest.Rotation != rest.Rotation {
				node["rotation"] = numbersOf(n.Rest.Rotation[:])
			}
			if n.Rest.Scale != rest.Scale {
				node["scale"] = numbersOf(n.Rest.Scale[:])
			}
		}
		e.push("nodes", node)
	}
	if len(roots) > 0 {
		e.push("scenes", dict{"nodes": roots})
		e.doc["scene"] = 0
	}
	return nil
}

// bindSkins writes a skin for every distinct Joint.Skin, in order of appearance.
func (e *encoder) bindSkins() error {
	index := map[int]int{}
	for j := range e.m.Skeleton.Joints {
		skin := e.m.Skeleton.Joints[j].Skin
		i, ok := index[skin]
		if !ok {
			i = len(e.skins)
			index[skin] = i
			e.skins = append(e.skins, encodedSkin{local: map[int]int{}})
		}
		e.skins[i].local[j] = len(e.skins[i].joints)
		e.skins[i].joints = append(e.skins[i].joints, j)
	}
	for i := range e.skins {
		var nodes items
		var binds []byte
		for _, j := range e.skins[i].joints {
			nodes = append(nodes, e.m.Skeleton.Joints[j].Node)
			binds = appendMatrix(binds, e.m.Skeleton.Joints[j].FromRest)
		}
		e.push("skins", dict{"joints": nodes,
			"inverseBindMatrices": e.accessor(binds, kindFloat, "MAT4", targetNone, nil)})
	}
	return nil
}

// skinOf returns the skin that holds every joint of the vertices of a part.
func (e *encoder) skinOf(part *skinning.Part) (int, error) {
	in := &e.m.Skin.Influences
	if len(in.Bindings) == 0 { // bound later
		return 0, nil
	}
	skin := -1
	var buf []skinning.Influence
	for v := part.FirstVertex; v < part.FirstVertex+part.VertexCount; v++ {
		for _, f := range in.Of(buf[:0], v) {
			if skin < 0 {
				skin = slices.IndexFunc(e.skins, func(s encodedSkin) bool { _, ok := s.local[int(f.Joint)]; return ok })
			}
			if skin < 0 {
				return 0, fmt.Errorf("vertex %d: joint %d does not exist", v, f.Joint)
			}
			if _, ok := e.skins[skin].local[int(f.Joint)]; !ok {
				return 0, fmt.Errorf("part %q: vertex %d follows joint %d of another skin, which glTF cannot say", part.Name, v,
					f.Joint)
			}
		}
	}
	return skin, nil
}

// materials writes materials, textures, samplers and pictures (as PNG).
func (e *encoder) materials() error {
	for i := range e.m.Textures {
		t := &e.m.Textures[i]
		var picture bytes.Buffer
		if err := png.Encode(&picture, t.Image); err != nil {
			return fmt.Errorf("texture %d: %w", i, err)
		}
		image := dict{"bufferView": e.view(picture.Bytes(), targetNone), "mimeType": "image/png"}
		texture := dict{"source": e.push("images", image)}
		if t.Name != "" {
			texture["name"] = t.Name
		}
		wrap := map[skinning.Wrap]int{skinning.WrapRepeat: 10497, skinning.WrapMirror: 33648,
			skinning.WrapClamp: 33071}
		sampler := dict{"wrapS": wrap[t.WrapU], "wrapT": wrap[t.WrapV]}
		if t.Nearest {
			sampler["magFilter"] = 9728
		}
		texture["sampler"] = e.push("samplers", sampler)
		e.push("textures", texture)
	}
	unlit := false
	for i := range e.m.Materials {
		unlit = unlit || e.m.Materials[i].Unlit
		e.push("materials", encodeMaterial(&e.m.Materials[i]))
	}
	if unlit {
		e.doc["extensionsUsed"] = items{"KHR_materials_unlit"}
	}
	return nil
}

func encodeMaterial(m *skinning.Material) dict {
	// Dull and not metallic: glTF's default of a full metal would be black without surroundings to reflect.
	pbr := dict{"metallicFactor": 0, "roughnessFactor": 0.9}
	if m.BaseColor != [4]float32{1, 1, 1, 1} {
		pbr["baseColorFactor"] = m.BaseColor
	}
	if m.Texture >= 0 {
		pbr["baseColorTexture"] = dict{"index": m.Texture}
	}
	out := dict{"pbrMetallicRoughness": pbr}
	if m.Name != "" {
		out["name"] = m.Name
	}
	if m.DoubleSided {
		out["doubleSided"] = true
	}
	if m.Unlit {
		out["extensions"] = dict{"KHR_materials_unlit": dict{}}
	}
	switch {
	case m.Blend:
		out["alphaMode"] = "BLEND"
	case m.AlphaCutoff > 0:
		out["alphaMode"], out["alphaCutoff"] = "MASK", m.AlphaCutoff
	}
	return out
}
