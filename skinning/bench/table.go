package bench

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// column is one of the table that [WriteTable] prints.
type column struct {
	title string
	show  bool // columns that would say the same in all rows are left out
	cell  func(r *Row) string
}

// WriteTable prints what skinning costs for people.
func WriteTable(out io.Writer, rows []Row) {
	memory := slices.ContainsFunc(rows, func(r Row) bool { return r.Memory != nil })
	columns := []column{
		{"model", true, func(r *Row) string { return r.Model }},
		{"vertices", true, func(r *Row) string { return strconv.Itoa(r.Vertices) }},
		{"method", true, func(r *Row) string { return r.Method }},
		{"device", true, func(r *Row) string { return r.Device }},
		{"simd", many(rows, (*Kernel).form), func(r *Row) string { return r.Kernel.form() }},
		{"threads", many(rows, threads), func(r *Row) string { return threads(r.Kernel) }},
		{"skinning", slices.ContainsFunc(rows, func(r Row) bool { return r.Picture != nil }), func(r *Row) string {
			if r.Picture == nil {
				return "–"
			}
			return r.Skinning
		}},
		{"instances", crowds(rows), func(r *Row) string {
			if r.Picture == nil {
				return "1"
			}
			return strconv.Itoa(r.Instances)
		}},
		{"ns/vertex", true, func(r *Row) string { return fmt.Sprintf("%.2f", r.NsPerVertex) }},
		{"ratio to lbs", true, func(r *Row) string { return fmt.Sprintf("%.2f", r.RatioToLBS) }},
		{"speed-up", many(rows, threads), func(r *Row) string { _, speedUp := r.Kernel.workers(); return speedUp }},
		{"GB/s\tcopy GB/s\tof copy", memory, func(r *Row) string { return r.Memory.cells() }},
		{"palette µs", true, func(r *Row) string { return fmt.Sprintf("%.1f", r.PaletteUs) }},
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	var line strings.Builder
	for _, c := range columns {
		line.WriteString(columnIf(c.show, c.title))
	}
	fmt.Fprintln(w, line.String())
	for i := range rows {
		line.Reset()
		for _, c := range columns {
			line.WriteString(columnIf(c.show, c.cell(&rows[i])))
		}
		fmt.Fprintln(w, line.String())
	}
	w.Flush()
}

// many reports whether kernels of rows differ in a cell.
func many(rows []Row, cell func(k *Kernel) string) bool {
	first := ""
	for _, r := range rows {
		switch {
		case r.Kernel == nil:
		case first == "":
			first = cell(r.Kernel)
		case first != cell(r.Kernel):
			return true
		}
	}
	return false
}

func threads(k *Kernel) string {
	n, _ := k.workers()
	return n
}
