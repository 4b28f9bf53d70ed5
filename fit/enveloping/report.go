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
	Fixed        int             `json:"fixed_vertices"` // posed by trained weights alone
	SSDEE        metrics.Percent `json:"ssd_ee"`
	SSDRMS       float64         `json:"ssd_rms"`
	SSDMax       float64         `json:"ssd_max"`
	SSDMean      float64         `json:"ssd_mean"`
	SSDDeviation float64         `json:"ssd_deviation"`
	Unseen       *UnseenTest     `json:"unseen,omitempty"`
	HeldOut      *UnseenTest     `json:"held_out,omitempty"`
	LeaveOneOut  *UnseenTest     `json:"loocv,omitempty"`
}

// UnseenTest is the errors on poses that were not trained on, of every way that learns from the same examples.
type UnseenTest struct {
	Clip   string   `json:"clip"`
	Frames int      `json:"frames"`       // the number that was tested on
	Of     int      `json:"of"`           // the number that was asked for: more where Ctrl-C ended the test
	LBS    Measured `json:"lbs,omitzero"` // plain linear blending with the file's own weights; not in leave-one-out
	SSD    Measured `json:"ssd"`
	PSD    Measured `json:"psd"`
	Fit    Measured `json:"fit"`
}

// Measured is [Errors] with lengths as fractions of the diagonal.
type Measured struct {
	EE        metrics.Percent `json:"ee"`
	RMS       float64         `json:"rms"`
	Max       float64         `json:"max"`
	Mean      float64         `json:"mean"`
	Deviation float64         `json:"deviation"`
}

func measured(e Errors, diagonal float64) Measured {
	if diagonal == 0 {
		diagonal = 1
	}
	return Measured{metrics.Percent(e.EE), e.RMS / diagonal, e.Max / diagonal, e.Mean, e.Dev}
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
	line := func(name string, e Measured) {
		fmt.Fprintf(w, "%-27s  %7s  %7.2f  %5.1f  %.1e  %.1e\n", name, e.EE.Text(2), e.Mean, e.Deviation, e.RMS, e.Max)
	}
	line("training, SSD", Measured{d.SSDEE, d.SSDRMS, d.SSDMax, d.SSDMean, d.SSDDeviation})
	if r.Method != "ssd" {
		line("training, "+r.Method, Measured{r.EE, r.RMS, r.Max, d.Mean, d.Deviation})
	}
	for _, u := range []struct {
		name string
		test *UnseenTest
	}{{"unseen", d.Unseen}, {"held out", d.HeldOut}, {"leave one out", d.LeaveOneOut}} {
		if u.test == nil {
			continue
		}
		if u.test.LBS != (Measured{}) {
			line(u.name+", linear blending", u.test.LBS)
		}
		line(u.name+", SSD", u.test.SSD)
		line(u.name+", SSD with PSD", u.test.PSD)
		if r.Method != "ssd" {
			line(u.name+", "+r.Method, u.test.Fit)
		}
	}
	if l := d.LeaveOneOut; l != nil && l.Frames < l.Of {
		fmt.Fprintf(w, "Leave one out was ended after %d of %d examples: its errors are over those.\n", l.Frames, l.Of)
	}
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
