package training

import (
	"math"
	"runtime"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// Poses for a fit are chosen from all clips of a file as the k-medoids of their frames: the frames are divided into
// groups, and the frame in the middle of each group is chosen. The distance of two frames is the distance of the
// vertices that follow several joints, seen from one of these joints. So a joint counts by what it moves, and the place
// of the whole character does not count. Squared distances are multiplied by a weight of the clip, so that the poses of
// a quiet clip are told apart as finely as those of a lively one (see [ChosenPoses]).
//
// Farthest points alone (row 139) are the outliers of a motion. Poses spread evenly over the clips (row 138) miss brief
// motions, such as the bend of an arm that rests for a minute.

// ClipTime names a pose of a model by a clip and a time in it.
type ClipTime struct {
	Clip int
	Time float64 // seconds
}

// TimesIn returns the poses of one clip at given seconds.
func TimesIn(clip int, seconds []float64) []ClipTime {
	times := make([]ClipTime, len(seconds))
	for i, s := range seconds {
		times[i] = ClipTime{clip, s}
	}
	return times
}

// at poses the model at times.
func at(m *skinning.Model, times []ClipTime) []*skinning.Frame {
	centers := skinning.NewCenterSets(&m.Skin.Influences, &m.Skeleton)
	pose := m.NewPose()
	frames := make([]*skinning.Frame, len(times))
	for i, at := range times {
		m.SamplePose(pose, at.Clip, at.Time)
		frames[i] = skinning.NewFrame(m, centers)
		frames[i].SetPose(pose)
	}
	return frames
}

// Bounds of the candidates (rows 127 to 130).
const (
	candidateRate  = 15      // poses a second of a clip
	mostCandidates = 1024    // of all clips
	leastOfAClip   = 8       // of each clip, where that is not too many
	mostNodes      = 1 << 21 // nodes or joints to pose, of all candidates together: a second
	mostFollowed   = 8       // joints of a vertex, the heaviest
	mostNumbers    = 1 << 23 // that describe all candidates together: 64 megabytes
)

// Candidates lists times spread over clips, more in a long clip than in a short one. Their number is bounded, so that
// all can be posed within a fraction of a second.
func Candidates(m *skinning.Model, clips []int) (all []ClipTime) {
	if len(clips) == 0 {
		return nil
	}
	most := max(min(mostCandidates, mostNodes/max(len(m.Skeleton.Nodes), len(m.Skeleton.Joints), 1)), 2*len(clips))
	seconds := 0.0
	for _, c := range clips {
		seconds += m.Clips[c].Seconds
	}
	each := min(leastOfAClip, most/len(clips))
	rate := min(candidateRate, float64(most-each*len(clips))/max(seconds, 1e-9))
	for _, c := range clips {
		all = append(all, TimesIn(c, steadyTimes(m, c, Times(m, c, each+int(rate*m.Clips[c].Seconds))))...)
	}
	return all
}

// A pose is unsteady if a node turns by more than fastTurn within frameTime before it and again after it. Exporters leave
// such poses where the keys of a rotation change sign: a curve from q to -q is a whole turn of the joint that no one drew,
// and it may be over within a millisecond. These poses are the farthest from all others, and they teach nothing. Nine
// characters with such keys were given the default training: four were worse than with linear blending, in 11 of 20
// clips, and without these poses none was. A pose where a STEP clip changes is steady: it stays for a while after.
const (
	fastTurn  = 0.5       // radians
	frameTime = 1.0 / 120 // seconds
)

// steadyTimes returns those of the times in a clip whose poses are steady, or all where none is.
func steadyTimes(m *skinning.Model, clip int, times []float64) []float64 {
	before, pose, after := m.NewPose(), m.NewPose(), m.NewPose()
	fast := func(a, b *geom.Transform) bool {
		return !(math.Abs(a.Rotation.Dot(b.Rotation)) >= math.Cos(fastTurn/2))
	}
	steady := slices.DeleteFunc(slices.Clone(times), func(t float64) bool {
		m.SamplePose(before, clip, max(t-frameTime, 0))
		m.SamplePose(pose, clip, t)
		m.SamplePose(after, clip, min(t+frameTime, m.Clips[clip].Seconds))
		for i := range pose.Local {
			if fast(&before.Local[i], &pose.Local[i]) && fast(&pose.Local[i], &after.Local[i]) {
				return true
			}
		}
		return false
	})
	if len(steady) == 0 {
		return times
	}
	return steady
}

// palettes calls f with the skinning matrices at every time. The next call changes them.
func palettes(m *skinning.Model, times []ClipTime, f func(i int, matrices []geom.Affine)) {
	pose := m.NewPose()
	globals := make([]geom.Affine, len(m.Skeleton.Nodes))
	matrices := make([]geom.Affine, len(m.Skeleton.Joints))
	for i, at := range times {
		m.SamplePose(pose, at.Clip, at.Time)
		m.Skeleton.Globals(globals, pose)
		m.Skeleton.Palette(matrices, globals)
		f(i, matrices)
	}
}

// bend is a pair of joints that some vertices follow together. The shape of these depends on how the two move against
// each other.
type bend struct {
	a, b   int
	mass   float64    // Σ w_a·w_b over the vertices
	middle mgl64.Vec3 // of these, each with its share of the mass
	spread float64    // their mean squared distance from the middle along one axis, m²
}

// bendsOf lists the bends of a model in the order of the first vertices that have them.
func bendsOf(m *skinning.Model) (bends []bend) {
	at := map[[2]int]int{}
	var buf []skinning.Influence
	each := func(f func(k int, mass float64, p mgl64.Vec3)) {
		for v := range m.Skin.Positions {
			buf = m.Skin.Of(buf[:0], v)
			p := geom.Vec64(m.Skin.Positions[v])
			for i, x := range buf[:min(len(buf), mostFollowed)] {
				for _, y := range buf[:i] {
					key := [2]int{int(min(x.Joint, y.Joint)), int(max(x.Joint, y.Joint))}
					k, ok := at[key]
					if !ok {
						k = len(bends)
						at[key], bends = k, append(bends, bend{a: key[0], b: key[1]})
					}
					f(k, float64(x.Weight)*float64(y.Weight), p)
				}
			}
		}
	}
	each(func(k int, mass float64, p mgl64.Vec3) {
		bends[k].mass += mass
		bends[k].middle = bends[k].middle.Add(p.Mul(mass))
	})
	for k := range bends {
		bends[k].middle = bends[k].middle.Mul(1 / max(bends[k].mass, math.SmallestNonzeroFloat32))
	}
	each(func(k int, mass float64, p mgl64.Vec3) {
		d := p.Sub(bends[k].middle)
		bends[k].spread += mass / max(bends[k].mass, math.SmallestNonzeroFloat32) * d.Dot(d) / 3
	})
	return bends
}

// numbersOfBend is how many numbers describe a bend in a pose.
const numbersOfBend = 12

// describe writes the matrix of b relative to a, X = C_a⁻¹·C_b, of every bend. It is scaled so that the squared
// distance of two descriptions is Σ w_a·w_b·‖(X − X')·v‖² over the vertices v of all bends, where X and X' are those
// of the two poses. The sum has a part of the vertices' middle and a part of their spread about it, which is taken to
// be the same along all axes. A bend whose joint a has collapsed is described as at rest.
func describe(dst []float64, bends []bend, matrices []geom.Affine) {
	for k := range bends {
		b := &bends[k]
		inverse, ok := matrices[b.a].Inverse()
		x := inverse.Mul(matrices[b.b])
		if !ok || !x.IsFinite() {
			x = geom.IdentityAffine()
		}
		p, root := x.Apply(b.middle), math.Sqrt(b.mass)
		for i := range p {
			dst[numbersOfBend*k+i] = root * p[i]
		}
		root *= math.Sqrt(b.spread)
		for i, e := range x.Linear() {
			dst[numbersOfBend*k+3+i] = root * e
		}
	}
}

// medoidRounds bounds the rounds in which the groups are made again (row 139). They begin with the farthest points, and
// few poses change after the fourth round.
const medoidRounds = 4

// choose returns n of the times that represent all of them, ascending. It returns fewer where there are fewer different
// poses. Shares are the fractions of all times that each chosen time represents; they sum to 1. Weights, one for each
// clip of the model and above 0, multiply the squared distances of its poses. The result does not depend on the number
// of processors.
func choose(m *skinning.Model, from []ClipTime, n int, weights []float64) (chosen []ClipTime, shares []float64) {
	bends := bendsOf(m)
	if most := max(mostNumbers/max(numbersOfBend*len(bends), 1), n); len(from) > most {
		few := make([]ClipTime, most)
		for i := range few {
			few[i] = from[i*len(from)/most]
		}
		from = few
	}
	d := numbersOfBend * len(bends)
	c := &choice{d: d, numbers: make([]float64, d*len(from)), weight: make([]float64, len(from)),
		nearest: make([]float64, len(from)), group: make([]int, len(from))}
	palettes(m, from, func(i int, matrices []geom.Affine) {
		describe(c.of(i), bends, matrices)
		c.weight[i] = weights[from[i].Clip]
	})
	c.farthest(n)
	for range medoidRounds {
		if !c.regroup() {
			break
		}
	}
	share := make(map[int]float64)
	for _, k := range c.group {
		share[c.chosen[k]] += 1 / float64(len(from))
	}
	slices.Sort(c.chosen)
	for _, i := range c.chosen {
		chosen, shares = append(chosen, from[i]), append(shares, share[i])
	}
	return chosen, shares
}

// choice has the candidates, the chosen ones, and for each candidate the nearest chosen one.
type choice struct {
	d       int       // numbers of a candidate
	numbers []float64 // candidate-major
	weight  []float64 // of squared distances to the candidate
	nearest []float64 // squared distance times weight
	group   []int     // index of chosen
	chosen  []int
}

func (c *choice) of(i int) []float64 { return c.numbers[i*c.d : (i+1)*c.d] }

// farthest chooses the first candidate, and then each time the one that is farthest from those that are chosen, until
// there are n or all others equal one of them.
func (c *choice) farthest(n int) {
	for i := range c.nearest {
		c.nearest[i] = math.Inf(1)
	}
	for next := 0; len(c.nearest) > 0 && len(c.chosen) < n && c.nearest[next] > 0; {
		c.each(func(i int) {
			if e := c.weight[i] * apart(c.of(i), c.of(next)); e < c.nearest[i] {
				c.nearest[i], c.group[i] = e, len(c.chosen)
			}
		})
		c.chosen = append(c.chosen, next)
		for i := range c.nearest {
			if c.nearest[i] > c.nearest[next] {
				next = i
			}
		}
	}
}

// regroup chooses from every group the candidate that is nearest to its weighted mean, which has the least sum of
// squared distances to the group. Then it puts every candidate into the group of the nearest of these, and reports
// whether anything has changed.
func (c *choice) regroup() bool {
	means, total := make([]float64, len(c.chosen)*c.d), make([]float64, len(c.chosen))
	mean := func(k int) []float64 { return means[k*c.d : (k+1)*c.d] }
	for i, k := range c.group {
		total[k] += c.weight[i]
		for j, x := range c.of(i) {
			mean(k)[j] += c.weight[i] * x
		}
	}
	for k := range c.chosen {
		for j := range mean(k) {
			mean(k)[j] /= total[k]
		}
	}
	c.each(func(i int) { c.nearest[i] = apart(c.of(i), mean(c.group[i])) })
	before, least := slices.Clone(c.chosen), make([]float64, len(c.chosen))
	for k := range least {
		least[k] = math.Inf(1)
	}
	for i, k := range c.group {
		if c.nearest[i] < least[k] {
			c.chosen[k], least[k] = i, c.nearest[i]
		}
	}
	c.each(func(i int) {
		c.nearest[i] = math.Inf(1)
		for k, j := range c.chosen {
			if e := c.weight[i] * apart(c.of(i), c.of(j)); e < c.nearest[i] {
				c.nearest[i], c.group[i] = e, k
			}
		}
	})
	return !slices.Equal(before, c.chosen)
}

// each does f for every candidate, on all processors.
func (c *choice) each(f func(i int)) {
	n := len(c.nearest)
	parallel.For(runtime.GOMAXPROCS(0), parallel.Chunks(n), func(_, chunk int) {
		for lo, hi := parallel.Chunk(chunk, n); lo < hi; lo++ {
			f(lo)
		}
	})
}

// apart is the squared distance of two descriptions.
func apart(a, b []float64) (sum float64) {
	for i, x := range a {
		e := x - b[i]
		sum += e * e
	}
	return sum
}
