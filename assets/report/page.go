package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"

	"skinlab/assets/chart"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
)

//go:embed page.html
var pageText string

// styleText is the style sheet of all pages, the template "style".
//
//go:embed style.html
var styleText string

// pageView is the data of the page's template.
type pageView struct {
	*Report
	Title string
	Lead  string
	Unit  string // of lengths
	Sized bool   // the unit is a length, and percent stand beside it
	// HalfTurns says that some poses are half turns, which have a column.
	HalfTurns bool
	Facts     [][2]string
	Table     []tableRow
	Time      []figure
	Sweep     []figure
}

// tableRow is one method. Its distances are in percent of the diagonal and in the report's unit of length.
type tableRow struct {
	Method, EE, RMS, RMSLength, Largest, LargestLength, Where, VolumeLow, VolumeHigh, HalfTurns string

	IsReference bool
	Ink         template.CSS
	Dash        string
}

type figure struct {
	Name, Alt     string
	Width, Height int
}

func (r *Report) page(w io.Writer) error {
	t, err := NewPage(pageText)
	if err != nil {
		return err
	}
	v := pageView{Report: r, Title: fmt.Sprintf("%s, %s: skinning compared with %s", r.Model.Name, r.Clip, r.Reference),
		Lead: r.lead(), Facts: r.facts()}
	for i := range r.Rows {
		v.Table = append(v.Table, r.tableRow(i))
	}
	v.Unit, _ = r.unit()
	v.Sized = v.Unit == "mm"
	v.HalfTurns = len(r.Rows) > 0 && r.Rows[0].HalfTurns != nil
	v.Time, v.Sweep = figures(r.overTime()), figures(r.sweepCharts())
	return t.Execute(w, &v)
}

// Apart reports whether poses of half turns are measured apart from others.
func (r *Report) Apart() bool {
	return len(r.Rows) > 0 && r.Rows[0].HalfTurns != nil && r.Rows[0].HalfTurns.Poses < r.Frames
}

// NewPage parses a page's template, which may use the template "style".
func NewPage(text string) (*template.Template, error) {
	t, err := template.New("page").Parse(styleText)
	if err != nil {
		return nil, err
	}
	return t.Parse(text)
}

func figures(charts []namedChart) (list []figure) {
	for _, c := range charts {
		list = append(list, figure{c.name, AltText(c.chart), chart.Width, chart.Height})
	}
	return list
}

// AltText describes a chart for people who cannot see it.
func AltText(c *chart.Chart) string {
	names := make([]string, len(c.Curves))
	for i := range names {
		names[i] = c.Curves[i].Name
	}
	return fmt.Sprintf("%s: %s over %s, for %s", c.Title, c.Y.Label, c.X.Label, strings.Join(names, ", "))
}

func (r *Report) tableRow(i int) tableRow {
	row, ink := &r.Rows[i], chart.Ink(i)
	t := tableRow{
		Method: row.Method, EE: share(row.EE),
		RMS: significant(100 * row.RMS), RMSLength: significant(r.length(row.RMS)),
		Largest: significant(100 * row.Max), LargestLength: significant(r.length(row.Max)),
		Where:     fmt.Sprintf("%.2f s, vertex %d", row.WorstTime, row.WorstVertex),
		VolumeLow: fmt.Sprintf("%.1f", 100*row.VolumeRatioMin), VolumeHigh: fmt.Sprintf("%.1f", 100*row.VolumeRatioMax),
		IsReference: row.Method == r.Reference,
		Ink:         template.CSS(fmt.Sprintf("#%02x%02x%02x", ink.R, ink.G, ink.B)),
	}
	if row.Max < messages.Rounding {
		t.EE, t.RMS, t.RMSLength, t.Largest, t.LargestLength, t.Where = "0", "0", "0", "0", "0", "–"
	}
	if row.HalfTurns != nil {
		t.HalfTurns = significant(r.length(row.HalfTurns.RMS))
	}
	for k, d := range chart.Dashes(i) {
		if k > 0 {
			t.Dash += " "
		}
		t.Dash += strconv.FormatFloat(d, 'g', 4, 64)
	}
	return t
}

