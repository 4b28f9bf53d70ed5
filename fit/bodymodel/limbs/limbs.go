package limbs

import (
	"context"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/skinning/geom"
	"skinlab/skinning/geom/procrustes"
	"skinlab/skinning/metrics"
	"skinlab/skinning/parallel"
)

// Options say which limbs to find.
type Options struct {
	// Limbs is the largest number of limbs; 0 lets the scans decide. Bind is the scan, counted from 1, whose shape is
	// the bind shape; 0 chooses the scan that is nearest to the mean of all. Root is a vertex, counted from 1, whose
	// limb is the root; 0 chooses the limb in the middle of the tree.
	Limbs, Bind, Root int
	Workers           int // the result does not depend on it
}

// Limbs are a partition of the vertices, and a tree of joints. Parents come before their children.
type Limbs struct {
	Bind    int          // the scan whose shape is the bind shape, counted from 0
	Parents []int        // of each limb; −1 for the first, the root
	Joints  []mgl64.Vec3 // where each limb meets its parent in the bind shape, metres; the root's is in its middle
	Of      []int        // the limb of each vertex
}

// Find returns the limbs of a surface in scans, each of which has the places of all vertices, metres. Rings are the
// neighbours of each vertex. A done context leaves fewer limbs.
func Find(ctx context.Context, shapes [][]mgl64.Vec3, rings [][]int32, opt Options) *Limbs {
	return newTree(partitionOf(ctx, &scans{shapes, rings}, &opt)).limbs(opt.Root)
}

// scans are what [Find] is given.
type scans struct {
	shapes [][]mgl64.Vec3
	rings  [][]int32
}

// partition is the vertices in connected pieces.
type partition struct {
	scan    int          // whose shape is the bind shape
	bind    []mgl64.Vec3 // the shape that all motions start from, relative to its middle
	middles []mgl64.Vec3 // of the scans, metres
	paths   [][]float64  // of each vertex, x y z in each scan, relative to the scan's middle
	links   [][]int32    // of each vertex its neighbours, see [Links]
	of      []int        // the piece of each vertex
	pieces  []*piece
	workers int
}

// piece is vertices with the one rigid motion that takes them nearest to each scan.
type piece struct {
	vertices []int
	sums     []procrustes.Sums // of each scan
	motions  []geom.Affine     // of each scan: the bind shape to the scan, both relative to their middles
	error    float64           // Σ over vertices and scans of the squared distance, m²
}

// partitionOf partitions the surface. Where no bind shape is asked for, it does so twice: with the first scan as the
// bind shape, and then with the scan that is nearest to the mean of all in the limbs' frames.
func partitionOf(ctx context.Context, s *scans, opt *Options) *partition {
	if opt.Bind > 0 {
		return partitionFrom(ctx, s, opt.Bind-1, opt)
	}
	l := partitionFrom(ctx, s, 0, opt)
	if scan := l.middleScan(); scan != 0 && ctx.Err() == nil {
		l = partitionFrom(ctx, s, scan, opt)
	}
	return l
}

// partitionFrom is partitionOf from one scan.
func partitionFrom(ctx context.Context, s *scans, scan int, opt *Options) *partition {
	l := newPartition(s, scan, opt.Workers)
	l.splitPatches(ctx, max(leastPatches, patchesPerLimb*opt.Limbs))
	stages := l.merge()
	n := opt.Limbs
	if n == 0 {
		n = l.countLimbs(stages)
	}
	l.setPieces(stages[min(n, len(stages)-1)])
	return l
}

// middleScan moves every limb of each scan back to the bind shape, and returns the scan that is then nearest to the
// mean of all. As the bind shape it gives the limbs' motions the least error.
func (l *partition) middleScan() (best int) {
	back := make([][]geom.Affine, len(l.pieces)) // of each piece and scan
	for k, p := range l.pieces {
		for _, m := range p.motions {
			inverse, _ := m.Inverse() // a rigid motion has one
			back[k] = append(back[k], inverse)
		}
	}
	sums := make([][]float64, parallel.Chunks(len(l.of)))
	parallel.For(l.workers, len(sums), func(_, chunk int) {
		sum, places := make([]float64, len(l.middles)), make([]mgl64.Vec3, len(l.middles))
		lo, hi := parallel.Chunk(chunk, len(l.of))
		for v := lo; v < hi; v++ {
			var mean mgl64.Vec3
			for i := range places {
				places[i] = back[l.of[v]][i].Apply(mgl64.Vec3(l.paths[v][3*i : 3*i+3]))
				mean = mean.Add(places[i].Mul(1 / float64(len(places))))
			}
			for i, p := range places {
				d := p.Sub(mean)
				sum[i] += d.Dot(d)
			}
		}
		sums[chunk] = sum
	})
	total := make([]float64, len(l.middles))
	for _, sum := range sums {
		floats.Add(total, sum)
	}
	for i, d := range total {
		if d < total[best] {
			best = i
		}
	}
	return best
}

