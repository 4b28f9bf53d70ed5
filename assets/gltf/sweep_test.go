package gltf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"skinlab/assets/fault"
	"skinlab/internal/cputime"
	"skinlab/internal/gltftest"
)

// outcome decodes without the guard of decodeAs and fails the test unless the result is a sound model or a typed fault.
// Time and memory are bounded by what the test is run with.
func outcome(t testing.TB, data []byte) (loaded bool) {
	t.Helper()
	m, err := decode(data, nil, "", progress{})
	switch {
	case err == nil:
		for _, fault := range gltftest.ModelFaults(m) {
			t.Errorf("loaded, but %v", fault)
		}
	case !errors.Is(err, fault.ErrMalformed) && !errors.Is(err, fault.ErrUnsupported):
		t.Errorf("untyped error: %v", err)
	case strings.TrimSpace(err.Error()) == "":
		t.Error("an error without a text")
	}
	return err == nil
}

// TestEveryValueReplaced puts every hostile value in every place of the JSON, and also leaves every place out. Nothing
// may panic, hang or give an unsound model.
func TestEveryValueReplaced(t *testing.T) {
	if testing.Short() {
		t.Skip("short: one goroutine")
	}
	b := gltftest.Beam()
	b.Twisted()
	var document any
	if err := json.Unmarshal(b.Text(), &document); err != nil {
		t.Fatal(err)
	}
	loaded, refused := 0, 0
	try := func(place string) {
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if r := recover(); r != nil {
				t.Fatalf("%s: panic: %v\n%s", place, r, text)
			}
		}()
		d := cputime.Of(func() {
			if outcome(t, gltftest.GLB(text, b.Bin)) {
				loaded++
			} else {
				refused++
			}
		})
		if d > time.Second || t.Failed() { // takes under 10 ms, and under the race detector ten times that
			t.Fatalf("%s: took %v", place, d)
		}
	}
	var walk func(place string, at any)
	walk = func(place string, at any) {
		replace := func(key string, old any, put func(any), remove func()) {
			for _, v := range gltftest.HostileValues() {
				put(v)
				try(fmt.Sprintf("%s.%s = %s", place, key, v))
			}
			if remove != nil {
				remove()
				try(fmt.Sprintf("%s.%s left out", place, key))
			}
			put(old)
			walk(place+"."+key, old)
		}
		switch v := at.(type) {
		case map[string]any:
			for key, old := range v {
				replace(key, old, func(x any) { v[key] = x }, func() { delete(v, key) })
			}
		case []any:
			for i, old := range v {
				replace(fmt.Sprint(i), old, func(x any) { v[i] = x }, nil)
			}
		}
	}
	walk("", document)
	t.Logf("%d loaded, %d refused", loaded, refused)
	if loaded == 0 || refused == 0 {
		t.Error("the sweep does not reach both outcomes")
	}
}

// TestEveryByteReplaced overwrites the binary chunk and the container, byte for byte, and at random places of the whole
// file at once.
func TestEveryByteReplaced(t *testing.T) {
	if testing.Short() {
		t.Skip("short: one goroutine")
	}
	whole := gltftest.Beam().Glb()
	try := func(what string, data []byte) {
		defer func() {
			if r := recover(); r != nil {
				t.Fatalf("%s: panic: %v", what, r)
			}
		}()
		outcome(t, data)
		if t.Failed() {
			t.Fatal(what)
		}
	}
	for i := range whole {
		for _, v := range []byte{0, 0x7f, 0x80, 0xff} {
			data := bytes.Clone(whole)
			data[i] = v
			try(fmt.Sprintf("byte %d = %#x", i, v), data)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 3000 {
		data := bytes.Clone(whole)
		for range 1 + random.IntN(8) {
			data[random.IntN(len(data))] = byte(random.Uint32())
		}
		try(fmt.Sprintf("round %d", round), data)
	}
}
