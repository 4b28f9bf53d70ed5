package blendbones

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
	"skinlab/skinning/parallel"
)

// maxJoints is the most master joints of a blend bone, and the most influences of a vertex (ALNS sections 3 and 4.1).
const maxJoints = 4

// vertexSet is all vertices that follow one set of master joints.
type vertexSet struct {
	joints   []uint16 // ascending
	masters  []uint16 // that its vertices may follow, ascending
	vertices []int32
}

// mayFollow reports whether the set's vertices may follow the bone, because they share a master with it (ALNS section
// 4.2).
func (s *vertexSet) mayFollow(b *bone) bool { return shareJoint(s.joints, b.span) }

// input is a problem prepared for solving. Nothing in it depends on the solution.
type input struct {
	operator skinning.Method
	second   *skinning.Influences // the second weight set that the operator reads, nil for none
	frames   []*skinning.Frame    // the given poses, then the prior ones
	given    int
	roots    []float64 // the square root of each frame's weight; all matrices, targets and errors have it as a factor

	// Positions are measured from the middle of the rest shape, and from the middle of each frame. Sums of squares
	// from an origin far away would cancel and lose their digits.
	origin  mgl64.Vec3
	middles []mgl64.Vec3

	joints     int
	masters    [][]geom.Affine // [joint][frame]
	neighbours *neighbours

	rest    []mgl64.Vec3 // measured from origin
	copyOf  []int32      // of each vertex, the first of its copies along seams, see [training.Weld]
	targets []mgl64.Vec3 // the position under Φ, [vertex][frame]
	square  []float64    // of each vertex, Σ_f |t|²; t is its target
	cross   [][]float64  // of each vertex, Σ_f (C_a·v)·t with the masters of its set
	set     []int32      // of each vertex
	sets    []vertexSet
	initial []weights                 // of the model
	forms   map[[2]int32]*linear.Form // of two masters that some vertex may follow, the lower first
	rigid   float64                   // Σ over vertices of the best single joint's error in the given frames: EE's denominator
}

// newInput reads the model and poses it with an operator in every frame.
func newInput(p *Problem, operator skinning.Method, opt *Options) *input {
	mesh := &p.Model.Skin
	in := &input{operator: operator, second: mesh.Second(operator),
		given: len(p.Frames), joints: len(p.Model.Skeleton.Joints), neighbours: newNeighbours(&p.Model.Skeleton)}
	in.frames, in.roots = withPriorPoses(p.Frames, opt)
	in.rest = mesh.RestPositions(p.Frames[0].Morphs)
	shapes := in.shapes(opt.Workers)
	point, first := training.Weld(in.rest, shapes[:in.given], p.Model.Diagonal())
	for _, k := range point {
		in.copyOf = append(in.copyOf, int32(first[k]))
	}
	in.findMiddles()
	for j := range in.joints {
		motion := make([]geom.Affine, len(in.frames))
		for f := range motion {
			motion[f] = in.about(in.frames[f].Matrices[j], f)
		}
		in.masters = append(in.masters, motion)
	}
	in.collectSets(mesh, opt.Recipe.Masters)
	n := len(in.rest)
	in.targets, in.square, in.cross = make([]mgl64.Vec3, n*len(in.frames)), make([]float64, n), make([][]float64, n)
	candidates := metrics.NewRigidCandidates(p.Model)
	rigid := make([]float64, parallel.Chunks(n))
	parallel.For(opt.Workers, len(rigid), func(_, c int) {
		var joints []int
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			in.readVertex(v, shapes)
			least := math.Inf(1)
			joints = append(candidates.Near(joints[:0], v), candidates.All...) // finding the best one early cuts others short
			for _, j := range joints {
				least = min(least, in.distance(in.masters[j], v, least))
			}
			rigid[c] += least
		}
	})
	for _, e := range rigid {
		in.rigid += e
	}
	return in
}

// withPriorPoses returns the given poses and the recipe's prior ones, and the square root of each pose's weight, the
// factor of that pose's equations.
func withPriorPoses(given []*skinning.Frame, opt *Options) (frames []*skinning.Frame, roots []float64) {
	more := training.PriorPoses(given, opt.Recipe.PriorPoses, false)
	for f := range given {
		w := 1.0
		if opt.Weights != nil {
			w = opt.Weights[f]
		}
		roots = append(roots, math.Sqrt(w))
	}
	for range more {
		roots = append(roots, math.Sqrt(opt.Recipe.PriorWeight*float64(len(given))/float64(len(more))))
	}
	return slices.Concat(given, more), roots
}

// shapes returns the vertices as the operator poses them in every frame, by all of their influences.
func (in *input) shapes(workers int) [][]mgl64.Vec3 {
	shapes := make([][]mgl64.Vec3, len(in.frames))
	parallel.For(workers, len(shapes), func(_, f int) {
		shapes[f] = make([]mgl64.Vec3, len(in.rest))
		for v, p := range in.rest {
			shapes[f][v] = in.frames[f].BlendVertex(in.operator, v).Apply(p)
		}
	})
	return shapes
}

