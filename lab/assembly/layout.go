package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"github.com/mmcloughlin/avo/gotypes"
)

// layout is what kernels have from Go: the types of package simd's layout.go, by whose offsets they read and write, and
// the constants of the packages whose arithmetic they repeat.
type layout struct {
	*types.Package
	shared map[string]*types.Package // by directory
}

// readLayout reads package simd at dir, and the packages beside it that have such constants.
func readLayout(dir string) (l layout, err error) {
	if l.Package, err = readTypes(dir, "layout.go", new(types.Config)); err != nil {
		return layout{}, err
	}
	l.shared = map[string]*types.Package{".": l.Package}
	if l.constant(".", "Group") != groupVertices || l.constant(".", "BindingBytes") != bindingBytes {
		return layout{}, fmt.Errorf("layout.go: expected groups of %d and bindings of %d bytes", groupVertices, bindingBytes)
	}
	ignore := &types.Config{Error: func(error) {}} // what is imported is not read
	for _, beside := range []string{"..", "../geom", "../kernel"} {
		l.shared[beside], err = readTypes(dir+"/"+beside, "*.go", ignore)
		if l.shared[beside] == nil {
			return layout{}, err
		}
	}
	return l, nil
}

// readTypes reads the files of a pattern in a directory as one package that imports nothing.
func readTypes(dir, pattern string, config *types.Config) (*types.Package, error) {
	names, err := filepath.Glob(dir + "/" + pattern)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return config.Check(dir, set, files, nil)
}

// constant is the value of a constant of a package whose directory is beside package simd.
func (l layout) constant(dir, name string) float64 {
	c, ok := l.shared[dir].Scope().Lookup(name).(*types.Const)
	if !ok {
		panic(fmt.Sprintf("%s has no constant %s", dir, name))
	}
	value, _ := constant.Float64Val(c.Val())
	return value
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
		fields = append(fields, f)
		if f.Name() == field {
			return int(gotypes.Sizes.Offsetsof(fields)[len(fields)-1])
		}
	}
	panic(fmt.Sprintf("layout.go: no %s", path))
}
