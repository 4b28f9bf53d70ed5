// Package report writes the result of a comparison as a folder that can be mailed or put beside a paper. It has
// pictures, curves, data.json, and one HTML page that needs neither network nor scripts.
package report

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"skinlab/assets/chart"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/metrics"
	"skinlab/skinning/sweep"
)

// Report is everything that the folder shows. It is also data.json.
type Report struct {
	Format  string `json:"format"`  // [Format]; Write fills it in
	Version int    `json:"version"` // of the format; Write fills it in
	// Files are the names of all files of the folder; Write fills them in. A folder with other files is never replaced.
	Files []string `json:"files"`

	Command string `json:"command"` // the command line that makes this report
	Skinlab string `json:"skinlab"` // version
	Go      string `json:"go"`      // version and system
	Made    string `json:"made"`    // day

	Model     skinning.Description `json:"model"`
	Clip      string               `json:"clip"`
	Seconds   float64              `json:"seconds"` // of the clip
	Reference string               `json:"reference"`
	// ReferenceWhy says why this reference was chosen; "" where the user named it.
	ReferenceWhy  string        `json:"reference_why,omitempty"`
	ReferenceText string        `json:"reference_text"` // what the reference is and why, in a sentence
	Notes         []string      `json:"notes"`          // what else must be known of the numbers, sentences
	Frames        int           `json:"frames"`
	Rows          []compare.Row `json:"rows"` // with their series
	Sweeps        []Sweep       `json:"sweeps"`
	Pictures      []Picture     `json:"pictures"`
}

// Format marks data.json as a report of this program. FormatVersion counts incompatible changes.
const (
	Format        = "skinlab report"
	FormatVersion = 1
)

// Picture is a contact sheet.
type Picture struct {
	File    string      `json:"file"`
	Title   string      `json:"title"`
	Caption string      `json:"caption"`
	Image   image.Image `json:"-"`
}

// Tall reports whether a picture needs a printed page of its own. Others share one with the table.
func (p Picture) Tall() bool { return 4*p.Image.Bounds().Dy() > 5*p.Image.Bounds().Dx() }

// Sweep is one joint turned about one axis, and what each method does at each angle.
type Sweep struct {
	Joint   string        `json:"joint"`
	Axis    string        `json:"axis"`    // twist, bend or side
	Against string        `json:"against"` // what its errors are distances from
	Degrees []float64     `json:"degrees"` // ascending
	Curves  []sweep.Curve `json:"curves"`
	// HalfTurns are the degrees at which joints are half a turn apart. Curves have gaps there. Note says so; it is "" where
	// there are none.
	HalfTurns []float64 `json:"half_turns"`
	Note      string    `json:"half_turns_note,omitempty"`
}

// NewSweep converts the result of package sweep, with angles in degrees. Joints are those of the farthest half turn, as
// [metrics.HalfTurn.Text] has them.
func NewSweep(joint string, axis sweep.Axis, against string, curves []sweep.Curve, halfTurns []int, joints string) Sweep {
	s := Sweep{Joint: joint, Axis: axis.String(), Against: against, Curves: curves, HalfTurns: []float64{}}
	for _, a := range curves[0].Angles {
		s.Degrees = append(s.Degrees, math.Round(a*180/math.Pi*1e9)/1e9) // whole degrees stay whole
	}
	for _, i := range halfTurns {
		s.HalfTurns = append(s.HalfTurns, s.Degrees[i])
	}
	if len(halfTurns) > 0 {
		s.Note = metrics.HalfTurnNote(len(halfTurns), len(s.Degrees), joints)
	}
	return s
}

// namedChart is a chart and the name of its files without the ending.
type namedChart struct {
	name  string
	chart *chart.Chart
}

