package export

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"skinlab/assets/gltf"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

func blendOf(m *skinning.Model) *rig.BlendBones { return skinning.RigOf[*rig.BlendBones](m) }

// packedNumbers are float32 numbers as files keep them: little-endian, in base64.
type packedNumbers []float64

func (p packedNumbers) MarshalJSON() ([]byte, error) {
	var raw []byte
	for _, v := range p {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(v)))
	}
	return json.Marshal(raw)
}

// withEnveloping is the beam with a rig in its skin's extras: joint 2 is a proxy of joints 0 and 1, P = 1 and J = 2.
func withEnveloping() *gltftest.Builder {
	key := object{"joints": list{1}, "u": list{0.5}, "w": list{0, 0, 0, 1}, "shear": list{1, -1}}
	shear := make(packedNumbers, 63)
	shear[6], shear[34], shear[62] = 1, 1, 1
	return gltftest.Beam().Set("skins.0.extras", object{gltf.ExtrasKey: object{"version": 1, "enveloping": object{
		"joints": list{2}, "masters": list{0, 1}, "parents": list{-1, 0}, "middle": list{0, 0, 0, 0, 0, 0.5},
		"keys":  list{key},
		"shear": shear, "c1": packedNumbers{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0},
		"c2": packedNumbers{31: 1}}}})
}

// TestReadEnveloping: what extras say is what the model has.
func TestReadEnveloping(t *testing.T) {
	m := decoded(t, "beam", withEnveloping().Glb())
	gltftest.CheckModel(t, m)
	e := gltftest.EnvelopeOf(m)
	if e == nil {
		t.Fatalf("no rig, warnings %q", m.Warnings)
	}
	if e.Proxies[0] != 2 || !slices.Equal(e.Masters, []int{0, 1}) || !slices.Equal(e.Parents, []int{-1, 0}) ||
		e.Middle[1][2] != 0.5 ||
		e.C1[10] != -1 || e.C2[31] != 1 || e.Keys[0].Shear[4][6] != 1 || e.Keys[0].Terms[0].U != 0.5 ||
		e.Keys[0].First != 1 || e.Keys[0].Second != -1 {
		t.Errorf("rig %+v", e)
	}
}

// TestReadEnvelopingOfGiants: coefficients are as long as the model, here 1e15 m.
func TestReadEnvelopingOfGiants(t *testing.T) {
	b := withEnveloping().Set("skins.0.extras.skinlab.enveloping.c1", slices.Repeat(packedNumbers{1e15}, 12))
	m := decoded(t, "giant", b.Glb())
	gltftest.CheckModel(t, m)
	if gltftest.EnvelopeOf(m) == nil {
		t.Errorf("no rig, warnings %q", m.Warnings)
	}
}

// TestEnvelopingRoundTrip: an exported rig comes back number by number, those in base64 as float32.
func TestEnvelopingRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("short: a whole fit")
	}
	m, data, files := source(t, "demo:figure")
	for name, fitted := range map[string]*skinning.Model{"a key a proxy": gltftest.Enveloped(t, m, 7),
		"more keys than proxies": withSpareKey(gltftest.Enveloped(t, m, 7))} {
		again, _, _ := export(t, fitted, data, files, Options{Extras: map[string]any{"ee": 1.5, "enveloping": 7}})
		checkRounded(t, name, gltftest.EnvelopeOf(fitted), gltftest.EnvelopeOf(again))
	}
}

// withSpareKey returns the model with one more key gradient, which half of the proxies read: as that of a group whose
// proxy is left out.
func withSpareKey(m *skinning.Model) *skinning.Model {
	old := gltftest.EnvelopeOf(m)
	out, envelope := *m, *old
	wide := 3 * len(envelope.Keys)
	envelope.Keys = append(slices.Clone(envelope.Keys), envelope.Keys[0])
	envelope.C1 = nil
	for row := range 4 * len(envelope.Proxies) {
		envelope.C1 = append(append(envelope.C1, old.C1[row*wide:(row+1)*wide]...), 0.25*float64(row/4%2), 0, -0.5*float64(row/4%2))
	}
	out.Rigs = []skinning.Rig{&envelope}
	return &out
}

