package gltf

import (
	"encoding/json"

	"skinlab/assets/fault"
	"skinlab/assets/strictjson"
)

// document is the part of a glTF file's JSON that is read. Field names are glTF's. Optional indices are nil where
// absent.
type document struct {
	Asset              *assetInfo          `json:"asset"`
	ExtensionsRequired []string            `json:"extensionsRequired"`
	Scene              *strictjson.Integer `json:"scene"`
	Scenes             []sceneInfo         `json:"scenes"`
	Nodes              []nodeInfo          `json:"nodes"`
	Skins              []SkinInfo          `json:"skins"`
	Meshes             []meshInfo          `json:"meshes"`
	Animations         []animationInfo     `json:"animations"`
	Accessors          []AccessorInfo      `json:"accessors"`
	BufferViews        []viewInfo          `json:"bufferViews"`
	Buffers            []bufferInfo        `json:"buffers"`
	Materials          []materialInfo      `json:"materials"`
	Textures           []textureInfo       `json:"textures"`
	Images             []imageInfo         `json:"images"`
	Samplers           []samplerInfo       `json:"samplers"`
}

type assetInfo struct {
	Version    string `json:"version"`
	MinVersion string `json:"minVersion"`
}

type sceneInfo struct {
	Nodes strictjson.Indices `json:"nodes"`
}

type nodeInfo struct {
	Name        string              `json:"name"`
	Children    strictjson.Indices  `json:"children"`
	Mesh        *strictjson.Integer `json:"mesh"`
	Skin        *strictjson.Integer `json:"skin"`
	Matrix      strictjson.Numbers  `json:"matrix"`
	Translation strictjson.Numbers  `json:"translation"`
	Rotation    strictjson.Numbers  `json:"rotation"`
	Scale       strictjson.Numbers  `json:"scale"`
	Weights     strictjson.Numbers  `json:"weights"`
}

type SkinInfo struct {
	Name                string              `json:"name"`
	Joints              strictjson.Indices  `json:"joints"`
	Skeleton            *strictjson.Integer `json:"skeleton"`
	InverseBindMatrices *strictjson.Integer `json:"inverseBindMatrices"`
	Extras              json.RawMessage     `json:"extras"`
}

type meshInfo struct {
	Name       string             `json:"name"`
	Primitives []primitiveInfo    `json:"primitives"`
	Weights    strictjson.Numbers `json:"weights"`
	Extras     json.RawMessage    `json:"extras"`
}

type primitiveInfo struct {
	Attributes map[string]strictjson.Integer   `json:"attributes"`
	Indices    *strictjson.Integer             `json:"indices"`
	Material   *strictjson.Integer             `json:"material"`
	Mode       *strictjson.Integer             `json:"mode"`
	Targets    []map[string]strictjson.Integer `json:"targets"`
	Extensions struct {
		Draco *json.RawMessage `json:"KHR_draco_mesh_compression"`
	} `json:"extensions"`
}

type animationInfo struct {
	Name     string                 `json:"name"`
	Channels []channelInfo          `json:"channels"`
	Samplers []animationSamplerInfo `json:"samplers"`
}

type channelInfo struct {
	Sampler *strictjson.Integer `json:"sampler"`
	Target  struct {
		Node *strictjson.Integer `json:"node"`
		Path string              `json:"path"`
	} `json:"target"`
}

type animationSamplerInfo struct {
	Input         *strictjson.Integer `json:"input"`
	Output        *strictjson.Integer `json:"output"`
	Interpolation string              `json:"interpolation"`
}

type AccessorInfo struct {
	BufferView    *strictjson.Integer `json:"bufferView"`
	ByteOffset    strictjson.Integer  `json:"byteOffset"`
	ComponentType strictjson.Integer  `json:"componentType"`
	Normalized    bool                `json:"normalized"`
	Count         strictjson.Integer  `json:"count"`
	Type          string              `json:"type"`
	Sparse        *sparseInfo         `json:"sparse"`
}

type sparseInfo struct {
	Count   strictjson.Integer `json:"count"`
	Indices struct {
		BufferView    *strictjson.Integer `json:"bufferView"`
		ByteOffset    strictjson.Integer  `json:"byteOffset"`
		ComponentType strictjson.Integer  `json:"componentType"`
	} `json:"indices"`
	Values struct {
		BufferView *strictjson.Integer `json:"bufferView"`
		ByteOffset strictjson.Integer  `json:"byteOffset"`
	} `json:"values"`
}

type viewInfo struct {
	Buffer     *strictjson.Integer `json:"buffer"`
	ByteOffset strictjson.Integer  `json:"byteOffset"`
	ByteLength strictjson.Integer  `json:"byteLength"`
	ByteStride *strictjson.Integer `json:"byteStride"`
	Extensions struct {
		Meshopt    *json.RawMessage `json:"EXT_meshopt_compression"`
		MeshoptKHR *json.RawMessage `json:"KHR_meshopt_compression"`
	} `json:"extensions"`
}

type bufferInfo struct {
	URI        *string            `json:"uri"`
	ByteLength strictjson.Integer `json:"byteLength"`
}

type materialInfo struct {
	Name string `json:"name"`
	PBR  struct {
		BaseColorFactor  strictjson.Numbers `json:"baseColorFactor"`
		BaseColorTexture *texInfo           `json:"baseColorTexture"`
	} `json:"pbrMetallicRoughness"`
	AlphaMode   string   `json:"alphaMode"`
	AlphaCutoff *float64 `json:"alphaCutoff"`
	DoubleSided bool     `json:"doubleSided"`
	Extensions  struct {
		Unlit              *json.RawMessage `json:"KHR_materials_unlit"`
		SpecularGlossiness *struct {
			DiffuseFactor  strictjson.Numbers `json:"diffuseFactor"`
			DiffuseTexture *texInfo           `json:"diffuseTexture"`
		} `json:"KHR_materials_pbrSpecularGlossiness"`
	} `json:"extensions"`
}

type texInfo struct {
	Index      *strictjson.Integer `json:"index"`
	TexCoord   strictjson.Integer  `json:"texCoord"`
	Extensions struct {
		Transform *texTransform `json:"KHR_texture_transform"`
	} `json:"extensions"`
}

type texTransform struct {
	Offset   strictjson.Numbers  `json:"offset"`
	Rotation float64             `json:"rotation"`
	Scale    strictjson.Numbers  `json:"scale"`
	TexCoord *strictjson.Integer `json:"texCoord"`
}

type textureInfo struct {
	Name    string              `json:"name"`
	Sampler *strictjson.Integer `json:"sampler"`
	Source  *strictjson.Integer `json:"source"`
}

type imageInfo struct {
	Name       string              `json:"name"`
	URI        *string             `json:"uri"`
	MimeType   string              `json:"mimeType"`
	BufferView *strictjson.Integer `json:"bufferView"`
}

type samplerInfo struct {
	MagFilter *strictjson.Integer `json:"magFilter"`
	WrapS     *strictjson.Integer `json:"wrapS"`
	WrapT     *strictjson.Integer `json:"wrapT"`
}

// parse reads the JSON text and explains what is wrong with it.
func (doc *document) parse(text []byte) error {
	if err := json.Unmarshal(text, doc); err != nil {
		return fault.Malformed("%w", strictjson.Explain(text, doc, err))
	}
	if name, at := strictjson.RepeatedKey(text); at > 0 {
		return fault.Malformed("the JSON is invalid at byte %d: an object has the name %q again, expected it once", at,
			fault.Shorten(name))
	}
	return nil
}
