package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"skinlab/lab/ablate/recipes"
)

// TestRows: no two rows have the same name or number, and there are no more than a person reads.
func TestRows(t *testing.T) {
	const most = 80
	names, numbers := map[string]bool{}, map[int]bool{}
	for _, r := range recipes.Rows() {
		if names[r.Fit+r.Name] || numbers[r.Number] {
			t.Errorf("%s: there are two rows %d, %q", r.Fit, r.Number, r.Name)
		}
		names[r.Fit+r.Name], numbers[r.Number] = true, true
		r.Change(recipes.Ours())
	}
	if len(numbers) > most {
		t.Errorf("%d rows, %d are enough", len(numbers), most)
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
	if e.lost != 1 || e.worstSet != "a, unseen" {
		t.Errorf("%+v: expected that a is lost on the unseen", e)
	}
}

// TestUpdate: a run for one row leaves the others in the table. A row that is gone goes, and so does one whose number
// stands for something else now. The summary names what buys most.
func TestUpdate(t *testing.T) {
	all := recipes.Rows()
	one, other := all[0], all[1]
	file := filepath.Join(t.TempDir(), "table.md")
	old := "| 0 | gone | 1 |\n" + line(&one, effect{}, "before") + line(&other, effect{}, "before") +
		"| " + strconv.Itoa(all[2].Number) + " | something else | 1 |\n"
	if err := os.WriteFile(file, []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	todo, results := []recipes.Row{}, [][]outcome{}
	for k := range fits {
		todo, results = append(todo, recipes.Row{Fit: fits[k].folder}), append(results, []outcome{{Set: "a", Seen: 4, Unseen: 10,
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
	for _, has := range []string{"| " + strconv.Itoa(one.Number) + " | " + one.Name + " | 2.000 |",
		line(&other, effect{}, "before")} {
		if !strings.Contains(string(text), has) {
			t.Errorf("the table lacks %q:\n%s", has, text)
		}
	}
	for _, lacks := range []string{"gone", "something else", line(&one, effect{}, "before")} {
		if strings.Contains(string(text), lacks) {
			t.Errorf("the table still has %q", lacks)
		}
	}
}
