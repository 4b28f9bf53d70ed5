package picture

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// Tints on a model of three vertices: moved by a joint, by one proxy, and by two proxies and a joint.
func TestEnvelopeTints(t *testing.T) {
	m := &skinning.Model{Skeleton: skinning.Skeleton{Nodes: []skinning.Node{{Parent: -1}},
		Joints: []skinning.Joint{{Parent: -1}}}}
	if err := m.Skeleton.SortNodes(); err != nil {
		t.Fatal(err)
	}
	m.Skin.Positions = make([]mgl32.Vec3, 3)
	var in skinning.Influences
	in.Append([]skinning.Influence{{Joint: 0, Weight: 1}}, 0)
	in.Append([]skinning.Influence{{Joint: 1, Weight: 1}}, 0)
	in.Append([]skinning.Influence{{Joint: 2, Weight: 0.5}, {Joint: 1, Weight: 0.25}, {Joint: 0, Weight: 0.25}}, 0)
	key := func(u float64) rig.GradientKey {
		return rig.GradientKey{Terms: []rig.RotationTerm{{U: u}}, Second: -1}
	}
	fitted, err := rig.WithEnveloping(m, rig.Enveloping{Masters: []int{0}, Parents: []int{-1},
		Middle: make([]mgl64.Vec3, 1),
		Keys:   []rig.GradientKey{key(0), key(7)}, C1: make([]float64, 48), C2: make([]float64, 32)},
		make([]mgl64.Vec3, 2), in)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, got, want []skin.Tint) {
		t.Helper()
		for v := range want {
			for c := range want[v] {
				if d := int(got[v][c]) - int(want[v][c]); d < -1 || d > 1 { // a step of rounding
					t.Errorf("%s: vertex %d has %v, expected %v", what, v, got[v], want[v])
					break
				}
			}
		}
	}
	envelope := skinning.RigOf[*rig.Enveloping](fitted)
	dyeOf := []int{-1, 0, 1}
	tints := make([]skin.Tint, 3)
	mix := func(dyes ...Dye) []skin.Tint {
		BoneTints(tints, fitted, dyeOf, dyes)
		return tints
	}
	red, blue := Dye{1, 0, 0, 1}, Dye{0, 0, 1, 1}
	check("proxies", mix(red, blue), []skin.Tint{{}, {255, 0, 0, 255}, {85, 0, 170, 191}})
	check("the second alone", mix(Dye{}, blue), []skin.Tint{{}, {}, {0, 0, 255, 128}})
	if n := testing.AllocsPerRun(3, func() { BoneTints(tints, fitted, dyeOf, []Dye{red, blue}) }); n != 0 {
		t.Errorf("%g allocations, expected none", n)
	}

	shade := func(t float32, share uint8) skin.Tint {
		c := Colormap(t)
		return skin.Tint{toByte(linear(c[0])), toByte(linear(c[1])), toByte(linear(c[2])), share}
	}
	first, last := shade(0, 255), shade(1, 191)
	mixed := skin.Tint{3: 191}
	for c := range 3 {
		mixed[c] = uint8((int(first[c]) + 2*int(last[c])) / 3)
	}
	dyes := make([]Dye, 2)
	TurnDyes(dyes, envelope, 0, 1)
	check("turns", mix(dyes...), []skin.Tint{{}, first, mixed})

	// The first key moves the first bone by 3 along its rows' x and 4 along y: 5; the second bone by 1, and the
	// second key moves that by 2. At a place of (1, 0, 2) that takes the first row once, the third twice, and the
	// fourth.
	envelope.C1[0*6+0], envelope.C1[3*6+0], envelope.C1[2*6+1] = 2, 1, 2
	envelope.C1[4*6+2], envelope.C1[6*6+5] = 1, 1
	places := []mgl64.Vec3{{1, 0, 2}, {1, 0, 2}}
	for _, c := range []struct {
		only int
		want [2]Dye
	}{
		{-1, [2]Dye{red, blue}},
		{0, [2]Dye{red, {1, 0, 0, 0.2}}},
		{1, [2]Dye{{0, 0, 1, 0}, blue}},
	} {
		KeyDyes(dyes, envelope.Linear(), places, []Dye{red, blue}, c.only)
		for b := range dyes {
			for k := range dyes[b] {
				if d := dyes[b][k] - c.want[b][k]; !(d <= 1e-6 && d >= -1e-6) { // a few roundings of float32
					t.Errorf("key %d, bone %d: dye %v, expected %v", c.only, b, dyes[b], c.want[b])
					break
				}
			}
		}
	}
}
