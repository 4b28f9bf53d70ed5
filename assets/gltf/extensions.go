package gltf

import (
	"slices"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
)

// extensionRow is what skinlab knows of an extension of glTF.
type extensionRow struct {
	name string // a star stands for any end of it
	read string // what is read of it; "" for nothing
	kept string // what of it a model holds, that is written anew without its file; "" for nothing
	// looks reports that a file shows its shape and motion right without the extension. A file may require an extension
	// that is read or that only changes looks.
	looks bool
	// noData reports that it does not refer to accessors or buffer views.
	noData bool
}

// The extensions whose names stand in code.
const (
	QuantizationExtension     = "KHR_mesh_quantization"
	textureTransformExtension = "KHR_texture_transform"
	UnlitExtension            = "KHR_materials_unlit"
	specularExtension         = "KHR_materials_pbrSpecularGlossiness"
	EmissiveStrengthExtension = "KHR_materials_emissive_strength"
	iorExtension              = "KHR_materials_ior"
	ReflectanceExtension      = "KHR_materials_specular"
	animationPointer          = "KHR_animation_pointer" // channels that name what they move by a JSON pointer
	visibilityExtension       = "KHR_node_visibility"   // hides a node and all nodes below it
	instancingExtension       = "EXT_mesh_gpu_instancing"
	dracoExtension            = "KHR_draco_mesh_compression"
	meshoptExtension          = "EXT_meshopt_compression"
	ratifiedMeshoptExtension  = "KHR_meshopt_compression"
	lightsExtension           = "KHR_lights_punctual"
	webpExtension             = "EXT_texture_webp"
	avifExtension             = "EXT_texture_avif"
	basisExtension            = "KHR_texture_basisu"
)

// extensions lists them; the first row whose name fits counts.
var extensions = []extensionRow{
	{name: QuantizationExtension, read: "positions and normals", kept: "numbers", noData: true},
	{name: textureTransformExtension, read: "all", kept: "texture coordinates", noData: true},
	{name: UnlitExtension, read: "whether a material is lit", kept: "whether it is lit", looks: true, noData: true},
	{name: specularExtension, read: "the diffuse colour", looks: true, noData: true},
	{name: EmissiveStrengthExtension, read: "all", kept: "what is emitted", looks: true, noData: true},
	{name: iorExtension, read: "all", kept: "the reflectance", looks: true, noData: true},
	{name: ReflectanceExtension, read: "its factors", kept: "the reflectance", looks: true, noData: true},
	{name: animationPointer, read: "channels of nodes and of morph weights"},
	{name: visibilityExtension, read: "of the static pose"},
	{name: instancingExtension, read: "places of rigid meshes"},
	{name: dracoExtension},
	{name: meshoptExtension, read: "all: an export is written without it"},
	{name: ratifiedMeshoptExtension, read: "all: an export is written without it"},
	{name: lightsExtension, looks: true, noData: true},
	{name: "KHR_materials_*", looks: true, noData: true},
	{name: webpExtension, read: "pictures", kept: "pictures", looks: true, noData: true},
	{name: avifExtension, looks: true, noData: true},
	{name: basisExtension, looks: true, noData: true},
	{name: "KHR_xmp*", looks: true},
	{name: "KHR_audio*", looks: true},
	{name: "KHR_interactivity", looks: true},
	{name: "KHR_node_selectability", looks: true},
	{name: "KHR_node_hoverability", looks: true},
	{name: "KHR_physics_*", looks: true},
	{name: "KHR_environment_map", looks: true},
	{name: "EXT_lights_*", looks: true},
	{name: "EXT_texture_*", looks: true},
	{name: "EXT_materials_*", looks: true},
	{name: "EXT_mesh_features", looks: true},
	{name: "EXT_structural_metadata", looks: true},
	{name: "EXT_feature_metadata", looks: true},
	{name: "MSFT_texture_dds", looks: true},
	{name: "MSFT_packing_*", looks: true},
	{name: "ADOBE_materials_*", looks: true},
	{name: "CESIUM_*", looks: true},
	{name: "GODOT_*", looks: true},
	{name: "OMI_*", looks: true},
	{name: "VRM", looks: true},
	{name: humanoidExtensions[1], read: "the bones of a body", looks: true},
	{name: "VRMC_*", looks: true},
	{name: "MOZ_*", looks: true},
	{name: "FB_*", looks: true},
}

// decompress says how a compressed file becomes one that is read.
const decompress = "gltf-transform copy in.glb out.glb writes it without compression"

// extensionOf returns the row of an extension; an empty one for an extension that is not known.
func extensionOf(name string) extensionRow {
	for _, row := range extensions {
		start, open := strings.CutSuffix(row.name, "*")
		if row.name == name || open && strings.HasPrefix(name, start) {
			return row
		}
	}
	return extensionRow{name: name}
}

// ExtensionHasNoData reports whether an extension is known not to refer to accessors or buffer views.
func ExtensionHasNoData(name string) bool { return extensionOf(name).noData }

// ExtensionKept reports whether a model holds what is read of an extension, so that it can be written without its file.
func ExtensionKept(name string) bool { return extensionOf(name).kept != "" }

func compressedByDraco(m *gltf.Mesh) bool {
	return slices.ContainsFunc(m.Primitives, func(p *gltf.Primitive) bool { return has(p.Extensions, dracoExtension) })
}

// checkExtensions refuses files that require an extension without which the shape would be wrong.
func (d *Source) checkExtensions() error {
	var refused []string
	for _, name := range d.Doc.ExtensionsRequired {
		row := extensionOf(name)
		quoted := strconv.Quote(fault.Shorten(name))
		switch {
		case row.read != "":
		case row.looks:
			d.notes.Add("the required extension %s is ignored: shapes and clips are right, colours, light and "+
				"what constraints or physics move may differ", fault.Shorten(name))
		case !slices.Contains(refused, quoted) && len(refused) < 3:
			refused = append(refused, quoted)
		}
	}
	cure := ""
	if slices.Contains(refused, strconv.Quote(dracoExtension)) {
		if i := slices.IndexFunc(d.Doc.Meshes, compressedByDraco); i >= 0 {
			cure = ", and " + fault.Element("mesh", i, d.Doc.Meshes[i].Name) + " has it"
		}
		cure += ": " + decompress
	}
	if refused != nil {
		return fault.Unsupported("extensionsRequired: %s is not read%s", strings.Join(refused, ", "), cure)
	}
	return nil
}
