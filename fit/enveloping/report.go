package enveloping

import (
	"fmt"
	"io"

	"skinlab/fit"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
)

// Details are what a report of enveloping and of trained weights says beyond that of every fit. RMS and largest errors
// are fractions of the rest pose's diagonal; EE, and the mean and deviation over the vertices (RTER figure 11), are
// percentages of the best rigid prediction.
type Details struct {
	Mean         float64         `json:"mean"`
	Deviation    float64         `json:"deviation"`
	RMSmm        float64         `json:"rms_mm"`
	Fixed        int             `json:"fixed_vertices"` // posed by trained weights alone
	SSDEE        metrics.Percent `json:"ssd_ee,omitzero"`
	SSDRMS       float64         `json:"ssd_rms,omitzero"`
	SSDMax       float64         `json:"ssd_max,omitzero"`
	SSDMean      float64         `json:"ssd_mean,omitzero"`
	SSDDeviation float64         `json:"ssd_deviation,omitzero"`
	fit.UnseenTests
}

// LeaveOutSSD leaves trained weights of the model's own joints out of the report: for a fit of weights over more joints,
// whose own errors stand in their place.
func (d *Details) LeaveOutSSD() {
	d.SSDEE, d.SSDRMS, d.SSDMax, d.SSDMean, d.SSDDeviation = 0, 0, 0, 0, 0
	for _, t := range []*fit.UnseenTest{d.Unseen, d.HeldOut, d.Sequence, d.LeaveOneOut} {
		if t != nil {
			t.SSD, t.PSD = fit.Measured{}, fit.Measured{}
		}
	}
}

func measured(e Errors, diagonal float64) fit.Measured {
	if diagonal == 0 {
		diagonal = 1
	}
	return fit.Measured{EE: metrics.Percent(e.EE), RMS: e.RMS / diagonal, RMSmm: 1e3 * e.RMS, Max: e.Max / diagonal,
		Mean: e.Mean, Deviation: e.Dev}
}

// WriteText is [fit.Details].
func (d *Details) WriteText(w io.Writer, r *fit.Report) {
	fmt.Fprintf(w, "%s: %s of %s of %s: %s and %d added, %d of %d vertices fixed to joints, %s after %.2f s%s\n",
		r.Model, r.Method, messages.Count(r.Frames, example(r.Operator), example(r.Operator)+"s"),
		messages.Printable(r.Train),
		messages.Count(r.MasterBones, "bone", "bones"), r.AddedBones, d.Fixed, r.Vertices, r.Reason, r.Seconds, r.Ending())
	if len(r.History) > 3 {
		r.WriteHistory(w)
	}
	fmt.Fprintln(w, "                                EE %   mean %    ± %      RMS   largest")
	line := func(name string, e fit.Measured) {
		fmt.Fprintf(w, "%-27s  %7s  %7.2f  %5.1f  %.1e  %.1e\n", name, e.EE.Text(2), e.Mean, e.Deviation, e.RMS, e.Max)
	}
	ssd := fit.Measured{EE: d.SSDEE, RMS: d.SSDRMS, Max: d.SSDMax, Mean: d.SSDMean, Deviation: d.SSDDeviation}
	if ssd != (fit.Measured{}) {
		line("training, SSD", ssd)
	}
	if r.Method != "ssd" {
		line("training, "+r.Method, fit.Measured{EE: r.EE, RMS: r.RMS, Max: r.Max, Mean: d.Mean, Deviation: d.Deviation})
	}
	d.Each(r.Method, line)
	d.WriteEnding(w)
	fmt.Fprintf(w, "Percent of the best rigid prediction, mean and deviation over vertices; RMS and largest error are "+
		"fractions of the diagonal.\nInfluences %.2f -> %.2f a vertex.\n",
		r.InfluencesBefore, r.InfluencesAfter)
}

// example names an example of a method, or of shapes.
func example(operator string) string {
	if operator == "examples" {
		return "shape"
	}
	return operator + " pose"
}
