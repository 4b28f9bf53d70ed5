package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// fitFolder is where the files are that rows change.
const fitFolder = "../../fit"

// TestRows: what every row changes is there, once, and its package is right with the change: a heuristic that has gone
// takes its row along, and a constant with another value brings another row.
func TestRows(t *testing.T) {
	c := checker{set: token.NewFileSet()}
	c.imported = importer.ForCompiler(c.set, "gc", exports(t))
	names, numbers := map[string]bool{}, map[int]bool{}
	for _, r := range rows() {
		if names[r.fit+r.name] {
			t.Errorf("%s: two rows are named %q", r.fit, r.name)
		}
		if numbers[r.number] {
			t.Errorf("%s: %s: another row has the number %d", r.fit, r.name, r.number)
		}
		names[r.fit+r.name], numbers[r.number] = true, true
		changed, err := r.changed(fitFolder)
		if err != nil {
			t.Errorf("%s: %s: %v", r.fit, r.name, err)
			continue
		}
		if err := c.check(filepath.Join(fitFolder, r.file), changed); err != nil {
			t.Errorf("%s: %s: %v", r.fit, r.name, err)
		}
	}
}

// TestComments: a row that a comment names changes the file that the comment is in.
func TestComments(t *testing.T) {
	changes := map[string]map[int]bool{}
	for _, r := range rows() {
		if changes[r.file] == nil {
			changes[r.file] = map[int]bool{}
		}
		changes[r.file][r.number] = true
	}
	for file, has := range changes {
		text, err := os.ReadFile(filepath.Join(fitFolder, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range regexp.MustCompile(`\(rows? ([0-9, to]+)\)`).FindAllStringSubmatch(string(text), -1) {
			for _, number := range regexp.MustCompile("[0-9]+").FindAllString(list[1], -1) {
				if n, _ := strconv.Atoi(number); !has[n] {
					t.Errorf("%s names row %d, which does not change it", file, n)
				}
			}
		}
	}
}

// exports finds the compiled packages that the fits import.
func exports(t *testing.T) func(path string) (io.ReadCloser, error) {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export",
		"skinlab/fit/enveloping", "skinlab/fit/blendbones", "skinlab/fit/training", "skinlab/fit/helperbones",
		"skinlab/fit/bodymodel")
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	text, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); err != nil {
			break
		}
		files[p.ImportPath] = p.Export
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}

// checker type-checks packages with what they import.
type checker struct {
	set      *token.FileSet
	imported types.Importer
}

// check type-checks the package of a file with another text in the place of what the file has.
func (c *checker) check(file, changed string) error {
	all, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.go"))
	if err != nil {
		return err
	}
	var files []*ast.File
	for _, name := range all {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		var text any
		if name == file {
			text = changed
		}
		f, err := parser.ParseFile(c.set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	config := types.Config{Importer: c.imported}
	_, err = config.Check(filepath.Dir(file), c.set, files, nil)
	return err
}

// TestRatiosInComments: a row that the package comment of enveloping names has the ratios there that it has in the table.
func TestRatiosInComments(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join(fitFolder, "enveloping", "doc.go"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join("..", "..", "docs", "ablation.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(strings.ReplaceAll(string(doc), "//", "")), " ")
	named := regexp.MustCompile(`\(([0-9]+)(?:: ([0-9.]+), ([0-9.]+))?\)`).FindAllStringSubmatch(text, -1)
	if len(named) < 20 {
		t.Errorf("%d rows are named", len(named))
	}
	for _, n := range named {
		cells := regexp.MustCompile(`(?m)^\| ` + n[1] + ` \|[^|]*\| ([0-9.]+) \| ([0-9.]+) \|`).FindStringSubmatch(string(table))
		for k := 1; k <= 2; k++ {
			said, err := strconv.ParseFloat(n[k+1], 64)
			if err != nil || cells == nil {
				t.Errorf("%s: ratio %d is %q, the table has %v", n[0], k, n[k+1], cells)
			} else if has, _ := strconv.ParseFloat(cells[k], 64); !(math.Abs(said-has) <= 0.00501) { // two decimals of three
				t.Errorf("%s: the table has %g", n[0], has)
			}
		}
	}
}

// TestEffect: ratios and what is lost, by hand.
func TestEffect(t *testing.T) {
	before := []outcome{{Set: "a", Seen: 4, Unseen: 10, BaseSeen: 20, BaseUnseen: 12, Added: 3, Influences: 2, Seconds: 1},
		{Set: "b", Seen: 0.2, Unseen: 8, BaseSeen: 20, BaseUnseen: 7, Added: 0, Influences: 2, Seconds: 1}}
	after := []outcome{{Set: "a", Seen: 4.5, Unseen: 12.5, Added: 15, Influences: 2, Seconds: 4},
		{Set: "b", Seen: 0.9, Unseen: 8, Added: 0, Influences: 2, Seconds: 1}}
	e := effectOf(before, after, 1)
	near := func(what string, got, want float64) {
		if d := got - want; !(d*d <= 1e-24) { // rounding of logarithms
			t.Errorf("%s: %.15g, expected %.15g", what, got, want)
		}
	}
	near("trained", e.seen*e.seen, 1.125) // what is below 1 % counts as 1 %
	near("unseen", e.unseen*e.unseen, 1.25)
	near("seconds", e.seconds, 2)
	near("joints", e.added, 2)
	if e.lost != 1 || e.worst.set != "a, unseen" || e.best.set != "b, trained" {
		t.Errorf("%+v: expected that a is lost on the unseen", e)
	}
}

// TestUpdate: a run for one row leaves the others in the table, and the text at its end. A row that is gone goes, and so
// does one whose number stands for something else now.
func TestUpdate(t *testing.T) {
	all := rows()
	one, other := all[0], all[1]
	file := filepath.Join(t.TempDir(), "table.md")
	old := "| 0 | gone | 1 |\n" + one.line(effect{}, "before") + other.line(effect{}, "before") +
		"| " + strconv.Itoa(all[2].number) + " | something else | 1 |\n" + takenOut + "end\n"
	if err := os.WriteFile(file, []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	todo, results := []row{}, [][]outcome{}
	for k := range fits {
		todo, results = append(todo, row{fit: fits[k].folder}), append(results, []outcome{{Set: "a", Seen: 4, Unseen: 10,
			Influences: 2, Seconds: 1}})
	}
	todo, results = append(todo, one), append(results, []outcome{{Set: "a", Seen: 8, Unseen: 10, Influences: 2, Seconds: 1}})
	if err := update(file, todo, results); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, has := range []string{"| " + strconv.Itoa(one.number) + " | " + one.name + " | 2.000 |",
		other.line(effect{}, "before"), takenOut + "end\n"} {
		if !strings.Contains(string(text), has) {
			t.Errorf("the table lacks %q:\n%s", has, text)
		}
	}
	for _, lacks := range []string{"gone", "something else", one.line(effect{}, "before")} {
		if strings.Contains(string(text), lacks) {
			t.Errorf("the table still has %q", lacks)
		}
	}
}
