package export

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/atomicfile"
	"skinlab/assets/demo"
	"skinlab/assets/gltf"
	"skinlab/assets/shapefile"
	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// Whole writes a model that a fit has made anew, with a skeleton and a mesh of its own, to a GLB file: by [Encode],
// with the Extras and the Clips of the options, asking Ready before it writes. Nothing is baked, so the other options
// have no effect. Source is the name by which the fitted model was opened. Where it is glTF, the report lists the
// contents of its document that the new one does not have. An old file is replaced atomically.
func Whole(path, source string, fitted *skinning.Model, opt Options) (report Report, err error) {
	fitted = builtInClips(fitted)
	if len(opt.Clips) > 0 {
		all := *fitted
		all.Clips = append(slices.Clip(fitted.Clips), opt.Clips...)
		fitted = &all
	}
	data, err := encode(fitted, opt.Extras)
	if err != nil {
		return report, err
	}
	if lost := lostOf(source, fitted); len(lost) > 0 {
		report.Warnings = []string{"the new model does not keep of " + filepath.Base(source) + ": " + strings.Join(lost, ", ")}
	}
	if opt.Ready != nil {
		if err := opt.Ready(); err != nil {
			return report, err
		}
	}
	report.Bytes = len(data)
	return report, atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// lostOf lists the contents of a source's document that a model made anew does not have. It is empty for a source that
// is not one glTF file, and for a source that can no longer be read: that must not lose the fit.
func lostOf(source string, fitted *skinning.Model) []string {
	if strings.HasPrefix(source, demo.Prefix) || shapefile.Is(source) {
		return nil
	}
	data, root, err := readFile(source)
	if err != nil {
		return nil
	}
	defer root.Close()
	d, err := gltf.ReadSource(data, root.FS(), "")
	if err != nil {
		return nil
	}
	return lost(d, fitted)
}

// lost lists what a document holds and a model made anew does not.
func lost(d *gltf.Source, fitted *skinning.Model) (out []string) {
	add := func(n int, one, many string) {
		if n > 0 {
			out = append(out, messages.Count(n, one, many))
		}
	}
	has := map[string]bool{}
	for i := range fitted.Clips {
		has[fitted.Clips[i].Name] = true
	}
	var clips []string
	for i := range d.Model.Clips {
		if name := d.Model.Clips[i].Name; !has[name] {
			clips = append(clips, name)
		}
	}
	add(len(clips), "clip", "clips")
	add(len(d.Model.MorphSlots)-len(fitted.MorphSlots), "morph target", "morph targets")
	add(len(d.Model.Rigid)-len(fitted.Rigid), "rigid mesh", "rigid meshes")
	add(len(d.Model.Rigs), "rig", "rigs")
	add(len(d.Doc.Cameras), "camera", "cameras")
	add(len(d.Doc.Scenes)-1, "further scene", "further scenes")
	if names := lostAttributes(d.Doc.Meshes); len(names) > 0 {
		list, _ := messages.List(names)
		out = append(out, "vertex attributes "+list)
	}
	var extensions []string
	for name := range d.Extensions {
		if !gltf.ExtensionKept(name) {
			extensions = append(extensions, name)
		}
	}
	if len(extensions) > 0 {
		slices.Sort(extensions)
		list, _ := messages.List(extensions)
		out = append(out, "extensions "+list)
	}
	return out
}

// lostAttributes lists the vertex attributes that a model does not hold.
func lostAttributes(meshes []*qgltf.Mesh) (names []string) {
	for _, mesh := range meshes {
		for _, p := range mesh.Primitives {
			for name := range p.Attributes {
				kept := slices.ContainsFunc([]string{"POSITION", "NORMAL", "TEXCOORD_0", "TEXCOORD_1", "COLOR_0", "TANGENT",
					"JOINTS_", "WEIGHTS_"},
					func(prefix string) bool { return strings.HasPrefix(name, prefix) })
				if !kept && gltf.InputOf(name) == nil {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
