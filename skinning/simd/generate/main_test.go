package main

import (
	"bytes"
	"os"
	"testing"
)

// The committed files are what the generator writes, to the byte.
func TestFilesAreCurrent(t *testing.T) {
	for name, text := range texts {
		if got, err := os.ReadFile("../" + name); err != nil || !bytes.Equal(got, text()) {
			t.Errorf("%s is not what the generator writes (%v): run go generate ./skinning/simd", name, err)
		}
	}
	for family := range families {
		assembly, stubs, err := generate(family)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string][]byte{family + "_amd64.s": assembly, family + "_amd64.go": stubs} {
			got, err := os.ReadFile("../" + name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s is not what the generator writes: run go generate ./skinning/simd", name)
			}
		}
	}
}
