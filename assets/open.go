// Package assets opens models: files and built-in ones. It lists the files of a model, and decides which files may be
// written. It does not use GL.
//
// Package gltf reads glTF, bvh motion capture, shapefile shapes (OBJ and PLY), and posefile poses. Package gltf/export
// writes a fitted model as plain glTF, with keys of its clips that gltf/bake samples; obj and posefile write shapes and
// poses. All files are written by atomicfile. Package fault words the errors and warnings about files.
package assets

import (
	"context"
	"strings"

	"skinlab/assets/bvh"
	"skinlab/assets/demo"
	"skinlab/assets/gltf"
	"skinlab/assets/obj"
	"skinlab/assets/ply"
	"skinlab/assets/shapefile"
	"skinlab/skinning"
)

// Open loads the .glb, .gltf, .obj, .ply or .bvh file at a path, or makes the built-in model whose name starts with
// "demo:". The contents of a glTF file decide its kind, not its name. Names that end in .obj and .ply are meshes
// without a skeleton, and in .bvh skeletons without a mesh. Buffers and images are read from the file's own folder and
// below, never from elsewhere. Errors name the file and the element and wrap [fault.ErrMalformed],
// [fault.ErrUnsupported] or the os error, or are those of [demo.New].
func Open(nameOrPath string) (*skinning.Model, error) {
	return OpenContext(context.Background(), nameOrPath, nil)
}

// OpenContext is [Open] for files that may take long: it calls report, unless it is nil, with its progress, and ends
// with an error that wraps ctx.Err() soon after ctx is done.
func OpenContext(ctx context.Context, nameOrPath string, report gltf.Progress) (*skinning.Model, error) {
	if name, ok := strings.CutPrefix(nameOrPath, demo.Prefix); ok {
		return demo.New(name)
	}
	if shapefile.Is(nameOrPath) {
		return shapefile.OpenModel(nameOrPath)
	}
	if bvh.Is(nameOrPath) {
		return bvh.Open(ctx, nameOrPath)
	}
	return gltf.Open(ctx, nameOrPath, report)
}

// Endings returns the endings of the files that [Open] reads, in small letters.
func Endings() []string {
	return []string{".glb", ".gltf", ".vrm", ".vrma", obj.Ending, ply.Ending, bvh.Ending}
}

// BuiltIn returns the names of the built-in models as [Open] takes them.
func BuiltIn() []string {
	names := demo.Names()
	for i := range names {
		names[i] = demo.Prefix + names[i]
	}
	return names
}

// Files returns the files that a model is made of: the one at path, and the buffers and pictures beside it that it
// names. The window watches them. A file that is missing or cannot be read is not an error, and names no other files. A
// built-in model has none.
func Files(nameOrPath string) []string {
	if strings.HasPrefix(nameOrPath, demo.Prefix) {
		return nil
	}
	return gltf.Files(nameOrPath)
}
