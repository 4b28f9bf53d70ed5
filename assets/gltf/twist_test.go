package gltf

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"skinlab/assets/fault"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// TestTwistWeights: the second weight set is read beside the first, normalised to the float32 rounding of its bytes.
func TestTwistWeights(t *testing.T) {
	b := gltftest.Beam()
	b.Twisted()
	m := mustDecode(t, b.Glb())
	if len(m.Warnings) > 0 {
		t.Errorf("warnings %q", m.Warnings)
	}
	plain := mustDecode(t, gltftest.Beam().Glb())
	if plain.Skin.Second(skinning.TwistSwing) != nil {
		t.Error("a second weight set in a file without one")
	}
	if m.Skin.Second(skinning.TwistSwing) == nil || !slices.Equal(m.Skin.Bindings, plain.Skin.Bindings) {
		t.Fatalf("second weight set %v, first one %v", m.Skin.Second(skinning.TwistSwing), m.Skin.Bindings)
	}
	if got, want := m.Skin.Second(skinning.TwistSwing).Of(nil, 1),
		[]skinning.Influence{{Joint: 0, Weight: 0.6}, {Joint: 1, Weight: 0.4}}; !slices.Equal(got, want) {
		t.Errorf("vertex 1 has %v, expected %v", got, want)
	}
	if got, want := m.Skin.Second(skinning.TwistSwing).Of(nil, 6), []skinning.Influence{{Joint: 2, Weight: 0.6}, {Joint: 0, Weight: 0.2},
		{Joint: 1, Weight: 0.2}}; !slices.Equal(got, want) {
		t.Errorf("vertex 6 has %v, expected %v", got, want)
	}
	if d := m.Describe(); len(d.Inputs) != 1 || *d.Inputs[0].Influences != (skinning.InfluenceCount{Mean: 2.5, Max: 3}) {
		t.Errorf("described as %+v", d.Inputs)
	}
	if d := plain.Describe(); d.Inputs != nil {
		t.Errorf("a model of one weight set is described as %+v", d.Inputs)
	}
}

// TestTwistFallback: vertices without twist weights, and primitives without the attributes, take their first set.
func TestTwistFallback(t *testing.T) {
	b := gltftest.Beam()
	_, weights := b.Twisted()
	b.Patch(weights, 5, []byte{0, 0, 0, 0})
	mesh := b.Doc["meshes"].(list)[0].(object)
	first := mesh["primitives"].(list)[0].(object)
	second := object{}
	maps.Copy(second, first)
	attributes := object{}
	for name, value := range first["attributes"].(object) {
		if !strings.HasPrefix(name, "_TWIST_") {
			attributes[name] = value
		}
	}
	second["attributes"] = attributes
	mesh["primitives"] = list{first, second}
	m := mustDecode(t, b.Glb())
	if len(m.Skin.Positions) != 16 || m.Skin.Second(skinning.TwistSwing) == nil || len(m.Warnings) > 0 {
		t.Fatalf("%d vertices, second set %v, warnings %q", len(m.Skin.Positions), m.Skin.Second(skinning.TwistSwing), m.Warnings)
	}
	for v := range 16 {
		same := slices.Equal(m.Skin.Second(skinning.TwistSwing).Of(nil, v), m.Skin.Of(nil, v))
		if want := v == 5 || v >= 8; same != want {
			t.Errorf("vertex %d: the sets are the same: %v, expected %v", v, same, want)
		}
	}
}

