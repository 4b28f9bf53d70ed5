// Command measure fits every set of the ablation table once and prints a JSON line for each: see package
// [skinlab/lab/ablate], which builds it anew for every row.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

// Outcome is a line: what a fit of a set makes. Errors, on what was trained on and on what was not, are EE in percent, and
// RMS in mm of helper bones and body models.
type Outcome struct {
	Set        string  `json:"set"`
	Fit        string  `json:"fit"` // the part of the table
	Seen       float64 `json:"seen"`
	Unseen     float64 `json:"unseen"`
	BaseSeen   float64 `json:"base_seen"`   // of what the fit must beat: trained SSD, or linear blending
	BaseUnseen float64 `json:"base_unseen"` // with the file's own weights
	Added      int     `json:"added"`       // joints
	Influences float64 `json:"influences"`  // a vertex
	Roughness  float64 `json:"roughness"`   // of enveloping on what was not trained on: see roughness
	Seconds    float64 `json:"seconds"`     // of processor time, the fit on one worker
}

func main() {
	fit := flag.String("fit", "enveloping", "the `part` of the table whose sets are measured")
	models := flag.String("models", "../../shared/models", "`folder` of the real models")
	flag.Parse()
	out := json.NewEncoder(os.Stdout)
	for _, s := range sets(*models) {
		if s.fit != *fit {
			continue
		}
		o, err := s.run()
		if err == nil {
			o.Set, o.Fit = s.name, s.fit
			err = out.Encode(o)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "measure: set %q: %v\n", s.name, err)
			os.Exit(1)
		}
	}
}
