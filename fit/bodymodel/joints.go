package bodymodel

import (
	"context"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/skinning/parallel"
)

const (
	// Damping is the share of the diagonal that is added to it (Marquardt 1963). It starts at firstDamping (Q of the
	// arm after 16 calls of one step is 0.5 and 0.2 % higher with 1e-3 and 1e-5) and is multiplied or divided by
	// dampingFactor. Above mostDamping a step is too short to be worth a further pass over the scans.
	firstDamping  = 1e-4
	dampingFactor = 10
	mostDamping   = 1e3
	// leastLength is the shortest part of a Gauss-Newton step that the published line search tries.
	leastLength = 1e-3
	// leastGain is the share of Q by which a step must lower it for another step to be tried.
	leastGain = 1e-6
	// jointTurn is the turn between a limb and its parent, in radians (3 degrees), that suffices to locate their joint. A
	// shift of the joint in one call is penalised as if it moved the limb's vertices by jointTurn times the shift in every
	// scan. No example of the arm bends its fingers: without the penalty they fly off by 1.3 m, with it by 40 mm, at an RMS
	// error that is 10 % higher (row 282).
	jointTurn = 0.05
)

// joints improves the poses of all scans and, where move is set, the joints' positions with them, by at most a number
// of Levenberg-Marquardt steps (EBM section 4, "Optimization of joints via Gauss-Newton algorithm"; its line search
// alone stalls on 53 joints). The root's joint stays where it is, because the data do not depend on its place. A joint
// that limbs hardly turn about stays too; see jointTurn. Q never rises. When ctx ends, the poses so far are kept.
func (f *solver) joints(ctx context.Context, steps int, move bool) {
	s := newJointSearch(f, move)
	if move && len(f.body.Joints) > 1 {
		s.together(ctx, steps)
		return
	}
	parallel.For(f.workers, len(f.off), func(worker, i int) { s.poseScan(ctx, worker, i, steps) })
}

// jointSearch is the state of one call of [solver.joints].
type jointSearch struct {
	*solver
	rows      *rows
	axes      [][]axisRate
	equations []*scanEquations // of each scan
	reduced   []*reducedEquations
	memory    []jointMemory // of each worker

	start  []mgl64.Vec3 // the joints at first, and the cost of shifting each of them
	anchor []float64
	q      []float64 // of each scan

	// The trial is a body with other joints and poses, which shares everything else, and its results.
	trial         *Body
	trialPalettes []*Palette
	trialOff      [][]mgl64.Vec3
	trialQ        []float64
}

type jointMemory struct {
	rates  *PoseRates
	fields []screw
	sums   *limbSums
	chain  *chain
	step   []float64
}

func newJointSearch(f *solver, move bool) *jointSearch {
	b := f.body
	limbs, scans := len(b.Joints), len(f.off)
	s := &jointSearch{
		solver: f, rows: newRows(b, f.scans, f.alpha), start: slices.Clone(b.Joints), anchor: make([]float64, limbs),
		q: make([]float64, scans), trialQ: make([]float64, scans),
	}
	fields := angleFields
	if move {
		fields = jointFields
	}
	for range min(f.workers, scans) {
		s.memory = append(s.memory, jointMemory{
			b.newPoseRates(), make([]screw, fields*limbs), newLimbSums(b, s.rows, fields), newChain(limbs, fields, move),
			make([]float64, 3+3*limbs),
		})
	}
	trial := *b
	trial.Joints, trial.Poses = slices.Clone(b.Joints), make([]Pose, scans)
	s.trial = &trial
	for range scans {
		s.equations = append(s.equations, newScanEquations(limbs, move))
		s.reduced = append(s.reduced, newReducedEquations(limbs, move))
		s.trialPalettes = append(s.trialPalettes, b.NewPalette())
		s.trialOff = append(s.trialOff, make([]mgl64.Vec3, len(b.Vertices)))
	}
	if move && !f.published {
		for _, shares := range b.Swing {
			for _, i := range shares {
				s.anchor[i.Joint] += i.Weight * jointTurn * jointTurn * float64(scans)
			}
		}
	}
	parallel.For(f.workers, scans, func(_, i int) { s.q[i] = s.scanQ(f.off[i]) })
	return s
}

// together improves joints and poses.
func (s *jointSearch) together(ctx context.Context, steps int) {
	search := newStepSearch(s.published)
	for range steps {
		s.axes = axisRates(s.body)
		parallel.For(s.workers, len(s.q), func(worker, i int) {
			if ctx.Err() == nil {
				s.linearize(worker, i)
			}
		})
		before := floats.Sum(s.q) + s.penalty(s.body)
		for {
			if ctx.Err() != nil {
				return
			}
			shift := s.shift(search.damping)
			s.tryTogether(shift, search.length)
			after := floats.Sum(s.trialQ) + s.penalty(s.trial)
			if after < before {
				for i := range s.q {
					s.take(i)
				}
				copy(s.body.Joints, s.trial.Joints)
				copy(s.body.Axes, s.trial.Axes)
				search.succeed()
				if !(before-after > leastGain*before) {
					return
				}
				break
			}
			if !search.fail() {
				return
			}
		}
	}
}

