package skinning

import (
	"maps"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// RotationCenter is the input of [COR]: the centre of rotation of each vertex in rest space, metres. A file may have it;
// otherwise it is made of the mesh by [NewCentersOfRotation].
var RotationCenter = Input{Name: "ROTATION_CENTER", Title: "Centre", Components: 3, Place: true,
	Make: func(m *Mesh, report func(share float64)) (values []float32) {
		for _, at := range NewCentersOfRotation(m).OfVertices(m, report) {
			values = append(values, float32(at[0]), float32(at[1]), float32(at[2]))
		}
		return values
	}}

// Constants of the optimised centres of rotation (Le and Hodgins 2016, section 4).
const (
	weightSpread = 0.1 // σ of the similarity of weights
	splitSpread  = 0.1 // corners of a triangle whose weights differ by as much are split apart
)

// CentersOfRotation finds the optimised centre of rotation of any weights over the joints of a mesh (Le and Hodgins
// 2016, equation 1): Σ s·A·c / Σ s·A over its triangles, with the area A, the centroid c and the mean weights t of each,
// and the similarity of weights p to these
//
//	s(p, t) = Σ_{j<k} p_j·p_k·t_j·t_k·exp(−(p_j·t_k − p_k·t_j)²/σ²).
//
// A triangle whose corners' weights differ is halved until they do not. A term reads two joints' weights only, so
// triangles are kept by pairs of joints, and those of a pair with the same two weights are one. A pair of more triangles
// than a grid of weights has nodes has the grid as well (see [spread]), so that the work grows with the vertices alone.
type CentersOfRotation struct {
	middle mgl64.Vec3 // from which centroids are measured, so that far models lose no digits
	pairs  map[jointPair]*pairSum
	powers [powerSteps]float64 // 2^(−i/powerSteps)

	mu    sync.Mutex
	known map[[8]float64]foundCenter // that [CentersOfRotation.At] has found lately, by joints and u-weights
}

// foundCenter is an answer of [CentersOfRotation.Center].
type foundCenter struct {
	at mgl64.Vec3
	ok bool
}

// jointPair is two joints, the lower first.
type jointPair [2]uint16

// pairSum is the triangles of a pair of joints.
type pairSum struct {
	shares []pairShare
	nodes  []pairShare // the shares spread over a grid; nil for few
	area   float64     // of all shares
}

// pairShare is what triangles of equal weights of two joints add for the pair.
type pairShare struct {
	t    [2]float64 // the weights of the joints
	area float64    // Σ A·t_j·t_k, square metres
	at   mgl64.Vec3 // Σ A·t_j·t_k·c, measured from the middle
}

// NewCentersOfRotation reads the triangles of a mesh. Joints of several skins are different joints, so that a centre
// depends on triangles of its own skin only.
func NewCentersOfRotation(m *Mesh) *CentersOfRotation {
	c := &CentersOfRotation{pairs: make(map[jointPair]*pairSum), known: make(map[[8]float64]foundCenter)}
	for i := range c.powers {
		c.powers[i] = math.Exp2(-float64(i) / powerSteps)
	}
	if len(m.Positions) == 0 {
		return c
	}
	lo, hi := geom.Bounds(m.Positions)
	c.middle = geom.Vec64(lo).Add(geom.Vec64(hi)).Mul(0.5)
	s := splitter{to: c}
	for _, t := range m.Triangles {
		s.add(m, t)
	}
	all := slices.Collect(maps.Values(c.pairs))
	parallel.For(runtime.GOMAXPROCS(0), len(all), func(_, i int) {
		p := all[i]
		p.shares = mergeEqual(p.shares)
		p.nodes = spread(p.shares)
		for _, s := range p.shares {
			p.area += s.area
		}
	})
	return c
}

// mergeEqual sorts shares by weights and sums those of equal ones.
func mergeEqual(shares []pairShare) []pairShare {
	slices.SortStableFunc(shares, func(a, b pairShare) int { return slices.Compare(a.t[:], b.t[:]) })
	n := 0
	for _, s := range shares {
		if n > 0 && shares[n-1].t == s.t {
			shares[n-1].area += s.area
			shares[n-1].at = shares[n-1].at.Add(s.at)
			continue
		}
		shares[n] = s
		n++
	}
	return slices.Clone(shares[:n])
}

// The grid of weights of [spread] has gridSteps nodes from 0 to 1, and a margin, and a share goes to gridOrder² nodes.
const (
	gridSteps = 64
	gridOrder = 12
)

// spread returns shares at the nodes of a grid in place of many shares, nil where these are fewer. A share is divided
// among the nodes around it by Lagrange's polynomials, so that the sum of a function of the weights stays as it is, but
// for what no polynomial of gridOrder − 1 follows. Of the similarity, whose width is σ = 6.4 steps, that is 1e-8.
func spread(shares []pairShare) []pairShare {
	const side = gridSteps + gridOrder
	if len(shares) <= side*side/2 {
		return nil
	}
	grid := make([]pairShare, side*side)
	for i := range shares {
		s := &shares[i]
		a, first := lagrange(s.t[0])
		b, second := lagrange(s.t[1])
		for n, x := range a {
			row := grid[(first+n)*side+second:]
			for k, y := range b {
				row[k].area += x * y * s.area
				row[k].at = row[k].at.Add(s.at.Mul(x * y))
			}
		}
	}
	nodes := grid[:0]
	for i, s := range grid {
		if s.area != 0 {
			s.t = [2]float64{float64(i/side-gridOrder/2+1) / gridSteps, float64(i%side-gridOrder/2+1) / gridSteps}
			nodes = append(nodes, s)
		}
	}
	if len(nodes) >= len(shares) {
		return nil
	}
	return slices.Clone(nodes)
}

// lagrange returns the share of each of the nodes around a weight of 0 to 1, and the first of them.
func lagrange(t float64) (shares [gridOrder]float64, first int) {
	first = min(int(t*gridSteps), gridSteps)
	x := t*gridSteps - float64(first-gridOrder/2+1) // from the first node
	for i := range shares {
		shares[i] = 1
		for k := range shares {
			if k != i {
				shares[i] *= (x - float64(k)) / float64(i-k)
			}
		}
	}
	return shares, first
}

// sum returns the sum of shares at weights a and b of the pair.
func (c *CentersOfRotation) sum(shares []pairShare, a, b float64) (area float64, at mgl64.Vec3) {
	const steepness = powerSteps / (math.Ln2 * weightSpread * weightSpread)
	var x, y, z float64
	for i := range shares {
		s := &shares[i]
		u := a*s.t[1] - b*s.t[0]
		e := c.power(u * u * steepness)
		area, x, y, z = area+e*s.area, x+e*s.at[0], y+e*s.at[1], z+e*s.at[2]
	}
	return area, mgl64.Vec3{x, y, z}
}

// Center returns the centre of rotation of weights whose sum is 1, in rest space. There is none where no triangle has
// two of their joints.
func (c *CentersOfRotation) Center(shares []Share) (at mgl64.Vec3, ok bool) {
	const least = 1e-2 // of the area of all: less of the grid's sum may be its rounding
	area := 0.0
	for i := range shares {
		for k := range i {
			a, b := shares[i], shares[k]
			if b.Joint < a.Joint {
				a, b = b, a
			}
			of := c.pairs[jointPair{a.Joint, b.Joint}]
			if a.Weight == 0 || b.Weight == 0 || of == nil {
				continue
			}
			sum, middle := c.sum(of.nodes, a.Weight, b.Weight)
			if of.nodes == nil || !(sum >= least*of.area) {
				sum, middle = c.sum(of.shares, a.Weight, b.Weight)
			}
			w := a.Weight * b.Weight
			area, at = area+w*sum, at.Add(middle.Mul(w))
		}
	}
	if area == 0 {
		return mgl64.Vec3{}, false
	}
	return at.Mul(1 / area).Add(c.middle), true
}

// powerSteps divides an octave.
const powerSteps = 64

// power returns 2^(−x/powerSteps) within 1e-13 of itself, for 0 ≤ x < 1000·powerSteps: some hundred million are taken
// for a large mesh.
func (c *CentersOfRotation) power(x float64) float64 {
	n := int(x + 0.5)
	r := (float64(n) - x) * (math.Ln2 / powerSteps)
	e := 1 + r*(1+r*(1./2+r*(1./6+r*(1./24))))
	return e * c.powers[n%powerSteps] * math.Float64frombits(uint64(1023-n/powerSteps)<<52)
}

// At is [CentersOfRotation.Center] of joints with u-weights, which fits ask for in many poses. It keeps the latest
// answers. Several goroutines may ask at once.
func (c *CentersOfRotation) At(joints []uint16, u []float64) (at mgl64.Vec3, ok bool) {
	const most = 4096
	var key [8]float64
	var buf [4]Share
	shares := buf[:0]
	for i, j := range joints {
		shares = append(shares, Share{j, u[i]})
	}
	if len(joints) > len(key)/2 {
		return c.Center(shares)
	}
	for i, s := range shares {
		key[i], key[4+i] = float64(s.Joint)+1, s.Weight
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	found, known := c.known[key]
	if !known {
		found.at, found.ok = c.Center(shares)
		if len(c.known) >= most {
			clear(c.known)
		}
		c.known[key] = found
	}
	return found.at, found.ok
}

// OfVertices returns the centre of each vertex of the mesh, which is its own position where there is none. Vertices of
// the same weights have the same. It reports the share that is done, from any goroutine; report may be nil.
func (c *CentersOfRotation) OfVertices(m *Mesh, report func(share float64)) []mgl64.Vec3 {
	var distinct [][]Share
	index, of := make(map[string]int), make([]int, len(m.Positions))
	var key []byte
	for v, buf := range m.All() {
		slices.SortFunc(buf, func(a, b Influence) int { return int(a.Joint) - int(b.Joint) })
		key = key[:0]
		for _, in := range buf {
			w := math.Float32bits(in.Weight)
			key = append(key, byte(in.Joint), byte(in.Joint>>8), byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
		}
		i, known := index[string(key)]
		if !known {
			i = len(distinct)
			index[string(key)] = i
			distinct = append(distinct, appendShares(nil, buf))
		}
		of[v] = i
	}
	found := make([]foundCenter, len(distinct))
	var done atomic.Int64
	parallel.For(runtime.GOMAXPROCS(0), len(distinct), func(_, i int) {
		found[i].at, found[i].ok = c.Center(distinct[i])
		if n := done.Add(1); report != nil && n%256 == 0 {
			report(float64(n) / float64(len(distinct)))
		}
	})
	centers := geom.Vecs64(m.Positions)
	for v := range m.Bindings {
		if f := found[of[v]]; f.ok {
			centers[v] = f.at
		}
	}
	return centers
}

// splitter splits triangles, one after the other.
type splitter struct {
	to     *CentersOfRotation
	joints []uint16 // of the triangle at hand, ascending
	arena  []float64
	buf    []Influence
}

// corner is a corner of a triangle with its weights of the splitter's joints.
type corner struct {
	at mgl64.Vec3
	w  []float64
}

// add splits a triangle of the mesh and adds its parts.
func (s *splitter) add(m *Mesh, triangle [3]uint32) {
	s.joints, s.arena = s.joints[:0], s.arena[:0]
	for _, v := range triangle {
		s.buf = m.Of(s.buf[:0], int(v))
		for _, in := range s.buf {
			if !slices.Contains(s.joints, in.Joint) {
				s.joints = append(s.joints, in.Joint)
			}
		}
	}
	if len(s.joints) < 2 {
		return
	}
	slices.Sort(s.joints)
	var corners [3]corner
	for k, v := range triangle {
		corners[k] = corner{geom.Vec64(m.Positions[v]).Sub(s.to.middle), s.weights()}
		s.buf = m.Of(s.buf[:0], int(v))
		sum := 0.0
		for _, in := range s.buf {
			sum += float64(in.Weight)
		}
		for _, in := range s.buf {
			corners[k].w[slices.Index(s.joints, in.Joint)] += float64(in.Weight) / sum
		}
	}
	s.split(corners)
}

// weights returns room for the weights of a corner.
func (s *splitter) weights() []float64 {
	n := len(s.joints)
	if len(s.arena)+n > cap(s.arena) {
		s.arena = make([]float64, 0, max(4096, n))
	}
	s.arena = s.arena[:len(s.arena)+n]
	w := s.arena[len(s.arena)-n:]
	clear(w)
	return w
}

// split halves a triangle at the middle of the edge along which weights differ the most, the first of equals, as long
// as they differ by splitSpread or more. A little more counts as equal, so that the order of joints, in which
// differences are summed, does not matter.
func (s *splitter) split(t [3]corner) {
	const rounding = 1e-12
	area := t[1].at.Sub(t[0].at).Cross(t[2].at.Sub(t[0].at)).Len() / 2
	if !(area > 0) {
		return
	}
	edge, most := 0, 0.0
	for k := range t {
		a, b, sum := t[k].w, t[(k+1)%3].w, 0.0
		for i := range a {
			sum += (a[i] - b[i]) * (a[i] - b[i])
		}
		if sum > most*(1+rounding) {
			edge, most = k, sum
		}
	}
	if most < splitSpread*splitSpread*(1-rounding) {
		s.keep(t, area)
		return
	}
	from, to := edge, (edge+1)%3
	middle := corner{t[from].at.Add(t[to].at).Mul(0.5), s.weights()}
	for i := range middle.w {
		middle.w[i] = (t[from].w[i] + t[to].w[i]) / 2
	}
	half := t
	half[to] = middle
	s.split(half)
	half = t
	half[from] = middle
	s.split(half)
}

// keep adds a triangle for all pairs of its joints.
func (s *splitter) keep(t [3]corner, area float64) {
	at := t[0].at.Add(t[1].at).Add(t[2].at).Mul(1. / 3)
	mean := s.weights()
	for i := range mean {
		mean[i] = (t[0].w[i] + t[1].w[i] + t[2].w[i]) / 3
	}
	for i, a := range mean {
		if a == 0 {
			continue
		}
		for k := i + 1; k < len(mean); k++ {
			if b := mean[k]; b > 0 {
				pair, of := jointPair{s.joints[i], s.joints[k]}, area*a*b
				p := s.to.pairs[pair]
				if p == nil {
					p = &pairSum{}
					s.to.pairs[pair] = p
				}
				p.shares = append(p.shares, pairShare{[2]float64{a, b}, of, at.Mul(of)})
			}
		}
	}
}

// corVertex is Φ of optimised centres of rotation for a vertex with a centre, the first three values (Le and Hodgins
// 2016, section 3): spherical blending about the centre, after the scales, which move it as well.
func corVertex(f *Frame, shares, _ []Share, values [valuesPerVertex]float32) geom.Affine {
	center := mgl64.Vec3{float64(values[0]), float64(values[1]), float64(values[2])}
	return f.turnAbout(shares, center)
}

func (f *Frame) turnAbout(shares []Share, center mgl64.Vec3) geom.Affine {
	scale := blendLinear(f.scale, shares)
	return f.blendSpherical(shares, scale.Apply(center)).Mul(scale)
}

// corReference is Φ for any weights, about their centre of rotation. Weights that have none are blended linearly, as a
// vertex is that is its own centre.
func (f *Frame) corReference(shares []Share, _ mgl64.Vec3) geom.Affine {
	center, ok := f.Centers.centersOfRotation(&f.Model.Skin).Center(shares)
	if !ok {
		return blendLinear(f.Matrices, shares)
	}
	return f.turnAbout(shares, center)
}

// CenterOfRotation returns the centre of rotation of u-weights over joints of the model; see [CentersOfRotation.Center].
func (f *Frame) CenterOfRotation(joints []uint16, u []float64) (at mgl64.Vec3, ok bool) {
	return f.Centers.centersOfRotation(&f.Model.Skin).At(joints, u)
}

// evaluateCOR is Φ_COR.
func (f *Frame) evaluateCOR(joints []uint16, u []float64, _ int) geom.Affine {
	center, ok := f.CenterOfRotation(joints, u)
	if !ok {
		return f.EvaluateAboutSplit(joints, u, nil)
	}
	return f.EvaluateAboutSplit(joints, u, &center)
}

// EvaluateAboutSplit is [Frame.EvaluateSplit] by [COR] about a given centre of rotation in rest space. Without one, nil,
// it blends linearly.
func (f *Frame) EvaluateAboutSplit(joints []uint16, u []float64, center *mgl64.Vec3) (m geom.Affine) {
	if center == nil {
		sumMatrices(&m, f.Matrices, joints, u)
		return m
	}
	var scale geom.Affine
	sumMatrices(&scale, f.scale, joints, u)
	turn := f.turnAt(scale.Apply(*center), joints, u, PivotOf(u))
	m.SetProduct(&turn, &scale)
	return m
}

// centersOfRotation returns those of any weights over the joints of the skin whose sets these are.
func (c *CenterSets) centersOfRotation(skin *Mesh) *CentersOfRotation {
	c.rotation.Do(func() { c.ofWeights = NewCentersOfRotation(skin) })
	return c.ofWeights
}
