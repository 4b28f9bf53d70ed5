package ssdr

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Options say how to decompose.
type Options struct {
	Bones int // H, the number of helper bones to insert; 0 solves only the weights of the primary joints
	// Rounds is the most rounds of transformations and weights after the last bone has been inserted; 0 means
	// [DefaultRounds].
	Rounds     int
	AllRounds  bool // does all rounds; else they end when they lower the RMS error by less than a share of 0.0005 each
	Influences int  // K, the most bones that a vertex follows; 0 means 4
	// PriorWeights holds weights to the rig's where the examples leave them open (section 4.1, the painted weight map).
	PriorWeights bool
	AsPublished  bool // inserts at the worst vertex, one round for each bone, and rounds without momentum
	Scale        bool // helper bones have a uniform scale in each example
	Workers      int  // 0 means all processors; the result does not depend on it
	// Start has the weights and motions to begin with, and Bones counts its helper bones too. Where its weights are
	// nil, they are solved for the motions. Where its motions are nil, each helper bone that has weights begins with
	// the rigid motion of its vertices. A nil Start begins with no helper bone.
	Start *Decomposition
	// Progress is told each round, on Decompose's goroutine; nil for none.
	Progress func(Progress)
	// Sketched receives the number of bones while they are inserted on a part of the examples (see sketch), when
	// Progress is not called; it may be nil.
	Sketched func(bones int)

	sketch      bool // insert bones on a sketch
	trialRounds int  // see [problem.bestTrial]
}

// DefaultRounds is what 0 in [Options].Rounds means.
const DefaultRounds = 60

// leastFall is the fall of the RMS error in a round, as a share of it, below which rounds end.
const leastFall = 5e-4

