// Command generate writes the assembly kernels of package simd with avo, so that a person reads and changes Go instead
// of assembly: one family of kernels, one .s file and one file of stubs. `go generate ./skinning/simd` runs it for
// every family.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/printer"
)

// families are the kernels by the name of their files: linear makes linear_amd64.s and linear_amd64.go.
var families = map[string]func(*build.Context){
	"scan":      scan,
	"linear":    linear,
	"signs":     signs,
	"dual":      dual,
	"scaledual": scaleDual,
	"iterative": iterative,
	"spherical": spherical,
	"drive":     drive,
	"proxies":   proxies,
	"keys":      keys,
	"tables":    tables,
}

// texts are files of other languages with what kernels are made from, by their places beside package simd.
var texts = map[string]func() []byte{
	"../logarithmratios.go":        ratiosInGo,
	"../../shaders/logarithm.glsl": ratiosInGLSL,
}

func main() {
	family := flag.String("family", "", fmt.Sprintf("which kernels: one of %v; none for the files of other languages",
		slices.Sorted(maps.Keys(families))))
	dir := flag.String("dir", ".", "package simd, where FAMILY_amd64.s and FAMILY_amd64.go go")
	flag.Parse()
	if err := write(*family, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func write(family, dir string) error {
	if family == "" {
		for name, text := range texts {
			if err := os.WriteFile(dir+"/"+name, text(), 0o644); err != nil {
				return err
			}
		}
		return nil
	}
	assembly, stubs, err := generate(family)
	if err != nil {
		return err
	}
	base := dir + "/" + family + "_amd64"
	if err := os.WriteFile(base+".s", assembly, 0o644); err != nil {
		return err
	}
	return os.WriteFile(base+".go", stubs, 0o644)
}

// generate returns the two files of a family.
func generate(family string) (assembly, stubs []byte, err error) {
	emit, ok := families[family]
	if !ok {
		return nil, nil, fmt.Errorf("no family %q: one of %v", family, slices.Sorted(maps.Keys(families)))
	}
	c := build.NewContext()
	emit(c)
	file, err := c.Result()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", family, err)
	}
	if err := compile.Execute(file); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", family, err)
	}
	config := printer.Config{Argv: []string{"go generate ./skinning/simd"}, Pkg: "simd"}
	if assembly, err = printer.NewGoAsm(config).Print(file); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", family, err)
	}
	if stubs, err = printer.NewStubs(config).Print(file); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", family, err)
	}
	if stubs, err = format.Source(stubs); err != nil {
		return nil, nil, fmt.Errorf("%s: stubs: %w", family, err)
	}
	return append(bytes.TrimRight(assembly, "\n\t "), 0x0a), stubs, nil
}
