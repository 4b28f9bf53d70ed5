package advise

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"skinlab/skinning/compare"
	"skinlab/skinning/messages"
)

// Choice is a recommendation.
type Choice struct {
	Choose  string   `json:"choose"` // the name of a way
	Reasons []string `json:"reasons"`
	// Fit is the fit to make: the chosen way, or the closest where the chosen way needs a shader. It is "" for none.
	Fit string `json:"fit,omitempty"`
	// Passed reports whether the chosen way is within the gate; true where there is none.
	Passed bool `json:"passed"`
}

// The rules of [Recommend].
const (
	// Invisible is the RMS error, as a fraction of the diagonal, that cannot be seen: 0.04 mm on a person of 2 m.
	Invisible = 2e-5
	// WorthChange is the share of linear blending's error that may be left by a way that asks something of an artist or
	// an engine.
	WorthChange = 0.5
	// WorthWeights is that share for a way that plays as plain glTF and does not reach WorthChange.
	WorthWeights = 0.9
	// Alike is the ratio of errors, and of costs, up to which two ways are alike.
	Alike = 1.1
)

// Recommend chooses among ways, linear blending by the file's weights first, by these rules in their order:
//
//  1. Where linear blending is within the gate, or its error cannot be seen, nothing changes.
//  2. Of the fits, which any engine plays, those within Alike of the least error are alike, and the smallest file of
//     these is chosen: if it is within the gate or, without one, has at most WorthChange of linear blending's error.
//  3. Otherwise the method of least cost with that error is chosen, which needs a shader. Costs within Alike of the
//     least are alike: of these methods the reference is chosen, which has no error by definition, else the first.
//  4. Otherwise the fit of rule 2 is chosen if it has at most WorthWeights of linear blending's error.
//  5. Otherwise nothing changes.
//
// A fit whose keys do not follow its bones is never alike to one whose keys do. The gate is a fraction of the diagonal,
// which is in metres.
func Recommend(ways []Way, diagonal, gate float64, against string) (c Choice) {
	linear := &ways[0]
	length := func(x float64) string { return messages.ReportLength(x, diagonal) }
	enough := WorthChange * linear.RMS
	goal := "half of linear blending's error"
	if gate > 0 {
		enough, goal = gate, "the gate of "+length(gate)
	}
	choose := func(w *Way, reasons ...string) Choice {
		if gate > 0 && w.RMS > gate {
			reasons = append(reasons, "No way is within the gate of "+length(gate)+".")
		}
		c := Choice{Choose: w.Name, Reasons: reasons, Passed: !(gate > 0 && w.RMS > gate)}
		if w.fitted() {
			c.Fit = w.Name
		}
		return c
	}
	switch {
	case gate > 0 && linear.RMS <= gate:
		return choose(linear, fmt.Sprintf("Linear blending by the file's weights is %s from %s by RMS, within the gate.", length(linear.RMS), against))
	case gate == 0 && linear.RMS <= Invisible:
		return choose(linear, fmt.Sprintf("Linear blending by the file's weights is %s from %s by RMS, which cannot be seen.", length(linear.RMS), against))
	}
	share := func(w *Way) string {
		return fmt.Sprintf("%s has %s of RMS error against %s, %.0f %% of linear blending's %s.", w.Title, length(w.RMS), against,
			100*w.RMS/linear.RMS, length(linear.RMS))
	}
	fitted := best(ways, (*Way).fitted)
	if fitted != nil && fitted.RMS <= enough {
		reasons := []string{share(fitted), "That is within " + goal + ", and it plays in any engine as plain glTF." +
			live(fitted)}
		if note := compare.KeyNote(fitted.Title, fitted.KeyError, fitted.KeyErrorClip, diagonal); note != "" {
			reasons = append(reasons, note)
		}
		closer := func(w Way) bool { return w.fitted() && w.Failed == "" && w.RMS < fitted.RMS }
		switch k := slices.IndexFunc(ways, closer); {
		case k >= 0 && ways[k].coarse() && !fitted.coarse():
			reasons = append(reasons, "Of the fits within a tenth of the least error, its file is the smallest whose keys follow "+
				"its bones.")
		case k >= 0:
			reasons = append(reasons, "Of the fits within a tenth of the least error, its file is the smallest.")
		}
		return choose(fitted, reasons...)
	}
	if shader := cheapest(ways, enough, against); shader != nil {
		reasons := []string{share(shader),
			"No fit is within " + goal + "; of the methods that are, none is a tenth cheaper. Your engine needs a shader for it."}
		if shader.Name == against {
			reasons = append(reasons, "It is the reference itself, and has no error by definition.")
		}
		if fitted != nil && fitted.RMS < linear.RMS {
			c.Fit, reasons = fitted.Name, append(reasons, "Without a shader: "+share(fitted))
		}
		chosen := choose(shader, reasons...)
		chosen.Fit = c.Fit
		return chosen
	}
	if fitted != nil && (fitted.RMS <= WorthWeights*linear.RMS || gate > 0 && fitted.RMS < linear.RMS) {
		return choose(fitted, share(fitted), "Nothing is within "+goal+"; this is the closest that plays in any engine."+live(fitted))
	}
	return choose(linear, "Nothing takes a tenth of linear blending's error away: it stays.")
}

// live says what a rig asks of an engine.
func live(w *Way) string {
	if !w.Live {
		return ""
	}
	return " Poses that are in no clip need a runtime that drives its joints."
}

// coarse reports whether a fit is visibly off between keys.
func (w *Way) coarse() bool { return w.KeyError > compare.CoarseKeys }

// best returns the way of the smallest file among those alike that of the least error, first of those whose keys follow
// their bones; nil where there is none.
func best(ways []Way, of func(*Way) bool) *Way {
	var all []*Way
	for i := range ways {
		if w := &ways[i]; of(w) && w.Failed == "" {
			all = append(all, w)
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b *Way) int { return cmp.Compare(a.RMS, b.RMS) })
	least := all[0].RMS
	all = slices.DeleteFunc(all, func(w *Way) bool { return w.RMS > Alike*least })
	return slices.MinFunc(all, func(a, b *Way) int {
		if a.coarse() != b.coarse() {
			return cmp.Compare(a.KeyError, b.KeyError)
		}
		return cmp.Compare(a.Bytes, b.Bytes)
	})
}

// cheapest returns the method of least cost whose error is at most enough, by rule 3 of [Recommend]; nil for none.
func cheapest(ways []Way, enough float64, against string) (chosen *Way) {
	var able []*Way
	least := math.Inf(1)
	for i := range ways {
		if w := &ways[i]; w.Failed == "" && w.Needs == Shader && w.RMS <= enough {
			able, least = append(able, w), min(least, w.NsPerVertex)
		}
	}
	for _, w := range able {
		if w.NsPerVertex <= Alike*least && (chosen == nil || w.Name == against) {
			chosen = w
		}
	}
	return chosen
}