// overTime returns the charts over the clip, or none where a single frame was measured.
func (r *Report) overTime() []namedChart {
	if len(r.Rows) == 0 || len(r.Rows[0].Series) < 2 {
		return nil
	}
	var at []float64
	for _, s := range r.Rows[0].Series {
		at = append(at, s.Time)
	}
	over := func(name, title, y string, base, scale float64, value func(*compare.Sample) float64) namedChart {
		c := &chart.Chart{Title: title, X: chart.Axis{Label: "time in " + r.Clip + ", s"},
			Y: chart.Axis{Label: y, Base: base}, At: at}
		for i := range r.Rows {
			curve := chart.Curve{Name: r.Rows[i].Method}
			for k := range r.Rows[i].Series {
				s := &r.Rows[i].Series[k]
				if s.HalfTurn && r.Apart() {
					curve.Values = append(curve.Values, math.NaN()) // a gap
				} else {
					curve.Values = append(curve.Values, scale*value(s))
				}
			}
			c.Curves = append(c.Curves, curve)
		}
		return namedChart{name, c}
	}
	unit, perDiagonal := r.unit()
	return []namedChart{
		over("rms", "RMS distance to "+r.Reference, "RMS, "+unit, 0, perDiagonal,
			func(s *compare.Sample) float64 { return s.RMS }),
		over("largest", "Largest distance to "+r.Reference, "largest, "+unit, 0, perDiagonal,
			func(s *compare.Sample) float64 { return s.Max }),
		over("volume", "Volume", "volume, % of the rest pose", 100, 100,
			func(s *compare.Sample) float64 { return s.VolumeRatio }),
	}
}

// Charts returns the sweep's charts: the error in a unit, and the volume at the joint, which shows a collapse that
// distances hide. PerDiagonal is the diagonal in that unit. Curves have gaps at half turns, unless there is nothing
// else.
func (s *Sweep) Charts(unit string, perDiagonal float64) []*chart.Chart {
	over := func(title, y string, base, scale float64, values func(*sweep.Curve) []float64) *chart.Chart {
		x := chart.Axis{Label: s.Axis + " of " + s.Joint + ", degrees", Step: degreeStep(s.Degrees)}
		c := &chart.Chart{Title: title, X: x, Y: chart.Axis{Label: y, Base: base}, At: s.Degrees}
		for i := range s.Curves {
			curve := chart.Curve{Name: s.Curves[i].Name}
			for k, v := range values(&s.Curves[i]) {
				if slices.Contains(s.HalfTurns, s.Degrees[k]) && len(s.HalfTurns) < len(s.Degrees) {
					v = math.NaN() // a gap
				}
				curve.Values = append(curve.Values, scale*v)
			}
			c.Curves = append(c.Curves, curve)
		}
		return c
	}
	about := strings.ToUpper(s.Axis[:1]) + s.Axis[1:] + " of " + s.Joint
	return []*chart.Chart{
		over(about+": RMS distance to "+s.Against, "RMS, "+unit, 0, perDiagonal, func(c *sweep.Curve) []float64 { return c.RMS }),
		over(about+": volume at the joint", "volume, % of the rest pose", 100, 100,
			func(c *sweep.Curve) []float64 { return c.LocalVolume }),
	}
}

// degreeStep puts ticks at every 45 degrees where a sweep covers most of a turn.
func degreeStep(degrees []float64) float64 {
	switch span := degrees[len(degrees)-1] - degrees[0]; {
	case span > 450:
		return 90
	case span >= 180:
		return 45
	case span >= 60:
		return 15
	default:
		return 0
	}
}

// sweepCharts returns the charts of all sweeps.
func (r *Report) sweepCharts() (charts []namedChart) {
	unit, perDiagonal := r.unit()
	for i := range r.Sweeps {
		for k, c := range r.Sweeps[i].Charts(unit, perDiagonal) {
			charts = append(charts, namedChart{fmt.Sprintf("sweep-%d-%s-%s", i+1, r.Sweeps[i].Axis,
				[...]string{"rms", "volume"}[k]), c})
		}
	}
	return charts
}
