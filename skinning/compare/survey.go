package compare

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
	"skinlab/skinning/parallel"
)

// Survey measures errors like [Run], half turns apart, faster and in less memory. It uses the float32 kernels, whose
// positions are within about 1e-6 of the model's size, and several cores. It takes one block of vertices after the other
// through all frames. So the positions of the whole skin in all frames, from which EE finds each vertex's best joint, are
// never in memory together, unless the reference is no method and knows whole shapes only.
type Survey struct {
	Reference skinning.Reference
	Subjects  []Subject
	Clip      int
	Frames    int // poses, spread evenly over the clip with both ends
	// AtKeys takes the poses of the clip's keys instead, the only ones of which a reference of examples has shapes. EE is
	// relative to the best rigid prediction without morph targets then, as with [Options.Examples].
	AtKeys bool
	// ShortestPath false follows rotations continuously through the clip.
	ShortestPath bool
	Workers      int // 0 means GOMAXPROCS; the result does not depend on it
	// WithoutEE leaves out EE and Rigid. They take half of the time and are the same for all subjects.
	WithoutEE bool
}

// Surveyed is the result of one subject over all frames.
type Surveyed struct {
	EE          float64 // percent, see metrics.ReportedError
	RMS, Max    float64 // metres
	Top         float64 // metres: the largest [metrics.Spread.Top] of a frame
	Rigid       float64 // RMS of the best single joints, metres: EE is 100·RMS/Rigid
	WorstTime   float64 // seconds in the clip of the largest error
	WorstVertex int
	// HalfTurns is the error in poses that are in no other number, in metres; nil for none.
	HalfTurns *Apart
}

// surveyBlock is the number of vertices that a worker measures in all frames at a time. Their positions in 24 frames
// take half a megabyte.
const surveyBlock = 512

