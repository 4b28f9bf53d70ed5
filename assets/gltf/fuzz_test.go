package gltf

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"skinlab/internal/gltftest"
)

// object and list are JSON under construction.
type (
	object = gltftest.Object
	list   = gltftest.List
)

// FuzzDecode: any bytes give a model that keeps its types' promises, or an error that wraps ErrMalformed or
// ErrUnsupported; never a panic. What is allocated, garbage included, stays below three times the budget's allowance.
func FuzzDecode(f *testing.F) {
	f.Add(gltftest.Beam().Glb())
	f.Add(gltftest.Beam().Text())
	f.Add(gltftest.GLB([]byte(`{"asset":{"version":"2.0"}}`), nil))
	f.Add([]byte(`{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],` +
		`"accessors":[{"count":3,"componentType":5126,"type":"VEC3"}]}`))
	for _, pattern := range []string{"SimpleSkin.gltf", "conformance/*.glb"} {
		paths, _ := filepath.Glob(filepath.Join(gltftest.ModelsFolder(), filepath.FromSlash(pattern)))
		for _, path := range paths {
			if data, err := os.ReadFile(path); err == nil {
				f.Add(data)
			}
		}
	}
	f.Fuzz(bounded)
}

// FuzzValues is FuzzDecode for faults that need valid JSON around them: the seed chooses one to four places in the
// JSON of a full file, what stands there instead, and bytes of the binary chunk.
func FuzzValues(f *testing.F) {
	for seed := range uint64(64) {
		f.Add(seed)
	}
	values := gltftest.HostileValues()
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 0))
		b := gltftest.Beam()
		b.Twisted()
		var document any
		if err := json.Unmarshal(b.Text(), &document); err != nil {
			t.Fatal(err)
		}
		for range 1 + random.IntN(4) {
			gltftest.ReplaceRandom(document, random, values)
		}
		for range random.IntN(3) {
			b.Bin[random.IntN(len(b.Bin))] = byte(random.Uint32())
		}
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		bounded(t, gltftest.GLB(text, b.Bin))
	})
}

func bounded(t *testing.T, data []byte) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	outcome(t, data)
	runtime.ReadMemStats(&after)
	b := newBudget(len(data))
	if used := int64(after.TotalAlloc - before.TotalAlloc); used > 3*b.left {
		t.Errorf("%d bytes allocated for %d bytes of file", used, len(data))
	}
}
