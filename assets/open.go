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
	"skinlab/assets/fault"
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
	return OpenContext(context.Background(), nameOrPath, Options{})
}

// Options say how a file is read.
type Options struct {
	Scene  string        // of a glTF file, by its name or its index; "" is the file's default
	Unit   float64       // metres that a length of 1 in a BVH file stands for; 0 is a centimetre
	Report gltf.Progress // is called with the progress; may be nil
}

// OpenContext is [Open] with options. It ends with an error that wraps ctx.Err() soon after ctx is done. A scene that
// the file does not have is an error that lists its scenes.
func OpenContext(ctx context.Context, nameOrPath string, o Options) (*skinning.Model, error) {
	open := func() (*skinning.Model, error) { return gltf.Open(ctx, nameOrPath, o.Scene, o.Report) }
	name, builtIn := strings.CutPrefix(nameOrPath, demo.Prefix)
	switch {
	case builtIn:
		open = func() (*skinning.Model, error) { return demo.New(name) }
	case shapefile.Is(nameOrPath):
		open = func() (*skinning.Model, error) { return shapefile.OpenModel(nameOrPath) }
	case bvh.Is(nameOrPath):
		open = func() (*skinning.Model, error) { return bvh.Open(ctx, nameOrPath, o.Unit) }
	}
	m, err := open()
	if err == nil && o.Scene != "" && len(m.Scenes) == 0 {
		_, err = m.SceneIndex(o.Scene)
		err = fault.InFile(m.Name, err)
	}
	return m, err
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
