package enveloping

import (
	"math"
	"runtime"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
	"skinlab/skinning/parallel"
)

// Errors are the measures of RTER section 7.1 over a set of examples.
type Errors struct {
	EE   float64 // enveloping error, percent
	RMS  float64 // metres
	Max  float64 // metres
	Mean float64 // the mean of the vertices' RMS errors, in percent of the same mean of the best rigid prediction, as EE is
	Dev  float64 // their standard deviation (figure 11)
}

// residuals are distances of a skin from the targets of examples.
type residuals struct {
	square  []float64 // per vertex: squares summed over the examples in their order
	largest float64   // metres
}

// residualsOf returns the residuals of a skin that is posed by linear blending, with a palette for each example.
func residualsOf(x *training.Examples, workers int, palettes [][]geom.Affine, weights [][]skinning.Share) *residuals {
	n := len(x.Rest)
	m := &residuals{square: make([]float64, n)}
	largest := make([]float64, parallel.Chunks(n))
	parallel.For(workers, parallel.Chunks(n), func(_, c int) {
		lo, hi := parallel.Chunk(c, n)
		for i := range x.Targets { // the targets of an example lie side by side
			rest, target := x.Measured(i)
			for v := lo; v < hi; v++ {
				d := blend(palettes[i], weights[v], rest[v]).Sub(target[v])
				m.square[v] += d.Dot(d)
				largest[c] = math.Max(largest[c], d.Dot(d))
			}
		}
	})
	m.largest = math.Sqrt(slices.Max(largest))
	return m
}

// residualsBy returns the residuals of a skin that a function poses in each example.
func residualsBy(x *training.Examples, posed func(i int) []mgl64.Vec3) *residuals {
	m := &residuals{square: make([]float64, len(x.Rest))}
	for i := range x.Targets {
		_, target := x.Measured(i)
		for v, p := range posed(i) {
			d := p.Sub(target[v])
			m.square[v] += d.Dot(d)
			m.largest = math.Max(m.largest, d.Len())
		}
	}
	return m
}

// measure computes the measures. Rigid is that of [rigidErrors].
func (m *residuals) measure(x *training.Examples, rigid []float64) Errors {
	n := len(m.square)
	e := Errors{Max: m.largest}
	sum, base := 0.0, 0.0
	for v := range m.square {
		sum += m.square[v]
		base += rigid[v]
	}
	e.RMS = math.Sqrt(sum / float64(n*len(x.Targets)))
	e.EE = metrics.ReportedError(sum, base, n*len(x.Targets), x.Diagonal())
	if e.EE > 0 {
		unit := math.Sqrt(sum/float64(n)) / e.EE // a percent of the best rigid prediction's
		for _, s := range m.square {
			e.Mean += math.Sqrt(s) / unit / float64(n)
		}
		for _, s := range m.square {
			d := math.Sqrt(s)/unit - e.Mean
			e.Dev += d * d / float64(n)
		}
		e.Dev = math.Sqrt(e.Dev)
	}
	return e
}

// MeasureBy measures a skin that a function poses in each example.
func MeasureBy(x *training.Examples, posed func(i int) []mgl64.Vec3) Errors {
	return residualsBy(x, posed).measure(x, rigidErrors(x, runtime.GOMAXPROCS(0)))
}

// rigidErrors returns per vertex the squared error of the joint that predicts it best over the given examples: the
// measure of EE. Joints that a rig of the model drives are left out (see [metrics.RigidCandidates]).
func rigidErrors(x *training.Examples, workers int) []float64 {
	var joints [][]geom.Affine // of those that are tried, in every example
	driven := make([]bool, len(x.Parents))
	if x.Model != nil {
		driven = x.Model.DrivenJoints()
	}
	for j := range driven {
		if driven[j] {
			continue
		}
		var all []geom.Affine
		for i := range x.Targets {
			all = append(all, x.Palettes[i][j])
		}
		joints = append(joints, all)
	}
	out := make([]float64, len(x.Rest))
	parallel.For(workers, parallel.Chunks(len(out)), func(_, c int) {
		lo, hi := parallel.Chunk(c, len(out))
		p, y := make([]mgl64.Vec3, len(x.Targets)), make([]mgl64.Vec3, len(x.Targets))
		for v := lo; v < hi; v++ {
			for i := range x.Targets {
				rest, target := x.Measured(i)
				p[i], y[i] = rest[v], target[v]
			}
			out[v] = math.Inf(1)
			for _, all := range joints {
				sum := 0.0
				for i := 0; i < len(all) && sum < out[v]; i++ {
					d := all[i].Apply(p[i]).Sub(y[i])
					sum += d.Dot(d)
				}
				out[v] = min(out[v], sum)
			}
		}
	})
	return out
}