// checkRounded holds a rig that was read against the one that was written.
func checkRounded(t *testing.T, name string, wrote, read *rig.Enveloping) {
	t.Helper()
	said := func(r *rig.Enveloping) rig.Enveloping { // without what is made of it
		return rig.Enveloping{Masters: r.Masters, Parents: r.Parents, Middle: r.Middle, Proxies: r.Proxies, Keys: r.Keys,
			C1: r.C1, C2: r.C2}
	}
	want, have := said(wrote), said(read)
	round := func(v []float64) (out []float64) {
		for _, x := range v {
			out = append(out, float64(float32(x)))
		}
		return out
	}
	want.C1, want.C2, want.Keys = round(want.C1), round(want.C2), slices.Clone(want.Keys)
	for l := range want.Keys {
		for n := range want.Keys[l].Shear {
			copy(want.Keys[l].Shear[n][:], round(want.Keys[l].Shear[n][:]))
		}
	}
	if !reflect.DeepEqual(want, have) {
		t.Errorf("%s: %+v came back as %+v", name, want, have)
	}
}

// TestBadEnveloping: a rig that cannot be understood gives a warning that says why, and the model plays without it.
func TestBadEnveloping(t *testing.T) {
	const own = "skins.0.extras.skinlab"
	const envelope = own + ".enveloping"
	raw := func(b ...byte) string { return base64.StdEncoding.EncodeToString(b) }
	numbers := func(n int, v float64) packedNumbers { return slices.Repeat(packedNumbers{v}, n) }
	checkBadExtras(t, withEnveloping, []badExtras{
		{envelope, nil, ""},
		{envelope + ".joints", list{}, ""},
		{own + ".version", 3, "version 3"},
		{own + ".version", nil, "version"},
		{envelope, "text", "not understood"},
		{envelope + ".joints", list{3}, "joint 3 does not exist"},
		{envelope + ".joints", list{-1}, "joint -1 does not exist"},
		{envelope + ".joints", list{1}, "joint 1 of 3"},
		{envelope + ".joints", list{2, 2}, "2 masters and 2 joints"},
		{envelope + ".masters", list{0, 7}, "joint 7 does not exist"},
		{envelope + ".masters", list{}, "0 masters"},
		{envelope + ".masters", list{0}, "1 masters"},
		{envelope + ".parents", list{-1, 2}, "parent 2"},
		{envelope + ".parents", list{-1}, "1 parents"},
		{envelope + ".parents", nil, "0 parents"},
		{envelope + ".middle", list{0, 0}, "middle of 2"},
		{envelope + ".middle", list{0, 0, 0, 0, 0, 1e300}, "middle: number 5"},
		{envelope + ".keys", list{}, "keys of 0"},
		{envelope + ".keys", list{nil}, "0 joints"},
		{envelope + ".keys", list{nil, nil}, "keys of 2 and shear of 63"},
		{envelope + ".keys.0.joints", list{2}, "term"},
		{envelope + ".keys.0.joints", list{0, 1, 0}, "3 joints"},
		{envelope + ".keys.0.u", list{1e9}, "u 1e+09"},
		{envelope + ".keys.0.u", list{}, "with 0 u"},
		{envelope + ".keys.0.u", list{json.RawMessage("1e999")}, "not understood"},
		{envelope + ".keys.0.w", list{0, 0, 0, 0}, "w [0 0 0 0]"},
		{envelope + ".keys.0.w", list{0, 0, 1}, "3 numbers of w"},
		{envelope + ".keys.0.shear", list{5, -1}, "joints 5 and -1"},
		{envelope + ".keys.0.shear", list{-1, -1}, "joints -1 and -1"},
		{envelope + ".keys.0.shear", list{1}, "shear of 1"},
		{envelope + ".shear", numbers(62, 0), "shear of 62"},
		{envelope + ".origin", list{1, 2}, "origin of 2"},
		{envelope + ".origin", list{1, 2, 1e12}, "origin: number 2 is 1e+12"},
		{envelope + ".shear", "?", "no numbers in base64"},
		{envelope + ".shear", list{1}, "no numbers in base64"},
		{envelope + ".c1", raw(1, 2, 3), "3 bytes"},
		{envelope + ".c1", numbers(11, 1), "c1 of 11"},
		{envelope + ".c1", numbers(12, math.NaN()), "c1: number 0 is NaN"},
		{envelope + ".c1", numbers(12, math.Inf(-1)), "c1: number 0 is -Inf"},
		{envelope + ".c1", numbers(12, 1e19), "c1: number 0"},
		{envelope + ".c2", numbers(32, 1e30), "c2: number 0"},
		{envelope + ".c2", nil, "c2 of 0"},
	})
}

