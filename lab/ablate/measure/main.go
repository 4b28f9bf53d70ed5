// Command measure fits the sets of one part of the ablation table once and prints a JSON line for each, with the fits
// as they are or changed by a row: see package [skinlab/lab/ablate], which runs it for every row.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"

	"skinlab/lab/ablate/recipes"
)

// Outcome is a line: what a fit of a set makes. Errors, on what was trained on and on what was not, are EE in
// percent, and RMS in mm of helper bones and body models.
type Outcome struct {
	Set        string  `json:"set"`
	Fit        string  `json:"fit"` // the part of the table
	Seen       float64 `json:"seen"`
	Unseen     float64 `json:"unseen"`
	BaseSeen   float64 `json:"base_seen"`   // of what the fit must beat: trained SSD, or linear blending
	BaseUnseen float64 `json:"base_unseen"` // with the file's own weights
	Added      int     `json:"added"`       // joints
	Influences float64 `json:"influences"`  // a vertex
	Seconds    float64 `json:"seconds"`     // of processor time, the fit on one worker
}

func main() {
	fit := flag.String("fit", "enveloping", "the `part` of the table whose sets are measured")
	row := flag.Int("row", 0, "`number` of the row of package recipes that changes the fit; 0 for the fit as it is")
	only := flag.String("sets", "", "regular `expression` of the sets' names")
	models := flag.String("models", "../../shared/models", "`folder` of the real models")
	flag.Parse()
	chosen, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintf(os.Stderr, "measure: -sets: %v\n", err)
		os.Exit(1)
	}
	changed := recipes.Ours()
	if *row > 0 {
		rows := recipes.Rows()
		k := slices.IndexFunc(rows, func(r recipes.Row) bool { return r.Number == *row })
		if k < 0 {
			fmt.Fprintf(os.Stderr, "measure: there is no row %d\n", *row)
			os.Exit(1)
		}
		*fit = rows[k].Fit
		rows[k].Change(changed)
	}
	out := json.NewEncoder(os.Stdout)
	for _, s := range sets(source{*models, changed}) {
		if s.fit != *fit || !chosen.MatchString(s.name) {
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
