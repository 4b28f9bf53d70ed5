package bodymodel

import (
	"context"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/skinning/parallel"
)

// gaussNewtonJoints improves the poses of all scans and the joints' positions with them by a Gauss-Newton step with a
// line search (section 4, "Optimization of joints via Gauss-Newton algorithm"). The root's joint stays where it is,
// because the scans do not depend on its place. A joint that limbs hardly turn about stays too: see [Recipe].
func gaussNewtonJoints(ctx context.Context, f *solver) error {
	if len(f.body.Joints) == 1 {
		return gaussNewtonPoses(ctx, f)
	}
	newJointSearch(f, true).together(ctx)
	return nil
}

// gaussNewtonPoses is gaussNewtonJoints of the poses alone. As the scans do not depend on each other, each has its own
// line search.
func gaussNewtonPoses(ctx context.Context, f *solver) error {
	s := newJointSearch(f, false)
	parallel.For(f.workers, len(f.off), func(worker, i int) { s.poseScan(ctx, worker, i) })
	return nil
}

// leastLength is the shortest part of a step that the line search tries.
const leastLength = 1e-3

// jointSearch is the state of one step.
type jointSearch struct {
	*solver
	rows      *rows
	axes      [][]axisRate
	equations []*scanEquations // of each scan
	reduced   []*reducedEquations
	memory    []jointMemory // of each worker

	anchor []float64 // of each joint, the cost of shifting it: see [Recipe]
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
		solver: f, rows: newRows(b, f.scans, f.alpha), anchor: make([]float64, limbs), q: make([]float64, scans), trialQ: make([]float64, scans),
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
	for _, shares := range b.Swing {
		for _, i := range shares {
			s.anchor[i.Joint] += i.Weight * f.jointTurn * f.jointTurn * float64(scans)
		}
	}
	parallel.For(f.workers, scans, func(_, i int) { s.q[i] = s.scanQ(f.off[i]) })
	return s
}

// together improves joints and poses.
func (s *jointSearch) together(ctx context.Context) {
	s.axes = axisRates(s.body)
	parallel.For(s.workers, len(s.q), func(worker, i int) {
		if ctx.Err() == nil {
			s.linearize(worker, i)
			s.reduced[i].reduce(s.equations[i])
		}
	})
	if ctx.Err() != nil {
		return
	}
	shift, before := s.shift(), floats.Sum(s.q)
	for length := 1.; length > leastLength && ctx.Err() == nil; length /= 2 {
		s.tryTogether(shift, length)
		if floats.Sum(s.trialQ) < before {
			for i := range s.q {
				s.take(i)
			}
			copy(s.body.Joints, s.trial.Joints)
			copy(s.body.Axes, s.trial.Axes)
			return
		}
	}
}

// shift returns the step of the joints that goes with the best steps of all poses.
func (s *jointSearch) shift() []float64 {
	n := 3 * (len(s.anchor) - 1)
	matrix, shift, diagonal := make([]float64, n*n), make([]float64, n), make([]float64, n)
	for i, r := range s.reduced {
		floats.Add(matrix, r.joints.Data)
		floats.Add(shift, r.jointSide.Data)
		for k := range diagonal {
			diagonal[k] += s.equations[i].joints[k*n+k]
		}
	}
	for k := range diagonal {
		matrix[k*n+k] += s.anchor[1+k/3]
		diagonal[k] += s.anchor[1+k/3]
	}
	damp(matrix, diagonal, 0)
	solveDense(matrix, shift)
	return shift
}

// tryTogether tries part of a shift of the joints, with the steps of all poses that go with it.
func (s *jointSearch) tryTogether(shift []float64, length float64) {
	for k := 1; k < len(s.anchor); k++ {
		s.trial.Joints[k] = s.body.Joints[k].Add(mgl64.Vec3(shift[3*(k-1):][:3]).Mul(length))
	}
	s.trial.setAxes()
	parallel.For(s.workers, len(s.q), func(worker, i int) {
		step := s.memory[worker].step
		s.reduced[i].solve(step, shift)
		s.try(i, step, length)
	})
}

// poseScan improves the pose of one scan.
func (s *jointSearch) poseScan(ctx context.Context, worker, i int) {
	if ctx.Err() != nil {
		return
	}
	s.linearize(worker, i)
	s.reduced[i].reduce(s.equations[i])
	step := s.memory[worker].step
	for length := 1.; length > leastLength; length /= 2 {
		s.reduced[i].solve(step, nil)
		s.try(i, step, length)
		if s.trialQ[i] < s.q[i] {
			s.take(i)
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
