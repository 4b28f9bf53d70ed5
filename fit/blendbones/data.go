package blendbones

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
	"skinlab/skinning/parallel"
	"skinlab/skinning/remodel"
)

// vertexSet is all vertices that follow one set of master joints. Their Gram matrices v̂ᵀ(Σ_f C_aᵀC_b)v̂ share the
// middle factors.
type vertexSet struct {
	joints   []uint16 // ascending
	vertices []int32
	near     []uint16       // the masters that its vertices may follow, ascending
	gram     []*linear.Form // the middle factors over near, row-major; sets share them
	changed  int            // the clock of the last change of weights of its vertices, or of bones that they may follow
	// Ids are what its vertices may follow: near, then blend bones numbered from data.joints on. The moments of all
	// pairs of them are row-major.
	ids   []int32
	pairs []*linear.Form
}

// data is a problem prepared for solving. Nothing in it depends on the weights.
type data struct {
	method  skinning.Method
	with    departures
	twoSets bool              // the operator blends swings and twists by weights of their own
	frames  []*skinning.Frame // the given poses, then the prior ones
	given   int
	roots   []float64 // the square root of each frame's weight; all matrices, targets and errors have it as a factor
	plain   []float64 // one over each frame's weight; it takes the weight out of a squared error
	// Positions are measured from the middle of the rest shape, and from the middle of each frame. Sums of squares from
	// an origin far away would cancel and lose their digits.
	origin  mgl64.Vec3
	middles []mgl64.Vec3
	joints  int
	rest    []mgl64.Vec3 // measured from origin
	copyOf  []int32      // of each vertex, the first of its copies: see findCopies
	set     []int32      // of each vertex
	sets    []vertexSet
	// Per vertex: its position under Φ in every frame; the products h_a = Σ_f (C_a·v)·t with the masters of its set, in
	// the set's order; Σ_f |t|². C_a is the matrix of bone a, v the rest position and t the position under Φ.
	targets  []mgl64.Vec3 // vertex-major
	cross    [][]float64
	square   []float64
	rigid    float64         // Σ over vertices of the best single joint's error in the given frames: EE's denominator
	masters  [][]geom.Affine // [joint][frame]
	first    []geom.Affine   // each master in the first frame; most masters are ruled out by it alone
	parents  [][]uint16      // by joint; mostly one, see [remodel.JointPairs]
	children [][]uint16      // by joint
	below    [][][]uint16    // by joint: see descendants
	initial  []weights
}

// weights are the w'-weights of a vertex. Bone numbers below data.joints are masters.
type weights struct {
	bone   [maxJoints]int32
	weight [maxJoints]float64
	count  int
	cross  float64 // Σ_a w_a·h_a
	err    float64 // Σ_f ‖v' − v‖² with the weights of the frames
}

// prepare reads the model and poses it with the operator in every frame.
func prepare(p *Problem, operator skinning.Method, with departures, opt *Options) *data {
	mesh := &p.Model.Skin
	d := &data{method: operator, with: with, twoSets: mesh.Twist != nil && operator == skinning.TwistSwing,
		given: len(p.Frames), joints: len(p.Model.Skeleton.Joints)}
	share := 0.0
	if with.prior {
		share = opt.priorShare()
	}
	d.frames, d.roots = withPriorPoses(p.Frames, opt.Weights, share)
	for _, root := range d.roots {
		d.plain = append(d.plain, 1/(root*root))
	}
	d.rest = mesh.RestPositions(p.Frames[0].Morphs)
	n, frames := len(d.rest), len(d.frames)
	d.set, d.cross, d.square = make([]int32, n), make([][]float64, n), make([]float64, n)
	d.targets = make([]mgl64.Vec3, n*frames)
	d.initial = make([]weights, n)
	d.masters = make([][]geom.Affine, d.joints)
	d.findMiddles()
	d.first = make([]geom.Affine, d.joints)
	for j := range d.masters {
		d.masters[j] = make([]geom.Affine, frames)
		for f := range d.frames {
			d.masters[j][f] = d.about(d.frames[f].Matrices[j], f)
		}
		d.first[j] = d.masters[j][0]
	}
	d.findCopies(mesh)
	d.collectSets(mesh)
	d.relateJoints(&p.Model.Skeleton)
	moments := make(map[[2]uint16]*linear.Form)
	for i := range d.sets {
		s := &d.sets[i]
		s.near = s.joints
		if with.reach {
			s.near = d.lineage(s.joints)
		}
		for _, a := range s.near {
			for _, b := range s.near {
				pair := [2]uint16{min(a, b), max(a, b)}
				if moments[pair] == nil {
					m := linear.FormOf(d.masters[a], d.masters[b])
					moments[pair] = &m
				}
				s.gram = append(s.gram, moments[pair])
			}
		}
	}
	partial := make([]float64, parallel.Chunks(n))
	parallel.For(opt.Workers, len(partial), func(_, c int) {
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			partial[c] += d.prepareVertex(v)
		}
	})
	for _, s := range partial {
		d.rigid += s
	}
	return d
}

