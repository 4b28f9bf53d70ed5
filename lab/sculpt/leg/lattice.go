package leg

import (
	"fmt"
	"math"

	"skinlab/lab/sculpt/implicit"
)

// lattice is how finely the leg is drawn: rings of vertices from the cut above the hip down to the ankle, round the
// heel and on to the toes, and a grid of faces over either end. All faces are quadrangles.
type lattice struct {
	rings, around int
	hip           [2]int // faces of the grid over the cut, along the two directions; they sum to around/2
	hipCorner     int    // the vertex of the first ring at which that grid has its first corner
	toes          [2]int // of the grid over the toes: across the foot, up
}

// The two lattices have exactly the vertices of HBR's leg models: 32·20 + 4·4 + 7·1 = 663 (section 6.1) and
// 124·64 + 15·15 + 23·7 = 8,322 (section 6.4). No number of subdivisions turns a closed surface of 663 vertices and
// quadrangles into 8,322: V' = V + E + F = 4V − 6 gives 2,646 and then 10,578. So the finer lattice samples the same
// surface.
var (
	coarse = lattice{rings: 32, around: 20, hip: [2]int{5, 5}, hipCorner: 2, toes: [2]int{8, 2}}
	fine   = lattice{rings: 124, around: 64, hip: [2]int{16, 16}, hipCorner: 8, toes: [2]int{24, 8}}
)

func (l *lattice) vertices() int {
	return l.rings*l.around + (l.hip[0]-1)*(l.hip[1]-1) + (l.toes[0]-1)*(l.toes[1]-1)
}

// station is where a ring's plane lies: the point from which the ring is cast, and the turn of the plane about x from
// the horizontal, by which the rings follow the leg round the heel.
type station struct {
	at      float64 // share of the rings
	y, z    float64 // metres
	degrees float64
}

// stations are dense where the joints bend.
func stations() []station {
	return []station{
		{0.0 / 31, 0.990, -0.012, 0},
		{1.2 / 31, 0.945, -0.012, 0},
		{5.0 / 31, 0.775, 0.000, 0},
		{8.5 / 31, 0.620, 0.000, 0},
		{10.0 / 31, 0.560, -0.004, 0},
		{12.5 / 31, 0.488, -0.010, 0},
		{14.7 / 31, 0.425, -0.020, 0},
		{18.0 / 31, 0.320, -0.032, 0},
		{22.0 / 31, 0.195, -0.036, 0},
		{24.5 / 31, 0.118, -0.028, 14},
		{25.9 / 31, 0.078, -0.016, 40},
		{27.2 / 31, 0.050, 0.014, 72},
		{28.2 / 31, 0.040, 0.044, 86},
		{29.2 / 31, 0.031, 0.078, 90},
		{30.1 / 31, 0.022, 0.115, 90},
		{31.0 / 31, 0.014, 0.152, 90},
	}
}

// stationAt interpolates the table by cubics whose slopes are those between the neighbours.
func stationAt(u float64) station {
	all := stations()
	i := 0
	for i+2 < len(all) && all[i+1].at < u {
		i++
	}
	values := func(k int) [3]float64 {
		s := all[max(0, min(len(all)-1, k))]
		return [3]float64{s.y, s.z, s.degrees}
	}
	at := func(k int) float64 { return all[max(0, min(len(all)-1, k))].at }
	a, b, before, after := values(i), values(i+1), values(i-1), values(i+2)
	h := at(i+1) - at(i)
	t := (u - at(i)) / h
	var v [3]float64
	for c := range v {
		left := (b[c] - before[c]) / (at(i+1) - at(i-1)) * h
		right := (after[c] - a[c]) / (at(i+2) - at(i)) * h
		v[c] = (2*t*t*t-3*t*t+1)*a[c] + (t*t*t-2*t*t+t)*left + (3*t*t-2*t*t*t)*b[c] + (t*t*t-t*t)*right
	}
	return station{at: u, y: v[0], z: v[1], degrees: v[2]}
}

// frame returns the directions of a station's plane: to the front of the leg, which becomes the back of the foot, and
// along the leg, down and then to the toes.
func (s *station) frame() (front, along vec) {
	sin, cos := math.Sincos(s.degrees * math.Pi / 180)
	return vec{0, sin, cos}, vec{0, -cos, sin}
}

// draw returns the vertices and quadrangles of the lattice on a shape. Ring by ring the vertices run from the outer
// side over the front to the inner side and the back; the two grids follow. Quadrangles are counter-clockwise from
// outside.
func (l *lattice) draw(shape implicit.Shape) (points []vec, quads [][4]int, err error) {
	for r := range l.rings {
		s := stationAt(float64(r) / float64(l.rings-1))
		ring, err := l.ring(shape, &s)
		if err != nil {
			return nil, nil, fmt.Errorf("ring %d: %w", r, err)
		}
		points = append(points, ring...)
	}
	for r := range l.rings - 1 {
		for k := range l.around {
			a, b := r*l.around+k, r*l.around+(k+1)%l.around
			quads = append(quads, [4]int{a, b, b + l.around, a + l.around})
		}
	}
	first, last := stationAt(0), stationAt(1)
	_, down := first.frame()
	_, forwards := last.frame()
	l.cap(shape, &points, &quads, end{0, l.hip, l.hipCorner, down.Mul(-1), true})
	l.cap(shape, &points, &quads, end{(l.rings - 1) * l.around, l.toes, l.toes[1] / 2, forwards, false})
	if len(points) != l.vertices() {
		panic(fmt.Sprintf("leg: %d vertices, expected %d", len(points), l.vertices()))
	}
	return points, quads, nil
}

