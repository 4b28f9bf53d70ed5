package enveloping

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/parallel"
	"skinlab/fit/simplex"
	"skinlab/skinning"
)

// mixer is one worker's scratch memory for weights over joints and proxies.
type mixer struct {
	solver   simplex.Solver
	choice   []int
	single   map[int]float64
	columns  []float64 // of the candidates: see gramOf
	gram     []float64
	w, start []float64
}

// surely is how many standard errors of its mean over the examples the gain of a vertex must be above 0 for it to leave its SSD weights: four
// weights chosen from many candidates fit anything a little better.
const surely = 0.5

// mixedWeights finds the final weights: of each vertex that has proxies within its reach at most four, over those and the joints that
// trained SSD or the rig bind it to. That takes in the fixed vertices around the free ones: what holds the Poisson solve in its place must
// not stand out in the end as a step between what SSD makes and what proxies make. Of the given pairs the weights see the proxies as held
// out (stacked generalization: Wolpert 1992, Breiman 1996), so that a vertex leaves its joints only as far as the proxies predict it better on
// poses to come; where they do not, it keeps its SSD weights.
func (r *run) mixedWeights(s *SSD, red *reduction, f *forecast) [][]skinning.Share {
	x := r.y
	_, held := f.both(x)
	out := slices.Clone(s.Weights)
	hold := likeRig * r.diagonal
	hold *= hold * float64(x.given())
	root := x.roots()
	all := make([]mixer, max(r.opt.Workers, 1))
	n := len(x.Rest)
	parallel.For(r.opt.Workers, parallel.Chunks(n), func(worker, c int) {
		w := &all[worker]
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi && !r.cancelled(); v++ {
			if len(red.reach[v]) == 0 {
				continue
			}
			w.candidates(x, v, red.reach[v], s.Weights[v], held)
			w.columns = w.columns[:0]
			for _, b := range w.choice {
				for i := range x.Pairs {
					d := held[i][b].Apply(x.Rest[v]).Sub(x.Pairs[i].Target[v]).Mul(root[i])
					w.columns = append(w.columns, d[0], d[1], d[2])
				}
			}
			m := len(w.choice)
			w.gram = gramOf(w.gram[:0], w.columns, m)
			holdTo(w.gram, w.choice, s.Weights[v], hold)
			w.start = append(w.start[:0], make([]float64, m)...)
			for _, share := range s.Weights[v] {
				w.start[slices.Index(w.choice, int(share.Joint))] = share.Weight
			}
			w.w = append(w.w[:0], w.start...)
			w.solver.MinimizeSparse(w.gram, m, mostInfluences, w.w)
			if w.gains(x.given(), len(x.Pairs)) {
				out[v] = shares(w.choice, w.w)
			}
		}
	})
	return out
}

// candidates fills choice: of the proxies within reach those that predict the vertex best, and all its joints.
func (w *mixer) candidates(x *Examples, v int, reach []int, trained []skinning.Share, held [][]skinning.Affine) {
	w.choice = w.choice[:0]
	for _, b := range reach {
		w.choice = append(w.choice, len(x.Parent)+b)
	}
	if len(w.choice) > mostReach {
		if w.single == nil {
			w.single = map[int]float64{}
		}
		for _, b := range w.choice {
			w.single[b] = 0
			for i := range x.given() {
				d := held[i][b].Apply(x.Rest[v]).Sub(x.Pairs[i].Target[v])
				w.single[b] += d.Dot(d)
			}
		}
		slices.SortStableFunc(w.choice, func(a, b int) int {
			switch d := w.single[a] - w.single[b]; {
			case d < 0:
				return -1
			case d > 0:
				return 1
			}
			return 0
		})
		w.choice = w.choice[:mostReach]
	}
	for _, share := range trained {
		w.choice = append(w.choice, int(share.Joint))
	}
	w.choice = x.withRigged(w.choice, v)
}

// gains reports whether the weights that were found are better than those that were there, in all the given pairs together and not by
// chance in some.
func (w *mixer) gains(given, pairs int) bool {
	sum, square := 0.0, 0.0
	for i := range given {
		var before, after mgl64.Vec3
		for k := range w.choice {
			d := mgl64.Vec3(w.columns[3*(k*pairs+i) : 3*(k*pairs+i+1)])
			before, after = before.Add(d.Mul(w.start[k])), after.Add(d.Mul(w.w[k]))
		}
		gain := before.Dot(before) - after.Dot(after)
		sum, square = sum+gain, square+gain*gain
	}
	n := float64(given)
	deviation := math.Sqrt(math.Max(square-sum*sum/n, 0) / math.Max(n-1, 1)) // of one example's
	return sum/n > surely*deviation/math.Sqrt(n)
}