// findMiddles sets origin to the middle of the rest shape's bounding box, and each frame's middle to the mean of its
// positions under the joints.
func (in *input) findMiddles() {
	lo, hi := in.rest[0], in.rest[0]
	for _, p := range in.rest {
		for k := range p {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	in.origin = lo.Add(hi).Mul(0.5)
	for v := range in.rest {
		in.rest[v] = in.rest[v].Sub(in.origin)
	}
	in.middles = make([]mgl64.Vec3, len(in.frames))
	for f, frame := range in.frames {
		for j := range in.joints {
			in.middles[f] = in.middles[f].Add(frame.Matrices[j].Apply(in.origin).Mul(1 / float64(in.joints)))
		}
	}
}

// about returns a bone's matrix in frame f as the fit uses it. It takes positions measured from origin to positions
// measured from the frame's middle, times the frame's root.
func (in *input) about(a geom.Affine, f int) geom.Affine {
	t, m := a.Apply(in.origin), &in.middles[f]
	a[3], a[7], a[11] = t[0]-m[0], t[1]-m[1], t[2]-m[2]
	return scaled(a, in.roots[f])
}

// slopeAbout is about for the derivative of a matrix. The middle of the frame is constant, so it drops out.
func (in *input) slopeAbout(a geom.Affine, f int) geom.Affine {
	t := a.Apply(in.origin)
	a[3], a[7], a[11] = t[0], t[1], t[2]
	return scaled(a, in.roots[f])
}

// scaled returns a with all its entries multiplied by a number.
func scaled(a geom.Affine, by float64) geom.Affine {
	for k := range a {
		a[k] *= by
	}
	return a
}

// collectSets groups vertices by their four strongest joints, whose weights are normalised to sum 1, and by the four
// strongest of their twists, where the operator reads a second set.
func (in *input) collectSets(mesh *skinning.Mesh, masters func(*neighbours, []uint16) []uint16) {
	in.set, in.initial = make([]int32, len(in.rest)), make([]weights, len(in.rest))
	index := make(map[[2 * maxJoints]uint16]int32)
	for v := range in.rest {
		b, w, sum := &mesh.Bindings[in.copyOf[v]], &in.initial[v], 0.0
		var joints []uint16
		for k, x := range b.Weights {
			if x > 0 {
				w.bone[w.count], w.weight[w.count] = int32(b.Joints[k]), float64(x)
				sum += float64(x)
				w.count++
				joints = append(joints, b.Joints[k])
			}
		}
		for k := range w.count {
			w.weight[k] /= sum
		}
		if in.second != nil {
			twists := &in.second.Bindings[in.copyOf[v]]
			for k, j := range twists.Joints {
				if twists.Weights[k] > 0 && !slices.Contains(joints, j) {
					joints = append(joints, j)
				}
			}
		}
		slices.Sort(joints)
		var key [2 * maxJoints]uint16
		for k := copy(key[:], joints); k < len(key); k++ {
			key[k] = math.MaxUint16
		}
		s, ok := index[key]
		if !ok {
			s = int32(len(in.sets))
			index[key] = s
			set := vertexSet{joints: joints, masters: joints}
			if masters != nil {
				set.masters = slices.Concat(joints, masters(in.neighbours, joints))
			}
			in.sets = append(in.sets, set)
		}
		in.set[v] = s
		in.sets[s].vertices = append(in.sets[s].vertices, int32(v))
	}
	in.forms = make(map[[2]int32]*linear.Form)
	for i := range in.sets {
		for _, a := range in.sets[i].masters {
			for _, b := range in.sets[i].masters {
				pair := [2]int32{int32(a), int32(b)}
				if a <= b && in.forms[pair] == nil {
					form := linear.FormOf(in.masters[a], in.masters[b])
					in.forms[pair] = &form
				}
			}
		}
	}
}

// readVertex fills vertex v's targets and products, and the error of its weights in the model.
func (in *input) readVertex(v int, shapes [][]mgl64.Vec3) {
	t := in.target(v)
	for f := range t {
		t[f] = shapes[f][in.copyOf[v]].Sub(in.middles[f]).Mul(in.roots[f])
		in.square[v] += t[f].Dot(t[f])
	}
	set, w := &in.sets[in.set[v]], &in.initial[v]
	in.cross[v] = make([]float64, len(set.masters))
	for a, j := range set.masters {
		in.cross[v][a] = in.crossWith(in.masters[j], v)
	}
	for k := range w.count {
		w.product[k] = in.cross[v][slices.Index(set.masters, uint16(w.bone[k]))]
	}
	for f := range t {
		off := t[f].Mul(-1)
		for k := range w.count {
			off = off.Add(in.masters[w.bone[k]][f].Apply(in.rest[v]).Mul(w.weight[k]))
		}
		w.err += off.Dot(off)
	}
}

func (in *input) target(v int) []mgl64.Vec3 {
	n := len(in.frames)
	return in.targets[v*n : (v+1)*n]
}

// crossWith returns Σ_f (C·v)·t.
func (in *input) crossWith(bone []geom.Affine, v int) (h float64) {
	p, t := in.rest[v], in.target(v)
	for f := range bone {
		m, q := &bone[f], &t[f]
		h += (m[0]*p[0]+m[1]*p[1]+m[2]*p[2]+m[3])*q[0] +
			(m[4]*p[0]+m[5]*p[1]+m[6]*p[2]+m[7])*q[1] +
			(m[8]*p[0]+m[9]*p[1]+m[10]*p[2]+m[11])*q[2]
	}
	return h
}

// distance returns Σ_f ‖C·v − t‖² over the given frames, without their weights. It stops early once the sum reaches
// most, and then returns most or more.
func (in *input) distance(bone []geom.Affine, v int, most float64) (sum float64) {
	p, t := in.rest[v], in.target(v)
	for f := range bone[:in.given] {
		r := bone[f].Apply(p).Sub(t[f])
		sum += r.Dot(r) / (in.roots[f] * in.roots[f])
		if sum >= most {
			break
		}
	}
	return sum
}