// ring casts rays from a station within its plane, and spreads the vertices of each quarter evenly along the outline.
func (l *lattice) ring(shape implicit.Shape, s *station) ([]vec, error) {
	const perQuarter = 64 // rays
	front, _ := s.frame()
	centre := vec{0, s.y, s.z}
	outline := make([]vec, 4*perQuarter+1)
	for i := range outline {
		sin, cos := math.Sincos(math.Pi / 2 * float64(i%(4*perQuarter)) / perQuarter)
		p, ok := cast(shape, centre, vec{cos, 0, 0}.Add(front.Mul(sin)))
		if !ok {
			return nil, fmt.Errorf("no surface from %v at %g quarters", centre, float64(i)/perQuarter)
		}
		outline[i] = p
	}
	ring := make([]vec, 0, l.around)
	for q := range 4 {
		part := outline[q*perQuarter : (q+1)*perQuarter+1]
		ring = append(ring, evenly(part, l.around/4)...)
	}
	return ring, nil
}

// evenly returns n points at even distances along a polyline, the first at its start, none at its end.
func evenly(line []vec, n int) []vec {
	length := 0.0
	for i := range len(line) - 1 {
		length += line[i+1].Sub(line[i]).Len()
	}
	out := make([]vec, 0, n)
	i, passed := 0, 0.0
	for k := range n {
		want := length * float64(k) / float64(n)
		step := line[i+1].Sub(line[i]).Len()
		for passed+step < want {
			passed += step
			i++
			step = line[i+1].Sub(line[i]).Len()
		}
		out = append(out, line[i].Add(line[i+1].Sub(line[i]).Mul((want-passed)/step)))
	}
	return out
}

// cast returns where a ray from inside first leaves the shape.
func cast(shape implicit.Shape, from, direction vec) (vec, bool) {
	const step, reach = 0.002, 0.25 // metres
	for t := 0.0; t < reach; t += step {
		if shape.At(from.Add(direction.Mul(t+step))) < 0 {
			continue
		}
		low, high := t, t+step
		for range 30 {
			middle := (low + high) / 2
			if shape.At(from.Add(direction.Mul(middle))) < 0 {
				low = middle
			} else {
				high = middle
			}
		}
		return from.Add(direction.Mul(high)), true
	}
	return vec{}, false
}

// end is a grid over one end of the tube.
type end struct {
	ring    int    // index of the ring's first vertex
	faces   [2]int // along the first side from the corner, and along the next
	corner  int    // vertex of the ring
	outside vec    // direction in which the grid's inner points are cast
	first   bool   // the ring runs clockwise seen from outside
}

// cap closes an end by the Coons patch of its ring, its inner points cast onto the shape.
func (l *lattice) cap(shape implicit.Shape, points *[]vec, quads *[][4]int, e end) {
	n, m := e.faces[0], e.faces[1]
	side := func(k int) int { return e.ring + ((e.corner+k)%l.around+l.around)%l.around }
	index := make([][]int, n+1)
	for i := range index {
		index[i] = make([]int, m+1)
		for j := range index[i] {
			switch {
			case j == 0:
				index[i][j] = side(i)
			case i == n:
				index[i][j] = side(n + j)
			case j == m:
				index[i][j] = side(2*n + m - i)
			case i == 0:
				index[i][j] = side(-j)
			default:
				index[i][j] = len(*points)
				*points = append(*points, vec{})
			}
		}
	}
	at := func(i, j int) vec { return (*points)[index[i][j]] }
	for i := 1; i < n; i++ {
		for j := 1; j < m; j++ {
			u, v := float64(i)/float64(n), float64(j)/float64(m)
			p := at(i, 0).Mul(1 - v).Add(at(i, m).Mul(v)).Add(at(0, j).Mul(1 - u)).Add(at(n, j).Mul(u)).
				Sub(at(0, 0).Mul((1 - u) * (1 - v))).Sub(at(n, 0).Mul(u * (1 - v))).
				Sub(at(0, m).Mul((1 - u) * v)).Sub(at(n, m).Mul(u * v))
			if q, ok := cast(shape, p.Sub(e.outside.Mul(0.002)), e.outside); ok {
				p = q
			}
			(*points)[index[i][j]] = p
		}
	}
	for i := range n {
		for j := range m {
			q := [4]int{index[i][j], index[i+1][j], index[i+1][j+1], index[i][j+1]}
			if e.first {
				q[1], q[3] = q[3], q[1]
			}
			*quads = append(*quads, q)
		}
	}
}
