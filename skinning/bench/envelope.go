package bench

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"skinlab/skinning"
)

// Envelope is what a linear rig keeps for the joints that it drives.
type Envelope struct {
	Proxies    int `json:"proxies"`
	Masters    int `json:"masters"`
	Bytes      int `json:"matrix_bytes"`       // of c₁ and c₂, which all coordinates share, on the row's device
	DenseBytes int `json:"dense_matrix_bytes"` // of C₁ and C₂ of RTER equation 6
}

// NewEnvelope returns the memory of a rig whose numbers have this many bytes each.
func NewEnvelope(s skinning.LinearSystem, number int) *Envelope {
	numbers, dense := s.Size()
	return &Envelope{Proxies: len(s.Joints), Masters: len(s.Masters), Bytes: number * numbers, DenseBytes: number * dense}
}

// envelopeOf returns the memory of a model's rig on the CPU, or nil for a model without a rig.
func envelopeOf(m *skinning.Model) *Envelope {
	if rig := skinning.RigOf[skinning.LinearRig](m); rig != nil {
		return NewEnvelope(rig.Linear(), 8)
	}
	return nil
}

// WriteEnvelopes prints the memory of the rigs, or nothing where no row has one.
func WriteEnvelopes(out io.Writer, rows []Row) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Envelope == nil })
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(out, "\nProxy bones: c1 and c2, which x, y and z share, and what RTER's matrices of all coordinates would "+
		"take, kB")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "model\tmethod\tdevice\tproxies\tmasters\tc1, c2\tdense\tshare\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%.1f\t%.1f\t1/%.2f\t\n", r.Model, r.Method, r.Device, r.Proxies, r.Masters,
			float64(r.Bytes)*1e-3, float64(r.DenseBytes)*1e-3, float64(r.DenseBytes)/float64(r.Bytes))
	}
	w.Flush()
}
