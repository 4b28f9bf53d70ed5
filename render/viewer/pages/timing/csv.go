package timing

import (
	"encoding/csv"
	"strconv"
	"strings"

	"skinlab/render/viewer/desk"
	"skinlab/skinning"
)

// Columns returns the names of the CSV table's columns: the thing that is timed, the setting, and the figures. All rows
// have the same columns; figures that do not apply to a row are empty.
func Columns() []string {
	return []string{"what", "name", "model", "shown", "clip", "instances", "skinning", "width", "height", "device", "renderer",
		"vertices", "last_us", "q1_us", "median_us", "q3_us", "p95_us", "ns_per_vertex", "ratio_to_lbs", "palette_us", "us_per_instance"}
}

type csvRow struct {
	what, name, shown, device string
	setting
	vertices int
	figures  map[string]float64
}

// table returns all times: a row per pass, for all panes together, per method and setting, and per size of the crowd.
func (p *Page) table() (text string, rows int) {
	list := p.rows()
	var out strings.Builder
	w := csv.NewWriter(&out)
	w.Write(Columns()) // a strings.Builder never fails
	for i := range list {
		w.Write(p.cells(&list[i]))
	}
	w.Flush()
	return out.String(), len(list)
}

// cells writes a row in the order of Columns.
func (p *Page) cells(r *csvRow) []string {
	clip := "static pose"
	if r.clip >= 0 {
		clip = p.Models.File.ClipNames[r.clip]
	}
	cells := []string{r.what, r.name, p.Models.ModelName(), r.shown, clip, strconv.Itoa(r.instances), r.way.String(),
		strconv.Itoa(r.width), strconv.Itoa(r.height), r.device, p.info.Renderer, strconv.Itoa(r.vertices)}
	for _, column := range Columns()[len(cells):] {
		cell := ""
		if x, ok := r.figures[column]; ok {
			cell = strconv.FormatFloat(x, 'g', 6, 64)
		}
		cells = append(cells, cell)
	}
	return cells
}

func (p *Page) rows() (list []csvRow) {
	label := p.GPU.Timer().Label()
	var seen []string
	for _, pane := range p.State.Seen() {
		name := p.name(pane.Method)
		if pane.Beside {
			name += " of the second file"
		}
		seen = append(seen, name)
	}
	pass := func(name, device string, f Figures, ofVertices bool) {
		if !f.There {
			return
		}
		figures := map[string]float64{"last_us": f.Last * 1e6, "q1_us": f.Lower * 1e6, "median_us": f.Median * 1e6,
			"q3_us": f.Upper * 1e6, "p95_us": f.P95 * 1e6}
		if ofVertices {
			figures["ns_per_vertex"] = f.Median * 1e9 / float64(max(p.vertices, 1))
		}
		list = append(list, csvRow{"pass", name, strings.Join(seen, "+"), device, p.subject.setting, p.vertices, figures})
	}
	for i, x := range p.passes {
		device := label
		if x.OnCPU() {
			device = "CPU"
		}
		pass(x.String(), device, p.Times[i], posesVertices(x))
	}
	pass("picture", label, p.Picture, false)
	for i := range p.costs.list {
		r := &p.costs.list[i]
		figures := map[string]float64{"ns_per_vertex": r.cost.PerVertex * 1e9, "palette_us": r.cost.Palette * 1e6}
		if linear := p.costs.of(r.setting, skinning.LBS); linear.There && linear.PerVertex > 0 {
			figures["ratio_to_lbs"] = r.cost.PerVertex / linear.PerVertex
		}
		list = append(list, csvRow{"method", p.name(r.method), p.name(r.method), label, r.setting, r.cost.vertices, figures})
	}
	for k, n := range p.growth.plot.X {
		list = append(list, csvRow{"crowd", p.growth.method, p.growth.method, label, p.growth.withInstances(int(n)),
			int(n) * vertices(p.Models.File.Model), map[string]float64{"us_per_instance": p.growth.plot.Y[k]}})
	}
	return list
}

func (p *Page) name(m skinning.Method) string { return strings.ToLower(p.Models.Short(m)) }

func (p *Page) copyTable() {
	text, rows := p.table()
	if rows == 0 {
		p.Notify("Nothing to copy yet", "Times show up as soon as frames are drawn.", desk.NoticeTime)
		return
	}
	p.host.SetClipboard(text)
	p.Notify("Copied", strconv.Itoa(rows)+" rows as CSV", desk.NoticeTime)
}
