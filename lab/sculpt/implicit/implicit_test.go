package implicit

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// peanut is two blended balls, symmetric in x, about 40 cm long.
func peanut() Shape {
	return Both(0.05, Ball(mgl64.Vec3{0.1, 0, 0}, 0.1))
}

func fine(p mgl64.Vec3) float64 { return 0.01 + 0.01*math.Abs(p[1])/0.1 }

func volume(m *Mesh) float64 {
	v := 0.0
	for _, t := range m.Triangles {
		v += m.Positions[t[0]].Dot(m.Positions[t[1]].Cross(m.Positions[t[2]])) / 6
	}
	return v
}

func TestRemeshBall(t *testing.T) {
	const radius = 0.1
	ball := Ball(mgl64.Vec3{}, radius)
	raw := Polygonise(ball, mgl64.Vec3{-0.12, -0.12, -0.12}, [3]int{24, 24, 24}, 0.01)
	if err := raw.Check(); err != nil {
		t.Fatalf("marching tetrahedra: %v", err)
	}
	const edge = 0.015
	m := Remesh(ball, raw, func(mgl64.Vec3) float64 { return edge }, 6)
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	for i, p := range m.Positions {
		if d := math.Abs(p.Len() - radius); !(d < 1e-5) {
			t.Fatalf("vertex %d is %g m off the ball", i, d)
		}
	}
	// A polyhedron with edges of 0.15 radii inside the ball lacks about 1 % of its volume.
	if v, want := volume(m), 4*math.Pi/3*radius*radius*radius; !(v > 0.98*want && v < want) {
		t.Errorf("volume %g m³, the ball has %g", v, want)
	}
	worst := math.Pi
	for _, v := range m.Triangles {
		for k := range 3 {
			a, b, c := m.Positions[v[k]], m.Positions[v[(k+1)%3]], m.Positions[v[(k+2)%3]]
			x, y := b.Sub(a), c.Sub(a)
			worst = math.Min(worst, math.Atan2(x.Cross(y).Len(), x.Dot(y)))
			if l := x.Len(); !(l > edge/2 && l < 2*edge) {
				t.Errorf("edge of %g m, wanted %g", l, edge)
			}
		}
	}
	if !(worst > 25*math.Pi/180) { // isotropic remeshing keeps nearly all angles above 30 degrees
		t.Errorf("smallest angle %.1f degrees", worst*180/math.Pi)
	}
}

func TestRemeshHalfAndReflect(t *testing.T) {
	raw := Polygonise(peanut(), mgl64.Vec3{0, -0.15, -0.15}, [3]int{24, 30, 30}, 0.01)
	half := Remesh(peanut(), raw, fine, 6)
	whole, twin := Reflect(half)
	if err := whole.Check(); err != nil {
		t.Fatal(err)
	}
	for i, p := range whole.Positions {
		q := whole.Positions[twin[i]]
		if twin[twin[i]] != i || p[0] != -q[0] || p[1] != q[1] || p[2] != q[2] {
			t.Fatalf("vertex %d at %v has twin %d at %v", i, p, twin[i], q)
		}
	}
	if v := volume(whole); !(v > 0.008 && v < 0.0095) { // two balls of 4.19 l and the bridge between them
		t.Errorf("volume %g m³", v)
	}
	again := Remesh(peanut(), raw, fine, 6)
	if len(again.Positions) != len(half.Positions) {
		t.Fatalf("%d vertices, then %d", len(half.Positions), len(again.Positions))
	}
	for i := range again.Positions {
		if again.Positions[i] != half.Positions[i] {
			t.Fatalf("vertex %d differs from run to run", i)
		}
	}
}

func TestCheckFindsFaults(t *testing.T) {
	tet := Mesh{
		Positions: make([]mgl64.Vec3, 4),
		Triangles: [][3]int{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
	}
	if err := tet.Check(); err != nil {
		t.Fatal(err)
	}
	open := Mesh{Positions: tet.Positions, Triangles: tet.Triangles[:3]}
	turned := Mesh{Positions: tet.Positions, Triangles: [][3]int{{0, 2, 1}, {0, 3, 1}, {1, 2, 3}, {2, 0, 3}}}
	loose := Mesh{Positions: make([]mgl64.Vec3, 5), Triangles: tet.Triangles}
	for name, m := range map[string]*Mesh{"open": &open, "turned": &turned, "loose": &loose} {
		if m.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestDistances compares the first-order distances near the surface with the exact ones of shapes that are balls in
// disguise.
func TestDistances(t *testing.T) {
	frame := Frame{Axis: mgl64.Vec3{0, 1, 0}, Side: mgl64.Vec3{1, 0, 0}, Face: mgl64.Vec3{0, 0, 1}}
	tube := Loft(frame, []Section{
		{T: -1, Left: 0.1, Right: 0.1, Front: 0.1, Back: 0.1, Power: 2},
		{T: 1, Left: 0.1, Right: 0.1, Front: 0.1, Back: 0.1, Power: 2},
	})
	shapes := map[string]Shape{
		"ellipsoid": Ellipsoid(mgl64.Vec3{}, mgl64.Vec3{0.1, 0.1, 0.1}, Turn(10, 20, 30)),
		"cone":      Cone(mgl64.Vec3{0, -1, 0}, mgl64.Vec3{0, 1, 0}, 0.1, 0.1),
		"loft":      tube,
	}
	for name, s := range shapes {
		for _, r := range []float64{0.095, 0.1, 0.11} {
			p := mgl64.Vec3{r * 0.6, 0, r * 0.8}
			if d := s.At(p); !(math.Abs(d-(r-0.1)) < 5e-4) { // second-order error at a tenth of the radius
				t.Errorf("%s: distance %g at radius %g, expected %g", name, d, r, r-0.1)
			}
		}
	}
}
