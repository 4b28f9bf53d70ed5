package assets

import (
	"context"
	"strings"

	"skinlab/assets/demo"
	"skinlab/skinning"
)

// demoPrefix marks a built-in model wherever a file may be named. A file of such a name is opened as ./demo:...
const demoPrefix = "demo:"

// Open loads the file at a path, or makes the built-in model whose name starts with "demo:". Errors are those of [Load]
// and of [demo.New].
func Open(nameOrPath string) (*skinning.Model, error) {
	return OpenContext(context.Background(), nameOrPath, nil)
}

// OpenContext is [Open] with what [LoadContext] adds to [Load].
func OpenContext(ctx context.Context, nameOrPath string, report Progress) (*skinning.Model, error) {
	if name, ok := strings.CutPrefix(nameOrPath, demoPrefix); ok {
		return demo.New(name)
	}
	return LoadContext(ctx, nameOrPath, report)
}

// BuiltIn returns the names of the built-in models as [Open] takes them.
func BuiltIn() []string {
	names := demo.Names()
	for i := range names {
		names[i] = demoPrefix + names[i]
	}
	return names
}
