package render

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// Tints on a model of three vertices: moved by a joint, by one proxy, and by two proxies and a joint.
func TestEnvelopeTints(t *testing.T) {
	m := &skinning.Model{Skeleton: skinning.Skeleton{Nodes: []skinning.Node{{Parent: -1}}, Joints: []skinning.Joint{{Parent: -1}}}}
	if err := m.Skeleton.SortNodes(); err != nil {
		t.Fatal(err)
	}
	m.Skin.Positions = make([]mgl32.Vec3, 3)
	var in skinning.Influences
	in.Append([]skinning.Influence{{Joint: 0, Weight: 1}}, 0)
	in.Append([]skinning.Influence{{Joint: 1, Weight: 1}}, 0)
	in.Append([]skinning.Influence{{Joint: 2, Weight: 0.5}, {Joint: 1, Weight: 0.25}, {Joint: 0, Weight: 0.25}}, 0)
	key := func(u float64) skinning.GradientKey {
		return skinning.GradientKey{Terms: []skinning.TurnTerm{{U: u}}, Second: -1}
	}
	fitted, err := m.WithEnvelope(skinning.EnvelopeRig{Masters: []int{0}, Parents: []int{-1}, Middle: make([]mgl64.Vec3, 1),
		Keys: []skinning.GradientKey{key(0), key(7)}, C1: make([]float64, 48), C2: make([]float64, 32)}, make([]mgl64.Vec3, 2), in)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, got, want []Tint) {
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
	red := Tint{255, 0, 0, 255}
	color := func(k int) [3]float32 { return [2][3]float32{{1, 0, 0}, {0, 0, 1}}[k] }
	check("proxies", ProxyTints(fitted, color), []Tint{{}, red, {85, 0, 170, 191}})
	check("the second key", KeyTints(fitted, 1, color(1)), []Tint{{}, {}, {0, 0, 255, 128}})
	shade := func(t float32, share uint8) Tint {
		c := Colormap(t)
		return Tint{toByte(linear(c[0])), toByte(linear(c[1])), toByte(linear(c[2])), share}
	}
	first, last := shade(0, 255), shade(1, 191)
	mixed := Tint{3: 191}
	for c := range 3 {
		mixed[c] = uint8((int(first[c]) + 2*int(last[c])) / 3)
	}
	check("turns", TurnTints(fitted, 0, 1), []Tint{{}, first, mixed})
}
