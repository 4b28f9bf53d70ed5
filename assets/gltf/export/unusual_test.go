package export

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

	"skinlab/assets/fault"
	"skinlab/assets/gltf"
	"skinlab/assets/gltf/bake"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// fit gives any skinned model one blend bone over its first two joints (or its only one) and lets every vertex follow
// it with a quarter of its weight.
func fit(t testing.TB, m *skinning.Model) *skinning.Model {
	t.Helper()
	bone := rig.BlendBone{Masters: []uint16{0}, Weights: []float64{1}}
	if len(m.Skeleton.Joints) > 1 {
		bone = rig.BlendBone{Masters: []uint16{0, 1}, Weights: []float64{0.25, 0.75}}
	}
	var out skinning.Influences
	for v := range m.Skin.Bindings {
		raw := m.Skin.Of(nil, v)
		raw = append(raw[:min(len(raw), 3)], skinning.Influence{Joint: uint16(len(m.Skeleton.Joints)), Weight: 0.25})
		out.Append(raw, 0)
	}
	fitted, err := rig.WithBlendBones(m, skinning.SDQS, []rig.BlendBone{bone}, out)
	if err != nil {
		t.Fatal(err)
	}
	return fitted
}

// roundTrip fits, exports, reads and compares the file that a builder makes.
func roundTrip(t *testing.T, b *gltftest.Builder) (again *skinning.Model, doc dict) {
	t.Helper()
	data := b.Glb()
	m := decoded(t, "built.glb", data)
	fitted := fit(t, m)
	again, _, out := export(t, fitted, data, nil, Options{})
	samePlay(t, fitted, again)
	return again, treeOf(t, out)
}

// dict and items are the JSON of a document.
type (
	dict  = map[string]any
	items = []any
)

func treeOf(t *testing.T, glb []byte) dict {
	t.Helper()
	text, _ := gltftest.SplitGLB(glb)
	var doc dict
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestExportKeepsTheDocument: every value of the source document that the export has no business with is in the
// exported document or is what glTF takes for one left out, unknown extensions, extras and digits included, and every
// accessor reads as it did. A property that glTF does not have is left out with a warning.
func TestExportKeepsTheDocument(t *testing.T) {
	b := gltftest.Beam()
	b.Set("asset.copyright", "somebody").Set("asset.extras", object{"deep": list{1, object{"x": nil}}})
	b.Doc["extensionsUsed"] = list{"VENDOR_unheard_of", "KHR_texture_transform"}
	b.Doc["extensions"] = object{"VENDOR_unheard_of": object{"list": list{0.1, 1e-30, "<&>"}}}
	b.Set("nodes.4.extras", object{"tag": "flag"}).Set("skins.0.extras", object{"mine": 1}).Set("materials.0.extensions",
		object{"VENDOR_unheard_of": object{"a": 1}})
	b.Set("animations.0.extras", list{1}).Set("meshes.0.primitives.0.extras", "hello")
	b.Push("nodes", object{"scale": list{0, 0, 0}, "extras": json.RawMessage("12345678901234567890")})
	b.Push("cameras", object{"type": "perspective", "perspective": object{"yfov": 1, "znear": 0.1}})
	b.Set("nodes.6.camera", 0)
	one := b.Doc["animations"].(list)[0].(object)
	one["channels"] = append(one["channels"].(list), object{"sampler": 0, "target": object{"path": "pointer",
		"extensions": object{"KHR_animation_pointer": object{"pointer": "/nodes/4/rotation"}}}})
	plain := b.Glb()
	data := b.Set("nodes.4.purpose", 7).Glb()
	m := decoded(t, "beam.glb", data)
	_, report, out := export(t, fit(t, m), data, nil, Options{Extras: map[string]any{"ee": 12.5, "max": math.Inf(1)}})
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "nodes[4].purpose") {
		t.Errorf("warnings %q, expected one about nodes[4].purpose", report.Warnings)
	}
	if !bytes.Contains(out, []byte("12345678901234567890")) {
		t.Error("a long number of extras has lost digits")
	}
	before, after := treeOf(t, plain), treeOf(t, out)
	standard := dict{"mode": 4.0, "rotation": items{0.0, 0.0, 0.0, 1.0}, "scale": items{1.0, 1.0, 1.0}, "texCoord": 0.0,
		"interpolation": "LINEAR", "byteOffset": 0.0}
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
				if b[k] == nil && reflect.DeepEqual(a[k], standard[k]) {
					continue
				}
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
	if own, ok := extras[gltf.ExtrasKey].(dict); !ok || own["ee"] != 12.5 || own["max"] != nil || own["version"] != 2.0 ||
		extras["mine"] != 1.0 {
		t.Errorf("extras are %v", extras)
	}
	if _, ok := after["meshes"].(items)[0].(dict)["primitives"].(items)[0].(dict)["attributes"].(dict)["JOINTS_1"]; ok {
		t.Error("JOINTS_1 is still there")
	}
	old := sourceOf(t, data)
	now := sourceOf(t, out)
	for i := range old.Accessors {
		if !bytes.Equal(old.Accessors[i].Data, now.Accessors[i].Data) {
			t.Errorf("accessor %d reads differently", i)
		}
	}
}

