package main

import (
	"bytes"
	"os"
	"testing"
)

// The committed files are what the generator writes, to the byte.
func TestFilesAreCurrent(t *testing.T) {
	files, err := generate("../../skinning/simd")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile("../../skinning/simd/" + name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes (%v): run make assembly", name, err)
		}
	}
}
