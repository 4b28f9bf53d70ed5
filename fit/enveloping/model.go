package enveloping

import (
	"math"
	"runtime"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
	"skinlab/skinning/parallel"
	"skinlab/skinning/rig"
)

// Model is a fitted enveloping model (RTER): SSD over the joints for the fixed vertices, and for the others SSD over
// proxy bones.
type Model struct {
	Rig rig.Enveloping // its masters are all joints in their order, and the proxies are numbered behind them
	// Weights has the influences of each vertex: of joints and, behind them, of proxies.
	Weights [][]skinning.Share
}

// Fixed reports whether a vertex follows joints alone.
func (m *Model) Fixed(v int) bool { return m.fixed(m.Weights[v]) }

func (m *Model) fixed(weights []skinning.Share) bool {
	return !slices.ContainsFunc(weights, func(s skinning.Share) bool { return int(s.Joint) >= len(m.Rig.Masters) })
}

// Proxies returns P.
func (m *Model) Proxies() int { return len(m.Rig.Proxies) }

// palette returns the joints' matrices and the proxies' behind them.
func (m *Model) palette(s *rig.EnvelopingDriver, matrices []geom.Affine) []geom.Affine {
	rigid := make([]geom.DualQuat, len(matrices))
	for j, q := range rotations(matrices) {
		rigid[j].Real = q
	}
	all := append(append(make([]geom.Affine, 0, len(matrices)+m.Proxies()), matrices...),
		make([]geom.Affine, m.Proxies())...)
	s.Drive(&m.Rig, matrices, rigid, all)
	return all
}

// Pose returns the skin in a pose.
func (m *Model) Pose(s *rig.EnvelopingDriver, rest []mgl64.Vec3, matrices []geom.Affine) []mgl64.Vec3 {
	all := m.palette(s, matrices)
	out := make([]mgl64.Vec3, len(rest))
	for v, p := range rest {
		out[v] = blend(all, m.Weights[v], p)
	}
	return out
}

// With returns the skinned model with the fit: its joints and, behind them, the proxies, all posed by linear blending.
// A fit without proxies changes the weights only. It must be the model that the examples were made from.
func (m *Model) With(of *skinning.Model) (*skinning.Model, error) {
	if m.Proxies() == 0 {
		return (&SSD{Weights: m.Weights}).With(of)
	}
	places, total := make([]mgl64.Vec3, m.Proxies()), make([]float64, m.Proxies())
	joints := len(of.Skeleton.Joints)
	var in skinning.Influences
	var raw []skinning.Influence
	for v, w := range m.Weights {
		raw = raw[:0]
		for _, s := range w {
			if b := int(s.Joint) - joints; b >= 0 {
				places[b] = places[b].Add(geom.Vec64(of.Skin.Positions[v]).Mul(s.Weight))
				total[b] += s.Weight
			}
			raw = append(raw, skinning.Influence{Joint: s.Joint, Weight: float32(s.Weight)})
		}
		in.Append(raw, 0)
	}
	for b, t := range total {
		if t > 0 {
			places[b] = places[b].Mul(1 / t)
		}
	}
	return rig.WithEnveloping(of, m.Rig, places, in)
}

// Errors are the measures of RTER section 7.1 over a set of examples.
type Errors struct {
	EE   float64 // enveloping error, percent
	RMS  float64 // metres
	Max  float64 // metres
	Mean float64 // the mean of the vertices' RMS errors, in percent of the same mean of the best rigid prediction, as EE is
	Dev  float64 // their standard deviation (figure 11)
}

// misses are distances of a skin from the targets of examples.
type misses struct {
	square  []float64 // per vertex: squares summed over the examples in their order
	largest float64   // metres
}

// missesOf returns the misses of a skin that is posed by linear blending, with a palette for each example.
func missesOf(x *Examples, workers int, palettes [][]geom.Affine, weights [][]skinning.Share) misses {
	n := len(x.Rest)
	m := misses{square: make([]float64, n)}
	largest := make([]float64, parallel.Chunks(n))
	parallel.For(workers, parallel.Chunks(n), func(_, c int) {
		lo, hi := parallel.Chunk(c, n)
		for i := range x.Pairs { // the targets of an example lie side by side
			rest, target := x.measured(i)
			for v := lo; v < hi; v++ {
				d := blend(palettes[i], weights[v], rest[v]).Sub(target[v])
				square := d.Dot(d)
				m.square[v] += square
				largest[c] = math.Max(largest[c], square)
			}
		}
	})
	m.largest = math.Sqrt(slices.Max(largest))
	return m
}

// misses returns the misses of the model's skin.
func (m *Model) misses(x *Examples, workers int) misses {
	palettes, drivers := make([][]geom.Affine, len(x.Pairs)), make([]rig.EnvelopingDriver, max(workers, 1))
	parallel.For(workers, len(palettes),
		func(worker, i int) { palettes[i] = m.palette(&drivers[worker], x.Pairs[i].Matrices) })
	return missesOf(x, workers, palettes, m.Weights)
}

// missesBy returns the misses of a skin that a function poses in each example.
func missesBy(x *Examples, posed func(i int) []mgl64.Vec3) misses {
	m := misses{square: make([]float64, len(x.Rest))}
	for i := range x.Pairs {
		_, target := x.measured(i)
		for v, p := range posed(i) {
			d := p.Sub(target[v])
			m.square[v] += d.Dot(d)
			m.largest = math.Max(m.largest, d.Dot(d))
		}
	}
	m.largest = math.Sqrt(m.largest)
	return m
}

// measure computes the measures. Rigid is per vertex the squared error of the one joint that predicts it best over the
// examples.
func (m *misses) measure(x *Examples, rigid []float64) Errors {
	n := len(m.square)
	e := Errors{Max: m.largest}
	sum, base := 0.0, 0.0
	for v := range m.square {
		sum += m.square[v]
		base += rigid[v]
	}
	e.RMS = math.Sqrt(sum / float64(n*len(x.Pairs)))
	if e.EE = metrics.ReportedError(sum, base, n*len(x.Pairs), x.diagonal()); e.EE > 0 {
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

// Measure measures a model on examples, those it was trained on or others.
func (m *Model) Measure(x *Examples) Errors {
	workers := runtime.GOMAXPROCS(0)
	return m.measure(x, rigidErrors(x, workers), workers)
}

func (m *Model) measure(x *Examples, rigid []float64, workers int) Errors {
	all := m.misses(x, workers)
	return all.measure(x, rigid)
}