// findMiddles sets origin to the middle of the rest shape's bounding box, and each frame's middle to the mean of its
// positions under the joints.
func (d *data) findMiddles() {
	if len(d.rest) == 0 {
		return
	}
	lo, hi := d.rest[0], d.rest[0]
	for _, p := range d.rest {
		for k := range p {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	d.origin = lo.Add(hi).Mul(0.5)
	for v := range d.rest {
		d.rest[v] = d.rest[v].Sub(d.origin)
	}
	d.middles = make([]mgl64.Vec3, len(d.frames))
	for f, frame := range d.frames {
		for j := range d.joints {
			d.middles[f] = d.middles[f].Add(frame.Matrices[j].Apply(d.origin).Mul(1 / float64(d.joints)))
		}
	}
}

// about returns a bone's matrix in frame f as the fit uses it. It takes positions measured from origin to positions
// measured from the frame's middle, times the frame's root.
func (d *data) about(a geom.Affine, f int) geom.Affine {
	t, m := a.Apply(d.origin), &d.middles[f]
	a[3], a[7], a[11] = t[0]-m[0], t[1]-m[1], t[2]-m[2]
	return scaled(a, d.roots[f])
}

// slopeAbout is about for the derivative of a matrix. The middle of the frame is constant, so it drops out.
func (d *data) slopeAbout(a geom.Affine, f int) geom.Affine {
	t := a.Apply(d.origin)
	a[3], a[7], a[11] = t[0], t[1], t[2]
	return scaled(a, d.roots[f])
}

// sameWeight is how far the weights of two copies of a vertex may differ. An exporter that normalises each copy for itself
// leaves some 1e-7, and one that writes four decimals up to this.
const sameWeight = 1e-4

// mostInPlace bounds how many vertices of one place a further one is compared with. A file may put all of its vertices in
// one place.
const mostInPlace = 16

// findCopies finds vertices in one place with the same weights. Files have such copies of a vertex along seams. All are
// fitted as the first of them. Otherwise a copy could get an influence that another does not get, and the surface would
// crack.
func (d *data) findCopies(mesh *skinning.Mesh) {
	d.copyOf = make([]int32, len(d.rest))
	at := make(map[mgl64.Vec3][]int32) // the first of all copies in a place
	for v, p := range d.rest {
		k := slices.IndexFunc(at[p], func(u int32) bool {
			return sameWeights(&mesh.Influences, int(u), v) && (!d.twoSets || sameWeights(mesh.Twist, int(u), v))
		})
		if d.copyOf[v] = int32(v); k >= 0 {
			d.copyOf[v] = at[p][k]
		} else if len(at[p]) < mostInPlace {
			at[p] = append(at[p], int32(v))
		}
	}
}

// sameWeights reports whether two vertices follow the same joints with weights that differ by sameWeight at most.
func sameWeights(all *skinning.Influences, u, v int) bool {
	var one, two [8]skinning.Influence
	a, b := all.Of(one[:0], u), all.Of(two[:0], v)
	return len(a) == len(b) && !slices.ContainsFunc(a, func(x skinning.Influence) bool {
		return !slices.ContainsFunc(b, func(y skinning.Influence) bool {
			return x.Joint == y.Joint && math.Abs(float64(x.Weight-y.Weight)) <= sameWeight
		})
	})
}

// collectSets groups vertices by their four strongest joints, whose weights are normalised to sum 1, and by the four
// strongest of their twists, where the operator reads a second set.
func (d *data) collectSets(mesh *skinning.Mesh) {
	index := make(map[[2 * maxJoints]uint16]int32)
	for v := range d.rest {
		b := &mesh.Bindings[d.copyOf[v]]
		w := &d.initial[v]
		sum := 0.0
		for k := range b.Weights {
			if b.Weights[k] > 0 {
				w.bone[k], w.weight[k] = int32(b.Joints[k]), float64(b.Weights[k])
				sum += w.weight[k]
				w.count++
			}
		}
		var key [2 * maxJoints]uint16
		joints := key[:0]
		for k := range w.count {
			w.weight[k] /= sum
			joints = append(joints, uint16(w.bone[k]))
		}
		if d.twoSets {
			twists := &mesh.Twist.Bindings[d.copyOf[v]]
			for k, j := range twists.Joints {
				if twists.Weights[k] > 0 && !slices.Contains(joints, j) {
					joints = append(joints, j)
				}
			}
		}
		slices.Sort(joints)
		for k := len(joints); k < len(key); k++ {
			key[k] = math.MaxUint16
		}
		s, ok := index[key]
		if !ok {
			s = int32(len(d.sets))
			index[key] = s
			d.sets = append(d.sets, vertexSet{joints: slices.Clone(joints)})
		}
		d.set[v] = s
		d.sets[s].vertices = append(d.sets[s].vertices, int32(v))
	}
}

// A vertex may follow at most maxNear masters, the nearest joints of [data.lineage], at most as many steps away (rows 90,
// 91). It may follow a joint more than depth steps below its own only if a given pose turns the two by at least farTurn
// radians against each other (rows 88, 89 and 177 to 180). A joint far below has a long lever, and what it does is known
// only where given poses turn it far. If any joint below may be followed, the fox's thighs follow its head, and a survey
// that was not learnt has an EE of 41 %. It has 8.6 % with this rule, and 9.4 by linear blending. If none farther below
// may be followed, the arm's own clip has 2.3 % instead of 1.9.
const (
	maxNear = 24
	depth   = 2
	farTurn = 1.0
)

// lineage returns joints with their ancestors and some of their descendants, ascending: the masters that vertices of
// these joints may follow. The paper allows the joints alone (section 4.2). Joints above and below them move in ways that
// imitate the bulge of the nonlinear method. Joints of other limbs do so by chance, in a few poses. Where they were
// allowed, a leg of the knight followed the other leg, and EE over other clips was 4 % higher. A vertex follows wider
// masters only where that is worth it, see [reachWorth].
func (d *data) lineage(joints []uint16) []uint16 {
	near, up := slices.Clone(joints), joints
	for step := 0; step < maxNear && len(near) < maxNear; step++ {
		var found []uint16
		for _, j := range up {
			found = appendNew(found, d.parents[j])
		}
		up = found
		for _, j := range joints {
			if levels := d.descendants(j); step < len(levels) {
				found = append(found, levels[step]...)
			}
		}
		for _, j := range found {
			if len(near) < maxNear && !slices.Contains(near, j) {
				near = append(near, j)
			}
		}
	}
	slices.Sort(near)
	return near
}

// descendants returns the joints below j that vertices of j may follow, by how many steps they lie below it. It keeps what
// it has found, so that only one goroutine may call it.
func (d *data) descendants(j uint16) [][]uint16 {
	if d.below[j] != nil {
		return d.below[j]
	}
	level := []uint16{j}
	for step := 0; step < maxNear && len(level) > 0; step++ {
		var next, may []uint16
		for _, above := range level {
			next = appendNew(next, d.children[above])
		}
		for _, k := range next {
			if step < depth || d.turnsFar(k, j) {
				may = append(may, k)
			}
		}
		d.below[j] = append(d.below[j], may)
		level = next
	}
	return d.below[j]
}

// turnsFar reports whether a given pose turns joint a by at least farTurn radians against joint b, from where the two are
// at rest.
func (d *data) turnsFar(a, b uint16) bool {
	return slices.ContainsFunc(d.frames[:d.given], func(f *skinning.Frame) bool {
		rigid := f.Rigid()
		return math.Abs(rigid[a].Real.Dot(rigid[b].Real)) <= math.Cos(farTurn/2)
	})
}

// relateJoints lists the parents and the children of every joint. Joints that are equal in all poses must not drive one
// bone together, because a file may have one joint for both.
func (d *data) relateJoints(s *skinning.Skeleton) {
	d.parents, d.children = make([][]uint16, len(s.Joints)), make([][]uint16, len(s.Joints))
	d.below = make([][][]uint16, len(s.Joints))
	for _, pair := range remodel.JointPairs(s) {
		d.parents[pair.Joint] = append(d.parents[pair.Joint], uint16(pair.Parent))
		d.children[pair.Parent] = append(d.children[pair.Parent], uint16(pair.Joint))
	}
}

// appendNew appends the joints that a list does not have yet.
func appendNew(list, more []uint16) []uint16 {
	for _, j := range more {
		if !slices.Contains(list, j) {
			list = append(list, j)
		}
	}
	return list
}

// adjacent returns a joint's children and parents.
func (d *data) adjacent(j uint16) []uint16 { return slices.Concat(d.children[j], d.parents[j]) }

// prepareVertex fills vertex v's targets and products, and the error of its input weights. It returns the smallest
// error of following one joint, in the given frames. Joints that the vertex does not follow are tried up to
// [metrics.MostPairs], as in all measures of EE.
func (d *data) prepareVertex(v int) float64 {
	w := &d.initial[v]
	set := &d.sets[d.set[v]]
	t := d.target(v)
	for f, frame := range d.frames { // by all influences, because the nonlinear method uses them all
		posed := frame.BlendVertex(d.method, int(d.copyOf[v])).Apply(d.rest[v].Add(d.origin))
		t[f] = posed.Sub(d.middles[f]).Mul(d.roots[f])
		d.square[v] += t[f].Dot(t[f])
	}
	d.cross[v] = make([]float64, len(set.near))
	for a, j := range set.near {
		d.cross[v][a] = d.crossWith(d.masters[j], v)
	}
	for k := range w.count {
		a := slices.Index(set.near, uint16(w.bone[k]))
		w.cross += w.weight[k] * d.cross[v][a]
	}
	best := math.Inf(1)
	for _, j := range set.joints { // the best joint is likely among these; finding it early cuts the other sums short
		best = math.Min(best, d.distance(d.masters[j], v, best))
	}
	others := d.first
	if d.joints*len(d.rest) > metrics.MostPairs {
		others = nil
	}
	p, y := &d.rest[v], &t[0]
	for j := range others {
		m := &others[j]
		a := m[0]*p[0] + m[1]*p[1] + m[2]*p[2] + m[3] - y[0]
		b := m[4]*p[0] + m[5]*p[1] + m[6]*p[2] + m[7] - y[1]
		c := m[8]*p[0] + m[9]*p[1] + m[10]*p[2] + m[11] - y[2]
		if (a*a+b*b+c*c)*d.plain[0] < best {
			best = math.Min(best, d.distance(d.masters[j], v, best))
		}
	}
	w.err = 0
	for f := range d.frames {
		var p mgl64.Vec3
		for k := range w.count {
			p = p.Add(d.masters[w.bone[k]][f].Apply(d.rest[v]).Mul(w.weight[k]))
		}
		r := p.Sub(t[f])
		w.err += r.Dot(r)
	}
	return best
}

func (d *data) target(v int) []mgl64.Vec3 {
	n := len(d.frames)
	return d.targets[v*n : (v+1)*n]
}

// crossWith returns Σ_f (C·v)·t.
func (d *data) crossWith(bone []geom.Affine, v int) (h float64) {
	p, t := d.rest[v], d.target(v)
	for f := range bone {
		m, q := &bone[f], &t[f]
		h += (m[0]*p[0]+m[1]*p[1]+m[2]*p[2]+m[3])*q[0] +
			(m[4]*p[0]+m[5]*p[1]+m[6]*p[2]+m[7])*q[1] +
			(m[8]*p[0]+m[9]*p[1]+m[10]*p[2]+m[11])*q[2]
	}
	return h
}

// distance returns Σ_f ‖C·v − t‖² over the given frames. It stops early once the sum reaches most, and then returns
// most or more.
func (d *data) distance(bone []geom.Affine, v int, most float64) (sum float64) {
	p, t := d.rest[v], d.target(v)
	for f := range bone[:d.given] {
		r := bone[f].Apply(p).Sub(t[f])
		if sum += r.Dot(r) * d.plain[f]; sum >= most {
			break
		}
	}
	return sum
}

// wider reports whether position i of the set's ids is a master beside those of the input model.
func (s *vertexSet) wider(i int) bool {
	return i < len(s.near) && !slices.Contains(s.joints, s.near[i])
}

// position returns the index of id in the set's ids.
func (s *vertexSet) position(id int32) int { return slices.Index(s.ids, id) }
