package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"skinlab/render/passes"
	"skinlab/skinning/bench"
)

// page writes the report for people, in Markdown.
func (r *reporter) page() []byte {
	var p pageWriter
	p.say("# On the GPU\n\nMade by `make gpu-report` on %s, which writes this page, with all numbers in `report.json`\n"+
		"beside it, to the folder `gpu` of `OUT`.\n", r.Made)
	if r.Renderer.Software {
		p.say("**No GPU was at hand.** Everything here was drawn by the processor, through a software renderer. That\n" +
			"shows that the shaders are right there and that this report works, and nothing of a GPU's speed.\n")
	}
	p.say("| | |\n|---|---|\n| renderer | %s |\n| driver | %s |\n| times | %s |\n| processor | %s, %d cores |\n",
		r.Renderer.Renderer, r.Renderer.Version, r.clock(), r.CPU, r.Cores)
	p.table("part", "s", "")
	for _, x := range r.Parts {
		p.row(x.Name, fmt.Sprintf("%.1f", x.Seconds), strings.ReplaceAll(x.Problem, "\n", "; "))
	}
	found := r.results()
	p.writeChecks(&found.testResults)
	if r.Renderer.Software {
		p.say("\n## What a vertex costs\n\nOn a GPU its tables are here. What the processor took, %d rows and %d of the\n"+
			"window, is in `report.json`, as the wall times that it is.", len(found.Measures), len(found.Windows))
		return p.Bytes()
	}
	p.writeCosts(&found, r.clock())
	p.writePasses(&found, r.clock())
	p.writeTargets(&found)
	p.writeWindow(&found)
	return p.Bytes()
}

// pageWriter writes Markdown.
type pageWriter struct{ bytes.Buffer }

