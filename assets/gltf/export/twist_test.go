package export

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skinlab/assets/gltf"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// twistedBeam returns the beam with a second weight set, as a file and as a model.
func twistedBeam(t *testing.T) (data []byte, m *skinning.Model) {
	t.Helper()
	b := gltftest.Beam()
	b.Twisted()
	data = b.Glb()
	return data, decoded(t, "beam.glb", data)
}

// document is what the tests read of a file's JSON.
type document struct {
	Meshes []struct {
		Primitives []struct{ Attributes map[string]int }
	}
	Accessors []struct {
		BufferView    *int
		ByteOffset    int
		ComponentType int
		Normalized    bool
		Type          string
		Count         int
	}
	BufferViews []struct{ ByteOffset, ByteLength, ByteStride int }
	Skins       []struct{ Extras map[string]map[string]any }
}

func readDocument(t *testing.T, data []byte) (d document, bin []byte) {
	t.Helper()
	text, bin := gltftest.SplitGLB(data)
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d, bin
}

// bytesOf returns the bytes of an accessor that has a buffer view of its own elements alone.
func (d *document) bytesOf(bin []byte, accessor int) string {
	a := d.Accessors[accessor]
	view := d.BufferViews[*a.BufferView]
	size := 4 * map[int]int{gltftest.Ubyte: 1, gltftest.Ushort: 2, gltftest.Float: 4}[a.ComponentType]
	at := view.ByteOffset + a.ByteOffset
	return string(bin[at : at+size*a.Count])
}

// spreadWeights returns six influences for every vertex, of them one of its own.
func spreadWeights(m *skinning.Model) *skinning.Influences {
	out := &skinning.Influences{}
	for v := range m.Skin.Positions {
		raw := []skinning.Influence{{Joint: m.Skin.Bindings[v].Joints[0], Weight: 0.5}}
		for k := range 5 {
			raw = append(raw, skinning.Influence{Joint: uint16((v + 3*k) % len(m.Skeleton.Joints)), Weight: 0.1 + 0.01*float32(k)})
		}
		out.Append(raw, 0)
	}
	return out
}

// TestEncodeTwist: both weight sets of a model come back, the second with more than four influences, by attributes that
// glTF allows: names with an underscore, no UNSIGNED_INT, elements and offsets in multiples of four bytes.
func TestEncodeTwist(t *testing.T) {
	m, data, files := source(t, "CesiumMan.glb")
	if _, err := gltf.Decode("man", data, files); err != nil {
		t.Fatal(err)
	}
	m.Skin.SetSecond(skinning.TwistSwing, spreadWeights(m))
	compareEncoded(t, m)
	out := encoded(t, m)
	d, _ := readDocument(t, out)
	if own := d.Skins[0].Extras["skinlab"]; own["twistSwing"] == nil || own["version"] != 1. {
		t.Errorf("extras %v", d.Skins[0].Extras)
	}
	attributes := d.Meshes[0].Primitives[0].Attributes
	for _, name := range []string{"_TWIST_JOINTS_0", "_TWIST_JOINTS_1", "_TWIST_WEIGHTS_0", "_TWIST_WEIGHTS_1"} {
		i, ok := attributes[name]
		if !ok {
			t.Fatalf("no %s in %v", name, attributes)
		}
		a := d.Accessors[i]
		view := d.BufferViews[*a.BufferView]
		if a.ComponentType != gltftest.Float && a.ComponentType != gltftest.Ubyte && a.ComponentType != gltftest.Ushort ||
			a.Type != "VEC4" || a.Count != len(m.Skin.Positions) || (view.ByteOffset+a.ByteOffset)%4 != 0 ||
			view.ByteStride%4 != 0 {
			t.Errorf("%s: %+v in %+v", name, a, view)
		}
	}
	if _, ok := attributes["_TWIST_JOINTS_2"]; ok {
		t.Error("a third set for six influences")
	}
}

// TestEncodeTwistSkins: a second weight set that follows joints of another skin is refused.
func TestEncodeTwistSkins(t *testing.T) {
	m, _, _ := source(t, "demo:arm")
	last := len(m.Skeleton.Joints) - 1
	m.Skeleton.Joints[last].Skin = 1
	in, twist := skinning.Influences{}, skinning.Influences{}
	for range m.Skin.Positions {
		in.Append([]skinning.Influence{{Joint: 0, Weight: 1}}, 0)
		twist.Append([]skinning.Influence{{Joint: uint16(last), Weight: 1}}, 0)
	}
	m.Skin.SetWeights(in)
	if m.Skin.Second(skinning.TwistSwing) != nil {
		t.Fatal("new weights keep the second set of the old ones")
	}
	if _, err := Encode(m); err != nil {
		t.Fatal(err)
	}
	m.Skin.SetSecond(skinning.TwistSwing, &twist)
	if _, err := Encode(m); err == nil || !strings.Contains(err.Error(), "of another skin") {
		t.Errorf("%v, expected one of another skin", err)
	}
}

