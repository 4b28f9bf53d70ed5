package export

import (
	"bytes"
	"fmt"
	"image/png"
	"maps"
	"slices"
	"strconv"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/assets/gltf"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// Encode writes a model as a GLB: nodes, skins, meshes with morph targets and any number of influences, clips,
// materials, pictures. Rest space is the space of the file's skins, so that decoding gives the same model again:
// positions equal to the rounding of inverse bind matrices to float32 (6e-8 of their size), all else bit by bit. Rigs
// are left out, and their joints play their clips. It serves models that come from no file and those that are wholly
// new ([Whole]); other fitted models are written by [File]. A model that glTF cannot hold is an error.
func Encode(m *skinning.Model) ([]byte, error) { return encode(m, nil) }

// encode is Encode with values of the caller's under extras.skinlab of the skins, see [Options.Extras].
func encode(m *skinning.Model, extras map[string]any) ([]byte, error) {
	doc := &qgltf.Document{Asset: qgltf.Asset{Version: "2.0", Generator: "skinlab"}}
	e := &encoder{writer: newWriter(doc), m: m, extras: extras}
	for _, step := range []func() error{e.nodes, e.materials, e.bindSkins, e.meshes, e.clips} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	var out bytes.Buffer
	if _, err := gltf.Write(&out, e.doc, nil, e.bin); err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return out.Bytes(), nil
}

// encoder writes one model.
type encoder struct {
	*writer
	m      *skinning.Model
	extras map[string]any
	skins  []encodedSkin
}

// encodedSkin is the joints that share a Joint.Skin.
type encodedSkin struct {
	joints []int // of the model
	local  map[int]int
}

// nodes writes the node tree and a scene of its roots.
func (e *encoder) nodes() error {
	s := &e.m.Skeleton
	var roots []int
	for i := range s.Nodes {
		n := &s.Nodes[i]
		node := newNode(n.Name)
		if a := n.Matrix; a != nil {
			node.Matrix = [16]float64{a[0], a[4], a[8], 0, a[1], a[5], a[9], 0, a[2], a[6], a[10], 0, a[3], a[7], a[11], 1}
		} else {
			node.Translation, node.Rotation, node.Scale = n.Rest.Translation, n.Rest.Rotation, n.Rest.Scale
		}
		push(&e.doc.Nodes, node)
	}
	for i := range s.Nodes {
		if p := s.Nodes[i].Parent; p >= 0 {
			e.doc.Nodes[p].Children = append(e.doc.Nodes[p].Children, i)
		} else {
			roots = append(roots, i)
		}
	}
	if len(roots) > 0 {
		e.doc.Scene = qgltf.Index(push(&e.doc.Scenes, &qgltf.Scene{Nodes: roots}))
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
		var nodes []int
		var binds []byte
		for _, j := range e.skins[i].joints {
			nodes = append(nodes, e.m.Skeleton.Joints[j].Node)
			binds = appendMatrix(binds, e.m.Skeleton.Joints[j].FromRest)
		}
		matrices := e.accessor(binds, qgltf.Accessor{Type: qgltf.AccessorMat4}, qgltf.TargetNone)
		skin := &qgltf.Skin{Joints: nodes, InverseBindMatrices: &matrices}
		if own := e.skinExtras(); len(own) > 0 {
			skin.Extras = map[string]any{gltf.ExtrasKey: own}
		}
		push(&e.doc.Skins, skin)
	}
	return nil
}

// skinExtras returns what every skin's extras hold for skinlab.
func (e *encoder) skinExtras() map[string]any {
	own := map[string]any{}
	addOwnExtras(own, e.extras, rig.Kinds())
	if own[gltf.FitKey] != nil {
		own[gltf.BonesKey] = len(e.m.Skeleton.Joints)
	}
	for _, in := range e.m.Skin.Inputs {
		if in.Mark != "" {
			own[in.Mark] = struct{}{}
		}
	}
	if len(own) > 0 {
		own[gltf.VersionKey] = gltf.IndexVersion
	}
	return own
}

// skinOf returns the skin that holds every joint of the vertices of a part, of all weight sets.
func (e *encoder) skinOf(part *skinning.Part) (int, error) {
	if len(e.m.Skin.Bindings) == 0 { // bound later
		return 0, nil
	}
	skin := -1
	var buf []skinning.Influence
	for v := part.FirstVertex; v < part.FirstVertex+part.VertexCount; v++ {
		buf = buf[:0]
		for _, set := range e.m.Skin.WeightSets() {
			buf = set.Of(buf, v)
		}
		for _, f := range buf {
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
		image := push(&e.doc.Images,
			&qgltf.Image{BufferView: e.view(picture.Bytes(), qgltf.TargetNone), MimeType: "image/png"})
		sampler := &qgltf.Sampler{WrapS: qgltf.WrappingMode(slices.Index(gltf.Wraps[:], t.WrapU)),
			WrapT: qgltf.WrappingMode(slices.Index(gltf.Wraps[:], t.WrapV))}
		if t.Nearest {
			sampler.MagFilter = qgltf.MagNearest
		}
		at := push(&e.doc.Samplers, sampler)
		push(&e.doc.Textures, &qgltf.Texture{Name: t.Name, Source: &image, Sampler: &at})
	}
	used := map[string]bool{}
	for i := range e.m.Materials {
		m := encodeMaterial(&e.m.Materials[i])
		push(&e.doc.Materials, m)
		for name := range m.Extensions {
			used[name] = true
		}
	}
	e.doc.ExtensionsUsed = slices.Sorted(maps.Keys(used))
	return nil
}

func encodeMaterial(m *skinning.Material) *qgltf.Material {
	pbr := &qgltf.PBRMetallicRoughness{MetallicFactor: qgltf.Float(shortest(m.Metallic)),
		RoughnessFactor: qgltf.Float(shortest(m.Roughness)), BaseColorFactor: &[4]float64{}}
	for k, c := range m.BaseColor {
		pbr.BaseColorFactor[k] = shortest(c)
	}
	if m.Texture >= 0 {
		pbr.BaseColorTexture = &qgltf.TextureInfo{Index: m.Texture}
	}
	out := &qgltf.Material{Name: m.Name, PBRMetallicRoughness: pbr, DoubleSided: m.DoubleSided,
		Extensions: qgltf.Extensions{}}
	if m.Unlit {
		out.Extensions[gltf.UnlitExtension] = struct{}{}
	}
	strength := max(m.Emissive[0], m.Emissive[1], m.Emissive[2], 1)
	if strength > 1 {
		out.Extensions[gltf.EmissiveStrengthExtension] = map[string]float64{"emissiveStrength": shortest(strength)}
	}
	var color [3]float64
	for k := range color {
		out.EmissiveFactor[k] = shortest(m.Emissive[k] / strength)
		color[k] = shortest(m.Reflectance[k] / (0.04 * max(m.Grazing, 1e-6)))
	}
	if plain := skinning.Matte("", 0, 0, 0); m.Grazing != plain.Grazing || m.Reflectance != plain.Reflectance {
		out.Extensions[gltf.ReflectanceExtension] = map[string]any{"specularFactor": shortest(m.Grazing),
			"specularColorFactor": color}
	}
	encodeMaps(out, m.Maps)
	switch {
	case m.Blend:
		out.AlphaMode = qgltf.AlphaBlend
	case m.AlphaCutoff > 0:
		out.AlphaMode, out.AlphaCutoff = qgltf.AlphaMask, qgltf.Float(shortest(m.AlphaCutoff))
	}
	return out
}

// encodeMaps writes the maps of a material into it.
func encodeMaps(out *qgltf.Material, maps []skinning.Map) {
	for _, t := range maps {
		set, strength := 0, qgltf.Float(shortest(t.Strength))
		if t.Second {
			set = 1
		}
		info := &qgltf.TextureInfo{Index: t.Texture, TexCoord: set}
		switch t.Kind {
		case skinning.RoughnessMap:
			out.PBRMetallicRoughness.MetallicRoughnessTexture = info
		case skinning.NormalMap:
			out.NormalTexture = &qgltf.NormalTexture{Index: &info.Index, TexCoord: set, Scale: strength}
		case skinning.OcclusionMap:
			out.OcclusionTexture = &qgltf.OcclusionTexture{Index: &info.Index, TexCoord: set, Strength: strength}
		case skinning.EmissiveMap:
			out.EmissiveTexture = info
		}
	}
}

// shortest returns the number of fewest digits that rounds to x: 0.8, not 0.800000011920929.
func shortest(x float32) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', -1, 32), 64)
	if err != nil {
		return float64(x) // not finite
	}
	return v
}

// clips writes the clips as animations. A clip without channels gets one that keeps a node at rest: glTF has no empty
// animation.
func (e *encoder) clips() error {
	for i := range e.m.Clips {
		c := &e.m.Clips[i]
		animation := &qgltf.Animation{Channels: []*qgltf.AnimationChannel{}, Samplers: []*qgltf.AnimationSampler{}}
		if c.Name != skinning.Named("", "Clip", i) {
			animation.Name = c.Name
		}
		for k := range c.Channels {
			if err := e.channel(animation, &c.Channels[k]); err != nil {
				return fmt.Errorf("%s, channel %d: %w", fault.Element("clip", i, c.Name), k, err)
			}
		}
		if len(c.Channels) == 0 && len(e.m.Skeleton.Nodes) > 0 {
			q := e.m.Skeleton.Nodes[0].Rest.Rotation
			e.writer.channel(animation, 0, &skinning.Channel{Path: skinning.PathRotation, Interpolation: skinning.Step,
				Times: []float32{0}, Values: []float32{float32(q[0]), float32(q[1]), float32(q[2]), float32(q[3])}})
		}
		push(&e.doc.Animations, animation)
	}
	return nil
}

func (e *encoder) channel(animation *qgltf.Animation, c *skinning.Channel) error {
	if err := c.Validate(); err != nil {
		return err
	}
	path := qgltf.TRSProperty(slices.Index(gltf.Paths[:], c.Path))
	node := c.Node
	if c.Path == skinning.PathWeights {
		node = e.m.MorphSlots[c.FirstSlot].Node
		if slots := e.slotsOf(node); len(slots) != c.Width || slots[0] != c.FirstSlot {
			return fmt.Errorf("animates %d of the %d morph targets of node %d, which glTF cannot say", c.Width, len(slots), node)
		}
	}
	for _, old := range animation.Channels {
		if *old.Target.Node == node && old.Target.Path == path {
			return fmt.Errorf("animates %s of node %d a second time", path, node)
		}
	}
	e.writer.channel(animation, node, c)
	return nil
}
