package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// testResults is what the tests of package render said.
type testResults struct {
	Tests    []testResult    `json:"tests,omitempty"`    // that ended, in their order
	Errors   []methodErrors  `json:"errors,omitempty"`   // against float64
	Pictures []pictureErrors `json:"pictures,omitempty"` // against the kept ones
	Timers   []timerSum      `json:"timers,omitempty"`
}

// testResult is how a test ended.
type testResult struct {
	Name    string  `json:"name"`
	Result  string  `json:"result"` // PASS, FAIL or SKIP
	Parts   int     `json:"parts"`  // subtests that passed or failed
	Skipped int     `json:"skipped"`
	Seconds float64 `json:"seconds"`
	Output  string  `json:"output,omitempty"` // of one that failed
}

// methodErrors are the largest errors of a test, of a method on a path of the GPU, over all its models and poses.
type methodErrors struct {
	Test     string  `json:"test"`
	Method   string  `json:"method"`
	Path     string  `json:"path"`
	Poses    int     `json:"poses"`
	Position float64 `json:"position"` // fraction of the model's diagonal
	Normal   float64 `json:"normal"`   // radians
}

// pictureErrors are the differences between a picture and the kept one: the mean over its pixels in levels of 255, and
// the share of pixels that differ by more than 8, each with its limit.
type pictureErrors struct {
	Name       string  `json:"name"`
	Mean       float64 `json:"mean"`
	MeanLimit  float64 `json:"mean_limit"`
	Share      float64 `json:"share"`
	ShareLimit float64 `json:"share_limit"`
}

// timerSum is the time of all passes of a busy loop, and the time on the clock, seconds.
type timerSum struct {
	Clock  string  `json:"clock"`
	Passes float64 `json:"passes"`
	Wall   float64 `json:"wall"`
}

// timed matches the tests whose figures are times. They run alone.
var timed = regexp.MustCompile(`Tim|Seconds`)

// test runs the tests of package render in the folder of their pictures. Tests that take times run first, alone. The
// others are shared out over processes, one for every four cores, because the processor does most of their work:
// float64, and new contexts.
func (r *reporter) test(ctx context.Context, into *results) error {
	program, err := filepath.Abs(filepath.Join(r.programs, "render.test"))
	if err != nil {
		return err
	}
	list := exec.CommandContext(ctx, program, "-test.list", "^Test")
	list.Dir = "render"
	out, err := list.Output()
	if err != nil {
		return err
	}
	var alone []string
	groups := make([][]string, max(runtime.NumCPU()/4, 1))
	for i, name := range strings.Fields(string(out)) {
		if timed.MatchString(name) {
			alone = append(alone, name)
		} else {
			groups[i%len(groups)] = append(groups[i%len(groups)], name)
		}
	}
	faults := runTests(ctx, program, alone, &into.testResults)
	found, errs := make([]testResults, len(groups)), make([]error, len(groups))
	var wait sync.WaitGroup
	for i, names := range groups {
		wait.Go(func() { errs[i] = runTests(ctx, program, names, &found[i]) })
	}
	wait.Wait()
	for i := range found {
		into.add(&found[i])
	}
	if len(into.Tests) == 0 {
		faults = errors.Join(faults, errors.New("no test has ended"))
	}
	return errors.Join(append(errs, faults)...)
}

// runTests runs some tests of a program and reads what they say.
func runTests(ctx context.Context, program string, names []string, into *testResults) error {
	cmd := exec.CommandContext(ctx, program, "-test.v", "-test.timeout", "30m", "-test.run", "^("+strings.Join(names, "|")+")$")
	cmd.Dir, cmd.Stderr = "render", os.Stderr
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	faults := into.read(out, func(t *testResult) { fmt.Printf("    %s %s (%.1f s)\n", t.Result, t.Name, t.Seconds) })
	return errors.Join(faults, cmd.Wait())
}

