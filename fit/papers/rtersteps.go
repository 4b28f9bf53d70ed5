package papers

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// writeReductionTable prints what each step of the published model costs: compare RTER figures 6 and 7, which show
// predicted rotations, and the Poisson solve without and with fixed vertices.
func writeReductionTable(out io.Writer, rows []EnvelopeRow) {
	fmt.Fprintln(out, "\nAs published, step by step: EE % of the training poses")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "Example\tSSD\tOwn gradients\tPredicted S\tPredicted, unreduced\tVertex reduction\tFitted keys\tand reduced solve\tPredicted keys\t")
	for _, r := range rows {
		s := r.Steps
		fmt.Fprintf(w, "%s", r.Model)
		for _, ee := range []float64{s.Trained, s.Fixed, s.Shear, s.Full, s.Vertices, s.Keys, s.Reduced, s.Model} {
			fmt.Fprintf(w, "\t%.1f", ee)
		}
		fmt.Fprintln(w, "\t")
	}
	w.Flush()
}
