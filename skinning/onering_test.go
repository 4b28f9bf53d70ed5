package skinning_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/cputime"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// pipe returns an open cylinder of radius 1 along z whose seam has two copies of each vertex, as texture coordinates
// make them.
func pipe(around, along int) (positions, normals []mgl32.Vec3, triangles [][3]uint32) {
	for j := range along + 1 {
		for i := range around + 1 {
			a := 2 * math.Pi * float64(i%around) / float64(around)
			n := mgl32.Vec3{float32(math.Cos(a)), float32(math.Sin(a)), 0}
			positions = append(positions, n.Add(mgl32.Vec3{0, 0, float32(j) * 0.3}))
			normals = append(normals, n)
		}
	}
	at := func(i, j int) uint32 { return uint32(j*(around+1) + i) }
	for j := range along {
		for i := range around {
			triangles = append(triangles, [3]uint32{at(i, j), at(i+1, j), at(i+1, j+1)},
				[3]uint32{at(i, j), at(i+1, j+1), at(i, j+1)})
		}
	}
	return
}

func shapeOf(positions, normals []mgl32.Vec3) (s skinning.Shape) {
	for v := range positions {
		s.Positions = append(s.Positions, geom.Vec64(positions[v]))
		s.Normals = append(s.Normals, geom.Vec64(normals[v]))
	}
	return s
}

func ringsOf(positions, normals []mgl32.Vec3, triangles [][3]uint32) *skinning.OneRings {
	return skinning.NewOneRings(&skinning.Mesh{Positions: positions, Normals: normals, Triangles: triangles}, nil)
}

// Inside rings of a regular pipe are symmetric, so that their normals are radial; at the seam both copies are, and they
// are the same.
func TestOneRingsCloseSeams(t *testing.T) {
	const around, along = 24, 4
	positions, normals, triangles := pipe(around, along)
	got := ringsOf(positions, normals, triangles).Normals(shapeOf(positions, normals), false)
	for j := 1; j < along; j++ {
		for i := range around + 1 {
			v := j*(around+1) + i
			// Vertices are float32: their cross products are off by 1e-6 of an edge of 0.26.
			if d := got[v].Sub(geom.Vec64(normals[v])).Len(); !(d <= 1e-5) {
				t.Errorf("vertex %d, %d: the normal is %.3g off, tolerance 1e-5", i, j, d)
			}
		}
		if a, b := got[j*(around+1)], got[j*(around+1)+around]; a != b {
			t.Errorf("row %d: the copies at the seam have normals %v and %v", j, a, b)
		}
	}
}

// The faces of a box have vertices of their own: its edges stay hard.
func TestOneRingsKeepHardEdges(t *testing.T) {
	var positions, normals []mgl32.Vec3
	var triangles [][3]uint32
	for axis := range 3 {
		for _, side := range []float32{-1, 1} {
			var n mgl32.Vec3
			n[axis] = side
			u, v := (axis+1)%3, (axis+2)%3
			first := uint32(len(positions))
			for _, c := range [][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				p := n
				p[u], p[v] = c[0]*side, c[1]
				positions, normals = append(positions, p), append(normals, n)
			}
			triangles = append(triangles, [3]uint32{first, first + 1, first + 2}, [3]uint32{first, first + 2, first + 3})
		}
	}
	got := ringsOf(positions, normals, triangles).Normals(shapeOf(positions, normals), false)
	for v := range got {
		if d := got[v].Sub(geom.Vec64(normals[v])).Len(); d != 0 { // sums of small integers: exact
			t.Errorf("vertex %d: normal %v, expected %v", v, got[v], normals[v])
		}
	}
}

