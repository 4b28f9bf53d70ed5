package bench

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
	"skinlab/skinning/simd"
)

// TestSubdivide divides a square of two triangles: 4 vertices and 5 edges become 9 vertices, 16 edges and 8 triangles,
// then 25 vertices and 32 triangles, of the same area and the same facing.
func TestSubdivide(t *testing.T) {
	m := &skinning.Model{Name: "square"}
	up := mgl32.Vec3{0, 0, 1}
	m.Skin.Positions = []mgl32.Vec3{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}
	m.Skin.Normals = []mgl32.Vec3{up, up, up, up}
	m.Skin.UVs = []mgl32.Vec2{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	m.Skin.Triangles = [][3]uint32{{0, 1, 2}, {0, 2, 3}}
	m.Skin.Parts = []skinning.Part{{VertexCount: 4, TriangleCount: 2, Material: -1}}
	for v := range uint16(4) {
		m.Skin.Append([]skinning.Influence{{Joint: v, Weight: 0.75}, {Joint: 9, Weight: 0.25}}, 0)
	}
	for times, want := range [][2]int{{4, 2}, {9, 8}, {25, 32}} {
		d := Subdivide(m, times)
		s := &d.Skin
		if p := s.Parts[0]; len(s.Positions) != want[0] || len(s.Triangles) != want[1] || len(s.UVs) != want[0] ||
			len(s.Normals) != want[0] || p.VertexCount != want[0] || p.TriangleCount != want[1] {
			t.Fatalf("%d times: %d vertices, %d triangles, part %+v; expected %v", times, len(s.Positions), len(s.Triangles), p,
				want)
		}
		area := 0.0
		for _, c := range s.Triangles {
			n := s.Positions[c[1]].Sub(s.Positions[c[0]]).Cross(s.Positions[c[2]].Sub(s.Positions[c[0]]))
			if !(n[2] > 0) {
				t.Errorf("%d times: triangle %v faces %v", times, c, n)
			}
			area += float64(n[2]) / 2
		}
		if !(math.Abs(area-1) <= 1e-6) { // float32
			t.Errorf("%d times: area %g, expected 1", times, area)
		}
		for v, p := range s.Positions {
			// Texture coordinates of a unit square are its positions; both are halved alike.
			if s.UVs[v] != p.Vec2() {
				t.Errorf("%d times: vertex %d at %v has the texture coordinates %v", times, v, p, s.UVs[v])
			}
			sum, nine := 0.0, 0.0
			of := s.Of(nil, v)
			for _, x := range of {
				sum += float64(x.Weight)
				if x.Joint == 9 {
					nine = float64(x.Weight)
				}
			}
			// Every vertex has a quarter of joint 9, or more where more than three corners have a part: the weakest
			// is left out.
			if len(of) > 4 || !(math.Abs(sum-1) <= 1e-6) || !(nine >= 0.25-1e-6 && nine < 0.4) {
				t.Errorf("%d times: vertex %d has the influences %v", times, v, of)
			}
		}
	}
	if of := Subdivide(m, 1).Skin.Of(nil, 4); of[0].Weight != 0.375 || of[1].Weight != 0.375 {
		t.Errorf("the middle of the first edge has the influences %v, expected 0.375 of each end's joint", of)
	}
	if Subdivide(m, 1).Skin.Second(skinning.TwistSwing) != nil {
		t.Error("a second weight set of a model that has one")
	}
	m.Skin.SetSecond(skinning.TwistSwing, &skinning.Influences{})
	for v := range uint16(4) {
		m.Skin.Second(skinning.TwistSwing).Append([]skinning.Influence{{Joint: 5 + v, Weight: 1}}, 0)
	}
	twist := Subdivide(m, 2).Skin.Second(skinning.TwistSwing)
	if of := Subdivide(m, 1).Skin.Second(skinning.TwistSwing).Of(nil, 4); len(twist.Bindings) != 25 || len(of) != 2 || of[0].Weight != 0.5 ||
		of[0].Joint != 5 || of[1].Joint != 6 {
		t.Errorf("second weight set of %d vertices, in the middle of the first edge %v, expected half of joints 5 and 6",
			len(twist.Bindings), of)
	}
}

// TestBytesOfTwoSets: a second weight set is 24 bytes a vertex more for twist-swing, and none for others.
func TestBytesOfTwoSets(t *testing.T) {
	m := Mesh(300, MeshTurn)
	moved := func(method skinning.Method) int {
		s := &subject{stage: newStage(m, 0, simd.Scalar), method: method}
		return s.bytesMoved()
	}
	one, lbs := moved(skinning.TwistSwing), moved(skinning.LBS)
	m.Skin.SetSecond(skinning.TwistSwing, &m.Skin.Influences)
	if two := moved(skinning.TwistSwing); two != one+24*300 || moved(skinning.LBS) != lbs {
		t.Errorf("twist-swing moves %d bytes by one set and %d by two, lbs %d and %d", one, two, lbs, moved(skinning.LBS))
	}
}