// TestExportLeavesNothingDead: in a document of known extensions, what the new weights and matrices replace is gone,
// and all else reads as it did.
func TestExportLeavesNothingDead(t *testing.T) {
	b := gltftest.Beam()
	weights := b.Doc["meshes"].(list)[0].(object)["primitives"].(list)[0].(object)["attributes"].(object)["WEIGHTS_0"].(int)
	data := b.Glb()
	m := decoded(t, "beam.glb", data)
	fitted := fit(t, m)
	again, _, out := export(t, fitted, data, nil, Options{})
	samePlay(t, fitted, again)
	old := sourceOf(t, data)
	now := sourceOf(t, out)
	if bytes.Contains(out, old.Accessors[weights].Data) {
		t.Error("the old weights are still in the file")
	}
	total := 0
	for i := range now.Doc.BufferViews {
		total += int(now.Doc.BufferViews[i].ByteLength)
	}
	if most := total + 3*len(now.Doc.BufferViews); len(now.Bin) > most {
		t.Errorf("%d bytes, buffer views account for %d", len(now.Bin), most)
	}
	used := make([]bool, len(now.Accessors))
	for _, m := range now.Doc.Meshes {
		for _, p := range m.Primitives {
			for _, attributes := range append(p.Targets, p.Attributes) {
				for _, a := range attributes {
					used[a] = true
				}
			}
			if p.Indices != nil {
				used[*p.Indices] = true
			}
		}
	}
	for _, a := range now.Doc.Animations {
		for _, s := range a.Samplers {
			used[s.Input], used[s.Output] = true, true
		}
	}
	used[*now.Doc.Skins[0].InverseBindMatrices] = true
	for i := range used {
		if !used[i] {
			t.Errorf("accessor %d is not used", i)
		}
	}
	if len(now.Accessors) < len(old.Accessors) {
		t.Fatalf("%d accessors, there were %d", len(now.Accessors), len(old.Accessors))
	}
	gone := map[int]bool{*old.Doc.Skins[0].InverseBindMatrices: true}
	for name, a := range old.Doc.Meshes[0].Primitives[0].Attributes {
		if strings.HasPrefix(name, "JOINTS") || strings.HasPrefix(name, "WEIGHTS") {
			gone[a] = true
		}
	}
	for i := range old.Accessors {
		if !gone[i] && !bytes.Equal(old.Accessors[i].Data, now.Accessors[i].Data) {
			t.Errorf("accessor %d reads differently", i)
		}
	}
}

