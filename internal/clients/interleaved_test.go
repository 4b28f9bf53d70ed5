package clients_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"skinlab/internal/clients"
	"skinlab/internal/gltftest"
)

// characters returns the paths of shared models, and of two that have vertices interleaved: one is made here, one by
// gltf-transform where its package is installed.
func characters(t *testing.T, names []string) (paths []string) {
	t.Helper()
	shared, err := filepath.Abs(gltftest.SharedModels(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		paths = append(paths, filepath.Join(shared, name))
	}
	folder := t.TempDir()
	data, err := os.ReadFile(filepath.Join(shared, "Fox.glb"))
	if err != nil {
		t.Fatal(err)
	}
	interleaved := filepath.Join(folder, "Fox-interleaved.glb")
	if err := os.WriteFile(interleaved, gltftest.Interleave(t, data), 0o644); err != nil {
		t.Fatal(err)
	}
	paths = append(paths, interleaved)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if err := clients.Install(ctx, scripts); err != nil {
		t.Logf("no character is written by gltf-transform: %v", err)
		return paths
	}
	rewritten := filepath.Join(folder, "CesiumMan-gltf-transform.glb")
	command := exec.CommandContext(ctx, "node", "rewrite.mjs", filepath.Join(shared, "CesiumMan.glb"), rewritten)
	command.Dir = scripts
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("gltf-transform: %v: %s", err, out)
	}
	return append(paths, rewritten)
}
