package training

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// Poses are what a fit to a model learns from, decided: which poses, with what weights, and what makes their shapes.
type Poses struct {
	Model   *skinning.Model
	Name    string             // in reports
	Teacher skinning.Reference // [skinning.LBS] where the shapes are Targets, or the model's own with morph targets
	Taught  bool               // another teacher makes the shapes, which are known in every pose
	LongWay bool               // as in [Set]
	Targets [][]mgl64.Vec3     // as in [Set]
	Times   []ClipTime         // nil for poses that are in no clip
	Weights []float64          // of the squared errors; nil for 1 each
	LeftOut []int              // clips that no pose was chosen of, so that they can be tested on

	given  []*skinning.Pose // where Times is nil
	ofClip []float64        // weight of the static pose, then of each clip; nil where the poses were not chosen
}

const (
	// partFrames is the number of poses of a part that gives none.
	partFrames = 12
	// defaultFrames is the number of poses of all clips together.
	defaultFrames = 24
)

// Choose decides what a fit to a model learns from. Linear has the RMS errors of linear blending in the clips that were
// measured, NaN for a clip of which no pose may be chosen.
func (s *Set) Choose(m *skinning.Model, linear []float64) (*Poses, error) {
	p, parts := s.listed(m), s.Parts
	if s.Open() && len(OwnClips(m)) == 0 {
		parts = []Part{{RangeOfMotion, s.Frames}}
	}
	switch {
	case s.Len() > 0:
	case len(parts) > 0:
		return p, p.takeParts(parts)
	default:
		if err := lostAll(m, OwnClips(m)); err != nil {
			return nil, err
		}
		p.choose(s, linear)
	}
	return p, nil
}

// lostAll returns an error if every one of some clips has lost all of its channels.
func lostAll(m *skinning.Model, clips []int) error {
	for _, c := range clips {
		if !m.Clips[c].LostAll() {
			return nil
		}
	}
	c := &m.Clips[clips[0]]
	if len(clips) > 1 {
		return fmt.Errorf("clip %q and %s have lost all of their channels: there is nothing to learn",
			messages.Shortened(c.Name), messages.Count(len(clips)-1, "other clip", "other clips"))
	}
	return fmt.Errorf("clip %q has lost all of its %d channels: there is nothing to learn", messages.Shortened(c.Name), c.Lost)
}

// listed is Choose for a set that lists its examples.
func (s *Set) listed(m *skinning.Model) *Poses {
	p := &Poses{Model: m, Teacher: s.Reference(), Taught: s.Taught(), LongWay: s.LongWay, Targets: s.Targets}
	if s.Poses != nil {
		p.Name, p.given = s.Title, s.Poses
	} else if s.Times != nil {
		p.Name, p.Times = m.Clips[s.Clip].Name, TimesIn(s.Clip, s.Times)
	}
	return p
}

// takeParts takes the poses of parts.
func (p *Poses) takeParts(parts []Part) error {
	var clips []int
	for _, part := range parts {
		part.Frames = cmp.Or(part.Frames, partFrames)
		if part.Clip == RangeOfMotion {
			if len(parts) > 1 {
				return fmt.Errorf("%w: the range of motion is trained on alone", errClip)
			}
			p.Name, p.given = "range of motion", rangeWithStatic(p.Model, part.Frames)
			return nil
		}
		if part.Clip < 0 || part.Clip >= len(p.Model.Clips) || part.Frames < 1 {
			return fmt.Errorf("%w: %d of clip %d of %d", errClip, part.Frames, part.Clip, len(p.Model.Clips))
		}
		c := &p.Model.Clips[part.Clip]
		if err := lostAll(p.Model, []int{part.Clip}); err != nil {
			return err
		}
		clips = append(clips, part.Clip)
		p.Times = append(p.Times, TimesIn(part.Clip, Times(c.Seconds, part.Frames))...)
	}
	if p.Taught {
		p.Times = WithoutHalfTurns(p.Model, p.Times, p.LongWay)
	}
	p.Name, p.Times = namesOf(p.Model, clips), withStatic(p.Model, p.Times)
	return nil
}

// namesOf lists the names of clips.
func namesOf(m *skinning.Model, clips []int) string {
	names := make([]string, len(clips))
	for i, c := range clips {
		names[i] = m.Clips[c].Name
	}
	return strings.Join(names, ", ")
}

// leastError bounds the weight of a clip to a thousand times that of the clip with the largest error. leastStatic bounds
// that of the static pose to ten times: where it is the bind pose, linear blending has no error in it.
const leastError, leastStatic = 1e-3, 0.1

