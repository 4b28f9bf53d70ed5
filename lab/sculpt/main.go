// Command sculpt sculpts a built-in model and writes it, packed, to the file named by its argument: arm.bin,
// figure.bin, leg.bin or leg-smooth.bin. `make sculpt` runs it for all of them whenever a sculpture changes.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"skinlab/internal/packed"
	"skinlab/lab/sculpt/arm"
	"skinlab/lab/sculpt/figure"
	"skinlab/lab/sculpt/leg"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: sculpt FILE")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func generate(file string) error {
	build, ok := map[string]func() (*packed.Model, error){"arm.bin": arm.Build, "figure.bin": figure.Build,
		"leg.bin": leg.Build, "leg-smooth.bin": leg.BuildSmooth}[filepath.Base(file)]
	if !ok {
		return fmt.Errorf("%s: expected arm.bin, figure.bin, leg.bin or leg-smooth.bin", file)
	}
	m, err := build()
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	data := packed.Encode(m)
	fmt.Printf("%s: %d vertices, %d triangles, %d joints, %d bytes\n", file, len(m.Positions), len(m.Triangles),
		len(m.Joints), len(data))
	return os.WriteFile(file, data, 0o644)
}
