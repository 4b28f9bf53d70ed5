package demo

import (
	"math"

	"skinlab/skinning"
	"skinlab/skinning/geom"

	"github.com/go-gl/mathgl/mgl64"
)

// The box of ALNS (figures 3, 4 and 9, table 3): 5,166 vertices, two bones end to end, 1.3 influences a vertex. Here it
// is the surface of a lattice of 70 × 17 × 16 cells, 71·18·17 − 69·16·15 = 5,166 points, closed and without doubled
// vertices; the edges are rounded, so that shared normals shade well.
var boxCells = [3]int{70, 17, 16}

const (
	boxBevel  = 0.014 // radius of the edges, metres
	boxHeight = 0.2   // of the axis above the ground: the box clears it in every clip
	// boxRamp is the half-width of the weights' ramp in cells: the 23 rings inside it, 1,518 of the 5,166 vertices,
	// feel both bones. That is 1.294 influences a vertex.
	boxRamp = 12
)

// boxHalf is half the size of the box: one metre long.
var boxHalf = vec3{0.5, 0.1, 0.1}

func newBox() *skinning.Model {
	m := newBeam("box", matte("box", 0.05, 0.17, 0.30), boxCells, func(i int, p, n vec3) (_, _ vec3, _ float64) {
		return p, n, min(1, max(0, 0.5+float64(i-boxCells[0]/2)/(2*boxRamp)))
	})
	m.Clips = boxClips()
	return m
}

// newBeam makes a rounded box of boxHalf from the surface of a lattice, with two bones end to end. Place moves a point
// that is i cells along the axis, and its normal, to their place relative to the middle. It returns the second bone's
// weight there.
func newBeam(name string, materials []skinning.Material, cells [3]int,
	place func(i int, p, n vec3) (at, normal vec3, weight float64)) *skinning.Model {
	m := &skinning.Model{
		Name: Prefix + name,
		Skeleton: newSkeleton(name, []bone{
			{"bone1", -1, vec3{-boxHalf[0], boxHeight, 0}},
			{"bone2", 0, vec3{0, boxHeight, 0}},
		}),
		Materials: materials,
	}
	skin := &m.Skin
	skin.Triangles = latticeSurface(cells, func(i, j, k int) {
		p, n := roundedBox(vec3{
			boxLine(cells[0], i, boxHalf[0]), boxLine(cells[1], j, boxHalf[1]), boxLine(cells[2], k, boxHalf[2]),
		})
		p, n, weight := place(i, p, n)
		p[1] += boxHeight
		skin.Positions = append(skin.Positions, geom.Vec32(p))
		skin.Normals = append(skin.Normals, geom.Vec32(n))
		w := float32(weight)
		skin.Append([]skinning.Influence{{Joint: 0, Weight: 1 - w}, {Joint: 1, Weight: w}}, 0)
	})
	skin.Parts = wholeMesh(name, skin)
	return m
}

// boxClips turns the second bone about the box's axis (twist) and about z (bend, upwards). No two keys are more than 45
// degrees apart, so that interpolation goes in the intended direction, also over the turn of 350 degrees (ALNS figure
// 9). The last pose is held for half a second. train holds ALNS's four training frames, one a second from 0.
func boxClips() []skinning.Clip {
	x, z := vec3{1, 0, 0}, vec3{0, 0, 1}
	const steps = 10
	times := make([]float32, steps+2)
	sweep := make([]float64, steps+2) // 0 to 1, and held
	for k := range times {
		times[k] = float32(k) / 4
		sweep[k] = float64(min(k, steps)) / steps
	}
	times[steps+1] = times[steps] + 0.5
	clip := func(name string, twist, bend float64) skinning.Clip {
		keys := make([]geom.Quat, len(sweep))
		for k, s := range sweep {
			keys[k] = geom.AxisAngle(z, s*mgl64.DegToRad(bend)).Mul(geom.AxisAngle(x, s*mgl64.DegToRad(twist)))
		}
		return newClip(name, rotationChannel(1, skinning.Linear, times, keys))
	}
	return []skinning.Clip{
		clip("twist", 180, 0),
		clip("bend", 0, 120),
		clip("twist-bend", 180, 100),
		clip("full-turn", 350, 0),
		newClip("train", rotationChannel(1, skinning.Linear, []float32{0, 1, 2, 3}, twistKeys(x, 45, 90, 135, 179))),
	}
}

// boxLine places lattice line i of n cells on an axis: two cells at each end lie on the rounded edge, where they halve
// its 45 degrees; the others are even.
func boxLine(n, i int, half float64) float64 {
	core := half - boxBevel
	bend := boxBevel * math.Tan(math.Pi/8)
	switch i {
	case 0:
		return -half
	case 1:
		return -core - bend
	case n - 1:
		return core + bend
	case n:
		return half
	}
	return core * (2*float64(i-2)/float64(n-4) - 1)
}

// roundedBox moves a point of the sharp box's surface to the rounded box, the offset of the inner box by the bevel, and
// returns the normal there.
func roundedBox(q vec3) (p, normal vec3) {
	var inner vec3
	for c := range q {
		core := boxHalf[c] - boxBevel
		inner[c] = min(core, max(-core, q[c]))
	}
	normal = q.Sub(inner).Normalize()
	return inner.Add(normal.Mul(boxBevel)), normal
}

// latticeSurface visits the surface points of a lattice of the given cells in order of i, j and k, and returns the
// triangles of the closed surface, two a cell face, outward counter-clockwise. The faces' diagonals mirror about the
// middle planes.
func latticeSurface(cells [3]int, visit func(i, j, k int)) [][3]uint32 {
	index := map[[3]int]uint32{}
	for i := 0; i <= cells[0]; i++ {
		for j := 0; j <= cells[1]; j++ {
			for k := 0; k <= cells[2]; k++ {
				if i%cells[0] != 0 && j%cells[1] != 0 && k%cells[2] != 0 {
					continue
				}
				index[[3]int{i, j, k}] = uint32(len(index))
				visit(i, j, k)
			}
		}
	}
	var triangles [][3]uint32
	for axis := range 3 {
		u, v := (axis+1)%3, (axis+2)%3 // u × v points along axis
		for _, side := range []int{0, cells[axis]} {
			for a := 0; a < cells[u]; a++ {
				for b := 0; b < cells[v]; b++ {
					corner := func(da, db int) uint32 {
						var c [3]int
						c[axis], c[u], c[v] = side, a+da, b+db
						return index[c]
					}
					q := [4]uint32{corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)}
					if side == 0 {
						q[1], q[3] = q[3], q[1]
					}
					if (2*a < cells[u]) != (2*b < cells[v]) {
						triangles = append(triangles, [3]uint32{q[0], q[1], q[3]}, [3]uint32{q[1], q[2], q[3]})
					} else {
						triangles = append(triangles, [3]uint32{q[0], q[1], q[2]}, [3]uint32{q[0], q[2], q[3]})
					}
				}
			}
		}
	}
	return triangles
}
