package assets

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// FuzzDecode: any bytes give a model that keeps its types' promises, or an error that wraps ErrMalformed or
// ErrUnsupported; never a panic. What is allocated, garbage included, stays below three times the budget's allowance.
func FuzzDecode(f *testing.F) {
	f.Add(beam().glb())
	f.Add(beam().text())
	f.Add(glb([]byte(`{"asset":{"version":"2.0"}}`), nil))
	f.Add([]byte(`{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],` +
		`"accessors":[{"count":3,"componentType":5126,"type":"VEC3"}]}`))
	for _, pattern := range []string{"SimpleSkin.gltf", "conformance/*.glb"} {
		paths, _ := filepath.Glob(filepath.Join("..", "..", "shared", "models", filepath.FromSlash(pattern)))
		for _, path := range paths {
			if data, err := os.ReadFile(path); err == nil {
				f.Add(data)
			}
		}
	}
	f.Fuzz(bounded)
}

// FuzzDocument is FuzzDecode past the container: JSON and binary chunk apart, so that a change of one does not break
// the lengths of the other.
func FuzzDocument(f *testing.F) {
	b := beam()
	f.Add(b.text(), b.bin)
	f.Fuzz(func(t *testing.T, text, bin []byte) { bounded(t, glb(text, bin)) })
}

// FuzzValues is FuzzDocument for faults that need valid JSON around them: the seed chooses one to four places in the
// JSON of a full file, what stands there instead, and bytes of the binary chunk.
func FuzzValues(f *testing.F) {
	for seed := range uint64(64) {
		f.Add(seed)
	}
	values := hostileValues()
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 0))
		b := beam()
		var document any
		if err := json.Unmarshal(b.text(), &document); err != nil {
			t.Fatal(err)
		}
		for range 1 + random.IntN(4) {
			replaceRandom(document, random, values)
		}
		for range random.IntN(3) {
			b.bin[random.IntN(len(b.bin))] = byte(random.Uint32())
		}
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		bounded(t, glb(text, b.bin))
	})
}

// replaceRandom walks down from the root of a document and replaces one value on the way: by a hostile one, by a small
// number, which may well be a valid index, or by nothing.
func replaceRandom(at any, random *rand.Rand, values []json.RawMessage) {
	for {
		var next any
		var put func(any)
		switch v := at.(type) {
		case map[string]any:
			keys := slices.Sorted(maps.Keys(v))
			if len(keys) == 0 {
				return
			}
			key := keys[random.IntN(len(keys))]
			next, put = v[key], func(x any) {
				if v[key] = x; x == nil {
					delete(v, key)
				}
			}
		case []any:
			if len(v) == 0 {
				return
			}
			i := random.IntN(len(v))
			next, put = v[i], func(x any) { v[i] = x }
		default:
			return
		}
		_, isObject := next.(map[string]any)
		_, isList := next.([]any)
		if (isObject || isList) && random.IntN(8) > 0 {
			at = next
			continue
		}
		switch random.IntN(4) {
		case 0:
			put(nil)
		case 1:
			put(random.IntN(20))
		default:
			put(values[random.IntN(len(values))])
		}
		return
	}
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
