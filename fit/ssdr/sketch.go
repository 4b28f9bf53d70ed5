package ssdr

import (
	"math/rand/v2"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// A sketch is some of the vertices and examples. It determines the places of helper bones nearly as well as all do. So
// bones are inserted on a sketch, which is cheap enough to compare several starts. All vertices and examples take part
// in the last rounds.
const (
	// sketchedExamples and sketchedVertices bound the size of a sketch (row 241).
	sketchedExamples = 200
	sketchedVertices = 2500
)

// sketch finds a start for all of the examples.
func (d *decomposing) sketch() (*Decomposition, error) {
	x, opt := d.p.x, *d.opt
	rng := rand.New(rand.NewPCG(1, 1))
	narrow := x.thinned(rng)
	small := narrow
	if n := len(x.Targets); n > 2*sketchedExamples {
		small = narrow.Pick(sample(rng, n, sketchedExamples))
	}
	if small == x {
		best := d.bestStart(true)
		d.history = best.History
		return best, nil
	}
	if opt.Progress = nil; opt.Sketched != nil {
		opt.Progress = func(p Progress) { opt.Sketched(p.Bones) }
	}
	s := newDecomposing(d.ctx, small, &opt)
	s.begin()
	best := s.bestStart(false)
	if small != narrow { // motions in all examples
		opt.Start = &Decomposition{Weights: best.Weights}
		s, err := NewSolver(narrow, opt)
		if err != nil {
			return nil, err
		}
		best.Motions = s.Current().Motions
	}
	if narrow != x {
		best.Weights = nil
	}
	return best, nil
}

// bestStart decomposes in a few ways, and returns the decomposition of most bones and least error. The ways differ in
// trialRounds: no number is the best everywhere, and final errors at 4 and 8 bones differ by a tenth, one way or the
// other (row 240). Where the sketch is the whole, Progress is called with every state that is better than the best so far.
func (d *decomposing) bestStart(whole bool) (best *Decomposition) {
	all, own := d.opt, *d.opt
	d.opt = &own
	defer func() { d.opt = all }()
	if whole && all.Progress != nil {
		own.Progress = func(p Progress) {
			if best == nil || p.Bones >= len(best.Motions) && p.RMS < best.RMS {
				all.Progress(p)
			}
		}
	}
	first := d.mark()
	for _, own.trialRounds = range [...]int{2, 0, 4} {
		d.grow()
		end := d.current()
		if best == nil || len(end.Motions) > len(best.Motions) || len(end.Motions) == len(best.Motions) && end.RMS < best.RMS {
			best = end
		}
		d.comeBack(first)
		if d.ctx.Err() != nil {
			break
		}
	}
	return best
}

// mark is where several decompositions begin.
type mark struct {
	state      *state
	motions    [][]geom.Affine // of the helper bones
	candidates []int           // number for each point
	history    []Step
}

func (d *decomposing) mark() *mark {
	m := &mark{d.p.save(nil), slices.Clone(d.p.bones[d.p.primaries:]), nil, slices.Clone(d.history)}
	for _, c := range d.p.candidates {
		m.candidates = append(m.candidates, len(c))
	}
	return m
}

func (d *decomposing) comeBack(m *mark) {
	p := d.p
	d.history = slices.Clone(m.history)
	p.bones, p.forms, p.lin = p.bones[:p.primaries], p.forms[:p.primaries], p.lin[:p.primaries]
	for _, motion := range m.motions {
		p.addHelper(motion)
	}
	p.sumBones(p.primaries)
	p.restore(m.state.copyTo(nil))
	for k, count := range m.candidates {
		p.candidates[k] = p.candidates[k][:count]
	}
}

// sample returns count of the numbers below n, in ascending order.
func sample(rng *rand.Rand, n, count int) []int {
	out := rng.Perm(n)[:count]
	slices.Sort(out)
	return out
}

// thinned returns the examples with fewer vertices, chosen at random, if there are many. Two of them are neighbours where
// vertices nearest to them over the edges are.
func (x *Examples) thinned(rng *rand.Rand) *Examples {
	n := len(x.Rest)
	if n <= 2*sketchedVertices {
		return x
	}
	chosen := sample(rng, n, sketchedVertices)
	out := &Examples{Palettes: x.Palettes, Importance: x.Importance, Model: x.Model}
	for _, v := range chosen {
		out.Rest = append(out.Rest, x.Rest[v])
		if x.Rigged != nil {
			out.Rigged = append(out.Rigged, x.Rigged[v])
		}
	}
	for _, target := range x.Targets {
		few := make([]mgl64.Vec3, len(chosen))
		for k, v := range chosen {
			few[k] = target[v]
		}
		out.Targets = append(out.Targets, few)
	}
	near := x.nearest(chosen)
	for _, t := range x.Triangles {
		if a, b, c := near[t[0]], near[t[1]], near[t[2]]; a >= 0 && (a != b || b != c) {
			out.Triangles = append(out.Triangles, [3]uint32{uint32(a), uint32(b), uint32(c)})
		}
	}
	return out
}

// nearest returns for each vertex which of the chosen ones is reached over the fewest edges, −1 for none. Vertices at
// one place are neighbours.
func (x *Examples) nearest(chosen []int) []int {
	edges := make([][]int32, len(x.Rest))
	for _, t := range x.Triangles {
		for c, v := range t {
			edges[v] = append(edges[v], int32(t[(c+1)%3]), int32(t[(c+2)%3]))
		}
	}
	at := make(map[mgl64.Vec3]int32, len(x.Rest))
	for v, p := range x.Rest {
		if first, ok := at[p]; ok {
			edges[v], edges[first] = append(edges[v], first), append(edges[first], int32(v))
			continue
		}
		at[p] = int32(v)
	}
	near := slices.Repeat([]int{-1}, len(x.Rest))
	queue := make([]int, 0, len(x.Rest))
	for k, v := range chosen {
		near[v] = k
		queue = append(queue, v)
	}
	for i := 0; i < len(queue); i++ {
		for _, v := range edges[queue[i]] {
			if near[v] < 0 {
				near[v] = near[queue[i]]
				queue = append(queue, int(v))
			}
		}
	}
	return near
}
