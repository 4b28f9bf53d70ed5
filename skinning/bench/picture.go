package bench

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Picture is the cost of whole pictures on a GL renderer, of which posing is a part.
type Picture struct {
	Skinning       string  `json:"skinning"`          // where vertices are posed: "shader", "compute" or "feedback"
	Instances      int     `json:"instances"`         // of the model in the picture
	P95NsPerVertex float64 `json:"p95_ns_per_vertex"` // of the rounds whose median is ns_per_vertex
	Frames         int     `json:"frames"`            // pictures that were timed
	PictureNs      float64 `json:"picture_ns"`        // a picture, all passes but the palette, median
	PictureP95Ns   float64 `json:"picture_p95_ns"`
	NsPerInstance  float64 `json:"ns_per_instance"` // picture_ns over instances
	Passes         []Pass  `json:"passes"`          // those that run, in their order
}

// Pass is one pass of a picture.
type Pass struct {
	Pass     string  `json:"pass"`
	MedianNs float64 `json:"median_ns"`
	P95Ns    float64 `json:"p95_ns"`
}

// WritePictures prints the passes of pictures for people, medians and 95th percentiles; rows without a picture are left
// out.
func WritePictures(out io.Writer, rows []Row) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Picture == nil })
	var passes []string // of any row, in order
	for _, r := range rows {
		at := 0
		for _, p := range r.Passes {
			if k := slices.Index(passes, p.Pass); k >= 0 {
				at = k + 1
				continue
			}
			passes = slices.Insert(passes, at, p.Pass)
			at++
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	many := crowds(rows)
	fmt.Fprintf(w, "model\tmethod\tskinning\t%s%s\tpicture\t%s\n", columnIf(many, "instances"), strings.Join(passes, "\t"),
		columnIf(many, "an instance"))
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s", r.Model, r.Method, r.Skinning, columnIf(many, strconv.Itoa(r.Instances)))
		for _, name := range passes {
			if k := slices.IndexFunc(r.Passes, func(p Pass) bool { return p.Pass == name }); k >= 0 {
				fmt.Fprintf(w, "%s\t", span(r.Passes[k].MedianNs, r.Passes[k].P95Ns))
			} else {
				fmt.Fprint(w, "–\t")
			}
		}
		fmt.Fprintf(w, "%s\t%s\n", span(r.PictureNs, r.PictureP95Ns),
			columnIf(many, fmt.Sprintf("%.3f", r.NsPerInstance*1e-6)))
	}
	w.Flush()
}

// crowds reports whether a row is of more than one instance.
func crowds(rows []Row) bool {
	return slices.ContainsFunc(rows, func(r Row) bool { return r.Picture != nil && r.Instances > 1 })
}

// columnIf returns a table's cell, or nothing where there is no such column.
func columnIf(there bool, cell string) string {
	if !there {
		return ""
	}
	return cell + "\t"
}

// span writes a median and a 95th percentile in milliseconds.
func span(median, p95 float64) string { return fmt.Sprintf("%.3f (%.3f)", median*1e-6, p95*1e-6) }
