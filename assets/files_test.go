package assets

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFilesNamesWhatAModelIsMadeOf(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	doc := `{"asset": {"version": "2.0"}, "buffers": [{"uri": "a%20b.bin"}, {"uri": "data:;base64,AAAA"}, {"uri": "../secret.bin"}, {}],
		"images": [{"uri": "maps/skin.png"}, {"uri": "a%20b.bin"}, {"uri": "http://x/y.png"}, {"bufferView": 0}]}`
	glb := func(text string) string {
		n := len(text)
		size := string([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)})
		return "glTF\x02\x00\x00\x00\xff\xff\xff\x00" + size + "JSON" + text + "\x00\x00\x00\x00BIN\x00"
	}
	beside := []string{filepath.Join(dir, "a b.bin"), filepath.Join(dir, "maps", "skin.png")}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"text.gltf":   {doc, beside},
		"marked.gltf": {"\uFEFF" + doc, beside},
		"binary.glb":  {glb(doc), beside},
		"broken.gltf": {doc[:40], nil},
		"short.glb":   {glb(doc)[:17], nil},
		"empty.glb":   {"", nil},
	} {
		path := write(name, c.text)
		if got, want := Files(path), append([]string{path}, c.want...); !slices.Equal(got, want) {
			t.Errorf("%s: %q, expected %q", name, strings.Join(got, " "), strings.Join(want, " "))
		}
	}
	missing := filepath.Join(dir, "missing.glb")
	if got := Files(missing); !slices.Equal(got, []string{missing}) {
		t.Errorf("a missing file: %q", got)
	}
	if got := Files("demo:box"); len(got) > 0 {
		t.Errorf("a built-in model: %q, expected none", got)
	}
}

func TestOpen(t *testing.T) {
	if m, err := Open("demo:box"); err != nil || len(m.Skin.Positions) == 0 {
		t.Errorf("demo:box: %v", err)
	}
	for _, name := range []string{"demo:", "demo:nothing", "nothing.glb"} {
		if _, err := Open(name); err == nil {
			t.Errorf("%s opened", name)
		}
	}
}
