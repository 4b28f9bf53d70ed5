package implicit

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
)

// Reflect joins m, the half of a symmetric mesh at x ≥ 0 whose boundary lies in the plane x = 0, with its mirror image.
// Twin gives the mirror image of every vertex: itself on the plane.
func Reflect(m *Mesh) (whole *Mesh, twin []int) {
	n := len(m.Positions)
	whole = &Mesh{
		Positions: append([]mgl64.Vec3(nil), m.Positions...),
		Triangles: append([][3]int(nil), m.Triangles...),
	}
	twin = make([]int, n, 2*n)
	for i, p := range m.Positions {
		twin[i] = i
		if p[0] != 0 {
			twin[i] = len(whole.Positions)
			p[0] = -p[0]
			whole.Positions = append(whole.Positions, p)
			twin = append(twin, i)
		}
	}
	for _, t := range m.Triangles {
		whole.Triangles = append(whole.Triangles, [3]int{twin[t[0]], twin[t[2]], twin[t[1]]})
	}
	return whole, twin
}

// Check returns an error unless m is closed (every edge has two triangles that run through it in opposite directions),
// in one piece and without handles.
func (m *Mesh) Check() error {
	open := make(map[[2]int]bool, 3*len(m.Triangles))
	parent := make([]int, len(m.Positions))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	edges := 0
	for t, v := range m.Triangles {
		for k := range 3 {
			a, b := v[k], v[(k+1)%3]
			if a == b || open[[2]int{a, b}] {
				return fmt.Errorf("triangle %d: edge %d–%d occurs twice in one direction", t, a, b)
			}
			open[[2]int{a, b}] = true
			if open[[2]int{b, a}] {
				edges++
			}
			parent[find(a)] = find(b)
		}
	}
	if 2*edges != len(open) {
		return fmt.Errorf("%d edges have one triangle only", len(open)-2*edges)
	}
	for i := range parent {
		if find(i) != find(0) {
			return fmt.Errorf("vertex %d is not connected to vertex 0", i)
		}
	}
	if euler := len(m.Positions) - edges + len(m.Triangles); euler != 2 {
		return fmt.Errorf("characteristic V − E + F is %d, expected 2: there are handles", euler)
	}
	return nil
}
