package enveloping

import (
	"fmt"
	"math"
	"runtime"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// SSD is skeletal subspace deformation, linear blending, trained on examples: per vertex at most four weights that are
// not negative and sum to 1 (James and Twigg 2005; RTER section 7).
type SSD struct {
	Weights [][]skinning.Share // per vertex, the largest first
	square  []float64          // per vertex: Σ_i ‖Ψ_a·q^i − y_a^i‖²
}

// Pose returns the skin in a pose.
func (s *SSD) Pose(rest []mgl64.Vec3, matrices []geom.Affine) []mgl64.Vec3 {
	return posed(rest, matrices, s.Weights)
}

// Measure measures the weights on examples, those they were trained on or others.
func (s *SSD) Measure(x *training.Examples) Errors {
	workers := runtime.GOMAXPROCS(0)
	return residualsOf(x, workers, x.Palettes, s.Weights).measure(x, rigidErrors(x, workers))
}

// With returns the skinned model with these weights over its own joints. It must be the model that the examples were
// made from; morph targets of its skin are left out, since examples keep their shapes in them.
func (s *SSD) With(of *skinning.Model) (*skinning.Model, error) {
	out := *of
	out.Skin.SetWeights(skinning.InfluencesOf(s.Weights, nil))
	out.Skin.Morphs = nil
	if n := len(out.Skin.Bindings); n != len(of.Skin.Positions) {
		return nil, fmt.Errorf("%w: weights of %d vertices, %s has %d", training.ErrExamples, n, of.Name,
			len(of.Skin.Positions))
	}
	return &out, out.Skin.Influences.Validate(len(of.Skeleton.Joints))
}

// trainSSD finds the weights of each vertex. Where the rig's weights are known, they are held to them: they also
// learn prior poses in which the skin is that of the rig. Joints that hardly move relative to each other in the
// examples, such as the fingers of a flat hand, predict a vertex equally well, and only the rig tells which ones it
// belongs to. Vertices that are not reached before the fit is cancelled have the rig's weights or, without a rig, the
// joint that predicts them best.
func trainSSD(x *training.Examples, recipe *Recipe, workers int, cancelled func() bool) *SSD {
	n := len(x.Rest)
	held := withPriors(x, recipe, linearBlended)
	all, joints := newWeighers(held, held.Palettes, workers), make([]int, len(x.Parents))
	for j := range joints {
		joints[j] = j
	}
	s := &SSD{Weights: make([][]skinning.Share, n)}
	parallel.For(workers, parallel.Chunks(n), func(worker, c int) {
		w := &all[worker]
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			if x.Rigged != nil {
				s.Weights[v] = x.Rigged[v]
			}
			stop := cancelled()
			if stop && x.Rigged != nil {
				continue
			}
			w.read(v)
			w.among(joints, s.Weights[v])
			if stop {
				s.Weights[v] = []skinning.Share{{Joint: uint16(w.nearest()), Weight: 1}}
			} else {
				s.Weights[v] = w.solve(s.Weights[v])
			}
		}
	})
	s.square = residualsOf(x, workers, x.Palettes, s.Weights).square
	return s
}

// fixedVertices returns the set F of section 4.2 as a flag per vertex: the vertices whose SSD error is below the given
// share of the mean, and those that belong to no triangle with an area.
func fixedVertices(x *training.Examples, s *SSD, share float64) []bool {
	fixed := make([]bool, len(x.Rest))
	mean := 0.0
	for _, e := range s.square {
		mean += math.Sqrt(e) / float64(len(s.square))
	}
	reached := make([]bool, len(x.Rest))
	for _, t := range x.Triangles {
		if _, ok := invert(frame(x.Rest[t[0]], x.Rest[t[1]], x.Rest[t[2]])); ok {
			reached[t[0]], reached[t[1]], reached[t[2]] = true, true, true
		}
	}
	for v, e := range s.square {
		fixed[v] = !reached[v] || math.Sqrt(e) < share*mean
	}
	return fixed
}
