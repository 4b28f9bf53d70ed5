// Package assetstest opens models for the tests of packages that do not read files themselves.
package assetstest

import (
	"path/filepath"
	"strings"
	"testing"

	"skinlab/assets"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// Open opens a built-in model, a file by its absolute path, or a file of the models beside the repository. It skips the
// test where these are not there.
func Open(t testing.TB, name string) *skinning.Model {
	t.Helper()
	m, err := assets.Open(Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Path returns the absolute path of a file of the models beside the repository, and an absolute path or the name of a
// built-in model as it is. It skips the test where the models are not there.
func Path(t testing.TB, name string) string {
	t.Helper()
	if strings.HasPrefix(name, "demo:") || filepath.IsAbs(name) {
		return name
	}
	path, err := filepath.Abs(filepath.Join(gltftest.SharedModels(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return path
}