// TestExportTwistKept: a fit that keeps the second weight set leaves its attributes as they are in the file, bit by
// bit, also where it adds joints behind the file's.
func TestExportTwistKept(t *testing.T) {
	data, m := twistedBeam(t)
	before, bin := readDocument(t, data)
	fitted, err := rig.WithBlendBones(m, skinning.DQS, []rig.BlendBone{{Masters: []uint16{0, 1}, Weights: []float64{0.5, 0.5}}},
		m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	fitted.Skin.SetSecond(skinning.TwistSwing, m.Skin.Second(skinning.TwistSwing))
	for v := range fitted.Skin.Bindings { // all follow the added joint
		fitted.Skin.Bindings[v] = skinning.Binding{Joints: [4]uint16{3}, Weights: [4]float32{1}}
	}
	again, report, out := export(t, fitted, data, nil, Options{})
	after, outBin := readDocument(t, out)
	for _, name := range []string{"_TWIST_JOINTS_0", "_TWIST_WEIGHTS_0"} {
		i, j := before.Meshes[0].Primitives[0].Attributes[name], after.Meshes[0].Primitives[0].Attributes[name]
		a, b := before.Accessors[i], after.Accessors[j]
		if a.ComponentType != b.ComponentType || a.Normalized != b.Normalized || before.bytesOf(bin, i) != after.bytesOf(outBin, j) {
			t.Errorf("%s is %+v, expected %+v", name, b, a)
		}
	}
	if _, ok := after.Skins[0].Extras["skinlab"]["twistSwing"]; !ok || len(report.Warnings) > 0 ||
		len(again.Skeleton.Joints) != 4 {
		t.Errorf("extras %v, warnings %q, %d joints", after.Skins[0].Extras, report.Warnings, len(again.Skeleton.Joints))
	}
	for v := range m.Skin.Positions {
		if !slices.Equal(again.Skin.Second(skinning.TwistSwing).Of(nil, v), m.Skin.Second(skinning.TwistSwing).Of(nil, v)) {
			t.Errorf("vertex %d has %v, expected %v", v, again.Skin.Second(skinning.TwistSwing).Of(nil, v), m.Skin.Second(skinning.TwistSwing).Of(nil, v))
		}
	}
}

// TestExportTwistDropped: weights that a fit makes for linear skinning take the second set out of the file, its data
// and what the extras say of it included, with a warning.
func TestExportTwistDropped(t *testing.T) {
	data, m := twistedBeam(t)
	fitted := gltftest.HalfWay(t, m, skinning.DQS, 2)
	if fitted.Skin.Second(skinning.TwistSwing) != nil {
		t.Fatal("the fitted model keeps the second weight set")
	}
	again, report, out := export(t, fitted, data, nil, Options{})
	after, _ := readDocument(t, out)
	for name := range after.Meshes[0].Primitives[0].Attributes {
		if strings.HasPrefix(name, "_TWIST") {
			t.Errorf("%s is left", name)
		}
	}
	if _, ok := after.Skins[0].Extras["skinlab"]["twistSwing"]; ok || again.Skin.Second(skinning.TwistSwing) != nil ||
		!slices.ContainsFunc(report.Warnings, func(w string) bool { return strings.Contains(w, "second weight set") }) {
		t.Errorf("extras %v, warnings %q", after.Skins[0].Extras, report.Warnings)
	}
	fitted = gltftest.HalfWay(t, mustBeam(t), skinning.DQS, 2)
	fitted.Skin.DropInput(&skinning.OriginalWeights) // which a model of two sets does not get
	plain, _, plainOut := export(t, fitted, gltftest.Beam().Glb(), nil, Options{})
	if len(plain.Warnings) != len(again.Warnings) || len(out) != len(plainOut) {
		t.Errorf("%d bytes with warnings %q, the beam without a second weight set %d and %q", len(out), again.Warnings,
			len(plainOut), plain.Warnings)
	}
}

func mustBeam(t *testing.T) *skinning.Model {
	t.Helper()
	m := decoded(t, "beam.glb", gltftest.Beam().Glb())
	return m
}

// TestExportTwistChanged: a second weight set that a fit has changed is written anew, joints in the order of the skin.
func TestExportTwistChanged(t *testing.T) {
	data, m := twistedBeam(t)
	fitted := *m
	twist := &skinning.Influences{}
	for range m.Skin.Positions {
		twist.Append([]skinning.Influence{{Joint: 2, Weight: 0.75}, {Joint: 1, Weight: 0.25}}, 0)
	}
	fitted.Skin.SetSecond(skinning.TwistSwing, twist)
	again, _, _ := export(t, &fitted, data, nil, Options{})
	for v := range m.Skin.Positions {
		if got := again.Skin.Second(skinning.TwistSwing).Of(nil, v); !slices.Equal(got, twist.Of(nil, v)) {
			t.Errorf("vertex %d has %v, expected %v", v, got, twist.Of(nil, v))
		}
	}
	changed := fitted.Skin.Second(skinning.TwistSwing)
	changed.Bindings = changed.Bindings[1:]
	if _, err := writeFitted(nil, data, nil, &fitted, Options{}); err == nil ||
		!strings.Contains(err.Error(), "7 vertices in the second weight set, 8 in the first") {
		t.Errorf("%v, expected one of the numbers of vertices", err)
	}
}

// TestWhole: a new model is written by itself, with the caller's extras and clips; what of its source is not kept is in
// one warning.
func TestWhole(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "beam.glb"), filepath.Join(dir, "body.glb")
	b := gltftest.Beam()
	b.Twisted()
	b.Push("cameras", object{"type": "perspective", "perspective": object{"yfov": 1, "znear": 0.1}})
	b.Set("materials.0.emissiveFactor", list{1, 0, 0})
	b.Set("meshes.0.primitives.0.attributes._HEAT", b.Accessor(gltftest.Float, "SCALAR", make([]float64, 8)...))
	b.Doc["extensionsUsed"] = list{"KHR_lights_punctual", "KHR_texture_transform"}
	b.Set("extensions", object{"KHR_lights_punctual": object{"lights": list{}}})
	if err := os.WriteFile(from, b.Glb(), 0o644); err != nil {
		t.Fatal(err)
	}
	_, m := twistedBeam(t)
	fitted := *m
	fitted.Clips, fitted.MorphSlots, fitted.Skin.Morphs = nil, nil, nil
	clip := m.Clips[0]
	clip.Name, clip.Channels = "scans", clip.Channels[:1]
	refused := errors.New("refused")
	opt := Options{Extras: map[string]any{"q": 1.5, "ee": math.NaN(), "version": 9, "twistSwing": 7},
		Clips: []skinning.Clip{clip}, Ready: func() error { return refused }}
	if _, err := Whole(to, from, &fitted, opt); !errors.Is(err, refused) {
		t.Fatalf("%v, expected that of Ready", err)
	}
	if _, err := os.Stat(to); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused file is there: %v", err)
	}
	opt.Ready = nil
	report, err := Whole(to, from, &fitted, opt)
	if err != nil {
		t.Fatal(err)
	}
	want := "the new model does not keep of beam.glb: 1 clip, 2 morph targets, 1 camera, " +
		"vertex attributes [\"_HEAT\"], extensions [\"KHR_lights_punctual\"]"
	if !slices.Equal(report.Warnings, []string{want}) {
		t.Errorf("warnings %q, expected %q", report.Warnings, want)
	}
	data, err := os.ReadFile(to)
	if err != nil || len(data) != report.Bytes {
		t.Fatalf("%d bytes, %d reported: %v", len(data), report.Bytes, err)
	}
	again := decoded(t, "body.glb", data)
	gltftest.CheckModel(t, again)
	compareMesh(t, "skin", &fitted.Skin, &again.Skin, float32(m.Diagonal()))
	if len(again.Clips) != 1 || again.Clips[0].Name != "scans" || len(again.Warnings) > 0 {
		t.Errorf("clips %+v, warnings %q", again.Clips, again.Warnings)
	}
	d, _ := readDocument(t, data)
	own := d.Skins[0].Extras["skinlab"]
	if ee, ok := own["ee"]; own["q"] != 1.5 || !ok || ee != nil || own["version"] != 1. || own["twistSwing"] == 7. {
		t.Errorf("extras %v", own)
	}
	// A source that is no glTF file is kept silent about.
	if report, err := Whole(to, "demo:arm", &fitted, Options{}); err != nil || len(report.Warnings) > 0 {
		t.Errorf("%v, warnings %q", err, report.Warnings)
	}
	if report, err := Whole(to, dir, &fitted, Options{}); err != nil || len(report.Warnings) > 0 {
		t.Errorf("%v, warnings %q", err, report.Warnings)
	}
}
