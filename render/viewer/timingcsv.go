package viewer

import (
	"encoding/csv"
	"strconv"
	"strings"
)

// timesHeader names the columns of the timings as CSV. All rows have the same, empty where one says nothing.
var timesHeader = []string{"what", "name", "model", "vertices", "skinning", "device", "renderer", "last_us",
	"median_us", "p95_us", "ns_per_vertex",
	"ratio_to_lbs", "palette_us", "instances", "us_per_instance"}

// timesCSV returns the times that are shown: a row a pass, for the whole of what is seen, a row a method, and a row a
// size of the crowd.
func (a *app) timesCSV() (text string, rows int) {
	t := &a.timing
	var out strings.Builder
	w := csv.NewWriter(&out)
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	way, device := a.gpu.Skinning().String(), a.gpu.Timer().Label()
	write := func(what, name string, vertices int, cells ...string) {
		row := append([]string{what, name, a.modelName(), strconv.Itoa(vertices), way, device, a.info.Renderer}, cells...)
		w.Write(append(row, make([]string, len(timesHeader)-len(row))...)) // a strings.Builder takes everything
		rows++
	}
	w.Write(timesHeader)
	for i, p := range t.passes {
		f := t.figures[i]
		if !f.there {
			continue
		}
		if device = a.gpu.Timer().Label(); p.OnCPU() {
			device = "CPU"
		}
		write("pass", p.String(), t.vertices, number(f.last*1e6), number(f.median*1e6), number(f.p95*1e6),
			number(f.median*1e9/float64(max(t.vertices, 1))))
	}
	device = a.gpu.Timer().Label()
	for k, costs := range t.costs {
		way = skinningWays[k].String()
		for i, m := range a.lists.methods {
			c := costs[i]
			if !c.there {
				continue
			}
			ratio := ""
			if linear := costs[0]; linear.there && linear.perVertex > 0 {
				ratio = number(c.perVertex / linear.perVertex)
			}
			write("method", strings.ToLower(a.card(m).short), c.vertices, "", "", "", number(c.perVertex*1e9), ratio,
				number(c.palette*1e6))
		}
	}
	way = t.growth.way.String()
	for k, n := range t.growth.plot.X {
		vertices := int(n) * a.shown.vertices()
		write("crowd", t.growth.method, vertices, "", "", "", "", "", "", number(n), number(t.growth.plot.Y[k]))
	}
	w.Flush()
	return out.String(), rows
}

// copyTimes puts them on the clipboard.
func (a *app) copyTimes() {
	text, rows := a.timesCSV()
	if rows == 0 {
		a.notify("Nothing to copy yet", "Times show up as soon as frames are drawn.", noticeTime)
		return
	}
	a.win.SetClipboardString(text)
	a.notify("Copied", strconv.Itoa(rows)+" rows as CSV", noticeTime)
}
