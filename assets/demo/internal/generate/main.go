// Command generate sculpts the built-in figure and writes it, packed, to the file named by its argument. It is run by
// go generate in package demo whenever the sculpture changes.
package main

import (
	"fmt"
	"os"

	"skinlab/assets/demo/internal/figure"
	"skinlab/assets/demo/internal/packed"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate FILE")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func generate(file string) error {
	m, err := figure.Build()
	if err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	data := packed.Encode(m)
	fmt.Printf("%s: %d vertices, %d triangles, %d joints, %d bytes\n", file, len(m.Positions), len(m.Triangles), len(m.Joints), len(data))
	return os.WriteFile(file, data, 0o644)
}