// add adds what another process said.
func (t *testResults) add(o *testResults) {
	t.Tests, t.Errors = append(t.Tests, o.Tests...), append(t.Errors, o.Errors...)
	t.Pictures, t.Timers = append(t.Pictures, o.Pictures...), append(t.Timers, o.Timers...)
}

var (
	ended     = regexp.MustCompile(`^( *)--- (PASS|FAIL|SKIP): (\S+) \((\S+)s\)$`)
	attribute = regexp.MustCompile(`^=== ATTR +(\S+) (\S+) (.*)$`)
	began     = regexp.MustCompile(`^=== (?:RUN|CONT|NAME) +(\S+)$`)
)

// read reads the verbose output of tests. It calls tell for every test that ends, and returns errors about lines that
// it could not parse.
func (t *testResults) read(from io.Reader, tell func(*testResult)) (faults error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	said := map[string]*strings.Builder{} // by test
	current := ""                         // test that speaks
	for lines.Scan() {
		line := lines.Text()
		if m := attribute.FindStringSubmatch(line); m != nil {
			faults = errors.Join(faults, t.attribute(m[1], m[2], strings.Fields(m[3])))
			continue
		}
		if m := began.FindStringSubmatch(line); m != nil {
			current, _, _ = strings.Cut(m[1], "/")
			if said[current] == nil {
				said[current] = &strings.Builder{}
			}
			continue
		}
		m := ended.FindStringSubmatch(line)
		if m == nil {
			if b := said[current]; b != nil && b.Len() < 4000 {
				b.WriteString(line + "\n")
			}
			continue
		}
		name, sub, _ := strings.Cut(m[3], "/")
		if m[1] != "" || sub != "" { // the test itself was named before its parts
			if n := len(t.Tests); n > 0 && t.Tests[n-1].Name == name {
				if m[2] == "SKIP" {
					t.Tests[n-1].Skipped++
				} else {
					t.Tests[n-1].Parts++
				}
			}
			continue
		}
		seconds, _ := strconv.ParseFloat(m[4], 64)
		done := testResult{Name: name, Result: m[2], Seconds: seconds}
		if done.Result == "FAIL" && said[name] != nil {
			done.Output = said[name].String()
		}
		t.Tests = append(t.Tests, done)
		tell(&t.Tests[len(t.Tests)-1])
	}
	return errors.Join(faults, lines.Err())
}

// attribute reads an attribute of a test: a key of a kind and names, and numbers.
func (t *testResults) attribute(test, key string, values []string) error {
	test, _, _ = strings.Cut(test, "/")
	kind, names, _ := strings.Cut(key, ":")
	want := map[string]int{"error": 2, "picture": 4, "timer": 2}[kind]
	if want == 0 {
		return nil // of another kind
	}
	x := make([]float64, len(values))
	for i, text := range values {
		var err error
		if x[i], err = strconv.ParseFloat(text, 64); err != nil {
			return fmt.Errorf("%s: %s: %w", test, key, err)
		}
		if math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
			return fmt.Errorf("%s: %s: %s", test, key, text)
		}
	}
	if len(x) != want {
		return fmt.Errorf("%s: %s: %d numbers, expected %d", test, key, len(x), want)
	}
	switch kind {
	case "error":
		method, path, _ := strings.Cut(names, ":")
		t.worst(methodErrors{test, method, path, 1, x[0], x[1]})
	case "picture":
		t.Pictures = append(t.Pictures, pictureErrors{names, x[0], x[1], x[2], x[3]})
	case "timer":
		t.Timers = append(t.Timers, timerSum{strings.ReplaceAll(names, "_", " "), x[0], x[1]})
	}
	return nil
}

// worst keeps the larger errors of a test, method and path.
func (t *testResults) worst(e methodErrors) {
	for i := range t.Errors {
		if o := &t.Errors[i]; o.Test == e.Test && o.Method == e.Method && o.Path == e.Path {
			o.Poses++
			o.Position, o.Normal = max(o.Position, e.Position), max(o.Normal, e.Normal)
			return
		}
	}
	t.Errors = append(t.Errors, e)
}
