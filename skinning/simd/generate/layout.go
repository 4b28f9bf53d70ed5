package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/mmcloughlin/avo/gotypes"
)

// layout is the types of package simd's layout.go, by whose offsets kernels read and write. It imports nothing.
type layout struct{ *types.Package }

// readLayout reads the file.
func readLayout(file string) (layout, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, nil, 0)
	if err != nil {
		return layout{}, err
	}
	pkg, err := new(types.Config).Check("simd", set, []*ast.File{parsed}, nil)
	return layout{pkg}, err
}

func (l layout) named(name string) types.Type {
	o := l.Scope().Lookup(name)
	if o == nil {
		panic(fmt.Sprintf("layout.go has no %s", name))
	}
	return o.Type()
}

// size is the bytes of a type.
func (l layout) size(name string) int { return int(gotypes.Sizes.Sizeof(l.named(name))) }

// offset is the bytes from the start of a type to a field: of "Vertices.Rest" from that of Vertices to Rest.
func (l layout) offset(path string) int {
	name, field, _ := strings.Cut(path, ".")
	structure, ok := l.named(name).Underlying().(*types.Struct)
	if !ok {
		panic(fmt.Sprintf("layout.go: %s is no struct", name))
	}
	var fields []*types.Var
	for f := range structure.Fields() {
		if fields = append(fields, f); f.Name() == field {
			return int(gotypes.Sizes.Offsetsof(fields)[len(fields)-1])
		}
	}
	panic(fmt.Sprintf("layout.go: no %s", path))
}