// TestExportFromManyFiles: buffers and pictures beside a .gltf move into the GLB.
func TestExportFromManyFiles(t *testing.T) {
	b := gltftest.Beam()
	half := len(b.Bin) / 8 * 4
	b.Bin = append(b.Bin, gltftest.PNG(3, 3)...)
	files := fstest.MapFS{"a b.bin": {Data: b.Bin}, "pictures/skin.png": {Data: gltftest.PNG(5, 4)},
		"odd.webp": {Data: []byte("RIFF....WEBP")}}
	b.Doc["buffers"] = list{object{"uri": "a%20b.bin", "byteLength": len(b.Bin)},
		object{"uri": "a%20b.bin", "byteLength": half}}
	b.Set("images.0", object{"uri": "pictures/skin.png", "name": "cloth"})
	b.Push("images", object{"uri": "odd.webp"})
	text := b.Text()
	m, err := gltf.Decode("many.gltf", text, files)
	if err != nil {
		t.Fatal(err)
	}
	fitted := fit(t, m)
	again, report, out := export(t, fitted, text, files, Options{}) // reads without files
	samePlay(t, fitted, again)
	if len(again.Textures) != 1 || again.Textures[0].Image.Rect.Dx() != 5 || again.Textures[0].Name != "cloth" {
		t.Errorf("textures %+v", again.Textures)
	}
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "odd.webp") {
		t.Errorf("warnings %q, expected one about odd.webp", report.Warnings)
	}
	if n := bytes.Count(out, gltftest.PNG(5, 4)); n != 1 {
		t.Errorf("the picture is there %d times", n)
	}
	if len(out) > 2*len(b.Bin)+20000 {
		t.Errorf("%d bytes: the buffer that is named twice is there twice", len(out))
	}
}