// Normals follow a pose that turns the surface, one that turns triangles inside out, and stand on the side of the
// file's where that winds its triangles the other way round.
func TestOneRingsSides(t *testing.T) {
	positions, normals, triangles := pipe(24, 4)
	rings := ringsOf(positions, normals, triangles)
	s := shapeOf(positions, normals)
	middle := 2*25 + 3
	turn := mgl64.QuatRotate(2.1, mgl64.Vec3{1, 2, 3}.Normalize())
	turned := skinning.Shape{Normals: s.Normals} // left as they were: nothing to lean on
	for _, p := range s.Positions {
		turned.Positions = append(turned.Positions, turn.Rotate(p))
	}
	if d := rings.Normals(turned, false)[middle].Sub(turn.Rotate(s.Normals[middle])).Len(); !(d <= 1e-5) {
		t.Errorf("turned: the normal is %.3g off, tolerance 1e-5", d)
	}
	mirrored := shapeOf(positions, normals)
	for v := range mirrored.Positions {
		mirrored.Positions[v][0] *= -1
		mirrored.Normals[v][0] *= -1
	}
	if d := rings.Normals(mirrored, true)[middle].Sub(mirrored.Normals[middle]).Len(); !(d <= 1e-5) {
		t.Errorf("mirrored: the normal is %.3g off, tolerance 1e-5", d)
	}
	for i := range triangles {
		triangles[i][1], triangles[i][2] = triangles[i][2], triangles[i][1]
	}
	if d := ringsOf(positions, normals, triangles).Normals(s,
		false)[middle].Sub(s.Normals[middle]).Len(); !(d <= 1e-5) {
		t.Errorf("wound the other way: the normal is %.3g off, tolerance 1e-5", d)
	}
}

// Vertices without triangles or without area keep the normal that they have.
func TestOneRingsWithoutArea(t *testing.T) {
	positions := []mgl32.Vec3{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 5, 0}}
	n := mgl32.Vec3{0, 0, 1}
	normals := []mgl32.Vec3{n, n, n, n}
	got := ringsOf(positions, normals, [][3]uint32{{0, 1, 2}, {1, 1, 1}}).Normals(shapeOf(positions, normals), false)
	for v := range got {
		if got[v] != geom.Vec64(n) {
			t.Errorf("vertex %d: normal %v, expected %v", v, got[v], n)
		}
	}
	if o := ringsOf(nil, nil, nil); len(o.Rings) != 0 || len(o.Normals(skinning.Shape{}, false)) != 0 {
		t.Error("a mesh without vertices has rings")
	}
}

// A file may show one mesh by many skins, whose vertices lie at the same places at rest. Their normals take about the
// time of as many meshes apart: at most 5 times, where sums for each copy alone took 60 times.
func TestOneRingsOfManyCopies(t *testing.T) {
	const copies = 121
	took := func(apart float32) time.Duration {
		var positions, normals []mgl32.Vec3
		var triangles [][3]uint32
		for c := range copies {
			p, n, corners := pipe(20, 15)
			for _, t := range corners {
				first := uint32(len(positions))
				triangles = append(triangles, [3]uint32{first + t[0], first + t[1], first + t[2]})
			}
			for _, at := range p {
				positions = append(positions, at.Add(mgl32.Vec3{apart * float32(c), 0, 0}))
			}
			normals = append(normals, n...)
		}
		rings, shape := ringsOf(positions, normals, triangles), shapeOf(positions, normals)
		return cputime.Of(func() { rings.Normals(shape, false) })
	}
	if apart, together := took(10), took(0); together > 5*apart {
		t.Errorf("%v for %d meshes at one place, %v for the same apart: over 5 times", together, copies, apart)
	}
}

// Two characters that rest at one place keep their own normals: each that of its own surface in its own pose.
func TestOneRingsOfTwoCharacters(t *testing.T) {
	one, normals, triangles := pipe(24, 4)
	m := skinning.Mesh{Positions: slices.Concat(one, one), Normals: slices.Concat(normals, normals), Triangles: triangles}
	for _, corners := range triangles {
		n := uint32(len(one))
		m.Triangles = append(m.Triangles, [3]uint32{n + corners[0], n + corners[1], n + corners[2]})
	}
	for v := range m.Positions {
		m.Bindings = append(m.Bindings, skinning.Binding{Joints: [4]uint16{uint16(v / len(one))}, Weights: [4]float32{1}})
	}
	posed := shapeOf(m.Positions, m.Normals)
	turn := mgl64.QuatRotate(2.1, mgl64.Vec3{1, 2, 3}.Normalize())
	for v := len(one); v < len(posed.Positions); v++ {
		posed.Positions[v], posed.Normals[v] = turn.Rotate(posed.Positions[v]), turn.Rotate(posed.Normals[v])
	}
	got := skinning.NewOneRings(&m, []skinning.Joint{{Node: 3}, {Node: 5}}).Normals(posed, false)
	want := ringsOf(one, normals, triangles).Normals(shapeOf(one, normals), false)
	for v := range want {
		if d := got[len(one)+v].Sub(turn.Rotate(want[v])).Len(); got[v] != want[v] || !(d <= 1e-12) {
			t.Fatalf("vertex %d: %v, expected %v; the other's is %.3g off", v, got[v], want[v], d)
		}
	}
}
