package packed

import (
	"errors"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

func sample() *Model {
	m := &Model{Joints: []Joint{{"root", -1, mgl64.Vec3{0, 0.5, 0}}, {"tip", 0, mgl64.Vec3{0.25, 1, -2}}}}
	for i := range 200 {
		a, b := float64(i)*0.7, float64(i)*0.017
		n := mgl64.Vec3{math.Cos(a) * math.Sin(b), math.Sin(a) * math.Sin(b), math.Cos(b)}
		m.Normals = append(m.Normals, geom.Vec32(n))
		m.Positions = append(m.Positions, geom.Vec32(n.Mul(0.5)))
		w := float32(i) / 400
		m.Weights.Append([]skinning.Influence{{Joint: 0, Weight: 1 - w}, {Joint: 1, Weight: w}}, 0)
	}
	m.Triangles = [][3]uint32{{0, 1, 2}, {197, 198, 199}}
	return m
}

func TestRoundTrip(t *testing.T) {
	want := sample()
	got, err := Decode(Encode(want))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Joints) != 2 || got.Joints[0] != want.Joints[0] || got.Joints[1] != want.Joints[1] {
		t.Errorf("joints %v", got.Joints)
	}
	if len(got.Triangles) != 2 || got.Triangles[1] != want.Triangles[1] {
		t.Errorf("triangles %v", got.Triangles)
	}
	for i := range want.Positions {
		// 1 m over 65534 steps, half a step off at most in each axis.
		if d := got.Positions[i].Sub(want.Positions[i]).Len(); !(d < 1.4e-5) {
			t.Errorf("vertex %d is off by %g m", i, d)
		}
		if c := got.Normals[i].Sub(want.Normals[i]).Len(); !(c < 1e-4) { // about 0.005 degrees
			t.Errorf("normal %d is off by %g rad", i, c)
		}
		a, b := got.Weights.Bindings[i], want.Weights.Bindings[i]
		if d := math.Abs(float64(a.Weights[0] - b.Weights[0])); a.Joints[0] != b.Joints[0] || !(d < 1.0/65535) {
			t.Errorf("vertex %d: binding %v, expected %v", i, a, b)
		}
	}
	if err := got.Weights.Validate(2); err != nil {
		t.Error(err)
	}
	// The centre of a symmetric box is stored exactly, so symmetric meshes stay symmetric.
	m := &Model{Positions: []mgl32.Vec3{{-1, 0, 0}, {0, 1, 1}, {1, 0, 0}}, Normals: make([]mgl32.Vec3, 3)}
	for i := range m.Normals {
		m.Normals[i] = mgl32.Vec3{0, 0, 1}
		m.Weights.Append([]skinning.Influence{{Joint: 0, Weight: 1}}, 0)
	}
	m.Joints = []Joint{{"root", -1, mgl64.Vec3{}}}
	got, err = Decode(Encode(m))
	if err != nil || got.Positions[1][0] != 0 ||
		got.Positions[0][0] != -got.Positions[2][0] {
		t.Errorf("%v, %v: not symmetric", got, err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := Encode(sample())
	for n := range good { // every truncation
		if _, err := Decode(good[:n]); !errors.Is(err, errMalformed) {
			t.Fatalf("%d of %d bytes: %v", n, len(good), err)
		}
	}
	if _, err := Decode(append(good[:len(good):len(good)], 0)); !errors.Is(err, errMalformed) {
		t.Errorf("a byte too many: %v", err)
	}
}
