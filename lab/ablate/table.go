package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"skinlab/lab/ablate/recipes"
)

// fit is a part of the table. Its rows change the code of a fit, and are measured on sets of their own; beats is the
// baseline that the fit must beat. Errors below least count as that: nobody sees them, and a ratio of two would tell
// nothing.
type fit struct {
	folder, short, title, beats, errors string
	least                               float64
}

var fits = [...]fit{
	{"enveloping", "[enveloping](fits/enveloping.md)", "Enveloping (fit/enveloping)", "trained SSD", "EE in percent", 1},
	{"blendbones", "[blend bones](fits/blend-bones.md)", "Blend bones (fit/blendbones)", "linear blending", "EE in percent", 1},
	{"training", "poses of all clips", "Poses chosen from all clips (fit/training)", "linear blending", "EE in percent", 1},
	{"helperbones", "[helper bones](fits/helper-bones.md)", "Helper bones (fit/helperbones, fit/ssdr)", "linear blending with trained weights", "RMS in mm", 0.01},
	{"bodymodel", "[body models](fits/body-model.md)", "Body models (fit/bodymodel)", "the same body by linear blending", "RMS in mm", 0.01},
}

// lost is by how much the error of a set must rise for a row to have lost it.
const lost = 1.25

// effect is what a row does to the sets of its fit, beside the baseline: ratios in the geometric mean.
type effect struct {
	seen, unseen, seconds float64
	worst                 float64 // the largest ratio of one set's error
	worstSet              string
	// Lost counts the sets of which an error rises by a quarter, or past that of what the fit must beat.
	lost int
}

// both is the ratio over what is seen and what is not.
func (e *effect) both() float64 { return math.Sqrt(e.seen * e.unseen) }

// effectOf compares outcomes; errors below least count as that.
func effectOf(baseline, all []outcome, least float64) effect {
	e := effect{seen: 1, unseen: 1, seconds: 1}
	by := map[string]*outcome{}
	for k := range baseline {
		by[baseline[k].Set] = &baseline[k]
	}
	times := func(to *float64, now, before float64) float64 {
		ratio := now / before
		*to *= math.Pow(ratio, 1/float64(len(all)))
		return ratio
	}
	for k := range all {
		o, b := &all[k], by[all[k].Set]
		fails := false
		for _, x := range [...]struct {
			to                *float64
			now, before, beat float64
			what              string
		}{{&e.seen, o.Seen, b.Seen, b.BaseSeen, "trained"}, {&e.unseen, o.Unseen, b.Unseen, b.BaseUnseen, "unseen"}} {
			ratio := times(x.to, max(x.now, least), max(x.before, least))
			if ratio > e.worst {
				e.worst, e.worstSet = ratio, fmt.Sprintf("%s, %s", o.Set, x.what)
			}
			fails = fails || ratio >= lost || x.before <= x.beat && x.now > x.beat
		}
		if fails {
			e.lost++
		}
		times(&e.seconds, max(o.Seconds, 0.1), max(b.Seconds, 0.1))
	}
	return e
}

// update writes the table into its file once all baselines are measured. Rows that the file has and this run has not
// measured stay as they are.
func update(file string, all []recipes.Row, results [][]outcome) error {
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	lines := keptLines(string(old))
	for k, r := range all {
		switch {
		case k < len(fits) && results[k] == nil:
			return nil
		case k >= len(fits) && results[k] != nil:
			at := slices.IndexFunc(fits[:], func(f fit) bool { return f.folder == r.Fit })
			lines[r.Number] = line(&r, effectOf(results[at], results[k], fits[at].least), sources())
		}
	}
	return os.WriteFile(file, write(results[:len(fits)], lines), 0o644)
}

// keptLines returns the lines of an old table by the numbers of their rows. A row that is gone, or that another one
// has the place of, has none.
func keptLines(old string) map[int]string {
	lines := map[int]string{}
	for line := range strings.Lines(old) {
		for _, r := range recipes.Rows() {
			if strings.HasPrefix(line, fmt.Sprintf("| %d | %s |", r.Number, r.Name)) {
				lines[r.Number] = line
			}
		}
	}
	return lines
}

// line is the row's in the table. Commit is what it was measured on.
func line(r *recipes.Row, e effect, commit string) string {
	return fmt.Sprintf("| %d | %s | %.3f | %.3f | %.3f | %d | %.2f %s | %.2f | %s |\n", r.Number, r.Name, e.seen, e.unseen,
		e.both(), e.lost, e.worst, e.worstSet, e.seconds, commit)
}

// bothColumn is where a line has the ratio of both errors, among what its bars part.
const bothColumn = 5