// length converts a fraction of the diagonal to the report's unit of length.
func (r *Report) length(fraction float64) float64 {
	_, perDiagonal := r.unit()
	return perDiagonal * fraction
}

func (r *Report) unit() (name string, perDiagonal float64) {
	return messages.ReportUnit(r.Model.Diagonal())
}

// share formats an EE, as a dash where there is none.
func share(ee metrics.Percent) string {
	if !ee.Known() {
		return "–"
	}
	return significant(float64(ee))
}

// significant formats three digits, never as a power of ten. Below a ten-thousandth it says just that.
func significant(x float64) string {
	switch {
	case x == 0:
		return "0"
	case math.Abs(x) < 1e-4:
		return "< 0.0001"
	}
	digits := 2 - int(math.Floor(math.Log10(math.Abs(x))))
	return strconv.FormatFloat(x, 'f', min(max(digits, 0), 6), 64)
}

// lead is the result in sentences: which method is farthest from the reference, and whether one collapses.
func (r *Report) lead() string {
	worst, thin := -1, -1
	for i := range r.Rows {
		if row := &r.Rows[i]; row.Max > messages.Rounding && (worst < 0 || row.Max > r.Rows[worst].Max) {
			worst = i
		}
		if row := &r.Rows[i]; thin < 0 || row.VolumeRatioMin < r.Rows[thin].VolumeRatioMin {
			thin = i
		}
	}
	if worst < 0 {
		return fmt.Sprintf("No method differs from %s over this clip.", r.Reference)
	}
	row := &r.Rows[worst]
	unit, _ := r.unit()
	// No-break spaces keep numbers and units on one line.
	far := significant(r.length(row.Max)) + " " + unit
	if unit == "mm" {
		far += ", " + significant(100*row.Max) + " % of the diagonal,"
	}
	outside := ""
	if r.Apart() {
		outside = " outside half turns"
	}
	text := fmt.Sprintf("%s is farthest from %s%s: %s at vertex %d, %.2f s into the clip.", row.Method, r.Reference,
		outside, far, row.WorstVertex, row.WorstTime)
	if row.EE.Known() {
		text += fmt.Sprintf(" Its enveloping error is %s %%.", significant(float64(row.EE)))
	}
	if t := &r.Rows[thin]; t.VolumeRatioMin < 0.99 {
		text += fmt.Sprintf(" The least volume is that of %s: %.1f %% of the rest pose.", t.Method, 100*t.VolumeRatioMin)
	}
	return text
}

func (r *Report) facts() [][2]string {
	m := &r.Model
	vertices := strconv.Itoa(m.Vertices)
	if m.SkinnedVertices != m.Vertices {
		vertices += fmt.Sprintf(", of which %d are skinned", m.SkinnedVertices)
	}
	influences := m.Influences.String()
	for i := range m.Inputs {
		influences += fmt.Sprintf("; %s %s", strings.ToLower(m.Inputs[i].Name), m.Inputs[i].Text())
	}
	reference := r.Reference
	if r.ReferenceWhy != "" {
		reference += " (" + r.ReferenceWhy + ")"
	}
	facts := [][2]string{
		{"Model", m.Name},
		{"Vertices", vertices},
		{"Triangles", strconv.Itoa(m.Triangles)},
		{"Joints", strconv.Itoa(m.Joints)},
		{"Influences", influences},
		{m.SizeName(), fmt.Sprintf("%s, diagonal %.4g m", m.SizeText(), r.Model.Diagonal())},
		{"Clip", fmt.Sprintf("%s, %.2f s, measured at %d poses", r.Clip, r.Seconds, r.Frames)},
		{"Reference", reference},
	}
	if len(m.Warnings) > 0 {
		facts = append(facts, [2]string{"Warnings", strings.Join(m.Warnings, "; ")})
	}
	return append(facts, [2]string{"skinlab", r.Skinlab}, [2]string{"Go", r.Go}, [2]string{"Made", r.Made})
}
