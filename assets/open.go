package assets

import (
	"context"
	"strings"

	"skinlab/assets/demo"
	"skinlab/skinning"
)

// demoPrefix marks a built-in model wherever a file may be named. A file of such a name is opened as ./demo:...
const demoPrefix = "demo:"

// Open loads the .glb or .gltf file at a path, or makes the built-in model whose name starts with "demo:". The contents
// of a file decide what it is, not its name. Buffers and images beside it are read from its own folder and below, never
// from elsewhere. Errors name the file and the element and wrap [ErrMalformed], [ErrUnsupported] or the os error, or
// are those of [demo.New].
func Open(nameOrPath string) (*skinning.Model, error) {
	return OpenContext(context.Background(), nameOrPath, nil)
}

// OpenContext is [Open] for files that may take long: it tells report how far it is, unless that is nil, and ends with
// an error that wraps ctx.Err() soon after ctx is done.
func OpenContext(ctx context.Context, nameOrPath string, report Progress) (*skinning.Model, error) {
	if name, ok := strings.CutPrefix(nameOrPath, demoPrefix); ok {
		return demo.New(name)
	}
	return load(ctx, nameOrPath, report)
}

// BuiltIn returns the names of the built-in models as [Open] takes them.
func BuiltIn() []string {
	names := demo.Names()
	for i := range names {
		names[i] = demoPrefix + names[i]
	}
	return names
}
