package papers

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"skinlab/fit/helperbones"
	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// HelperTable is HBR table 1 and figure 3, and seconds by step as in its section 6.2. RMS errors are over vertices and
// examples, millimetres.
type HelperTable struct {
	Model    string        `json:"model"`
	Vertices int           `json:"vertices"`
	Examples int           `json:"examples"`
	BeforeMm float64       `json:"before_rms_mm"` // of table 1's helper bones before controllers
	Controls []HelperCell  `json:"table1"`
	Curves   []HelperCurve `json:"figure3"`
}

// HelperCell is one setting of table 1.
type HelperCell struct {
	Degree   int     `json:"degree"`
	Lambda   float64 `json:"lambda"`   // a share of the λ at which all coefficients are 0
	Nonzeros float64 `json:"nonzeros"` // coefficients of a row of F_h, its constant too, the mean over rows and bones
	RMSmm    float64 `json:"rms_mm"`
	Ratio    float64 `json:"ratio"` // to the error before controllers
}

// HelperCurve is the fall of the error over the iterations of a fit of a number of helper bones, and the time of an
// iteration.
type HelperCurve struct {
	Bones      int       `json:"bones"`
	RMSmm      []float64 `json:"rms_mm"`             // after each iteration; the first is that of the weights alone
	Insert     float64   `json:"insert_seconds"`     // of a bone, the mean; 0 where bones are inserted on a part of the examples
	Transforms float64   `json:"transforms_seconds"` // of an iteration, the mean
	Weights    float64   `json:"weights_seconds"`    // of an iteration, the mean
	Seconds    float64   `json:"seconds"`            // of all insertions and iterations
}

// The settings of HBR section 6. Its λ are 0, 10 and 20 in a unit that it does not give; ours leave shares of the
// coefficients that are alike.
const (
	tableBones       = 4  // H of table 1
	curveBones       = 5  // most of figure 3
	HelperIterations = 20 // of figure 3
)

var tableLambdas = []float64{0, 0.003, 0.01}

// HBRTable fits helper bones to a model's examples, as published or with our defaults, with every setting of the paper.
// Progress, which may be nil, receives the name of each stage.
func HBRTable(
	ctx context.Context, m *skinning.Model, set *training.Set, published bool, progress func(stage string),
) (*HelperTable, error) {
	x, err := set.Examples(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	tell := func(format string, args ...any) {
		if progress != nil {
			progress(fmt.Sprintf(format, args...))
		}
	}
	recipe := helperbones.Ours()
	if published {
		recipe = helperbones.Published()
	}
	recipe.Decompose.Rounds, recipe.Decompose.Enough = HelperIterations, 0 // all iterations
	t := &HelperTable{Model: m.Name, Vertices: len(x.Rest), Examples: len(x.Targets)}
	var four *ssdr.Decomposition
	for bones := 1; bones <= curveBones; bones++ {
		tell("%d of %d helper bones, %d iterations", bones, curveBones, HelperIterations)
		start := time.Now()
		d, err := ssdr.Decompose(ctx, x, ssdr.Options{Recipe: recipe.Decompose, Bones: bones})
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		t.Curves = append(t.Curves, newHelperCurve(d, bones, time.Since(start)))
		if bones == tableBones {
			four = d
		}
	}
	t.BeforeMm = 1e3 * four.RMS
	for degree := 1; degree <= rig.MostDegree; degree++ {
		for _, lambda := range tableLambdas {
			tell("controllers of degree %d, λ %g", degree, lambda)
			c, err := helperbones.Control(ctx, x, four,
				helperbones.ControlOptions{Recipe: recipe, Degree: degree, Lambda: lambda})
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return nil, fmt.Errorf("%s: %w", m.Name, err)
			}
			t.Controls = append(t.Controls, HelperCell{Degree: degree, Lambda: lambda, RMSmm: 1e3 * c.RMS,
				Nonzeros: helperbones.MeanNonzeros(c.Rig), Ratio: c.RMS / four.RMS})
		}
	}
	return t, nil
}

// newHelperCurve sums up a decomposition into a number of bones.
func newHelperCurve(d *ssdr.Decomposition, bones int, took time.Duration) HelperCurve {
	c := HelperCurve{Bones: bones, Seconds: took.Seconds()}
	rounds := 0.0
	for _, s := range d.History {
		c.RMSmm = append(c.RMSmm, 1e3*s.RMS)
		c.Insert += s.Insert.Seconds() / float64(bones)
		if s.Transforms > 0 {
			rounds++
			c.Transforms, c.Weights = c.Transforms+s.Transforms.Seconds(), c.Weights+s.Weights.Seconds()
		}
	}
	c.Transforms, c.Weights = c.Transforms/rounds, c.Weights/rounds
	return c
}

// After returns the error after an iteration; 0 is after the last insertion.
func (c *HelperCurve) After(iteration int) float64 {
	return c.RMSmm[max(0, min(len(c.RMSmm)-1-HelperIterations+iteration, len(c.RMSmm)-1))]
}
