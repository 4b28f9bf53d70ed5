// Package sweep turns one joint through a range of angles and measures every skinning method at each angle. The curves
// show the candy-wrapper and the bulging artefacts.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/compare"
	"skinlab/skinning/metrics"
	"skinlab/skinning/parallel"
)

// Axis is the axis that a joint turns about, see [anatomy.JointAxes].
type Axis int

// The axes.
const (
	Twist Axis = anatomy.AxisTwist // along the bone
	Bend  Axis = anatomy.AxisBend  // across it, the way the joint bends already
	Side  Axis = anatomy.AxisSide  // across both
)

// axes returns all axes.
func axes() []Axis { return []Axis{Twist, Bend, Side} }

func (a Axis) String() string {
	switch a {
	case Twist:
		return "twist"
	case Bend:
		return "bend"
	case Side:
		return "side"
	}
	return fmt.Sprintf("Axis(%d)", int(a))
}

// ParseAxis is the inverse of String.
func ParseAxis(name string) (Axis, error) {
	for _, a := range axes() {
		if a.String() == name {
			return a, nil
		}
	}
	return 0, fmt.Errorf("axis %q: not one of twist, bend, side", name)
}

// Options choose what is swept.
type Options struct {
	Joint     int // index into the model's joints
	Axis      Axis
	Angles    []float64 // radians, from the static pose
	Reference skinning.Reference
	Subjects  []compare.Subject // a subject's Clip is not read
	// Centers is what the model's frames share, so that centres of rotation are made once; nil collects it anew.
	Centers *skinning.CenterSets
	Workers int // 0 means GOMAXPROCS; the result does not depend on it
	// Progress is told how many angles are measured, by any of the workers; it may be nil.
	Progress func(done, of int)
}

// Curve is the result of one subject. Every list has one value per angle.
type Curve struct {
	Name   string    `json:"method"`
	Angles []float64 `json:"-"` // radians, those of the options
	// EE is for the one pose of the angle, see [metrics.Measurement].
	EE          []metrics.Percent `json:"ee"`
	RMS         []float64         `json:"rms"`          // distance to the reference, a fraction of the rest-pose diagonal
	Max         []float64         `json:"max"`          // likewise
	Volume      []float64         `json:"volume"`       // of the whole skin, over that of the rest pose; 1 where that has none
	LocalVolume []float64         `json:"local_volume"` // of the joint's [metrics.NewRegion], likewise
}

// Even returns n angles from first to last, both included, for n of at least 2. A symmetric range of odd n has an exact
// 0 in the middle.
func Even(first, last float64, n int) []float64 {
	angles := make([]float64, n)
	for i := range angles {
		angles[i] = (first*float64(n-1-i) + last*float64(i)) / float64(n-1)
	}
	return angles
}

// Run measures with the float32 kernels, whose positions are within about 1e-6 of the model's size. It returns ctx's
// error no later than one angle after ctx is done. A missing skin, a joint out of range and a subject with another skin
// are errors.
func Run(ctx context.Context, m *skinning.Model, opt Options) ([]Curve, error) {
	if err := opt.validate(m); err != nil {
		return nil, err
	}
	s := newSweep(m, &opt)
	workers := parallel.Workers(opt.Workers)
	all := make([]*worker, workers)
	defer func() {
		for _, w := range all {
			if w != nil {
				w.close()
			}
		}
	}()
	var done atomic.Int64
	parallel.For(workers, len(opt.Angles), func(k, i int) {
		if ctx.Err() != nil {
			return
		}
		if all[k] == nil {
			all[k] = s.newWorker()
		}
		all[k].measure(i)
		if n := done.Add(1); opt.Progress != nil {
			opt.Progress(int(n), len(opt.Angles))
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.curves, nil
}

func (opt *Options) validate(m *skinning.Model) error {
	switch {
	case len(m.Skin.Positions) == 0:
		return fmt.Errorf("%s: no skinned mesh to sweep", m.Name)
	case opt.Joint < 0 || opt.Joint >= len(m.Skeleton.Joints):
		return fmt.Errorf("%s: joint %d: not one of %d", m.Name, opt.Joint, len(m.Skeleton.Joints))
	case opt.Axis < Twist || opt.Axis > Side:
		return fmt.Errorf("sweep: %v", opt.Axis)
	case len(opt.Angles) == 0:
		return errors.New("sweep: no angles")
	}
	for i, a := range opt.Angles {
		if math.IsNaN(a) || math.IsInf(a, 0) {
			return fmt.Errorf("sweep: angle %d is %g", i, a)
		}
	}
	for _, subject := range opt.Subjects {
		if subject.Model == nil {
			continue
		}
		if n := len(subject.Model.Skin.Positions); n != len(m.Skin.Positions) {
			return fmt.Errorf("%s: a skin of %d vertices, %s has %d", subject.Name, n, m.Name, len(m.Skin.Positions))
		}
	}
	return nil
}
