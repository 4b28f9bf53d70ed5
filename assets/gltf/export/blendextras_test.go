package export

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"skinlab/assets/gltf"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// withExtras is the beam with extras.skinlab on its skin: joint 2 follows joints 0 and 1.
func withExtras() *gltftest.Builder {
	return gltftest.Beam().Set("skins.0.extras", object{gltf.ExtrasKey: object{"version": 1, "blendBones": object{
		"operator": "dqs", "joints": list{2}, "masters": list{list{0, 1}}, "weights": list{list{0.25, 0.75}}}}})
}

// TestReadBlendBones: what extras say is what the model has.
func TestReadBlendBones(t *testing.T) {
	m := decoded(t, "beam", withExtras().Glb())
	gltftest.CheckModel(t, m)
	if blendOf(m) == nil || blendOf(m).Operator != skinning.DQS || len(blendOf(m).Bones) != 1 {
		t.Fatalf("blend rig %+v, warnings %q", blendOf(m), m.Warnings)
	}
	if b := blendOf(m).Bones[0]; b.Joint != 2 || len(b.Masters) != 2 || b.Masters[1] != 1 || b.Weights[1] != 0.75 {
		t.Errorf("blend bone %+v", b)
	}
}

// TestBadExtras: extras that cannot be understood give a warning that says why, and the model plays without them.
// Extras of others give none.
func TestBadExtras(t *testing.T) {
	const own = "skins.0.extras.skinlab"
	const bones = own + ".blendBones"
	checkBadExtras(t, withExtras, []badExtras{
		{"skins.0.extras", 7, ""},
		{"skins.0.extras", list{1, 2}, ""},
		{"skins.0.extras", object{"other": 1}, ""},
		{own, nil, ""},
		{bones, nil, ""},
		{bones + ".joints", list{}, ""},
		{own, "text", "not understood"},
		{own + ".version", 3, "version 3"},
		{own + ".version", "1", "not understood"},
		{bones, list{}, "not understood"},
		{bones + ".operator", "lbs", "operator"},
		{bones + ".operator", strings.Repeat("x", 1000), "operator"},
		{bones + ".joints", list{2, 2}, "2 joints, masters of 1"},
		{bones + ".joints", list{3}, "joint 3 does not exist"},
		{bones + ".joints", list{-1}, "joint -1 does not exist"},
		{bones + ".joints", list{1.5}, "not understood"},
		{bones + ".joints", list{1}, "master 1 is not one of"},
		{bones + ".masters", list{list{0, 3}}, "masters [0 3]"},
		{bones + ".masters", list{list{1, 0}}, "masters [1 0]"},
		{bones + ".masters", list{list{1, 1}}, "masters [1 1]"},
		{bones + ".masters", list{list{}}, "0 masters"},
		{bones + ".masters", list{nil}, "0 masters"},
		{bones + ".weights", list{list{1}}, "2 masters and 1 u-weights"},
		{bones + ".weights", list{list{0.5, 0.6}}, "a sum of 1.1"},
		{bones + ".weights", list{list{-0.5, 1.5}}, "u-weights: -0.5"},
		{bones + ".weights", list{list{json.RawMessage("1e999"), 0}}, "not understood"},
		{bones + ".weights", nil, "weights of 0"},
		{bones + ".swings", list{list{0.5, 0.5}}, "2 weights of swings for 2 masters and dqs"},
	})
}

// FuzzBlendExtras: any extras give a model whose blend rig, if there is one, is valid and can be posed.
func FuzzBlendExtras(f *testing.F) {
	for _, e := range []string{
		`{"skinlab":{"version":1,"blendBones":{"operator":"sbs","joints":[1],"masters":[[0,2]],"weights":[[0.5,0.5]]}}}`,
		`{"skinlab":{"version":1,"blendBones":{"operator":"dib","joints":[1,2],"masters":[[0],[0]],"weights":[[1],[1]]}}}`,
		`{"skinlab":{"version":1,"blendBones":{"joints":null}}}`, `[]`, `null`, `{"skinlab":null}`,
	} {
		f.Add([]byte(e))
	}
	f.Fuzz(func(t *testing.T, extras []byte) {
		if !json.Valid(extras) {
			return
		}
		m, err := gltf.Decode("beam.glb", gltftest.Beam().Set("skins.0.extras", json.RawMessage(extras)).Glb(), nil)
		if err != nil {
			t.Fatal(err) // extras are no reason to refuse a file
		}
		for _, fault := range gltftest.ModelFaults(m) {
			t.Error(fault)
		}
		if blendOf(m) == nil {
			return
		}
		if err := blendOf(m).Validate(&m.Skeleton); err != nil {
			t.Error(err)
		}
		frame := skinning.NewFrame(m, nil)
		for j := range frame.Matrices {
			if !frame.Matrices[j].IsFinite() {
				t.Errorf("joint %d moves by %v", j, frame.Matrices[j])
			}
		}
	})
}

// FuzzExport: whatever loads and has a skin can be given a blend bone or proxies, exported, and loaded again with it.
// The seed damages a full file as FuzzValues does.
func FuzzExport(f *testing.F) {
	for seed := range uint64(64) {
		f.Add(seed)
	}
	values := gltftest.HostileValues()
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 1))
		var document any
		b := withExtras()
		if err := json.Unmarshal(b.Text(), &document); err != nil {
			t.Fatal(err)
		}
		for range 1 + random.IntN(3) {
			gltftest.ReplaceRandom(document, random, values)
		}
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		data := gltftest.GLB(text, b.Bin)
		m, err := gltf.Decode("beam.glb", data, nil)
		if err != nil || len(m.Skin.Positions) == 0 {
			return
		}
		var fitted *skinning.Model
		proxies := seed%2 == 1
		if proxies {
			fitted = gltftest.Enveloped(t, m, 2)
		} else {
			fitted = fit(t, m)
		}
		var out bytes.Buffer
		if _, err := writeFitted(&out, data, nil, fitted, Options{}); err != nil {
			t.Fatal(err)
		}
		again, err := gltf.Decode("beam.glb", out.Bytes(), nil)
		if err != nil {
			t.Fatalf("the export does not load: %v", err)
		}
		for _, fault := range gltftest.ModelFaults(again) {
			t.Error(fault)
		}
		if proxies && (gltftest.EnvelopeOf(again) == nil ||
			len(gltftest.EnvelopeOf(again).Proxies) != len(gltftest.EnvelopeOf(fitted).Proxies)) {
			t.Errorf("rig %+v, warnings %q", gltftest.EnvelopeOf(again), again.Warnings)
		}
		if !proxies && (blendOf(again) == nil || len(blendOf(again).Bones) != 1) {
			t.Errorf("blend rig %+v", blendOf(again))
		}
	})
}
