package enveloping

import (
	"runtime"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
	"skinlab/skinning/rig"
)

// Model is a fitted enveloping model (RTER): SSD over the joints for the fixed vertices, and for the others SSD over
// proxy bones, and joints too.
type Model struct {
	Rig rig.Enveloping // its masters are all joints in their order, and the proxies are numbered behind them
	// Weights has the influences of each vertex: of joints and, behind them, of proxies.
	Weights [][]skinning.Share
}

// newModel is a model without proxies: linear blending with given weights.
func newModel(x *training.Examples, weights [][]skinning.Share) *Model {
	m := &Model{Weights: slices.Clone(weights),
		Rig: rig.Enveloping{Parents: x.Parents, Middle: make([]mgl64.Vec3, len(x.Parents))}}
	for j := range x.Parents {
		m.Rig.Masters = append(m.Rig.Masters, j)
	}
	return m
}

// Fixed reports whether a vertex follows joints alone.
func (m *Model) Fixed(v int) bool {
	return !slices.ContainsFunc(m.Weights[v], func(s skinning.Share) bool { return int(s.Joint) >= len(m.Rig.Masters) })
}

// Proxies returns P.
func (m *Model) Proxies() int { return len(m.Rig.Proxies) }

// palette returns the joints' matrices and the proxies' behind them.
func (m *Model) palette(s *rig.EnvelopingDriver, matrices []geom.Affine) []geom.Affine {
	rigid := make([]geom.DualQuat, len(matrices))
	for j, q := range rotations(matrices) {
		rigid[j].Real = q
	}
	all := append(slices.Clone(matrices), make([]geom.Affine, m.Proxies())...)
	s.Drive(&m.Rig, matrices, rigid, all)
	return all
}

// Pose returns the skin in a pose.
func (m *Model) Pose(s *rig.EnvelopingDriver, rest []mgl64.Vec3, matrices []geom.Affine) []mgl64.Vec3 {
	return posed(rest, m.palette(s, matrices), m.Weights)
}

// Measure measures a model on examples, those it was trained on or others.
func (m *Model) Measure(x *training.Examples) Errors {
	workers := runtime.GOMAXPROCS(0)
	return m.residuals(x, workers).measure(x, rigidErrors(x, workers))
}

// residuals returns the residuals of the model's skin.
func (m *Model) residuals(x *training.Examples, workers int) *residuals {
	palettes, drivers := make([][]geom.Affine, len(x.Targets)), make([]rig.EnvelopingDriver, max(workers, 1))
	parallel.For(workers, len(palettes),
		func(worker, i int) { palettes[i] = m.palette(&drivers[worker], x.Palettes[i]) })
	return residualsOf(x, workers, palettes, m.Weights)
}

// With returns the skinned model with the fit: its joints and, behind them, the proxies, all posed by linear blending.
// A fit without proxies changes the weights only. It must be the model that the examples were made from.
func (m *Model) With(of *skinning.Model) (*skinning.Model, error) {
	if m.Proxies() == 0 {
		return (&SSD{Weights: m.Weights}).With(of)
	}
	places, total := make([]mgl64.Vec3, m.Proxies()), make([]float64, m.Proxies())
	for v, w := range m.Weights {
		for _, s := range w {
			if b := int(s.Joint) - len(of.Skeleton.Joints); b >= 0 {
				places[b] = places[b].Add(geom.Vec64(of.Skin.Positions[v]).Mul(s.Weight))
				total[b] += s.Weight
			}
		}
	}
	for b, t := range total {
		if t > 0 {
			places[b] = places[b].Mul(1 / t)
		}
	}
	return rig.WithEnveloping(of, m.Rig, places, skinning.InfluencesOf(m.Weights, nil))
}

// pruned returns the model without the proxies that no vertex follows. Such a proxy would still be a joint in the
// file, a matrix in every pose and four rows of c₁ and c₂. Its key gradient stays behind the others', since c₁ may
// have entries for it in the rows of other proxies.
func (m *Model) pruned() *Model {
	joints, keys := len(m.Rig.Masters), len(m.Rig.Keys)
	moves := make([]bool, m.Proxies())
	for _, w := range m.Weights {
		for _, s := range w {
			if int(s.Joint) >= joints {
				moves[int(s.Joint)-joints] = true
			}
		}
	}
	var kept, idle []int
	for b, does := range moves {
		if does {
			kept = append(kept, b)
		} else {
			idle = append(idle, b)
		}
	}
	if len(kept) == 0 {
		idle = nil // the keys go, too
	}
	out := &Model{Rig: m.Rig, Weights: make([][]skinning.Share, len(m.Weights))}
	order := slices.Concat(kept, idle)
	out.Rig.Keys, out.Rig.C1, out.Rig.C2 = training.Pick(m.Rig.Keys, order), nil, nil
	out.Rig.Proxies = m.Rig.Proxies[:len(kept)]
	for _, b := range kept {
		for row := 4 * b; row < 4*b+4; row++ {
			for _, l := range order {
				out.Rig.C1 = append(out.Rig.C1, m.Rig.C1[3*(row*keys+l):3*(row*keys+l)+3]...)
			}
		}
		out.Rig.C2 = append(out.Rig.C2, m.Rig.C2[16*b*joints:16*(b+1)*joints]...)
	}
	for v, w := range m.Weights {
		out.Weights[v] = slices.Clone(w) // trained SSD may have the same
		for k := range w {
			if b := int(w[k].Joint) - joints; b >= 0 {
				out.Weights[v][k].Joint = uint16(joints + slices.Index(kept, b))
			}
		}
	}
	return out
}

// split is the model for all vertices, given that of the welded ones.
func (m *Model) split(of []int) *Model {
	return &Model{Rig: m.Rig, Weights: training.Pick(m.Weights, of)}
}
