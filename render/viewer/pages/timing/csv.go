package timing

import (
	"encoding/csv"
	"strconv"
	"strings"

	"skinlab/render/viewer/desk"
)

// Columns returns the names of the CSV table's columns. All rows have the same columns; a row leaves those empty that
// do not apply to it.
func Columns() []string {
	return []string{"what", "name", "model", "vertices", "skinning", "device", "renderer", "last_us",
		"median_us", "p95_us", "ns_per_vertex",
		"ratio_to_lbs", "palette_us", "instances", "us_per_instance"}
}

// table returns the shown times: a row per pass, for all panes together, a row per method, and a row per size of the
// crowd.
func (p *Page) table() (text string, rows int) {
	header := Columns()
	var out strings.Builder
	w := csv.NewWriter(&out)
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	way, device := p.gpu.Way().String(), p.gpu.Timer().Label()
	write := func(what, name string, vertices int, cells ...string) {
		row := []string{what, name, p.host.ModelName(), strconv.Itoa(vertices), way, device, p.info.Renderer}
		row = append(row, cells...)
		w.Write(append(row, make([]string, len(header)-len(row))...)) // a strings.Builder never fails
		rows++
	}
	w.Write(header)
	for i, pass := range p.passes {
		f := p.Times[i]
		if !f.There {
			continue
		}
		if device = p.gpu.Timer().Label(); pass.OnCPU() {
			device = "CPU"
		}
		write("pass", pass.String(), p.vertices, number(f.Last*1e6), number(f.Median*1e6), number(f.P95*1e6),
			number(f.Median*1e9/float64(max(p.vertices, 1))))
	}
	device = p.gpu.Timer().Label()
	for k, costs := range p.costs {
		way = ways[k].String()
		for i, m := range p.methods {
			c := costs[i]
			if !c.There {
				continue
			}
			ratio := ""
			if linear := costs[0]; linear.There && linear.PerVertex > 0 {
				ratio = number(c.PerVertex / linear.PerVertex)
			}
			write("method", strings.ToLower(p.host.Short(m)), c.vertices, "", "", "", number(c.PerVertex*1e9), ratio,
				number(c.Palette*1e6))
		}
	}
	way = p.growth.way.String()
	for k, n := range p.growth.plot.X {
		posed := int(n) * vertices(p.host.Model())
		write("crowd", p.growth.method, posed, "", "", "", "", "", "", number(n), number(p.growth.plot.Y[k]))
	}
	w.Flush()
	return out.String(), rows
}

// copyTable puts the table on the clipboard.
func (p *Page) copyTable() {
	text, rows := p.table()
	if rows == 0 {
		p.Notify("Nothing to copy yet", "Times show up as soon as frames are drawn.", desk.NoticeTime)
		return
	}
	p.host.SetClipboard(text)
	p.Notify("Copied", strconv.Itoa(rows)+" rows as CSV", desk.NoticeTime)
}
