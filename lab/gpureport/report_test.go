package main

import (
	"math"
	"strings"
	"testing"

	"skinlab/render/gpu"
	"skinlab/skinning/bench"
)

// verbose is what tests say: one passes with parts, one fails, one is skipped, one has not ended.
const verbose = `=== RUN   TestMatches
=== RUN   TestMatches/box
=== ATTR  TestMatches/box error:dqs:compute 1e-07 2e-06
=== RUN   TestMatches/arm
=== ATTR  TestMatches/arm error:dqs:compute 3e-07 1e-06
=== ATTR  TestMatches/arm error:dqs:shader 2e-07 1e-06
--- PASS: TestMatches (1.50s)
    --- PASS: TestMatches/box (0.50s)
    --- SKIP: TestMatches/arm (1.00s)
=== RUN   TestPicture
=== ATTR  TestPicture picture:box 0.25 3 0.01 0.06
    golden_test.go:12: off by a level
--- FAIL: TestPicture (2.00s)
=== RUN   TestBroken
=== ATTR  TestBroken error:lbs:shader NaN 0
=== ATTR  TestBroken timer:GPU 1.5
=== ATTR  TestBroken other:thing words
--- SKIP: TestBroken (0.00s)
=== RUN   TestTimer
=== ATTR  TestTimer timer:CPU_(software_renderer) 0.98 1
`

func TestRead(t *testing.T) {
	var r testResults
	told := 0
	faults := r.read(strings.NewReader(verbose), func(*testResult) { told++ })
	if faults == nil || !strings.Contains(faults.Error(), "NaN") ||
		!strings.Contains(faults.Error(), "1 numbers, expected 2") {
		t.Errorf("NaN and a missing number: error %v", faults)
	}
	if len(r.Tests) != 3 || told != 3 || r.Tests[0].Parts != 1 || r.Tests[0].Skipped != 1 || r.Tests[0].Seconds != 1.5 ||
		r.Tests[0].Output != "" || r.Tests[1].Result != "FAIL" || !strings.Contains(r.Tests[1].Output, "off by a level") ||
		r.Tests[2].Result != "SKIP" {
		t.Errorf("tests %+v, told of %d", r.Tests, told)
	}
	if want := (methodErrors{"TestMatches", "dqs", "compute", 2, 3e-7, 2e-6}); len(r.Errors) != 2 || r.Errors[0] != want {
		t.Errorf("errors %+v, the first should be %+v", r.Errors, want)
	}
	if len(r.Pictures) != 1 || r.Pictures[0] != (pictureErrors{"box", 0.25, 3, 0.01, 0.06}) {
		t.Errorf("pictures %+v", r.Pictures)
	}
	if len(r.Timers) != 1 || r.Timers[0] != (timerSum{"CPU (software renderer)", 0.98, 1}) {
		t.Errorf("timers %+v", r.Timers)
	}
}

// TestPage: a page of a GPU holds measures against the targets; one of a software renderer says so and shows no time of
// a method.
func TestPage(t *testing.T) {
	row := func(method, path string, ns, ratio float64) bench.Row {
		x := bench.Row{Model: "m", Vertices: 1000, Method: method, NsPerVertex: ns, RatioToLBS: ratio,
			Picture: &bench.Picture{Skinning: path, Instances: 1}}
		if path != "shader" {
			x.Memory = bench.NewMemory(72000, 1000, []float64{ns * 1e-6}, []float64{200e9})
		}
		return x
	}
	rows := []bench.Row{
		row("lbs", "shader", 0.75, 1), row("lbs", "compute", 0.5, 1), row("dqs", "shader", 0.9, 1.2),
		row("dqs", "compute", 0.51, 1.02)}
	rows[1].Passes, rows[1].PictureNs = []bench.Pass{{Pass: "skin", MedianNs: 2340}}, 56780
	r := reporter{report: report{Clock: "GPU", Renderer: gpu.Info{Renderer: "card"},
		Parts: []part{{Name: "measure of m", results: results{Measures: rows}}}}}
	if x := rows[1].Memory; !(math.Abs(x.ShareOfCopy-0.72) < 1e-9) { // 72 bytes in 0.5 ns are 144 of 200 GB/s
		t.Errorf("share of the copy %g, expected 0.72", x.ShareOfCopy)
	}
	page := string(r.page())
	for _, line := range []string{
		"| `dqs` | 0.9 | 1.20 | 0.51 | 1.02 | 71 % | – | – | – |",
		"| `dqs` | 1.1 | 1.20 ✗ | 1.02 |  |",
		"| `lbs` | – | – | – | 2.34 | – | – | – | – | 56.78 |",
		"reaches 72 % of the copy's 200 GB/s", "GPU time by timer queries"} {
		if !strings.Contains(page, line) {
			t.Errorf("no %q in\n%s", line, page)
		}
	}
	r.Renderer.Software, r.Clock = true, "CPU (software renderer)"
	page = string(r.page())
	for _, line := range []string{"0.51", "GPU time by", "## Targets"} {
		if strings.Contains(page, line) {
			t.Errorf("a software renderer's page has %q:\n%s", line, page)
		}
	}
	if !strings.Contains(page, "**No GPU was at hand.**") {
		t.Errorf("a software renderer's page does not say so:\n%s", page)
	}
}
