package gltf

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/qmuntal/gltf"

	"skinlab/internal/gltftest"
)

// TestDocument: the document of a well-formed file is the one that encoding/json reads, defaults included.
func TestDocument(t *testing.T) {
	texts := map[string][]byte{"beam": gltftest.Beam().Text(), "bare": []byte(`{"asset":{"version":"2.0","extras":[1]},
		"materials":[{},{"alphaMode":"BLEND","normalTexture":{"index":0},"pbrMetallicRoughness":{}}],"nodes":[{},{"camera":0}],
		"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.1}}],"extensions":{"A":{"b":[1]}}}`)}
	for _, pattern := range []string{"*.glb", "conformance/*.glb"} {
		paths, _ := filepath.Glob(filepath.Join(gltftest.ModelsFolder(), filepath.FromSlash(pattern)))
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			texts[filepath.Base(path)], _ = gltftest.SplitGLB(data)
		}
	}
	for name, text := range texts {
		d := Source{budget: newBudget(len(text))}
		if err := d.parse(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var want gltf.Document
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if len(d.Unknown) > 0 || !reflect.DeepEqual(written(t, &d.Doc), written(t, &want)) {
			t.Errorf("%s: %d unknown properties, or another document than encoding/json reads", name, len(d.Unknown))
		}
	}
}

// written returns a document as generic JSON.
func written(t *testing.T, doc *gltf.Document) (out any) {
	t.Helper()
	text, err := json.Marshal(doc)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}
