package implicit

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Mesh is an indexed triangle mesh, counter-clockwise from outside, metres.
type Mesh struct {
	Positions []mgl64.Vec3
	Triangles [][3]int
}

// corners of a cell, bit c of the index is the offset along axis c; tetrahedra is Kuhn's division of a cube into six
// along the diagonal 0–7. Neighbouring cells divide their shared face alike, so the surface has no cracks.
var tetrahedra = [6][4]int{{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}

// block is the edge of the blocks, in cells, that are skipped when their centre is far from the surface.
const block = 8

// Polygonise returns the surface of s in the box from lo with cells of the given edge length, as many as count says
// along each axis, by marching tetrahedra: The result is always a manifold. Its boundary lies on the box's faces where
// the solid reaches them. The triangles are uneven; [Remesh] follows.
func Polygonise(s Shape, lo mgl64.Vec3, count [3]int, cell float64) *Mesh {
	g := &grid{shape: s, lo: lo, cell: cell, count: count, values: map[int]float64{}, vertex: map[[2]int]int{},
		mesh: &Mesh{}}
	reach := 2 * cell * block * math.Sqrt(3) / 2 // half a block's diagonal, with room for first-order distances
	for z := 0; z < count[2]; z += block {
		for y := 0; y < count[1]; y += block {
			for x := 0; x < count[0]; x += block {
				half := float64(block) / 2
				centre := lo.Add(mgl64.Vec3{float64(x) + half, float64(y) + half, float64(z) + half}.Mul(cell))
				if math.Abs(s.At(centre)) < reach {
					g.block(x, y, z)
				}
			}
		}
	}
	return g.mesh
}

type grid struct {
	shape  Shape
	lo     mgl64.Vec3
	cell   float64
	count  [3]int
	values map[int]float64 // by point index
	vertex map[[2]int]int  // by the two grid points that it lies between
	mesh   *Mesh
}

func (g *grid) block(x0, y0, z0 int) {
	for z := z0; z < min(z0+block, g.count[2]); z++ {
		for y := y0; y < min(y0+block, g.count[1]); y++ {
			for x := x0; x < min(x0+block, g.count[0]); x++ {
				g.cube(x, y, z)
			}
		}
	}
}

func (g *grid) cube(x, y, z int) {
	var index [8]int
	var value [8]float64
	inside := 0
	for c := range 8 {
		index[c] = g.index(x+c&1, y+c>>1&1, z+c>>2&1)
		value[c] = g.value(index[c])
		if value[c] < 0 {
			inside++
		}
	}
	if inside == 0 || inside == 8 {
		return
	}
	for _, t := range tetrahedra {
		var in, out []int
		for _, c := range t {
			if value[c] < 0 {
				in = append(in, c)
			} else {
				out = append(out, c)
			}
		}
		v := func(a, b int) int { return g.between(index[a], index[b]) }
		switch len(in) {
		case 1:
			g.triangle(v(in[0], out[0]), v(in[0], out[1]), v(in[0], out[2]), index[in[0]])
		case 3:
			g.triangle(v(in[0], out[0]), v(in[1], out[0]), v(in[2], out[0]), index[in[0]])
		case 2:
			a, b, c, d := v(in[0], out[0]), v(in[0], out[1]), v(in[1], out[1]), v(in[1], out[0])
			g.triangle(a, b, c, index[in[0]])
			g.triangle(a, c, d, index[in[1]])
		}
	}
}

// triangle adds a, b, c, turned so that the grid point inside, which is in the solid, lies behind it.
func (g *grid) triangle(a, b, c, inside int) {
	p := g.mesh.Positions
	n := p[b].Sub(p[a]).Cross(p[c].Sub(p[a]))
	if n.Dot(g.point(inside).Sub(p[a])) > 0 {
		b, c = c, b
	}
	g.mesh.Triangles = append(g.mesh.Triangles, [3]int{a, b, c})
}

func (g *grid) index(x, y, z int) int { return (z*(g.count[1]+1)+y)*(g.count[0]+1) + x }

func (g *grid) point(i int) mgl64.Vec3 {
	nx, ny := g.count[0]+1, g.count[1]+1
	return g.lo.Add(mgl64.Vec3{float64(i % nx), float64(i / nx % ny), float64(i / nx / ny)}.Mul(g.cell))
}

func (g *grid) value(i int) float64 {
	v, ok := g.values[i]
	if !ok {
		v = g.shape.At(g.point(i))
		if math.IsNaN(v) {
			panic(fmt.Sprintf("implicit: the shape has no value at %v", g.point(i)))
		}
		g.values[i] = v
	}
	return v
}

// between returns the vertex on the edge of grid points a and b. It stays a little away from both, so that no triangle
// degenerates to a point.
func (g *grid) between(a, b int) int {
	key := [2]int{min(a, b), max(a, b)}
	if i, ok := g.vertex[key]; ok {
		return i
	}
	a, b = key[0], key[1]
	va, vb := g.value(a), g.value(b)
	t := math.Max(0.05, math.Min(0.95, va/(va-vb)))
	pa, pb := g.point(a), g.point(b)
	i := len(g.mesh.Positions)
	g.mesh.Positions = append(g.mesh.Positions, pa.Add(pb.Sub(pa).Mul(t)))
	g.vertex[key] = i
	return i
}