// TestTwistMalformed breaks the second weight set. Every error names mesh, primitive, attribute and reason.
func TestTwistMalformed(t *testing.T) {
	for _, c := range []struct {
		name, want string
		damage     func(b *gltftest.Builder, joints, weights int)
	}{
		{"joints missing", "_TWIST_WEIGHTS_0 without _TWIST_JOINTS_0", func(b *gltftest.Builder, _, _ int) {
			b.Set(beamPrimitive+"attributes._TWIST_JOINTS_0", nil)
		}},
		{"weights missing", "_TWIST_JOINTS_0 without _TWIST_WEIGHTS_0", func(b *gltftest.Builder, _, _ int) {
			b.Set(beamPrimitive+"attributes._TWIST_WEIGHTS_0", nil)
		}},
		{"set skipped", "1 _TWIST_JOINTS and 1 _TWIST_WEIGHTS attributes, but no _TWIST_JOINTS_0",
			func(b *gltftest.Builder, joints, weights int) {
				b.Set(beamPrimitive+"attributes._TWIST_JOINTS_0", nil).Set(beamPrimitive+"attributes._TWIST_WEIGHTS_0", nil)
				b.Set(beamPrimitive+"attributes._TWIST_JOINTS_1", joints).Set(beamPrimitive+"attributes._TWIST_WEIGHTS_1", weights)
			}},
		{"joint range", "_TWIST_JOINTS_0: vertex 7: joint 3 does not exist, the skin has 3",
			func(b *gltftest.Builder, joints, _ int) { b.Patch(joints, 7, gltftest.Pack(gltftest.Ushort, 3)) }},
		{"joint float", "_TWIST_JOINTS_0: component type is FLOAT, expected UNSIGNED_BYTE or UNSIGNED_SHORT",
			func(b *gltftest.Builder, _, _ int) { b.Set(beamPrimitive+"attributes._TWIST_JOINTS_0", beamWeights) }},
		{"joints of four bytes", "_TWIST_JOINTS_0: accessor 19 is of UNSIGNED_INT", func(b *gltftest.Builder, _, _ int) {
			b.Set(beamPrimitive+"attributes._TWIST_JOINTS_0", b.Accessor(gltftest.Uint, "VEC4", make([]float64, 32)...))
		}},
		{"weight shape", "_TWIST_WEIGHTS_0: accessor 1 is VEC3, expected VEC4",
			func(b *gltftest.Builder, _, _ int) { b.Set(beamPrimitive+"attributes._TWIST_WEIGHTS_0", beamNormal) }},
		{"weight count", "_TWIST_WEIGHTS_0: accessor 18 has 7 elements, POSITION has 8",
			func(b *gltftest.Builder, _, _ int) { b.Set("accessors.18.count", 7) }},
		{"weight NaN", "_TWIST_WEIGHTS_0: vertex 3 is [NaN", func(b *gltftest.Builder, _, _ int) {
			weights := make([]float64, 32)
			b.Set(beamPrimitive+"attributes._TWIST_WEIGHTS_0", b.Accessor(gltftest.Float, "VEC4", weights...))
			b.Patch(19, 3, []byte{0, 0, 0xc0, 0x7f})
		}},
		{"accessor", "_TWIST_WEIGHTS_0: accessor 99",
			func(b *gltftest.Builder, _, _ int) { b.Set(beamPrimitive+"attributes._TWIST_WEIGHTS_0", 99) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := gltftest.Beam()
			joints, weights := b.Twisted()
			c.damage(b, joints, weights)
			_, err := Decode("beam.glb", b.Glb(), nil)
			if !errors.Is(err, fault.ErrMalformed) || !strings.Contains(err.Error(), `mesh 0 "beam", primitive 0`) ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, expected %q of beam.glb, mesh 0, primitive 0", err, c.want)
			}
		})
	}
}

// TestTwistSwingExtras: what the extras say that the attributes do not is a warning.
func TestTwistSwingExtras(t *testing.T) {
	marker := func(value any) object { return object{"skinlab": object{"version": 1, "twistSwing": value}} }
	for _, c := range []struct {
		name, want string // part of a warning; none for ""
		edit       func(b *gltftest.Builder)
	}{
		{"attributes alone", "", func(b *gltftest.Builder) { b.Set("skins.0.extras", nil) }},
		{"null", "", func(b *gltftest.Builder) { b.Set("skins.0.extras", marker(nil)) }},
		{"a member", `skin 0 "rig": extras.skinlab.twistSwing: sets is not known`,
			func(b *gltftest.Builder) { b.Set("skins.0.extras", marker(object{"sets": 2})) }},
		{"no object", `skin 0 "rig": extras.skinlab.twistSwing: the JSON is invalid: the whole is true, expected an object`,
			func(b *gltftest.Builder) { b.Set("skins.0.extras", marker(true)) }},
		{"no attributes", `no primitive has _TWIST_JOINTS_0, so twist-swing reads JOINTS_0 for both weight sets`,
			func(b *gltftest.Builder) {
				b.Set(beamPrimitive+"attributes._TWIST_JOINTS_0", nil).Set(beamPrimitive+"attributes._TWIST_WEIGHTS_0", nil)
			}},
		{"rigid primitive", "node 0 has a skin, but the primitive has no JOINTS_0", func(b *gltftest.Builder) {
			for _, name := range []string{"JOINTS_0", "JOINTS_1", "WEIGHTS_0", "WEIGHTS_1"} {
				b.Set(beamPrimitive+"attributes."+name, nil)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := gltftest.Beam()
			b.Twisted()
			c.edit(b)
			m := mustDecode(t, b.Glb())
			if c.want == "" && len(m.Warnings) > 0 || c.want != "" && !gltftest.HasWarning(m, c.want) {
				t.Errorf("warnings %q, expected %q", m.Warnings, c.want)
			}
		})
	}
}