func (p *pageWriter) say(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// table begins a table, row adds a row to it.
func (p *pageWriter) table(titles ...string) {
	p.row(titles...)
	p.say("|%s", strings.Repeat("---|", len(titles)))
}

func (p *pageWriter) row(cells ...string) { p.say("| %s |", strings.Join(cells, " | ")) }

// clock says whose times the measures are.
func (r *reporter) clock() string {
	if r.Clock == "GPU" {
		return "GPU time by timer queries"
	}
	return r.Clock + ": wall time to glFinish, no GPU time"
}

func (p *pageWriter) writeChecks(t *testResults) {
	passed := 0
	for _, x := range t.Tests {
		if x.Result == "PASS" {
			passed++
		}
	}
	p.say("\n## Checks\n\nThe tests of package `render`, each on an OpenGL context that reports errors in the call that\n"+
		"makes them: %d of %d passed.", passed, len(t.Tests))
	for _, x := range t.Tests {
		if x.Result != "PASS" {
			p.say("\n- %s **%s**", x.Name, x.Result)
		}
		if x.Output != "" {
			p.say("\n```\n%s```", x.Output)
		}
	}
	if len(t.Errors) > 0 {
		p.say("\nLargest distance of a vertex from float64, as a fraction of the model's diagonal (limit 1e-5), and\n" +
			"largest angle of a normal in radians (limit 1e-3), over all models and poses of a test, by\n" +
			"where vertices are posed:\n")
		p.table("test", "method", "poses", "vertex shader", "compute", "feedback")
	}
	for i, e := range t.Errors {
		same := func(o methodErrors) bool { return o.Test == e.Test && o.Method == e.Method }
		if slices.IndexFunc(t.Errors, same) < i {
			continue
		}
		cells := []string{e.Test, "`" + e.Method + "`", fmt.Sprint(e.Poses)}
		for _, path := range paths {
			cell := "–"
			for _, o := range t.Errors {
				if same(o) && o.Path == path {
					cell = fmt.Sprintf("%.1e, %.1e", o.Position, o.Normal)
				}
			}
			cells = append(cells, cell)
		}
		p.row(cells...)
	}
	if len(t.Pictures) > 0 {
		p.say("\nPictures beside those that are kept, which llvmpipe drew: the mean difference in levels of 255, and\n" +
			"the share of pixels that are more than 8 levels off, with limits of this kind of renderer:\n")
		p.table("picture", "mean", "limit", "share", "limit")
	}
	for _, x := range t.Pictures {
		p.row(x.Name, fmt.Sprintf("%.3f", x.Mean), fmt.Sprint(x.MeanLimit), fmt.Sprintf("%.2f %%", 100*x.Share),
			fmt.Sprintf("%g %%", 100*x.ShareLimit))
	}
	if len(t.Timers) > 0 {
		p.say("\nThe sum of all passes beside the clock, in a loop that keeps the renderer busy (limit 5 %%):\n")
		p.table("clock of the passes", "passes, s", "wall time, s", "ratio")
	}
	for _, x := range t.Timers {
		p.row(x.Clock, fmt.Sprintf("%.4f", x.Passes), fmt.Sprintf("%.4f", x.Wall), fmt.Sprintf("%.3f", x.Passes/x.Wall))
	}
}

// paths are the ways of skinning, as rows name them.
var paths = [...]string{"shader", "compute", "feedback"}

// rowOf finds the measure of a method on a path, nil where there is none.
func (r *results) rowOf(model, method, path string, instances int) *bench.Row {
	for i := range r.Measures {
		x := &r.Measures[i]
		if x.Model == model && x.Method == method && x.Skinning == path && x.Instances == instances {
			return x
		}
	}
	return nil
}

// measured is a model and a size of crowd that was measured.
type measured struct {
	model               string
	vertices, instances int
}

func (p *pageWriter) writeCosts(r *results, clock string) {
	p.say("\n## What a vertex costs\n\nPosing alone, with the upload of palettes and all passes of proxy bones: %s,\n"+
		"ns a vertex and instance, and over linear blending of the same round. In a buffer also the bytes that the\n"+
		"vertices of a pass take to read and write, as a share of the bandwidth at which a copy moves as many in the same\n"+
		"round. Chips differ in what their stages can do: a ratio is between rows of one column.", clock)
	var groups []measured
	methods := map[measured][]string{}
	for _, x := range r.Measures {
		g := measured{x.Model, x.Vertices, x.Instances}
		if methods[g] == nil {
			groups = append(groups, g)
		}
		if !slices.Contains(methods[g], x.Method) {
			methods[g] = append(methods[g], x.Method)
		}
	}
	for _, g := range groups {
		p.say("\n%s, %d vertices, instances: %d\n", g.model, g.vertices, g.instances)
		p.table("method", "vertex shader", "ratio", "compute", "ratio", "of copy", "feedback", "ratio", "of copy")
		for _, m := range methods[g] {
			cells := []string{"`" + m + "`"}
			for _, path := range paths {
				ns, ratio, share := "–", "–", "–"
				if x := r.rowOf(g.model, m, path, g.instances); x != nil {
					ns, ratio = fmt.Sprintf("%.4g", x.NsPerVertex), fmt.Sprintf("%.2f", x.RatioToLBS)
					if x.Memory != nil {
						share = fmt.Sprintf("%.0f %%", 100*x.ShareOfCopy)
					}
				}
				cells = append(cells, ns, ratio)
				if path != "shader" {
					cells = append(cells, share)
				}
			}
			p.row(cells...)
		}
	}
	p.say("")
	said := map[string]bool{}
	for _, s := range r.Skipped { // model, method, how many by which way: why
		parts := strings.SplitN(s, ", ", 3)
		line := parts[0] + ", " + parts[len(parts)-1]
		if !said[line] {
			said[line] = true
			p.say("- left out: %s", line)
		}
	}
}

// writePasses writes the medians of each pass of the pictures of a model by itself, posed in a buffer by compute.
func (p *pageWriter) writePasses(r *results, clock string) {
	titles := []string{"method"}
	for _, pass := range passes.All() {
		if pass != passes.Interface {
			titles = append(titles, pass.String())
		}
	}
	p.say("\n## The passes of a picture\n\nOne instance at 1280 × 720 pixels, posed by compute: each pass, µs, %s (palettes: the\n"+
		"processor's). Between passes the GPU may wait for the processor; that is in no pass.", clock)
	model := ""
	for i := range r.Measures {
		x := &r.Measures[i]
		if len(x.Passes) == 0 || x != r.rowOf(x.Model, x.Method, "compute", 1) {
			continue
		}
		if x.Model != model {
			model = x.Model
			p.say("\n%s, %d vertices\n", model, x.Vertices)
			p.table(append(titles, "all")...)
		}
		cells := []string{"`" + x.Method + "`"}
		for _, title := range titles[1:] {
			cell := "–"
			if k := slices.IndexFunc(x.Passes, func(p bench.Pass) bool { return p.Pass == title }); k >= 0 {
				cell = fmt.Sprintf("%.3g", x.Passes[k].MedianNs/1000)
			}
			cells = append(cells, cell)
		}
		p.row(append(cells, fmt.Sprintf("%.4g", x.PictureNs/1000))...)
	}
}

// targets are the most that a method may cost, over linear blending.
var targets = [...]struct {
	method string
	most   float64
}{
	{"blend-bones", 1.05}, {"dqs", 1.1}, {"sdqs", 1.2}, {"sbs", 1.2}, {"twist-swing", 1.2}, {"dib", 2},
	{"enveloping", 1.5},
}

// fastCopy is the share of the copy's bandwidth that linear blending in compute is to reach on the largest model.
const fastCopy = 0.8

func (p *pageWriter) writeTargets(r *results) {
	p.say("\n## Targets\n\nOver linear blending, one instance, models in the order of the tables above; ✗ is a target\n" +
		"missed:\n")
	p.table("method", "at most", "vertex shader", "compute", "feedback")
	var models []string
	var largest *bench.Row
	for i := range r.Measures {
		x := &r.Measures[i]
		if !slices.Contains(models, x.Model) {
			models = append(models, x.Model)
		}
		if x.Method == "lbs" && x.Skinning == "compute" && x.Memory != nil && x.Instances == 1 &&
			(largest == nil || x.Vertices > largest.Vertices) {
			largest = x
		}
	}
	for _, t := range targets {
		cells := []string{"`" + t.method + "`", fmt.Sprint(t.most)}
		for _, path := range paths {
			var ratios []string
			for _, m := range models {
				if x := r.rowOf(m, t.method, path, 1); x != nil {
					text := fmt.Sprintf("%.2f", x.RatioToLBS)
					if !(x.RatioToLBS <= t.most) {
						text += " ✗"
					}
					ratios = append(ratios, text)
				}
			}
			cells = append(cells, strings.Join(ratios, ", "))
		}
		p.row(cells...)
	}
	if largest != nil {
		p.say("\n`lbs` in compute on %d vertices reaches %.0f %% of the copy's %.0f GB/s; the target is %.0f %%.",
			largest.Vertices, 100*largest.ShareOfCopy, largest.CopyGBPerSecond, 100*fastCopy)
	}
}

func (p *pageWriter) writeWindow(r *results) {
	if len(r.Windows) == 0 {
		return
	}
	p.say("\n## The window\n\nThe same model on a virtual display through GLX, with all panels and without:\n")
	p.table("layout", "panels", "pixels", "frames", "frames a second", "ms a frame", "drawn by")
	for _, w := range r.Windows {
		by := w.Renderer
		if w.Software {
			by += " (software)"
		}
		panels := map[bool]string{true: "yes", false: "no"}[w.Interface]
		p.row(w.Layout, panels, fmt.Sprintf("%d × %d", w.Width, w.Height), fmt.Sprint(w.Frames),
			fmt.Sprintf("%.1f", w.FramesPerSecond), fmt.Sprintf("%.2f", 1000/w.FramesPerSecond), by)
	}
}
