package bodymodel

import (
	"runtime"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/parallel"
)

// solver improves a body in phases: weights, vertices, joints with poses. Every phase begins and ends with current
// palettes and differences, and none raises Q.
type solver struct {
	scans     *scans
	body      *Body
	alpha     float64
	metric    *metric        // of alpha
	workers   int            // at least 1; no result depends on it
	jointTurn float64        // see [Recipe]
	palettes  []*Palette     // of each scan's pose
	off       [][]mgl64.Vec3 // [scan][vertex]: the scan minus the posed body
}

// newSolver makes a solver that changes b. Workers 0 means all cores.
func newSolver(s *scans, b *Body, alpha float64, workers int) *solver {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	f := &solver{scans: s, body: b, workers: workers}
	for range s.Shapes {
		f.palettes = append(f.palettes, b.NewPalette())
		f.off = append(f.off, make([]mgl64.Vec3, len(b.Vertices)))
	}
	f.setAlpha(alpha)
	f.update()
	return f
}

// setAlpha changes the weight of the Laplacian, and with it Q.
func (f *solver) setAlpha(alpha float64) { f.alpha, f.metric = alpha, newMetric(f.scans, alpha) }

// update computes the palettes and differences of the body.
func (f *solver) update() {
	parallel.For(f.workers, len(f.off), func(_, i int) { f.updateScan(i) })
}

// updateScan is update of one scan.
func (f *solver) updateScan(i int) {
	f.body.SetPalette(f.palettes[i], &f.body.Poses[i])
	f.body.lack(f.off[i], f.palettes[i], f.scans.Shapes[i])
}

// lack sets off to the offsets from the body in a pose to a shape.
func (b *Body) lack(off []mgl64.Vec3, p *Palette, shape []mgl64.Vec3) {
	for v := range b.Vertices {
		m := p.Map(b.Swing[v], b.Twist[v])
		off[v] = shape[v].Sub(m.Apply(b.Vertices[v]))
	}
}

// errors returns the body's errors at the solver's α.
func (f *solver) errors() Errors { return errorsOf(f.scans, f.off, f.alpha, f.workers) }
