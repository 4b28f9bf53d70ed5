package assets

import "encoding/json"

// document is the part of a glTF file's JSON that is read. Field names are glTF's. Optional indices are nil where
// absent.
type document struct {
	Asset              *assetInfo      `json:"asset"`
	ExtensionsRequired []string        `json:"extensionsRequired"`
	Scene              *integer        `json:"scene"`
	Scenes             []sceneInfo     `json:"scenes"`
	Nodes              []nodeInfo      `json:"nodes"`
	Skins              []skinInfo      `json:"skins"`
	Meshes             []meshInfo      `json:"meshes"`
	Animations         []animationInfo `json:"animations"`
	Accessors          []accessorInfo  `json:"accessors"`
	BufferViews        []viewInfo      `json:"bufferViews"`
	Buffers            []bufferInfo    `json:"buffers"`
	Materials          []materialInfo  `json:"materials"`
	Textures           []textureInfo   `json:"textures"`
	Images             []imageInfo     `json:"images"`
	Samplers           []samplerInfo   `json:"samplers"`
}

type assetInfo struct {
	Version    string `json:"version"`
	MinVersion string `json:"minVersion"`
}

type sceneInfo struct {
	Nodes indices `json:"nodes"`
}

type nodeInfo struct {
	Name        string   `json:"name"`
	Children    indices  `json:"children"`
	Mesh        *integer `json:"mesh"`
	Skin        *integer `json:"skin"`
	Matrix      numbers  `json:"matrix"`
	Translation numbers  `json:"translation"`
	Rotation    numbers  `json:"rotation"`
	Scale       numbers  `json:"scale"`
	Weights     numbers  `json:"weights"`
}

type skinInfo struct {
	Name                string          `json:"name"`
	Joints              indices         `json:"joints"`
	Skeleton            *integer        `json:"skeleton"`
	InverseBindMatrices *integer        `json:"inverseBindMatrices"`
	Extras              json.RawMessage `json:"extras"`
}

type meshInfo struct {
	Name       string          `json:"name"`
	Primitives []primitiveInfo `json:"primitives"`
	Weights    numbers         `json:"weights"`
	Extras     json.RawMessage `json:"extras"`
}

type primitiveInfo struct {
	Attributes map[string]integer   `json:"attributes"`
	Indices    *integer             `json:"indices"`
	Material   *integer             `json:"material"`
	Mode       *integer             `json:"mode"`
	Targets    []map[string]integer `json:"targets"`
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
	Sampler *integer `json:"sampler"`
	Target  struct {
		Node *integer `json:"node"`
		Path string   `json:"path"`
	} `json:"target"`
}

type animationSamplerInfo struct {
	Input         *integer `json:"input"`
	Output        *integer `json:"output"`
	Interpolation string   `json:"interpolation"`
}

type accessorInfo struct {
	BufferView    *integer    `json:"bufferView"`
	ByteOffset    integer     `json:"byteOffset"`
	ComponentType integer     `json:"componentType"`
	Normalized    bool        `json:"normalized"`
	Count         integer     `json:"count"`
	Type          string      `json:"type"`
	Sparse        *sparseInfo `json:"sparse"`
}

type sparseInfo struct {
	Count   integer `json:"count"`
	Indices struct {
		BufferView    *integer `json:"bufferView"`
		ByteOffset    integer  `json:"byteOffset"`
		ComponentType integer  `json:"componentType"`
	} `json:"indices"`
	Values struct {
		BufferView *integer `json:"bufferView"`
		ByteOffset integer  `json:"byteOffset"`
	} `json:"values"`
}

type viewInfo struct {
	Buffer     *integer `json:"buffer"`
	ByteOffset integer  `json:"byteOffset"`
	ByteLength integer  `json:"byteLength"`
	ByteStride *integer `json:"byteStride"`
	Extensions struct {
		Meshopt    *json.RawMessage `json:"EXT_meshopt_compression"`
		MeshoptKHR *json.RawMessage `json:"KHR_meshopt_compression"`
	} `json:"extensions"`
}

type bufferInfo struct {
	URI        *string `json:"uri"`
	ByteLength integer `json:"byteLength"`
}

type materialInfo struct {
	Name string `json:"name"`
	PBR  struct {
		BaseColorFactor  numbers  `json:"baseColorFactor"`
		BaseColorTexture *texInfo `json:"baseColorTexture"`
	} `json:"pbrMetallicRoughness"`
	AlphaMode   string   `json:"alphaMode"`
	AlphaCutoff *float64 `json:"alphaCutoff"`
	DoubleSided bool     `json:"doubleSided"`
	Extensions  struct {
		Unlit              *json.RawMessage `json:"KHR_materials_unlit"`
		SpecularGlossiness *struct {
			DiffuseFactor  numbers  `json:"diffuseFactor"`
			DiffuseTexture *texInfo `json:"diffuseTexture"`
		} `json:"KHR_materials_pbrSpecularGlossiness"`
	} `json:"extensions"`
}

type texInfo struct {
	Index      *integer `json:"index"`
	TexCoord   integer  `json:"texCoord"`
	Extensions struct {
		Transform *texTransform `json:"KHR_texture_transform"`
	} `json:"extensions"`
}

type texTransform struct {
	Offset   numbers  `json:"offset"`
	Rotation float64  `json:"rotation"`
	Scale    numbers  `json:"scale"`
	TexCoord *integer `json:"texCoord"`
}

type textureInfo struct {
	Name    string   `json:"name"`
	Sampler *integer `json:"sampler"`
	Source  *integer `json:"source"`
}

type imageInfo struct {
	Name       string   `json:"name"`
	URI        *string  `json:"uri"`
	MimeType   string   `json:"mimeType"`
	BufferView *integer `json:"bufferView"`
}

type samplerInfo struct {
	MagFilter *integer `json:"magFilter"`
	WrapS     *integer `json:"wrapS"`
	WrapT     *integer `json:"wrapT"`
}
