package assets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// fit gives any skinned model one blend bone over its first two joints (or its only one) and lets every vertex follow it
// with a quarter of its weight.
func fit(t testing.TB, m *skinning.Model) *skinning.Model {
	t.Helper()
	bone := skinning.BlendBone{Masters: []uint16{0}, Weights: []float64{1}}
	if len(m.Skeleton.Joints) > 1 {
		bone = skinning.BlendBone{Masters: []uint16{0, 1}, Weights: []float64{0.25, 0.75}}
	}
	var out skinning.Influences
	for v := range m.Skin.Bindings {
		raw := m.Skin.Of(nil, v)
		raw = append(raw[:min(len(raw), 3)], skinning.Influence{Joint: uint16(len(m.Skeleton.Joints)), Weight: 0.25})
		out.Append(raw, 0)
	}
	fitted, err := m.WithBlendBones(skinning.SDQS, []skinning.BlendBone{bone}, out)
	if err != nil {
		t.Fatal(err)
	}
	return fitted
}

// samePlay fails the test unless the exported file, baked and live, plays what the fitted model plays: to 1e-5 of the
// diagonal, which is float32 and what is allowed between keys.
func samePlay(t *testing.T, fitted, again *skinning.Model) {
	t.Helper()
	want, live, baked := skinning.NewFrame(fitted, nil), skinning.NewFrame(again, nil), skinning.NewFrame(again, nil)
	baked.Baked = true
	fittedPose, pose := fitted.NewPose(), again.NewPose()
	for clip := -1; clip < len(fitted.Clips); clip++ {
		for _, u := range []float64{0, 0.2, 0.7, 1} {
			seconds := 0.0
			if clip >= 0 {
				seconds = u * fitted.Clips[clip].Seconds
			}
			fitted.SamplePose(fittedPose, clip, seconds)
			again.SamplePose(pose, clip, seconds)
			want.SetPose(fittedPose)
			live.SetPose(pose)
			baked.SetPose(pose)
			if d := apart(want, live); !(d <= 1e-5) {
				t.Errorf("clip %d at %g s: live off by %.3g of the diagonal", clip, seconds, d)
			}
			if d := apart(want, baked); !(d <= 2e-5) {
				t.Errorf("clip %d at %g s: baked off by %.3g of the diagonal", clip, seconds, d)
			}
		}
	}
}