// TestOneBadRig: blend bones and proxies stand apart: one that is bad does not take the other with it. Two skins cannot
// both have proxies.
func TestOneBadRig(t *testing.T) {
	bones := object{"operator": "dqs", "joints": list{1}, "masters": list{list{0}}, "weights": list{list{1}}}
	m, err := gltf.Decode("beam", withEnveloping().Set("skins.0.extras.skinlab.blendBones", bones).Glb(), nil)
	if err != nil || blendOf(m) == nil || gltftest.EnvelopeOf(m) == nil {
		t.Fatalf("%v, rigs %v and %v, warnings %q", err, blendOf(m), gltftest.EnvelopeOf(m), m.Warnings)
	}
	m, err = gltf.Decode("beam", withEnveloping().Set("skins.0.extras.skinlab.blendBones", 7).Glb(), nil)
	if err != nil || blendOf(m) != nil || gltftest.EnvelopeOf(m) == nil || !gltftest.HasWarning(m, "not understood") {
		t.Errorf("%v, rigs %v and %v, warnings %q", err, blendOf(m), gltftest.EnvelopeOf(m), m.Warnings)
	}
	b := withEnveloping()
	b.Push("skins", b.Doc["skins"].(list)[0].(object))
	b.Push("nodes", object{"mesh": 0, "skin": 1})
	m, err = gltf.Decode("beam", b.Set("scenes.0.nodes", list{0, 1, 6}).Glb(), nil)
	if err != nil || gltftest.EnvelopeOf(m) == nil || !gltftest.HasWarning(m, "another skin has some") {
		t.Errorf("%v, rig %v, warnings %q", err, gltftest.EnvelopeOf(m), m.Warnings)
	}
}

// TestExportKeepsOtherRig: blend bones in a file stay driven when proxies join them, and the other way round; a fit of
// the same kind takes the place of the old one.
func TestExportKeepsOtherRig(t *testing.T) {
	data := gltftest.Beam().Glb()
	m := decoded(t, "beam.glb", data)
	for name, steps := range map[string][]func(testing.TB, *skinning.Model) *skinning.Model{
		"blend bones, then proxies": {fit,
			func(t testing.TB, m *skinning.Model) *skinning.Model { return gltftest.Enveloped(t, m, 2) }},
		"proxies, then blend bones": {func(t testing.TB, m *skinning.Model) *skinning.Model { return gltftest.Enveloped(t, m, 2) },
			fit},
	} {
		t.Run(name, func(t *testing.T) {
			once, _, out := export(t, steps[0](t, m), data, nil, Options{})
			both := steps[1](t, once)
			twice, report, out2 := export(t, both, out, nil, Options{})
			samePlay(t, both, twice)
			if blendOf(twice) == nil || gltftest.EnvelopeOf(twice) == nil {
				t.Errorf("rigs %v and %v, warnings %q", blendOf(twice), gltftest.EnvelopeOf(twice), twice.Warnings)
			}
			third := steps[1](t, twice)
			last, again, _ := export(t, third, out2, nil, Options{})
			samePlay(t, third, last)
			if again.Bones != report.Bones || addedJoints(last) != addedJoints(twice) {
				t.Errorf("%d bones after %d, %d driven joints after %d", again.Bones, report.Bones, addedJoints(last),
					addedJoints(twice))
			}
		})
	}
}

// FuzzEnvelopingExtras: any extras give a model whose rig, if there is one, is valid and can be posed. The seed damages
// good ones as FuzzValues does.
func FuzzEnvelopingExtras(f *testing.F) {
	for seed := range uint64(64) {
		f.Add(seed)
	}
	values := gltftest.HostileValues()
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 2))
		text, err := json.Marshal(withEnveloping().Doc["skins"].(list)[0].(object)["extras"])
		if err != nil {
			t.Fatal(err)
		}
		var extras any
		if err := json.Unmarshal(text, &extras); err != nil {
			t.Fatal(err)
		}
		for range 1 + random.IntN(3) {
			gltftest.ReplaceRandom(extras, random, values)
		}
		m, err := gltf.Decode("beam.glb", gltftest.Beam().Set("skins.0.extras", extras).Glb(), nil)
		if err != nil {
			t.Fatal(err) // extras are no reason to refuse a file
		}
		for _, fault := range gltftest.ModelFaults(m) {
			t.Error(fault)
		}
		if gltftest.EnvelopeOf(m) == nil {
			return
		}
		if err := gltftest.EnvelopeOf(m).Validate(&m.Skeleton); err != nil {
			t.Error(err)
		}
		frame, pose := skinning.NewFrame(m, nil), m.NewPose()
		for _, seconds := range []float64{0, 0.6, 1} {
			m.SamplePose(pose, 0, seconds)
			frame.SetPose(pose)
			for j := range frame.Matrices {
				if !frame.Matrices[j].IsFinite() {
					t.Errorf("joint %d moves by %v", j, frame.Matrices[j])
				}
			}
		}
	})
}
