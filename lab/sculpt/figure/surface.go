package figure

import (
	"math"

	"skinlab/lab/sculpt/implicit"
)

// person is the whole person: smooth, closed, symmetric in x.
func person() implicit.Shape {
	upper := implicit.Union(0.030, torso(), neck())
	upper = implicit.Union(0.018, upper, head())
	limb := implicit.Union(0.022, arm(), hand())
	lower := implicit.Union(0.016, leg(), foot())
	legs := implicit.Union(0.006, lower, implicit.Mirror(lower))
	body := implicit.Union(0.028, upper, legs)
	return implicit.Union(0.034, body, implicit.Union(0, limb, implicit.Mirror(limb)))
}

// coarse is the mesh's edge length on trunk and limbs, metres.
const coarse = 0.0195

// edgeLength is the mesh's edge length wanted at p, metres: short where the form is small.
func edgeLength(p vec) float64 {
	p[0] = math.Abs(p[0])
	size := coarse
	finer := func(centre vec, radius, margin, edge float64) {
		t := math.Max(0, math.Min(1, (p.Sub(centre).Len()-radius)/margin))
		size = math.Min(size, edge+t*(coarse-edge))
	}
	h, f := handFrame(), footFrame()
	finer(h.At(0.01, 0.10, -0.01), 0.105, 0.12, 0.0075)
	finer(vec{0, 1.65, 0.0}, 0.13, 0.15, 0.0140)
	finer(vec{0, 1.60, 0.10}, 0.055, 0.15, 0.0072)
	finer(vec{0.032, 1.642, 0.095}, 0.015, 0.08, 0.0037) // eye
	finer(vec{0, 1.567, 0.105}, 0.026, 0.08, 0.0039)     // mouth
	finer(vec{0, 1.605, 0.115}, 0.016, 0.08, 0.0048)     // nose
	finer(vec{0.078, 1.625, 0.005}, 0.03, 0.08, 0.0062)  // ear
	finer(f.At(0, 0.17, 0.01), 0.045, 0.10, 0.0078)
	finer(f.At(0, 0.03, 0.02), 0.10, 0.12, 0.0145)
	finer(vec{0.125, 1.37, 0.01}, 0.06, 0.10, 0.0150) // armpit and collar bone
	return size
}

// cell is the edge of the polygonisation's grid, metres: half the thinnest gap between fingers.
const cell = 0.004

// polygonised is the side x ≥ 0 of the person as triangles.
func polygonised() *implicit.Mesh {
	lo := vec{0, -0.02, -0.20}
	hi := vec{0.78, 1.78, 0.26}
	var count [3]int
	for c := range count {
		count[c] = int(math.Ceil((hi[c] - lo[c]) / cell))
	}
	return implicit.Polygonise(person(), lo, count, cell)
}