// choose takes poses that are spread evenly over all clips, more of a long clip than of a short one, and the static
// pose. If no clip is left to learn from, all are learnt from.
//
// The weight of a clip is one over the RMS error of linear blending in it, or 1 where that is not known. A clip in
// which linear blending errs little, such as one that only moves the head, has little to gain and much to lose: bones
// that improve a dance would make it worse, if its poses weighed no more than those of the dance.
func (p *Poses) choose(s *Set, linear []float64) {
	m := p.Model
	own := OwnClips(m)
	var clips []int
	for _, c := range own {
		if slices.Contains(s.LeftOut, c) {
			p.LeftOut = append(p.LeftOut, c)
		} else if !(c < len(linear) && math.IsNaN(linear[c])) && !m.Clips[c].LostAll() {
			clips = append(clips, c)
		}
	}
	if len(clips) == 0 {
		clips, p.LeftOut = own, nil
	}
	p.Name = "all clips"
	if len(own) == 1 {
		p.Name = m.Clips[0].Name
	} else if len(p.LeftOut) > 0 {
		p.Name += " but " + namesOf(m, p.LeftOut)
	}
	most := 0.0
	for _, c := range clips {
		if c < len(linear) && !math.IsNaN(linear[c]) {
			most = max(most, linear[c])
		}
	}
	p.ofClip = slices.Repeat([]float64{1}, 1+len(m.Clips))
	for i, e := range slices.Concat([]float64{linearAtRest(m, p.Teacher)}, linear) {
		least := leastError
		if i == 0 {
			least = leastStatic
		}
		if most > 0 && !math.IsNaN(e) {
			p.ofClip[i] = 1 / max(e/most, least)
		}
	}
	p.Times = choose(Candidates(m, append(clips, s.Also...)), cmp.Or(s.Frames, defaultFrames))
	p.Times = append(slices.Clip(p.Times), ClipTime{Clip: staticPose})
	p.weigh()
}

// weigh gives each pose the weight of its clip.
func (p *Poses) weigh() {
	p.Weights = make([]float64, len(p.Times))
	for i, at := range p.Times {
		p.Weights[i] = p.ofClip[1+at.Clip]
	}
}

// A fit that is worse than linear blending in a clip is made again, with more weight for the clip: leastMore times
// its weight, or more. Near the rest pose, the error of linear blending is quadratic in the angle, and that of bones
// that are good at large angles is linear. So a clip that hardly moves may need much more weight to be as good as
// with linear blending, and other clips are then a little worse.
const leastMore = 8

// WorseClip is a clip in which a fit errs more than linear blending.
type WorseClip struct {
	Clip  int
	Ratio float64 // the fit's RMS error divided by that of linear blending
}

// posesOfWorse is how many poses a clip that got worse has at least. A clip that moves little or briefly may have few
// poses or none, and without poses its weight has no effect. At most as many are added as the default training has.
const posesOfWorse = 4

// Favour returns the poses with more weight for clips that got worse, and more poses of those that have few; nil where
// the poses were not chosen.
func (p *Poses) Favour(worse []WorseClip) *Poses {
	if p.ofClip == nil {
		return nil
	}
	out := *p
	out.Times, out.ofClip = slices.Clone(p.Times), slices.Clone(p.ofClip)
	left := defaultFrames
	for _, c := range worse {
		out.ofClip[1+c.Clip] *= max(1.5*c.Ratio*c.Ratio, leastMore)
		own := func(at ClipTime) bool { return at.Clip == c.Clip }
		rest := slices.DeleteFunc(slices.Clone(out.Times), own)
		if len(out.Times)-len(rest) < posesOfWorse && left >= posesOfWorse {
			// A clip of half turns alone has nothing to learn.
			if more, _ := SplitHalfTurns(p.Model, Candidates(p.Model, []int{c.Clip})); len(more) > 0 {
				out.Times = append(rest, choose(more, posesOfWorse)...)
				left -= posesOfWorse
			}
		}
	}
	out.weigh()
	return &out
}

// Learns reports whether poses of a clip are among them.
func (p *Poses) Learns(clip int) bool {
	return slices.ContainsFunc(p.Times, func(t ClipTime) bool { return t.Clip == clip })
}

// Frames poses the model. A pose that goes too far is an error, as in [Poses.Examples].
func (p *Poses) Frames() ([]*skinning.Frame, error) {
	frames := p.frames(p.Model)
	return frames, checkPoses(p.Model, frames)
}

// frames poses the model, or the model without morph targets.
func (p *Poses) frames(m *skinning.Model) []*skinning.Frame {
	if p.Times == nil {
		return posed(m, p.given)
	}
	frames := at(m, p.Times)
	if !p.LongWay {
		return frames
	}
	signs := map[int]*skinning.Signs{}
	for i, at := range p.Times {
		if signs[at.Clip] == nil {
			signs[at.Clip] = skinning.NewSigns(m, at.Clip)
		}
		signs[at.Clip].Apply(frames[i], at.Time)
	}
	return frames
}