// strainFall tells limbs from elastic strain. On a surface that only strains, the error of k pieces falls as 1/k,
// because the width of a piece falls as the root of 1/k. Dividing a limb's error must fall faster, as k to the power of
// −strainFall; 5/4 leaves a margin. With any power from 1.1 to 1.5 the arm has 4 or 5 limbs, the human has 16, and
// random bodies have the true number or one more.
const strainFall = 1.25

// countLimbs returns how many limbs the scans show: the number k for which the error of k pieces, times k to the power
// of strainFall, is smallest. The rounding of positions is added to each error, so that errors below it do not
// decide. Stages[k] has the k pieces. Stages of more than leastPatches/2 pieces are left out, because their pieces are
// nearly the patches that the search began with.
func (l *partition) countLimbs(stages [][]*piece) (best int) {
	lo, hi := geom.Bounds(l.bind)
	rounding := metrics.Rounding * hi.Sub(lo).Len()
	rounding *= rounding * float64(len(l.bind)*len(l.middles))
	least := math.Inf(1)
	for k := 1; k < len(stages) && k <= leastPatches/2; k++ {
		if e := (totalError(stages[k]) + rounding) * math.Pow(float64(k), strainFall); e < least {
			best, least = k, e
		}
	}
	return best
}

// newPartition makes one piece of all vertices. Scan is the one whose shape is the bind shape.
func newPartition(s *scans, scan, workers int) *partition {
	n := len(s.rings)
	l := &partition{scan: scan, bind: make([]mgl64.Vec3, n), middles: make([]mgl64.Vec3, len(s.shapes)),
		paths: make([][]float64, n), links: Links(s.rings, s.shapes[scan], workers), of: make([]int, n), workers: workers}
	for i, shape := range s.shapes {
		for _, p := range shape {
			l.middles[i] = l.middles[i].Add(p)
		}
		l.middles[i] = l.middles[i].Mul(1 / float64(n))
	}
	all := &piece{}
	for v := range n {
		l.bind[v] = s.shapes[scan][v].Sub(l.middles[scan])
		path := make([]float64, 0, 3*len(s.shapes))
		for i, shape := range s.shapes {
			p := shape[v].Sub(l.middles[i])
			path = append(path, p[:]...)
		}
		l.paths[v] = path
		all.vertices = append(all.vertices, v)
	}
	l.follow(all)
	l.pieces = []*piece{all}
	return l
}

// scanBlock is the number of scans that are summed together. Their part of a path fills three cache lines.
const scanBlock = 8

// follow makes sums, motions and error of a piece those of its vertices.
func (l *partition) follow(p *piece) {
	p.sums = make([]procrustes.Sums, len(l.middles))
	parallel.For(l.workers, (len(p.sums)+scanBlock-1)/scanBlock, func(_, block int) {
		lo, hi := block*scanBlock, min((block+1)*scanBlock, len(p.sums))
		for _, v := range p.vertices {
			x, path := l.bind[v], l.paths[v]
			for i := lo; i < hi; i++ {
				p.sums[i].Add(1, x, mgl64.Vec3(path[3*i:3*i+3]))
			}
		}
	})
	p.move(l.workers)
}

// move makes motions and error of a piece those of its sums.
func (p *piece) move(workers int) {
	p.motions = make([]geom.Affine, len(p.sums))
	left := make([]float64, len(p.sums))
	parallel.For(workers, len(left), func(_, i int) { p.motions[i], left[i] = p.sums[i].Rigid() })
	p.error = 0
	for _, e := range left {
		p.error += e
	}
}

// unite returns two pieces as one.
func unite(a, b *piece) *piece {
	p := &piece{vertices: slices.Concat(a.vertices, b.vertices), sums: slices.Clone(a.sums)}
	for i := range p.sums {
		p.sums[i].AddAll(&b.sums[i])
	}
	p.move(1)
	return p
}

// totalError returns the error of all pieces, m².
func totalError(pieces []*piece) (sum float64) {
	for _, p := range pieces {
		sum += p.error
	}
	return sum
}

// errorOf returns the squared distance from the scans of a vertex that moves with a piece, summed over scans, m².
func (l *partition) errorOf(p *piece, v int) (sum float64) {
	x, path := l.bind[v], l.paths[v]
	for i := range p.motions {
		m, y := &p.motions[i], path[3*i:3*i+3]
		a := m[0]*x[0] + m[1]*x[1] + m[2]*x[2] + m[3] - y[0]
		b := m[4]*x[0] + m[5]*x[1] + m[6]*x[2] + m[7] - y[1]
		c := m[8]*x[0] + m[9]*x[1] + m[10]*x[2] + m[11] - y[2]
		sum += a*a + b*b + c*c
	}
	return sum
}

// setPieces makes the pieces those given, and numbers their vertices by them.
func (l *partition) setPieces(pieces []*piece) {
	l.pieces = pieces
	for k, p := range pieces {
		for _, v := range p.vertices {
			l.of[v] = k
		}
	}
}
