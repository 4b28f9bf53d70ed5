package bench

import (
	"time"

	"skinlab/skinning"
	"skinlab/skinning/simd"
)

// subject is a method on a stage.
type subject struct {
	*stage
	method   skinning.Method
	deformer *skinning.Deformer
	count    int // frames in a round
	measures
}

// measures are those of one subject, one of each in every round.
type measures struct {
	seconds []float64 // of a frame
	ratio   []float64 // of these to linear blending
	palette []float64 // seconds of a pose's palettes
	copied  []float64 // bytes per second of the machine's own copy
}

// add adds a round. Before and after are the seconds of linear blending right before and right after the subject. The
// speed of the machine drifts, so each subject is compared with its neighbours in time.
func (m *measures) add(seconds, before, after, palette, copied float64) {
	m.seconds, m.ratio = append(m.seconds, seconds), append(m.ratio, 2*seconds/(before+after))
	m.palette, m.copied = append(m.palette, palette), append(m.copied, copied)
}

// frames returns the seconds of one frame of a round, the driving of the joints of rigs included.
//
// Poses are first run through without timing, to warm the caches. Otherwise the time would depend on how much the
// subjects in between have evicted. Linear blending is timed between any two subjects, so its data would still be
// cached. Without the warm-up, frames of 28 us seemed up to 4 % slower in rounds of 1 ms, and ratios varied by as much
// from run to run.
func (s *subject) frames() float64 {
	for _, f := range s.posed { // others have posed them since
		s.deformer.Prepare(s.method, f)
	}
	s.poseSome(min(s.count, len(s.posed)))
	start := time.Now()
	s.poseSome(s.count)
	return time.Since(start).Seconds() / float64(s.count)
}

// poseSome poses the skin a number of times.
func (s *subject) poseSome(count int) {
	for i := range count {
		f := s.posed[i%len(s.posed)]
		f.DriveRigs()
		s.deformer.Deform(&s.out, s.method, f)
	}
}

// bytesMoved returns the bytes that a frame reads and writes.
func (s *subject) bytesMoved() int {
	skin := &s.model.Skin
	stream := s.posed[0].Stream(s.method, s.out.Positions, s.out.Normals, skin.Positions, skin.Normals, 0)
	return stream.BytesMoved()
}

// stage is the data that all methods on a model share: the model, its poses, and memory for the posed skin.
type stage struct {
	model *skinning.Model
	poses []*skinning.Pose
	posed []*skinning.Frame // one frame per pose
	out   skinning.Output
}

type stageKey struct {
	model *skinning.Model
	clip  int
	level simd.Level // of the frames, which drive the joints of rigs
}

func newStage(m *skinning.Model, clip int, level simd.Level) *stage {
	s := &stage{model: m, out: skinning.NewOutput(m)}
	s.poses, s.posed = Poses(m, clip)
	for _, f := range s.posed {
		f.UseLevel(level)
	}
	return s
}

// palettes returns the seconds that one pose takes before the method poses a vertex by it.
func (s *subject) palettes() float64 {
	start := time.Now()
	for i, p := range s.poses {
		s.posed[i].SetPose(p)
		s.deformer.Prepare(s.method, s.posed[i])
	}
	return time.Since(start).Seconds() / float64(len(s.poses))
}