// TestExportManyJoints: past 256 joints, indices take 16 bits.
func TestExportManyJoints(t *testing.T) {
	b := gltftest.Beam()
	nodes := list{1, 2, 3}
	inverse := make([]float64, 0, 16*300)
	for i := range 300 {
		if i >= 3 {
			nodes = append(nodes, b.Push("nodes", object{}))
		}
		inverse = append(inverse, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
	}
	b.Set("nodes.5.children", nodes[3:])
	b.Set("skins.0.joints", nodes).Set("skins.0.inverseBindMatrices", b.Accessor(gltftest.Float, "MAT4", inverse...))
	_, doc := roundTrip(t, b)
	at := int(doc["meshes"].(items)[0].(dict)["primitives"].(items)[0].(dict)["attributes"].(dict)["JOINTS_0"].(float64))
	if c := doc["accessors"].(items)[at].(dict)["componentType"]; c != float64(gltftest.Ushort) {
		t.Errorf("JOINTS_0 has components of type %v", c)
	}
}

// TestExportLongClip: two keys a day apart are baked to as many as the motion asks for, not to thirty for each of its
// seconds.
func TestExportLongClip(t *testing.T) {
	b := gltftest.Beam()
	a := b.Doc["animations"].(list)[0].(object)
	a["channels"] = a["channels"].(list)[:1]
	a["samplers"].(list)[0].(object)["input"] = b.Accessor(gltftest.Float, "SCALAR", 0, 86400)
	data := b.Glb()
	m := decoded(t, "day.glb", data)
	fitted := fit(t, m)
	again, report, _ := export(t, fitted, data, nil, Options{})
	samePlay(t, fitted, again)
	// A quarter of a turn in 128 steps is within 1e-5 of the diagonal, or in a few times as many.
	if n := report.Clips[0].Keys; n < 2 || n > 8*bake.MostSteps {
		t.Errorf("%d keys", n)
	}
}

// TestExportUnits: a skeleton under a node that changes the unit, as centimetres do, and far more, plays alike. What is
// too little to be keyed is little in the world, not in the unit of the node above a bone.
func TestExportUnits(t *testing.T) {
	for _, scale := range []float64{1e-6, 0.01, 100, 1e4, 1e6} {
		t.Run(fmt.Sprint(scale), func(t *testing.T) {
			b := gltftest.Beam()
			units := b.Push("nodes", object{"name": "units", "children": list{1}, "scale": list{scale, scale, scale}})
			a := b.Doc["animations"].(list)[0].(object)
			samplers := a["samplers"].(list)
			times, little := b.Accessor(gltftest.Float, "SCALAR", 0, 1), 0.01
			a["samplers"] = append(samplers, object{"input": times,
				"output": b.Accessor(gltftest.Float, "VEC3", 1, 1, 1, 1+little, 1, 1-little)})
			a["channels"] = append(a["channels"].(list),
				object{"sampler": len(samplers), "target": object{"node": 1, "path": "scale"}})
			roundTrip(t, b.Set("scenes.0.nodes", list{0, units}))
		})
	}
}

// TestExportVanishing: a clip that scales all to nothing and back is baked without a NaN, and right while there is
// anything.
func TestExportVanishing(t *testing.T) {
	b := gltftest.Beam()
	a := b.Doc["animations"].(list)[0].(object)
	times := b.Accessor(gltftest.Float, "SCALAR", 0, 1, 2)
	samplers := a["samplers"].(list)
	a["samplers"] = append(samplers,
		object{"input": times, "output": b.Accessor(gltftest.Float, "VEC3", 1, 1, 1, 0, 0, 0, 1, 1, 1)})
	a["channels"] = append(a["channels"].(list),
		object{"sampler": len(samplers), "target": object{"node": 1, "path": "scale"}})
	roundTrip(t, b)
}

// TestExportRates: a fixed rate is kept, a jump of a STEP channel stays a jump.
func TestExportRates(t *testing.T) {
	m, _, _ := source(t, "demo:arm")
	fitted := gltftest.HalfWay(t, m, skinning.DQS, 3)
	again, report, _ := export(t, fitted, nil, nil, Options{FPS: 10})
	for i, c := range report.Clips {
		clip := &m.Clips[i]
		steps := 0
		for _, ch := range clip.Channels {
			if ch.Interpolation == skinning.Step && ch.Path != skinning.PathWeights {
				steps = len(ch.Times) - 1
			}
		}
		keys := 0 // on the path that has most
		for _, ch := range again.Clips[i].Channels {
			if ch.Node >= len(m.Skeleton.Nodes) {
				keys = max(keys, len(ch.Times))
			}
		}
		most := int(math.Ceil(clip.Seconds*10)) + 1 + 3*steps
		if moves := keys > 1; keys > most || moves && keys < int(clip.Seconds*10) {
			t.Errorf("%s: %d keys in %g s at 10 a second with %d steps", c.Name, keys, clip.Seconds, steps)
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
	again, report, _ := export(t, fitted, nil, nil, Options{RMS: 1e-3})
	if report.AddedNodes != 2*report.Bones {
		t.Errorf("%d nodes for %d bones, expected two each", report.AddedNodes, report.Bones)
	}
	// In the first clip two scales of a bone pass each other a half percent apart, and their axes swing by 50 degrees
	// in 4 ms.
	if most := 1e-3 * keyShare; !(report.MaxError <= most) {
		t.Errorf("%.3g of the diagonal between keys, asked for %.3g", report.MaxError, most)
	}
	checkKeys(t, fitted, again, 1e-3)
}

// TestExportRefuses: options out of range, another file, broken files, a full disk.
func TestExportRefuses(t *testing.T) {
	m := decoded(t, "beam.glb", gltftest.Beam().Glb())
	fitted := fit(t, m)
	for name, c := range map[string]struct {
		data []byte
		opt  Options
		want string
		is   error
	}{
		"rate":   {gltftest.Beam().Glb(), Options{FPS: -1}, "keys a second", nil},
		"NaN":    {gltftest.Beam().Glb(), Options{RMS: math.NaN()}, "RMS", nil},
		"extras": {gltftest.Beam().Glb(), Options{Extras: map[string]any{"ee": make(chan int)}}, "unsupported type", nil},
		"fewer joints": {gltftest.Beam().Set("skins.0.joints", list{1, 2}).Set("animations", nil).Glb(), Options{}, "",
			fault.ErrMalformed},
		"other mesh": {gltftest.Beam().Set("nodes.0.mesh", 1).Glb(), Options{}, "not the one", nil},
		"no clip":    {gltftest.Beam().Set("animations", nil).Glb(), Options{}, "not the one", nil},
		"broken":     {gltftest.Beam().Glb()[:300], Options{}, "truncated", fault.ErrMalformed},
		"empty":      {[]byte{}, Options{}, "empty", fault.ErrMalformed},
		"another case": {bytes.Replace(gltftest.Beam().Glb(), []byte(`"skins"`), []byte(`"Skins"`), 1), Options{}, "skins",
			fault.ErrMalformed},
		"missing files": {gltftest.Beam().Set("buffers", list{object{"uri": "x.bin", "byteLength": 4000}}).Text(), Options{},
			"x.bin", fault.ErrUnsupported},
	} {
		var out bytes.Buffer
		_, err := writeFitted(&out, c.data, nil, fitted, c.opt)
		if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) ||
			strings.Contains(err.Error(), "internal error") {
			t.Errorf("%s: %v", name, err)
		}
		if out.Len() > 0 {
			t.Errorf("%s: %d bytes written", name, out.Len())
		}
	}
	panics := Options{Progress: func(int, int) { panic("a bug of ours") }}
	var none bytes.Buffer
	if _, err := writeFitted(&none, gltftest.Beam().Glb(), nil, fitted, panics); err == nil || none.Len() > 0 ||
		!strings.Contains(err.Error(), "internal error in writing the fit at export/unusual_test.go") ||
		!strings.Contains(err.Error(), "a bug of ours") {
		t.Errorf("a panic gave %v and %d bytes", err, none.Len())
	}
	if _, err := writeFitted(fullDisk{}, gltftest.Beam().Glb(), nil, fitted, Options{}); !errors.Is(err,
		io.ErrShortWrite) {
		t.Errorf("a failing writer gave %v", err)
	}
}

// TestExportUnbound: a fit may follow a joint whose inverse bind matrix is singular in its source. The export has one
// that can be read, also where the fit adds no joint.
func TestExportUnbound(t *testing.T) {
	data := gltftest.Beam().Unbound().Glb()
	m := decoded(t, "unbound.glb", data)
	weighted := *m
	var all skinning.Influences
	for range m.Skin.Bindings {
		all.Append([]skinning.Influence{{Joint: 3, Weight: 0.75}, {Joint: 0, Weight: 0.25}}, 0)
	}
	weighted.Skin.SetWeights(all)
	for _, fitted := range []*skinning.Model{&weighted, fit(t, &weighted)} {
		again, _, _ := export(t, fitted, data, nil, Options{})
		samePlay(t, fitted, again)
		if len(again.Warnings) > 0 {
			t.Errorf("%q", again.Warnings)
		}
	}
}

// TestExportKeepsFour: a vertex with more than four influences keeps the strongest.
func TestExportKeepsFour(t *testing.T) {
	m, _, _ := source(t, "demo:tube")
	var weights skinning.Influences
	for range m.Skin.Bindings {
		weights.Append([]skinning.Influence{{Joint: 0, Weight: 0.3}, {Joint: 1, Weight: 0.3}, {Joint: 2, Weight: 0.2},
			{Joint: 3, Weight: 0.15}, {Joint: 4, Weight: 0.05}}, 0)
	}
	fitted, err := rig.WithBlendBones(m, skinning.DQS,
		[]rig.BlendBone{{Masters: []uint16{0, 1}, Weights: []float64{0.5, 0.5}}}, weights)
	if err != nil {
		t.Fatal(err)
	}
	again, report, _ := export(t, fitted, nil, nil, Options{})
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
	if blendOf(again) == nil || len(blendOf(again).Bones) != 1 {
		t.Errorf("blend rig %+v", blendOf(again))
	}
}

// fullDisk takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