func (o *Options) validate(x *Examples) error {
	if o.Bones < 0 || o.Bones+x.Primaries() > 1<<16 {
		return fmt.Errorf("%w: %d helper bones for %d joints", ErrProblem, o.Bones, x.Primaries())
	}
	if o.Rounds < 0 || o.Influences < 0 {
		return fmt.Errorf("%w: %d rounds, %d influences", ErrProblem, o.Rounds, o.Influences)
	}
	if o.Rounds == 0 {
		o.Rounds = DefaultRounds
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if s := o.Start; s != nil {
		return s.validate(x)
	}
	return nil
}

func (o *Options) influences() int {
	if o.Influences == 0 {
		return mostInfluences
	}
	return o.Influences
}

// Decomposition is weights and the helper bones' motions. A cancelled fit returns the best so far.
type Decomposition struct {
	Weights [][]skinning.Share // per vertex, the largest first; Joint ≥ D means helper bone Joint−D
	Motions [][]geom.Affine    // [helper][example]: Ŝ_h,n, rest space to world
	RMS     float64            // metres, over vertices and examples, each example by its importance
	History []Step
	Reason  Reason
}

// Reason says why a decomposition ended.
type Reason uint8

const (
	Converged  Reason = iota // a round lowered the error by less than the threshold
	RoundLimit               // all rounds were done
	Cancelled
	// NoMoreBones says that there are fewer bones than were asked for, because a further one would influence too few
	// vertices, or would not lower the error.
	NoMoreBones
)

// String says why a decomposition ended.
func (r Reason) String() string {
	return [...]string{"converged", "round limit", "cancelled", "no more bones"}[r]
}

// Step is one round: transformations and weights, after an insertion or without one.
type Step struct {
	Bones      int           // helper bones after it
	RMS        float64       // metres
	Insert     time.Duration // the times of its three parts
	Transforms time.Duration
	Weights    time.Duration
}

// Progress is the state of a decomposition after a round.
type Progress struct {
	Step
	Round int // counted from 1 after the last insertion; 0 while bones are inserted
	// Current returns the decomposition as it is now. It may be called until the callback returns.
	Current func() *Decomposition
}

func (d *Decomposition) validate(x *Examples) error {
	if d.Weights != nil && len(d.Weights) != len(x.Rest) {
		return fmt.Errorf("%w: the start has weights of %d vertices of %d", ErrProblem, len(d.Weights), len(x.Rest))
	}
	for h, motion := range d.Motions {
		if len(motion) != len(x.Targets) {
			return fmt.Errorf("%w: bone %d of the start has %d motions of %d", ErrProblem, h, len(motion), len(x.Targets))
		}
		for n := range motion {
			if !motion[n].IsFinite() {
				return fmt.Errorf("%w: bone %d of the start: its motion in example %d is not a number", ErrProblem, h, n)
			}
		}
	}
	bones := x.Primaries() + len(d.Motions)
	if d.Motions == nil {
		bones = 1 << 16
	}
	for v, shares := range d.Weights {
		for _, s := range shares {
			if int(s.Joint) >= bones || !(s.Weight >= 0 && s.Weight < 2) {
				return fmt.Errorf("%w: the start has at vertex %d weight %g of bone %d of %d", ErrProblem, v, s.Weight, s.Joint,
					bones)
			}
		}
	}
	return nil
}

// startSolves is the number of times that the motions of a start without motions are solved before its weights.
const startSolves = 3

// begin takes a start.
func (p *problem) begin(s *Decomposition) {
	most := len(s.Motions)
	for _, shares := range s.Weights {
		for _, w := range shares {
			most = max(most, int(w.Joint)+1-p.primaries)
		}
	}
	for h := range most {
		p.addHelper(nil)
		if s.Motions != nil {
			own := make([]geom.Affine, len(p.x.Targets))
			for n := range own {
				own[n] = p.inward(s.Motions[h][n], n)
			}
			p.bones[p.primaries+h] = own
		}
	}
	if s.Weights != nil {
		p.setWeights(s.Weights)
	}
	if s.Motions == nil {
		p.startMotions()
		for range startSolves {
			p.solveTransforms()
		}
	}
	p.sumBones(p.primaries)
	p.measure()
}

// One round in thoroughEvery solves weights thoroughly (rows 237, 238). With 4, a fit takes a sixth (arm) to a third
// (human) more processor time, and ends at 0.573 mm instead of 0.588 mm in the best case (arm, 8 bones). With 16 it
// takes a tenth less time, and ends at 1.173 mm instead of 1.143 mm (human, 8 bones).
const thoroughEvery = 8

// patience is the number of rounds over which the fall of the error is averaged, since momentum makes it uneven.
const patience = 5

// Decompose is Algorithm 1. A done context ends it with the best decomposition so far and [Cancelled].
func Decompose(ctx context.Context, x *Examples, opt Options) (*Decomposition, error) {
	if err := x.Validate(); err != nil {
		return nil, err
	}
	if err := opt.validate(x); err != nil {
		return nil, err
	}
	if opt.Bones+x.Primaries() == 0 {
		return nil, fmt.Errorf("%w: no bones", ErrProblem)
	}
	opt.sketch = opt.Start == nil && opt.Bones > 0 && !opt.AsPublished
	d := newDecomposing(ctx, x, &opt)
	reason, err := d.run()
	if err != nil {
		return nil, err
	}
	if !opt.AsPublished {
		removed := d.p.removeUseless()
		d.p.trimWeights()
		if removed += d.p.removeIdle(); removed > 0 && reason != Cancelled {
			reason = NoMoreBones
		}
		d.p.sortHelpers()
	}
	out := d.current()
	out.Reason = reason
	return out, nil
}

// decomposing is the state of Algorithm 1.
type decomposing struct {
	ctx     context.Context
	opt     *Options
	p       *problem
	history []Step
	fast    *momentum
	before  *state // of the round; memory
}

func newDecomposing(ctx context.Context, x *Examples, opt *Options) *decomposing {
	p := newProblem(x, opt)
	return &decomposing{ctx: ctx, opt: opt, p: p}
}

// run goes through Algorithm 1.
func (d *decomposing) run() (Reason, error) {
	d.begin()
	if len(d.history) == 0 { // the first weights were not solved
		return Cancelled, nil
	}
	if d.opt.sketch {
		start, err := d.sketch()
		if err != nil {
			return 0, err
		}
		d.p.removeHelpers()
		d.p.begin(start)
		d.solveFirst(start.Weights == nil)
	}
	return d.grow(), nil
}

// begin is lines 1 and 2, from the start if there is one.
func (d *decomposing) begin() {
	if s := d.opt.Start; s != nil {
		d.p.begin(s)
	} else if len(d.p.bones) == 0 {
		d.p.beginSequence()
	}
	d.solveFirst(d.opt.Start != nil && d.opt.Start.Weights == nil)
}

// grow is lines 3 to 12.
func (d *decomposing) grow() Reason {
	reason := d.insertAll()
	if reason == Converged || reason == NoMoreBones {
		if r := d.iterate(); r == Cancelled || reason == Converged {
			reason = r
		}
	}
	return reason
}

// solveFirst solves the first weights (line 2 of Algorithm 1). A cancelled run solves them where it needs them.
func (d *decomposing) solveFirst(needed bool) {
	if needed || d.ctx.Err() == nil {
		start := time.Now()
		d.p.solveWeights(true)
		d.record(Step{Weights: time.Since(start)}, 0)
	}
}

// beginSequence gives a mesh sequence, which has no primary joints, a first bone that moves all.
func (p *problem) beginSequence() {
	all := make([]int, len(p.rest))
	for k := range all {
		all[k] = k
	}
	p.addHelper(p.rigid(all))
	p.sumBones(0)
	for k := range p.weights {
		p.weights[k] = []skinning.Share{{Weight: 1}}
		p.errors[k] = p.errorOf(k, p.weights[k])
	}
}

// removeHelpers removes all helper bones.
func (p *problem) removeHelpers() {
	for len(p.bones) > p.primaries {
		p.dropWeights(len(p.bones) - 1)
		p.removeHelper(len(p.bones) - 1)
	}
}

// allow adds the primary joints that a point follows to its candidates.
func (p *problem) allow(k int) {
	for _, s := range p.weights[k] {
		if j := s.Joint; int(j) < p.primaries && !slices.Contains(p.candidates[k], j) {
			p.candidates[k] = append(p.candidates[k], j)
			slices.Sort(p.candidates[k])
		}
	}
}

// insertAll is lines 3 to 8 of Algorithm 1. A bone that is removed again is tried elsewhere.
func (d *decomposing) insertAll() Reason {
	p := d.p
	barred := make([]bool, len(p.rest))
	for failed := 0; p.helpers() < d.opt.Bones; {
		if d.ctx.Err() != nil {
			return Cancelled
		}
		start := time.Now()
		motion, seed := d.newBone(barred)
		if motion == nil || failed == mostFailures {
			return NoMoreBones
		}
		p.addHelper(motion)
		p.sumBones(len(p.bones) - 1)
		inserted := time.Since(start)
		p.solveWeights(true)
		d.fast = &momentum{}
		removed := 0
		for i := range d.roundsBetween() {
			if i > 0 && d.ctx.Err() != nil {
				break
			}
			s := d.round(i == 0)
			if removed = p.removeWeak(); removed > 0 {
				p.solveWeights(true)
				break
			}
			if i == 0 {
				s.Insert = inserted
			}
			d.record(s, 0)
		}
		if failed++; removed == 0 {
			failed = 0
		}
		barred[seed] = removed > 0
	}
	return Converged
}

// If mostFailures new bones in a row have to be removed again, insertion ends with [NoMoreBones].
const mostFailures = 8

// newBone returns the motion of a new helper bone, and the point where it begins: as published, the worst (row 233). The
// motion is nil if there is no place for one.
func (d *decomposing) newBone(barred []bool) (motion []geom.Affine, seed int) {
	if !d.opt.AsPublished {
		if t := d.p.bestTrial(barred, d.opt.trialRounds); t != nil {
			return t.motion, t.seed
		}
		return nil, 0
	}
	seed = d.p.worst(barred)
	if seed < 0 {
		return nil, 0
	}
	return d.p.rigid(d.p.points.patches(d.p.x.Triangles, []int{seed})[0]), seed
}

// roundsBetween is the number of rounds after an insertion. In the paper it is 1 (row 234). With 8 the next bone is found
// in a better state: the leg with 8 bones ends at 1.05 mm, with 1 at 1.13 mm.
func (d *decomposing) roundsBetween() int {
	if d.opt.AsPublished {
		return 1
	}
	return 8
}

// iterate is lines 9 to 12.
func (d *decomposing) iterate() Reason {
	if d.p.helpers() == 0 {
		return Converged
	}
	d.fast = &momentum{}
	for round := range d.opt.Rounds {
		if d.ctx.Err() != nil {
			return Cancelled
		}
		d.record(d.round(round%thoroughEvery == thoroughEvery-1), round+1)
		if round < patience || d.opt.AllRounds {
			continue
		}
		before := d.history[len(d.history)-1-patience].RMS
		if !(before-d.p.rms() >= patience*leastFall*before) {
			return Converged
		}
	}
	return RoundLimit
}

// round solves the transformations, and then the weights, both with momentum where that lowers the error (row 235). The
// paper solves weights thoroughly in each round (row 236).
func (d *decomposing) round(thorough bool) (s Step) {
	p := d.p
	thorough = thorough || d.opt.AsPublished
	start := time.Now()
	least := p.objective()
	p.solveTransforms()
	solved := slices.Clone(p.bones[p.primaries:])
	var further [][]geom.Affine
	if !d.opt.AsPublished {
		further = d.fast.extrapolate(solved, p.scale, p.workers)
	}
	s.Transforms = time.Since(start)
	start = time.Now()
	if further != nil {
		d.before = p.save(d.before)
		p.moveTo(further, thorough)
		if p.objective() <= least {
			d.fast.factor *= moreMomentum
			s.Weights = time.Since(start)
			return s
		}
		d.fast.factor /= lessMomentum
		p.restore(d.before)
	}
	p.moveTo(solved, thorough)
	s.Weights = time.Since(start)
	return s
}

// moveTo sets the helper bones' motions and solves the weights.
func (p *problem) moveTo(motions [][]geom.Affine, thorough bool) {
	copy(p.bones[p.primaries:], motions)
	p.sumBones(p.primaries)
	p.solveWeights(thorough)
}

func (d *decomposing) record(s Step, round int) {
	s.Bones, s.RMS = d.p.helpers(), d.p.rms()
	d.history = append(d.history, s)
	if d.opt.Progress != nil {
		d.opt.Progress(Progress{Step: s, Round: round, Current: d.current})
	}
}

// current returns the decomposition as it is now.
func (d *decomposing) current() *Decomposition {
	out := d.p.current()
	out.History = slices.Clone(d.history)
	return out
}