// Run measures all subjects. It returns ctx's error no later than one block of vertices after ctx is done.
func (s *Survey) Run(ctx context.Context, m *skinning.Model) ([]Surveyed, error) {
	w, err := s.keep(ctx, m)
	if err != nil {
		return nil, err
	}
	blocks := (len(m.Skin.Positions) + surveyBlock - 1) / surveyBlock
	sums := make([][]surveySum, blocks)
	workers := parallel.Workers(s.Workers)
	scratch := make([]*block, workers)
	parallel.For(workers, blocks, func(worker, k int) {
		if ctx.Err() != nil {
			return
		}
		b := &scratch[worker]
		if *b == nil {
			*b = w.newBlock()
		}
		sums[k] = (*b).measure(k*surveyBlock, min((k+1)*surveyBlock, len(m.Skin.Positions)))
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return w.total(sums, len(m.Skin.Positions)), nil
}

// Vertex measures a single vertex of the skin, over all frames.
func (s *Survey) Vertex(ctx context.Context, m *skinning.Model, vertex int) ([]Surveyed, error) {
	w, err := s.keep(ctx, m)
	if err != nil {
		return nil, err
	}
	return w.total([][]surveySum{w.newBlock().measure(vertex, vertex+1)}, 1), nil
}

// survey holds the quantities that do not depend on the vertex.
type survey struct {
	*Survey
	model  *skinning.Model
	size   float64 // the model's diagonal
	times  []float64
	frames []*skinning.Frame   // of the model, one per time
	shapes [][]mgl64.Vec3      // of a reference that is no method, one per time
	others [][]*skinning.Frame // per subject with a model of its own
	spread [][]metrics.Spread  // per subject and frame, shared by the workers
	rigid  metrics.RigidCandidates
	apart  *apart
}

// surveySum is the error sums of one subject over a block of vertices.
type surveySum struct {
	squares, rigid float64 // Σ‖v − v'‖² and Σ‖v − C_r·rest‖²
	most           float64 // max ‖v − v'‖²
	frame, vertex  int     // where that is
	// Σ‖v − v'‖² and max ‖v − v'‖² in half turns
	apart, apartMost float64
}

// keep makes the frames of all poses.
func (s *Survey) keep(ctx context.Context, m *skinning.Model) (*survey, error) {
	switch {
	case len(m.Skin.Positions) == 0:
		return nil, fmt.Errorf("%s: no skinned mesh to compare", m.Name)
	case s.Frames < 1:
		return nil, fmt.Errorf("%d frames", s.Frames)
	}
	w := &survey{Survey: s, model: m, size: m.Diagonal(), others: make([][]*skinning.Frame, len(s.Subjects)),
		rigid: metrics.NewRigidCandidates(m)}
	seconds := 0.0
	if s.Clip >= 0 && s.Clip < len(m.Clips) {
		seconds = m.Clips[s.Clip].Seconds
	}
	if w.times = Times(seconds, s.Frames); s.AtKeys {
		w.times = m.Clips[s.Clip].KeyTimes()
	}
	for range s.Subjects {
		w.spread = append(w.spread, make([]metrics.Spread, len(w.times)))
	}
	var err error
	if w.frames, err = w.posed(ctx, m, s.Clip); err != nil {
		return nil, err
	}
	if w.apart = (&apart{marks: make([]bool, len(w.frames))}); !s.AtKeys { // examples are true in every pose
		w.apart = findApart(m, len(w.frames), func(i int) *skinning.Frame { return w.frames[i] })
	}
	if _, ok := s.Reference.(skinning.Method); !ok {
		for _, f := range w.frames {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			w.shapes = append(w.shapes, s.Reference.Positions(f))
		}
	}
	for i, subject := range s.Subjects {
		if subject.Model == nil {
			continue
		}
		if n := len(subject.Model.Skin.Positions); n != len(m.Skin.Positions) {
			return nil, fmt.Errorf("%s: a skin of %d vertices, %s has %d", subject.Name, n, m.Name, len(m.Skin.Positions))
		}
		if w.others[i], err = w.posed(ctx, subject.Model, subject.Clip); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// posed returns the frames of a model.
func (w *survey) posed(ctx context.Context, m *skinning.Model, clip int) ([]*skinning.Frame, error) {
	p := Pose(m, clip, w.ShortestPath)
	frames := make([]*skinning.Frame, len(w.times))
	for i, t := range w.times {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f := p.At(t)
		frames[i] = skinning.NewFrame(m, f.Centers)
		frames[i].Copy(f)
	}
	return frames, nil
}

// block is one worker's scratch memory.
type block struct {
	*survey
	want, got []mgl32.Vec3
	// The input of the search for the best single joint: unposed and posed positions, by frame and then by vertex.
	rest, posed []mgl64.Vec3
	spare       []mgl32.Vec3 // unposed positions that are not used
}

func (w *survey) newBlock() *block {
	n := min(surveyBlock, len(w.model.Skin.Positions))
	return &block{
		survey: w, want: make([]mgl32.Vec3, n), got: make([]mgl32.Vec3, n), spare: make([]mgl32.Vec3, n),
		rest: make([]mgl64.Vec3, n*len(w.frames)), posed: make([]mgl64.Vec3, n*len(w.frames)),
	}
}

// measure takes the vertices from lo to hi, hi excluded, through all frames.
func (b *block) measure(lo, hi int) []surveySum {
	sums := make([]surveySum, len(b.Subjects))
	n := hi - lo
	scale := 1 / max(b.size*b.size, math.SmallestNonzeroFloat32)
	for i, f := range b.frames {
		b.reference(i, lo, hi)
		for v := range n {
			b.rest[i*n+v], b.posed[i*n+v] = geom.Vec64(b.spare[v]), geom.Vec64(b.want[v])
			if b.AtKeys { // no joint predicts the change of shape
				b.rest[i*n+v] = geom.Vec64(b.model.Skin.Positions[lo+v])
			}
		}
		for k, subject := range b.Subjects {
			at := f
			if b.others[k] != nil {
				at = b.others[k][i]
			}
			b.pose(b.got, subject.Method, at, lo, hi)
			s := &sums[k]
			for v := range hi - lo {
				d := geom.Vec64(b.want[v]).Sub(geom.Vec64(b.got[v]))
				d2 := d.Dot(d)
				if b.apart.marks[i] {
					s.apart += d2
					s.apartMost = max(s.apartMost, d2)
				}
				if !b.apart.takes(i) {
					continue
				}
				s.squares += d2
				if d2 > s.most {
					s.most, s.frame, s.vertex = d2, i, lo+v
				}
				b.spread[k][i].AddShared(d2 * scale)
			}
		}
	}
	total := 0.0
	for v := range n {
		if b.WithoutEE {
			break
		}
		total += b.bestJoint(v, n, lo)
	}
	for k := range sums {
		sums[k].rigid = total
	}
	return sums
}

// bestJoint returns Σ‖v − C_r·rest‖² over all frames, for the joint r that predicts vertex v of the block best. The
// block has n vertices and begins at vertex lo of the skin. The joints that the vertex follows come first: they are
// likely the best, and then the sums of the others can stop after a frame or two.
func (b *block) bestJoint(v, n, lo int) float64 {
	least := math.Inf(1)
	try := func(j int) {
		sum := 0.0
		for i, f := range b.frames { // most joints fail after one row of the matrix: the error along x alone is too large
			if !b.apart.takes(i) {
				continue
			}
			m, p, y := &f.Matrices[j], &b.rest[i*n+v], &b.posed[i*n+v]
			for row := 0; row < len(m); row += 4 {
				d := y[row/4] - (m[row]*p[0] + m[row+1]*p[1] + m[row+2]*p[2] + m[row+3])
				sum += d * d
				if !(sum < least) {
					return
				}
			}
		}
		least = sum
	}
	var buf [8]int
	for _, j := range b.rigid.Near(buf[:0], lo+v) {
		try(j)
	}
	for _, j := range b.rigid.All {
		try(j)
	}
	return least
}

// reference sets b.want to the reference's positions of vertices lo to hi in frame i, and b.spare to the unposed ones.
func (b *block) reference(i, lo, hi int) {
	if method, ok := b.Reference.(skinning.Method); ok {
		b.pose(b.want, method, b.frames[i], lo, hi)
		return
	}
	b.model.Skin.RestRange(b.spare[:hi-lo], lo, b.frames[i].Morphs)
	for v, p := range b.shapes[i][lo:hi] {
		b.want[v] = geom.Vec32(p)
	}
}

// pose poses vertices lo to hi of the frame's model into dst. Their unposed positions go to b.spare.
func (b *block) pose(dst []mgl32.Vec3, method skinning.Method, f *skinning.Frame, lo, hi int) {
	mesh := &f.Model.Skin
	rest := b.spare[:hi-lo]
	mesh.RestRange(rest, lo, f.Morphs)
	s := f.Stream(method, dst[:hi-lo], nil, rest, nil, lo)
	f.PoseStream(&s, method)
}

// total adds the blocks' sums in vertex order, so the result does not depend on the workers.
func (w *survey) total(blocks [][]surveySum, vertices int) []Surveyed {
	out := make([]Surveyed, len(w.Subjects))
	poses := len(w.times)
	if !w.apart.every {
		poses -= w.apart.count
	}
	for k := range out {
		var all surveySum
		for _, b := range blocks {
			s := &b[k]
			all.squares += s.squares
			all.rigid += s.rigid
			all.apart += s.apart
			all.apartMost = max(all.apartMost, s.apartMost)
			// The earliest of equal poses, as in [Run].
			if s.most > all.most || s.most == all.most && s.frame < all.frame {
				all.most, all.frame, all.vertex = s.most, s.frame, s.vertex
			}
		}
		o := &out[k]
		o.RMS = math.Sqrt(all.squares / float64(vertices*poses))
		o.Max = math.Sqrt(all.most)
		o.HalfTurns = w.apart.error(w.model, math.Sqrt(all.apart/float64(max(vertices*w.apart.count, 1))),
			math.Sqrt(all.apartMost))
		for i := range w.spread[k] {
			o.Top = max(o.Top, w.spread[k][i].Top(vertices)*w.size)
		}
		o.Top = min(o.Top, o.Max)
		o.Rigid = math.Sqrt(all.rigid / float64(vertices*poses))
		o.WorstTime, o.WorstVertex = w.times[w.worstFrame(k, all.vertex)], all.vertex
		if !w.WithoutEE {
			o.EE = metrics.ReportedError(all.squares, all.rigid, vertices*poses, w.model.Diagonal())
		}
	}
	return out
}

// worstFrame returns the frame of a subject's largest error at a vertex, in float64: where a clip holds a pose, float32
// does not tell which of its frames [Run] finds.
func (w *survey) worstFrame(subject, vertex int) (worst int) {
	most := 0.0
	for i, f := range w.frames {
		if !w.apart.takes(i) {
			continue
		}
		var want mgl64.Vec3
		if method, ok := w.Reference.(skinning.Method); ok {
			want = positionOf(f, method, vertex)
		} else {
			want = w.shapes[i][vertex]
		}
		if w.others[subject] != nil {
			f = w.others[subject][i]
		}
		d := want.Sub(positionOf(f, w.Subjects[subject].Method, vertex))
		if d2 := d.Dot(d); d2 > most {
			most, worst = d2, i
		}
	}
	return worst
}

// positionOf is a vertex of [skinning.Frame.Positions].
func positionOf(f *skinning.Frame, method skinning.Method, vertex int) mgl64.Vec3 {
	var rest [1]mgl32.Vec3
	f.Model.Skin.RestRange(rest[:], vertex, f.Morphs)
	return f.BlendVertex(method, vertex).Apply(geom.Vec64(rest[0]))
}

// TurnedMost returns the joint that likely causes an error at a vertex: of the joints that move the vertex, the one with
// the largest rotation at a time of a clip relative to the nearest joint above it that moves the vertex too. Where none
// has one above it, it is relative to the parent. Between equal rotations the larger weight decides. It is −1 where no
// joint moves the vertex.
func TurnedMost(m *skinning.Model, clip int, seconds float64, vertex int) int {
	rigid, joints, of := Pose(m, clip, true).At(seconds).Rigid(), m.Skeleton.Joints, m.Skin.Of(nil, vertex)
	joint, most, inside := -1, 0.0, false
	for _, influence := range of {
		j := int(influence.Joint)
		above := joints[j].Parent
		for above >= 0 && !slices.ContainsFunc(of, func(f skinning.Influence) bool { return int(f.Joint) == above }) {
			above = joints[above].Parent
		}
		linked, turn := above >= 0, rigid[j].Real
		if above < 0 {
			above = joints[j].Parent
		}
		if above >= 0 {
			turn = rigid[above].Real.Conjugate().Mul(turn)
		}
		// The real part is the cosine of half the angle. A quaternion and its negative are the same rotation.
		angle := 2 * math.Acos(math.Min(math.Abs(turn[3]), 1))
		if joint < 0 || linked && !inside && angle > 1e-6 || linked == inside && angle > most+1e-6 {
			joint, most, inside = j, angle, linked
		}
	}
	return joint
}