// shift returns the step of the joints that goes with the best steps of all poses.
func (s *jointSearch) shift(damping float64) []float64 {
	parallel.For(s.workers, len(s.q), func(_, i int) { s.reduced[i].reduce(s.equations[i], damping) })
	n := 3 * (len(s.start) - 1)
	matrix, shift, diagonal := make([]float64, n*n), make([]float64, n), make([]float64, n)
	for i, r := range s.reduced {
		floats.Add(matrix, r.joints.Data)
		floats.Add(shift, r.jointSide.Data)
		for k := range diagonal {
			diagonal[k] += s.equations[i].joints[k*n+k]
		}
	}
	for k := range diagonal {
		limb, c := 1+k/3, k%3
		matrix[k*n+k] += s.anchor[limb]
		shift[k] += s.anchor[limb] * (s.start[limb][c] - s.body.Joints[limb][c])
		diagonal[k] += s.anchor[limb]
	}
	damp(matrix, diagonal, damping)
	solveDense(matrix, shift)
	return shift
}

// tryTogether tries part of a shift of the joints, with the steps of all poses that go with it.
func (s *jointSearch) tryTogether(shift []float64, length float64) {
	for k := 1; k < len(s.start); k++ {
		s.trial.Joints[k] = s.body.Joints[k].Add(mgl64.Vec3(shift[3*(k-1):][:3]).Mul(length))
	}
	s.trial.setAxes()
	parallel.For(s.workers, len(s.q), func(worker, i int) {
		step := s.memory[worker].step
		s.reduced[i].solve(step, shift)
		s.try(i, step, length)
	})
}

// penalty returns the cost of the shifts of a body's joints, see jointTurn.
func (s *jointSearch) penalty(b *Body) (sum float64) {
	for k, at := range b.Joints {
		sum += s.anchor[k] * at.Sub(s.start[k]).LenSqr()
	}
	return sum
}

// poseScan improves the pose of one scan.
func (s *jointSearch) poseScan(ctx context.Context, worker, i, steps int) {
	search := newStepSearch(s.published)
	for range steps {
		if ctx.Err() != nil {
			return
		}
		s.linearize(worker, i)
		before := s.q[i]
		for {
			step := s.memory[worker].step
			s.reduced[i].reduce(s.equations[i], search.damping)
			s.reduced[i].solve(step, nil)
			s.try(i, step, search.length)
			if s.trialQ[i] < before {
				break
			}
			if !search.fail() {
				return
			}
		}
		s.take(i)
		search.succeed()
		if !(before-s.q[i] > leastGain*before) {
			return
		}
	}
}

// linearize sets the equations of a scan at its pose.
func (s *jointSearch) linearize(worker, i int) {
	m, b := &s.memory[worker], s.body
	m.rates.Set(&b.Poses[i])
	twistFields(m.fields, b, m.rates)
	m.sums.sum(b, m.rates.palette, i, m.fields, s.metric, s.off[i])
	m.chain.set(b, m.rates, s.axes)
	m.chain.equations(s.equations[i], b, m.sums)
}

// try poses the trial of a scan by part of a step, and finds its Q.
func (s *jointSearch) try(i int, step []float64, length float64) {
	floats.Scale(length, step)
	s.body.Moved(&s.trial.Poses[i], &s.body.Poses[i], step)
	s.trial.SetPalette(s.trialPalettes[i], &s.trial.Poses[i])
	s.trial.lack(s.trialOff[i], s.trialPalettes[i], s.scans.Shapes[i])
	s.trialQ[i] = s.scanQ(s.trialOff[i])
}

// take makes the trial of a scan its pose.
func (s *jointSearch) take(i int) {
	s.body.Poses[i], s.trial.Poses[i] = s.trial.Poses[i], s.body.Poses[i]
	s.palettes[i], s.trialPalettes[i] = s.trialPalettes[i], s.palettes[i]
	s.off[i], s.trialOff[i] = s.trialOff[i], s.off[i]
	s.q[i] = s.trialQ[i]
}

// scanQ returns the part of Q that belongs to one scan.
func (s *jointSearch) scanQ(off []mgl64.Vec3) float64 {
	var data, smooth float64
	for v := range off {
		d := &off[v]
		data += d.LenSqr()
		ring := s.scans.Rings[v]
		if s.alpha == 0 || len(ring) == 0 {
			continue
		}
		var sum mgl64.Vec3
		for _, u := range ring {
			o := &off[u]
			sum[0] += o[0]
			sum[1] += o[1]
			sum[2] += o[2]
		}
		smooth += d.Sub(sum.Mul(1 / float64(len(ring)))).LenSqr()
	}
	return data + s.alpha*smooth
}

// stepSearch controls the length of the next step: by its damping or, as published, as a fraction of the undamped step
// (row 281).
type stepSearch struct {
	published       bool
	damping, length float64
	failed          bool // since the last step
}

func newStepSearch(published bool) *stepSearch {
	s := &stepSearch{published: published, damping: firstDamping, length: 1}
	if published {
		s.damping = 0
	}
	return s
}

// fail shortens the step, and reports whether to try it.
func (s *stepSearch) fail() bool {
	s.failed = true
	if s.published {
		s.length /= 2
		return s.length > leastLength
	}
	s.damping *= dampingFactor
	return s.damping < mostDamping
}

// succeed lengthens the next step, unless this one had to be shortened.
func (s *stepSearch) succeed() {
	if !s.failed {
		s.damping /= dampingFactor
	}
	s.length, s.failed = 1, false
}