// write makes the page of the lines by their rows' numbers. There is a baseline for each fit.
func write(baselines [][]outcome, lines map[int]string) []byte {
	var out bytes.Buffer
	out.WriteString(strings.NewReplacer("PROCESSOR", processor(), "SOURCES", sources(),
		"SUMMARY", summary(baselines, lines)).Replace(preface))
	for f, fit := range fits {
		fmt.Fprintf(&out, "\n## %s\n\n", fit.title)
		out.WriteString("|  | without it, or with another value | trained | unseen | both | lost | worst | time | commit |\n" +
			"|---:|---|---:|---:|---:|---:|---|---:|---|\n")
		for _, r := range recipes.Rows() {
			if r.Fit == fit.folder {
				out.WriteString(lines[r.Number])
			}
		}
		fmt.Fprintf(&out, "\nThe sets as they are, %s, in brackets that of %s:\n\n", fit.errors, fit.beats)
		out.WriteString("| set | trained | unseen | added joints | influences | seconds |\n|---|---:|---:|---:|---:|---:|\n")
		for _, o := range baselines[f] {
			fmt.Fprintf(&out, "| %s | %.2f (%.2f) | %.2f (%.2f) | %d | %.2f | %.2f |\n", o.Set, o.Seen, o.BaseSeen, o.Unseen,
				o.BaseUnseen, o.Added, o.Influences, o.Seconds)
		}
	}
	return out.Bytes()
}

// summary is a line for each fit: how it stands to what it must beat and to its paper, and what buys most.
func summary(baselines [][]outcome, lines map[int]string) string {
	const most = 3 // rows that are named
	var out strings.Builder
	out.WriteString("| fit | sets | trained | unseen | as published | seconds | what buys most |\n" +
		"|---|---:|---:|---:|---:|---:|---|\n")
	for f, fit := range fits {
		e := effect{seen: 1, unseen: 1, seconds: 1}
		for k := range baselines[f] {
			o, share := &baselines[f][k], 1/float64(len(baselines[f]))
			e.seen *= math.Pow(max(o.Seen, fit.least)/max(o.BaseSeen, fit.least), share)
			e.unseen *= math.Pow(max(o.Unseen, fit.least)/max(o.BaseUnseen, fit.least), share)
			e.seconds *= math.Pow(max(o.Seconds, 0.1), share)
		}
		published, best := "", []gain{}
		for _, r := range recipes.Rows() {
			cells := strings.Split(lines[r.Number], "|")
			if r.Fit != fit.folder || len(cells) <= bothColumn {
				continue
			}
			ratio := strings.TrimSpace(cells[bothColumn])
			if r.Name == asPublished {
				published = ratio
			} else if x, err := strconv.ParseFloat(ratio, 64); err == nil && x >= 1.02 && !r.Value() {
				best = append(best, gain{x, fmt.Sprintf("%s (%s)", r.Name, ratio)})
			}
		}
		slices.SortStableFunc(best, func(a, b gain) int { return cmp.Compare(b.ratio, a.ratio) })
		var names []string
		for _, g := range best[:min(most, len(best))] {
			names = append(names, g.name)
		}
		fmt.Fprintf(&out, "| %s | %d | %.2f | %.2f | %s | %.2f | %s |\n", fit.short, len(baselines[f]), e.seen, e.unseen,
			published, e.seconds, strings.Join(names, "; "))
	}
	return out.String()
}

// gain is what a row costs.
type gain struct {
	ratio float64
	name  string
}

// asPublished is the name of the row that is the paper's fit.
const asPublished = "as published"

// sources names the commit of the working tree.
func sources() string {
	text, err := exec.Command("git", "log", "-1", "--format=%h").Output()
	if err != nil {
		return "none"
	}
	return strings.TrimSpace(string(text))
}

// processor names the processor, where the system says it.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if m := regexp.MustCompile(`(?m)^model name\s*:\s*(.*)$`).FindSubmatch(text); err == nil && m != nil {
		return string(m[1])
	}
	return runtime.GOOS + "/" + runtime.GOARCH
}

const preface = `# What every heuristic and constant of the fits buys

After this page you know which steps of the fits earn their place, and what taking one out costs.

SUMMARY
Trained and unseen are the errors divided by those of what the fit must beat, as published is the error of the paper's fit
divided by ours, and what buys most are the steps without which the error grows most: the geometric means over the sets.

` + "`make ablate`" + ` measures this table anew and goes on where it was interrupted. The sets were measured on commit
SOURCES, on one core (PROCESSOR). Each row names the commit that it was measured on: its ratios are to the code of
that commit. A run for some of the rows leaves the others as they are.

A row takes a heuristic out of the code or changes a constant, and fits every set again. Its numbers are ratios to the
code as it is, in the geometric mean over the sets:

- trained, unseen, both: of the enveloping error (EE) over the poses that were learnt, over others, and over the two.
  Above 1 is what the heuristic buys. An EE below 1 % counts as 1 %. Errors of helper bones and body models are RMS in
  mm, and count as 0.01 mm below that. For blend bones, trained is the whole of the clip
  that poses are learnt of, and unseen the mean over other clips of the file.
- lost: the number of sets of which an error rises by a quarter or more, or past that of what the fit must beat.
- worst: the largest ratio of one set.
- time: processor time of the fit. Times below a tenth of a second are rounded up to that.

A step stays that is worth 2 % over trained and unseen poses and on three sets, without which three sets are lost, or which
saves a tenth of the time. A row with "for" gives a constant another value. Rows of lab/ablate that are not here have not
been measured yet.
`
