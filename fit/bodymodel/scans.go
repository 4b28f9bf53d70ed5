package bodymodel

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/parallel"
)

// scans are what a body is fitted to: meshes of one topology.
type scans struct {
	Shapes    [][]mgl64.Vec3 // [scan][vertex], metres
	Triangles [][3]uint32
	Rings     [][]int32 // of each vertex its neighbours over edges, ascending; a vertex without any has no Laplacian
}

// newScans finds the rings. It keeps its arguments. Vertices must be welded: no two may be the same point of the
// surface.
func newScans(shapes [][]mgl64.Vec3, triangles [][3]uint32) *scans {
	s := &scans{Shapes: shapes, Triangles: triangles, Rings: make([][]int32, len(shapes[0]))}
	for _, t := range triangles {
		for c := range t {
			a, b := t[c], t[(c+1)%3]
			if a != b {
				s.Rings[a], s.Rings[b] = append(s.Rings[a], int32(b)), append(s.Rings[b], int32(a))
			}
		}
	}
	for v := range s.Rings {
		slices.Sort(s.Rings[v])
		s.Rings[v] = slices.Compact(s.Rings[v])
	}
	return s
}

// laplacian sets out to the uniform Laplacian of a field over the vertices: each value minus the mean of its ring.
func (s *scans) laplacian(out, field []mgl64.Vec3) {
	for v, ring := range s.Rings {
		if len(ring) == 0 {
			out[v] = mgl64.Vec3{}
			continue
		}
		var sum mgl64.Vec3
		for _, n := range ring {
			sum = sum.Add(field[n])
		}
		out[v] = field[v].Sub(sum.Mul(1 / float64(len(ring))))
	}
}

// metric is the symmetric matrix M = 1 + α·LᵀL, with L the uniform Laplacian: Q is Σ dᵀ·M·d over scans and coordinates,
// with d the offsets from the posed body to a scan, because the Laplacian of a difference is the difference of
// Laplacians. Row v has entries value[start[v]:start[v+1]] in columns that ascend.
type metric struct {
	start    []int
	column   []int32
	value    []float64
	diagonal []float64
}

func newMetric(s *scans, alpha float64) *metric {
	n := len(s.Rings)
	m := &metric{start: make([]int, n+1), diagonal: make([]float64, n)}
	row := map[int32]float64{}
	for v := range n {
		clear(row)
		row[int32(v)] = 1
		// Column v of L has 1 in row v and −1/|ring(u)| in the rows u of its ring.
		add := func(u int32, lv float64) {
			row[u] += alpha * lv
			for _, k := range s.Rings[u] {
				row[k] -= alpha * lv / float64(len(s.Rings[u]))
			}
		}
		if alpha > 0 && len(s.Rings[v]) > 0 {
			add(int32(v), 1)
			for _, u := range s.Rings[v] {
				add(u, -1/float64(len(s.Rings[u])))
			}
		}
		first := len(m.column)
		for k := range row {
			m.column = append(m.column, k)
		}
		slices.Sort(m.column[first:])
		for _, k := range m.column[first:] {
			m.value = append(m.value, row[k])
		}
		m.start[v+1], m.diagonal[v] = len(m.column), row[int32(v)]
	}
	return m
}

// at returns row v of M·d.
func (m *metric) at(v int, d []mgl64.Vec3) (sum mgl64.Vec3) {
	for k := m.start[v]; k < m.start[v+1]; k++ {
		w, x := m.value[k], &d[m.column[k]]
		sum[0] += w * x[0]
		sum[1] += w * x[1]
		sum[2] += w * x[2]
	}
	return sum
}

// Errors are how far a body is from its scans.
type Errors struct {
	Q       float64 // Σ |d|² + α·|L d|² over vertices and scans, m²
	RMS     float64 // of |d|, metres
	Laplace float64 // RMS of |L d|, metres
}

// errorsOf sums the errors of a body from its offsets to each scan. The number of workers changes no bit of them.
func errorsOf(s *scans, off [][]mgl64.Vec3, alpha float64, workers int) Errors {
	sums := make([][2]float64, len(off)) // of squares of d and L d in each scan
	parallel.For(workers, len(off), func(_, i int) {
		d := off[i]
		laplacian := make([]mgl64.Vec3, len(d))
		s.laplacian(laplacian, d)
		for v := range d {
			sums[i][0] += d[v].Dot(d[v])
			sums[i][1] += laplacian[v].Dot(laplacian[v])
		}
	})
	var data, smooth float64
	for _, sum := range sums {
		data += sum[0]
		smooth += sum[1]
	}
	n := math.Max(float64(len(off)*len(s.Rings)), 1)
	return Errors{data + alpha*smooth, math.Sqrt(data / n), math.Sqrt(smooth / n)}
}