// roundTrip fits, exports, reads and compares the file that a builder makes.
func roundTrip(t *testing.T, b *builder) (again *skinning.Model, doc dict) {
	t.Helper()
	data := b.glb()
	m, err := Decode("built.glb", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	fitted := fit(t, m)
	again, _, out := export(t, fitted, data, nil, ExportOptions{})
	samePlay(t, fitted, again)
	return again, treeOf(t, out)
}

func treeOf(t *testing.T, glb []byte) dict {
	t.Helper()
	text, _, err := splitContainer(glb, &notes{})
	if err != nil {
		t.Fatal(err)
	}
	var doc dict
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestExportKeepsTheDocument: every value of the source document that the export has no business with is in the exported
// document, unknown extensions, extras and digits included, and every accessor reads as it did.
func TestExportKeepsTheDocument(t *testing.T) {
	b := beam()
	b.set("asset.copyright", "somebody").set("asset.extras", object{"deep": list{1, object{"x": nil}}})
	b.doc["extensionsUsed"] = list{"VENDOR_unheard_of", "KHR_texture_transform"}
	b.doc["extensions"] = object{"VENDOR_unheard_of": object{"list": list{0.1, 1e-30, "<&>"}}}
	b.set("nodes.4.extras", object{"tag": "flag"}).set("skins.0.extras", object{"mine": 1}).set("materials.0.extensions", object{"VENDOR_unheard_of": object{"a": 1}})
	b.set("animations.0.extras", list{1}).set("meshes.0.primitives.0.extras", "hello")
	data := b.glb()
	m, err := Decode("beam.glb", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, _, out := export(t, fit(t, m), data, nil, ExportOptions{Extras: map[string]any{"ee": 12.5}})
	before, after := treeOf(t, data), treeOf(t, out)
	changed := map[string]bool{ // what the export may change
		"buffers.0.byteLength": true, "skins.0.joints": true, "skins.0.inverseBindMatrices": true,
		"meshes.0.primitives.0.attributes.JOINTS_0": true, "meshes.0.primitives.0.attributes.WEIGHTS_0": true,
		"meshes.0.primitives.0.attributes.JOINTS_1": true, "meshes.0.primitives.0.attributes.WEIGHTS_1": true,
	}
	var compare func(path string, a, b any)
	compare = func(path string, a, b any) {
		if changed[path] {
			return
		}
		switch a := a.(type) {
		case dict:
			b, ok := b.(dict)
			if !ok {
				t.Errorf("%s: %v became %v", path, a, b)
			}
			for k := range a {
				compare(strings.TrimPrefix(path+"."+k, "."), a[k], b[k])
			}
		case items:
			b, ok := b.(items)
			if !ok || len(b) < len(a) {
				t.Errorf("%s: %v became %v", path, a, b)
				return
			}
			for i := range a {
				compare(fmt.Sprintf("%s.%d", path, i), a[i], b[i])
			}
		default:
			if !reflect.DeepEqual(a, b) {
				t.Errorf("%s: %v became %v", path, a, b)
			}
		}
	}
	compare("", before, after)
	extras := after["skins"].(items)[0].(dict)["extras"].(dict)
	if own, ok := extras[extrasKey].(dict); !ok || own["ee"] != 12.5 || own["version"] != 1.0 || extras["mine"] != 1.0 {
		t.Errorf("extras are %v", extras)
	}
	if _, ok := after["meshes"].(items)[0].(dict)["primitives"].(items)[0].(dict)["attributes"].(dict)["JOINTS_1"]; ok {
		t.Error("JOINTS_1 is still there")
	}
	old, err := readDocument(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	now, err := readDocument(out, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range old.accessors {
		if !bytes.Equal(old.accessors[i].data, now.accessors[i].data) {
			t.Errorf("accessor %d reads differently", i)
		}
	}
}

// TestExportFromManyFiles: buffers and pictures beside a .gltf move into the GLB.
func TestExportFromManyFiles(t *testing.T) {
	b := beam()
	half := len(b.bin) / 8 * 4
	b.bin = append(b.bin, testPNG(3, 3)...)
	files := fstest.MapFS{"a b.bin": {Data: b.bin}, "pictures/skin.png": {Data: testPNG(5, 4)}, "odd.webp": {Data: []byte("RIFF....WEBP")}}
	b.doc["buffers"] = list{object{"uri": "a%20b.bin", "byteLength": len(b.bin)}, object{"uri": "a%20b.bin", "byteLength": half}}
	b.set("images.0", object{"uri": "pictures/skin.png", "name": "cloth"})
	b.push("images", object{"uri": "odd.webp"})
	text := b.text()
	m, err := Decode("many.gltf", text, files)
	if err != nil {
		t.Fatal(err)
	}
	fitted := fit(t, m)
	again, report, out := export(t, fitted, text, files, ExportOptions{}) // reads without files
	samePlay(t, fitted, again)
	if len(again.Textures) != 1 || again.Textures[0].Image.Rect.Dx() != 5 || again.Textures[0].Name != "cloth" {
		t.Errorf("textures %+v", again.Textures)
	}
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "odd.webp") {
		t.Errorf("warnings %q, expected one about odd.webp", report.Warnings)
	}
	if n := bytes.Count(out, testPNG(5, 4)); n != 1 {
		t.Errorf("the picture is there %d times", n)
	}
	if len(out) > 2*len(b.bin)+20000 {
		t.Errorf("%d bytes: the buffer that is named twice is there twice", len(out))
	}
}

// TestExportSharedMesh: a mesh on nodes with two skins, without a skin, and outside the scene keeps working on each.
func TestExportSharedMesh(t *testing.T) {
	b := beam()
	for len(b.doc["nodes"].(list)) < 9 {
		b.push("nodes", object{"name": "more"})
	}
	// A second skeleton, elsewhere and larger, a second skin over it, and three more nodes with the same mesh.
	b.set("nodes.6", object{"name": "root2", "translation": list{5, 0, 0}, "scale": list{2, 2, 2}, "children": list{7}})
	b.set("nodes.7", object{"name": "tip2", "translation": list{0, 0.5, 0}, "children": list{8}})
	inverse := b.doc["skins"].(list)[0].(object)["inverseBindMatrices"]
	b.push("skins", object{"joints": list{6, 7, 8}, "inverseBindMatrices": inverse})
	b.push("nodes", object{"name": "other skin", "mesh": 0, "skin": 1})
	b.push("nodes", object{"name": "same skin", "mesh": 0, "skin": 0})
	b.push("nodes", object{"name": "not shown", "mesh": 0, "skin": 1})
	b.push("nodes", object{"name": "no skin", "mesh": 0})
	b.set("scenes.0.nodes", list{0, 1, 6, 9, 10, 12})
	data := b.glb()
	m, err := Decode("shared.glb", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	fitted := fit(t, m)
	for _, part := range m.Skin.Parts {
		if part.Node == 9 { // a fit of its own
			for v := part.FirstVertex; v < part.FirstVertex+part.VertexCount; v++ {
				fitted.Skin.Bindings[v] = skinning.Binding{Joints: [4]uint16{4, 6}, Weights: [4]float32{0.75, 0.25}}
			}
		}
	}
	again, _, out := export(t, fitted, data, nil, ExportOptions{})
	samePlay(t, fitted, again)
	doc := treeOf(t, out)
	meshOf := func(node int) int { return int(doc["nodes"].(items)[node].(dict)["mesh"].(float64)) }
	if meshOf(0) != meshOf(10) {
		t.Errorf("nodes 0 and 10 have the same mesh, skin and weights, but meshes %d and %d", meshOf(0), meshOf(10))
	}
	if meshOf(9) == meshOf(0) || meshOf(11) == meshOf(9) || meshOf(12) != 0 || meshOf(11) != 0 {
		t.Errorf("meshes %d, %d, %d, %d on nodes 0, 9, 11, 12", meshOf(0), meshOf(9), meshOf(11), meshOf(12))
	}
	if n := len(doc["meshes"].(items)); n != 4 {
		t.Errorf("%d meshes, expected the two of the source and a copy for each skin", n)
	}
}

// TestExportRoots: where added joints hang.
func TestExportRoots(t *testing.T) {
	parentOf := func(doc dict, child int) int {
		for i, n := range doc["nodes"].(items) {
			children, _ := n.(dict)["children"].(items)
			for _, c := range children {
				if int(c.(float64)) == child {
					return i
				}
			}
		}
		return -1
	}
	added := func(doc dict) int {
		joints := doc["skins"].(items)[0].(dict)["joints"].(items)
		n := int(joints[len(joints)-1].(float64))
		if name, _ := doc["nodes"].(items)[n].(dict)["name"].(string); !strings.HasPrefix(name, "blend-bone") {
			t.Fatalf("the last joint is node %d %q", n, name)
		}
		for p := parentOf(doc, n); p >= 6; p = parentOf(doc, n) { // the outer of two nodes
			if !strings.HasPrefix(doc["nodes"].(items)[p].(dict)["name"].(string), "blend-bone") {
				break
			}
			n = p
		}
		return n
	}
	t.Run("under the topmost", func(t *testing.T) {
		b := beam()
		above := b.push("nodes", object{"name": "armature", "children": list{1}, "scale": list{0.01, 0.01, 0.01}, "rotation": list{0.5, 0.5, 0.5, 0.5}})
		b.set("scenes.0.nodes", list{0, above}).set("skins.0.skeleton", nil)
		_, doc := roundTrip(t, b)
		if p := parentOf(doc, added(doc)); p != above {
			t.Errorf("hangs on node %d, expected %d", p, above)
		}
	})
	t.Run("not above the skeleton", func(t *testing.T) {
		b := beam()
		above := b.push("nodes", object{"name": "armature", "children": list{1}})
		b.set("scenes.0.nodes", list{0, above})
		_, doc := roundTrip(t, b)
		if p := parentOf(doc, added(doc)); p != 1 {
			t.Errorf("hangs on node %d, expected the skeleton, node 1", p)
		}
	})
	t.Run("two roots get one", func(t *testing.T) {
		b := beam()
		b.set("nodes.1.children", nil).set("scenes.0.nodes", list{0, 1, 2}).set("skins.0.skeleton", nil)
		b.push("scenes", object{"nodes": list{4}})
		b.set("nodes.3.children", list{5})
		_, doc := roundTrip(t, b)
		p := parentOf(doc, added(doc))
		if p < 6 || parentOf(doc, 1) != p || parentOf(doc, 2) != p {
			t.Errorf("hangs on node %d, its masters on %d and %d", p, parentOf(doc, 1), parentOf(doc, 2))
		}
	})
	t.Run("two roots in two scenes", func(t *testing.T) {
		b := beam()
		b.set("nodes.1.children", nil).set("scenes.0.nodes", list{0, 1, 2}).set("skins.0.skeleton", nil)
		b.push("scenes", object{"nodes": list{1}})
		_, doc := roundTrip(t, b)
		if p := parentOf(doc, added(doc)); p != -1 {
			t.Errorf("hangs on node %d, expected a root", p)
		}
	})
}

// TestExportForeignJoints: weights and masters that reach into another skin, over the same node bound elsewhere as well.
func TestExportForeignJoints(t *testing.T) {
	b := beam()
	moved := b.accessor(componentFloat, "MAT4", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.25, -0.5, 0, 1)
	b.push("skins", object{"joints": list{1, 2}, "inverseBindMatrices": moved})
	attributes := object{"POSITION": 0, "NORMAL": 1, "JOINTS_0": 3, "WEIGHTS_0": 4}
	b.push("meshes", object{"primitives": list{object{"attributes": attributes}}})
	b.push("nodes", object{"name": "second", "mesh": 2, "skin": 1})
	b.set("scenes.0.nodes", list{0, 1, 6})
	data := b.glb()
	m, err := Decode("foreign.glb", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	var weights skinning.Influences
	for v := range m.Skin.Bindings { // both skins' vertices follow joints 1 of both, and the bone
		weights.Append([]skinning.Influence{{Joint: 1, Weight: 0.25}, {Joint: 4, Weight: 0.25}, {Joint: 2, Weight: 0.125 * float32(v%3)}, {Joint: 5, Weight: 0.25}}, 0)
	}
	bones := []skinning.BlendBone{{Masters: []uint16{2, 4}, Weights: []float64{0.5, 0.5}}}
	fitted, err := m.WithBlendBones(skinning.DQS, bones, weights)
	if err != nil {
		t.Fatal(err)
	}
	again, _, _ := export(t, fitted, data, nil, ExportOptions{})
	samePlay(t, fitted, again)
	if again.Blend == nil || len(again.Blend.Bones) != 2 {
		t.Errorf("blend rig %+v, expected the bone once in each skin", again.Blend)
	}
}

// TestExportManyJoints: past 256 joints, indices take 16 bits.
func TestExportManyJoints(t *testing.T) {
	b := beam()
	nodes := list{1, 2, 3}
	inverse := make([]float64, 0, 16*300)
	for i := range 300 {
		if i >= 3 {
			nodes = append(nodes, b.push("nodes", object{}))
		}
		inverse = append(inverse, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
	}
	b.set("nodes.5.children", nodes[3:])
	b.set("skins.0.joints", nodes).set("skins.0.inverseBindMatrices", b.accessor(componentFloat, "MAT4", inverse...))
	_, doc := roundTrip(t, b)
	at := int(doc["meshes"].(items)[0].(dict)["primitives"].(items)[0].(dict)["attributes"].(dict)["JOINTS_0"].(float64))
	if c := doc["accessors"].(items)[at].(dict)["componentType"]; c != float64(componentUshort) {
		t.Errorf("JOINTS_0 has components of type %v", c)
	}
}

// TestExportVanishing: a clip that scales all to nothing and back is baked without a NaN, and right while there is anything.
func TestExportVanishing(t *testing.T) {
	b := beam()
	a := b.doc["animations"].(list)[0].(object)
	times := b.accessor(componentFloat, "SCALAR", 0, 1, 2)
	samplers := a["samplers"].(list)
	a["samplers"] = append(samplers, object{"input": times, "output": b.accessor(componentFloat, "VEC3", 1, 1, 1, 0, 0, 0, 1, 1, 1)})
	a["channels"] = append(a["channels"].(list), object{"sampler": len(samplers), "target": object{"node": 1, "path": "scale"}})
	roundTrip(t, b)
}

// TestExportRates: a fixed rate is kept, a jump of a STEP channel stays a jump.
func TestExportRates(t *testing.T) {
	m, _, _ := source(t, "demo:arm")
	fitted := halfWay(t, m, skinning.DQS, 3)
	again, report, _ := export(t, fitted, nil, nil, ExportOptions{FPS: 10})
	for i, c := range report.Clips {
		clip := &m.Clips[i]
		steps := 0
		for _, ch := range clip.Channels {
			if ch.Interpolation == skinning.Step && ch.Path != skinning.PathWeights {
				steps = len(ch.Times) - 1
			}
		}
		if most := int(math.Ceil(clip.Seconds*10)) + 1 + 3*steps; c.Keys > most || c.Keys < int(clip.Seconds*10) {
			t.Errorf("%s: %d keys in %g s at 10 a second with %d steps", c.Name, c.Keys, clip.Seconds, steps)
		}
		if steps == 0 {
			continue
		}
		// Within 1e-4 s of a key the pose must be the new one whole: the jump's own two keys are one float32 apart.
		baked, want := skinning.NewFrame(again, nil), skinning.NewFrame(fitted, nil)
		baked.Baked = true
		pose, fittedPose := again.NewPose(), fitted.NewPose()
		for _, seconds := range []float64{0.9999, 1, 1.0001, 1.5, 1.9999} {
			again.SamplePose(pose, i, seconds)
			fitted.SamplePose(fittedPose, i, seconds)
			baked.SetPose(pose)
			want.SetPose(fittedPose)
			if d := apart(baked, want); !(d <= 1e-5) {
				t.Errorf("%s at %g s: off by %.3g of the diagonal", c.Name, seconds, d)
			}
		}
	}
}

// TestExportSheared: bones with shear become two nodes, and the file still plays right.
func TestExportSheared(t *testing.T) {
	fitted := sheared(t)
	again, report, out := export(t, fitted, nil, nil, ExportOptions{RMS: 1e-3})
	if report.AddedNodes != 2*report.Bones {
		t.Errorf("%d nodes for %d bones, expected two each", report.AddedNodes, report.Bones)
	}
	// In the first clip two scales of a bone pass each other a half percent apart, and their axes swing by 50 degrees in 4 ms.
	// That is more than 240 keys a second hold.
	if !(report.Clips[0].Error <= 5e-4) || !(report.Clips[1].Error <= 1e-4) {
		t.Errorf("%.3g and %.3g of the diagonal between keys, asked for 1e-4", report.Clips[0].Error, report.Clips[1].Error)
	}
	// At every key the file is exact: 4e-6 of the diagonal for float32 keys on top of float32 matrices.
	d, err := readDocument(out, nil)
	if err != nil {
		t.Fatal(err)
	}
	baked, want := skinning.NewFrame(again, nil), skinning.NewFrame(fitted, nil)
	baked.Baked = true
	pose, fittedPose := again.NewPose(), fitted.NewPose()
	for i := range d.model.Clips {
		channels := d.model.Clips[i].Channels
		times := channels[len(channels)-1].Times
		for k := 0; k < len(times); k += 7 {
			again.SamplePose(pose, i, float64(times[k]))
			fitted.SamplePose(fittedPose, i, float64(times[k]))
			baked.SetPose(pose)
			want.SetPose(fittedPose)
			if d := apart(baked, want); !(d <= 4e-6) {
				t.Errorf("clip %d, key %d at %g s: off by %.3g of the diagonal", i, k, times[k], d)
			}
		}
	}
}

// TestExportRefuses: options out of range, another file, broken files, a full disk.
func TestExportRefuses(t *testing.T) {
	m, err := Decode("beam.glb", beam().glb(), nil)
	if err != nil {
		t.Fatal(err)
	}
	fitted := fit(t, m)
	for name, c := range map[string]struct {
		data []byte
		opt  ExportOptions
		want string
		is   error
	}{
		"rate":          {beam().glb(), ExportOptions{FPS: -1}, "keys a second", nil},
		"NaN":           {beam().glb(), ExportOptions{RMS: math.NaN()}, "RMS", nil},
		"extras":        {beam().glb(), ExportOptions{Extras: map[string]any{"ee": math.Inf(1)}}, "unsupported value", nil},
		"fewer joints":  {beam().set("skins.0.joints", list{1, 2}).set("animations", nil).glb(), ExportOptions{}, "", ErrMalformed},
		"other mesh":    {beam().set("nodes.0.mesh", 1).glb(), ExportOptions{}, "not the one", nil},
		"no clip":       {beam().set("animations", nil).glb(), ExportOptions{}, "not the one", nil},
		"broken":        {beam().glb()[:300], ExportOptions{}, "truncated", ErrMalformed},
		"empty":         {[]byte{}, ExportOptions{}, "empty", ErrMalformed},
		"another case":  {bytes.Replace(beam().glb(), []byte(`"skins"`), []byte(`"Skins"`), 1), ExportOptions{}, "skins", ErrMalformed},
		"missing files": {beam().set("buffers", list{object{"uri": "x.bin", "byteLength": 4000}}).text(), ExportOptions{}, "x.bin", ErrUnsupported},
	} {
		var out bytes.Buffer
		_, err := ExportFitted(&out, c.data, nil, fitted, c.opt)
		if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) || strings.Contains(err.Error(), "unforeseen") {
			t.Errorf("%s: %v", name, err)
		}
		if out.Len() > 0 {
			t.Errorf("%s: %d bytes written", name, out.Len())
		}
	}
	if _, err := ExportFitted(failingWriter{}, beam().glb(), nil, fitted, ExportOptions{}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("a failing writer gave %v", err)
	}
}

// TestExportKeepsFour: a vertex with more than four influences keeps the strongest.
func TestExportKeepsFour(t *testing.T) {
	m, _, _ := source(t, "demo:tube")
	var weights skinning.Influences
	for range m.Skin.Bindings {
		weights.Append([]skinning.Influence{{Joint: 0, Weight: 0.3}, {Joint: 1, Weight: 0.3}, {Joint: 2, Weight: 0.2}, {Joint: 3, Weight: 0.15}, {Joint: 4, Weight: 0.05}}, 0)
	}
	fitted, err := m.WithBlendBones(skinning.DQS, []skinning.BlendBone{{Masters: []uint16{0, 1}, Weights: []float64{0.5, 0.5}}}, weights)
	if err != nil {
		t.Fatal(err)
	}
	again, report, _ := export(t, fitted, nil, nil, ExportOptions{})
	if report.Cut != len(m.Skin.Positions) {
		t.Errorf("%d vertices cut, expected %d", report.Cut, len(m.Skin.Positions))
	}
	want := mgl64.Vec4{0.3, 0.3, 0.2, 0.15}.Mul(1 / 0.95)
	for k, w := range again.Skin.Bindings[7].Weights {
		if !(math.Abs(float64(w)-want[k]) <= 1e-6) {
			t.Errorf("weight %d is %g, expected %g", k, w, want[k])
		}
	}
	// A bone without a vertex is still there to be driven.
	if again.Blend == nil || len(again.Blend.Bones) != 1 {
		t.Errorf("blend rig %+v", again.Blend)
	}
}
