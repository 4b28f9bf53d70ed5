package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skinlab/assets"
	"skinlab/assets/gltf/export"
	"skinlab/internal/assetstest"
	"skinlab/lab/reproduce/pages"
	"skinlab/skinning/progress"
)

// TestReproduce makes all papers at small sizes: every table and figure of theirs is on its page or said to be missing,
// with the reason; pages link to files of the folder alone, and hold no number that is none.
func TestReproduce(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	dir := filepath.Join(t.TempDir(), "papers")
	if err := run(t.Context(), []string{"-quick", "-o", dir}); err != nil {
		t.Fatal(err)
	}
	data := readData(t, dir)
	if data["stopped"] != nil {
		t.Errorf("stopped at %v", data["stopped"])
	}
	var files []string
	for _, f := range data["files"].([]any) {
		files = append(files, f.(string))
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(files) {
		t.Errorf("%d files of %d: %v", len(entries), len(files), err)
	}
	drawn := data["renderer"] != ""
	for i, p := range Papers() {
		text, err := os.ReadFile(filepath.Join(dir, p.Name+".html"))
		if err != nil {
			t.Fatal(err)
		}
		checkPage(t, p.Name, string(text), files)
		sections := data["papers"].([]any)[i].(map[string]any)["sections"].([]any)
		if len(sections) != len(p.Sections) {
			t.Errorf("%s: %d sections of %d", p.Name, len(sections), len(p.Sections))
		}
		for k, s := range p.Sections {
			out := sections[k].(map[string]any)
			made := out["tables"] != nil || out["charts"] != nil || out["pictures"] != nil
			if drawn && made != (s.Make != nil) {
				t.Errorf("%s, %s: made is %v", p.Name, s.Name, made)
			}
			if s.Make == nil && s.Missing == "" || s.Shows == "" || !strings.Contains(string(text), s.Name) {
				t.Errorf("%s, %s: no reason why it is missing, or not on the page", p.Name, s.Name)
			}
			checkFound(t, p.Name+", "+s.Name, out)
			if s.Make != nil {
				checkBothWays(t, p.Name+", "+s.Name, s.Same, out)
			}
		}
	}
	// A model of the folder stays, also where the pages may go.
	kept := filepath.Join(dir, files[0])
	glb, err := export.Encode(assetstest.Open(t, "demo:bar"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kept, glb, 0o600); err != nil {
		t.Fatal(err)
	}
	err = run(t.Context(), []string{"-quick", "-models", kept, "-force", "-o", dir, "hbr"})
	if want := kept + ": would replace " + kept + ", which is in use"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a model of the folder: %v, want %q", err, want)
	}
	// The pages are replaced when that is asked for, and only then.
	if err := run(t.Context(), []string{"-quick", "-o", dir, "hbr"}); err == nil || !strings.Contains(err.Error(), "-force replaces it") {
		t.Errorf("an earlier run: %v", err)
	}
}

// readData reads the data.json of a folder.
func readData(t *testing.T, dir string) (data map[string]any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "data.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &data); err != nil {
		t.Fatal(err)
	}
	return data
}

// checkFound checks that the sentence on our tables and charts is made from them: it speaks of no built-in model that
// they do not have, and does not claim to find what the paper does.
func checkFound(t *testing.T, section string, out map[string]any) {
	t.Helper()
	found, _ := out["ours"].(string)
	shown, err := json.Marshal([]any{out["tables"], out["charts"]})
	if err != nil {
		t.Fatal(err)
	}
	if out["pictures"] == nil {
		for _, name := range assets.BuiltIn() {
			word := regexp.MustCompile(`\b` + strings.TrimPrefix(name, "demo:") + `\b`)
			if word.MatchString(strings.ReplaceAll(found, name, "")) && !strings.Contains(string(shown), name) {
				t.Errorf("%s: %q, which has no %s", section, found, name)
			}
		}
	}
	pictures, _ := json.Marshal(out["pictures"]) // of pictures that a command compares too, EE is of a pose or of a clip
	if out["command"] != nil && strings.Contains(string(pictures), "EE ") && !strings.Contains(found, "EE is of ") {
		t.Errorf("%s: %q does not say of what EE is", section, found)
	}
	if strings.Contains(found, "the same") {
		t.Errorf("%s: %q says nothing of ours", section, found)
	}
}

// checkBothWays checks that every table of a section has as published and ours, and so do its charts and its
// pictures; or that the section says why the two are the same, and then has neither.
func checkBothWays(t *testing.T, section, same string, out map[string]any) {
	t.Helper()
	parts := map[string]any{"charts": out["charts"], "pictures": out["pictures"]}
	tables, _ := out["tables"].([]any)
	for k, table := range tables {
		table := table.(map[string]any)
		parts[fmt.Sprint("table ", k+1)] = []any{table["groups"], table["rows"]}
	}
	for name, part := range parts {
		if part == nil {
			continue
		}
		text, err := json.Marshal(part)
		if err != nil {
			t.Fatal(err)
		}
		published := strings.Contains(string(text), string(pages.Published))
		ours := regexp.MustCompile(`\b` + string(pages.Ours) + `\b`).Match(text)
		if same == "" && !(published && ours) {
			t.Errorf("%s: %s has as published: %v, ours: %v, and the section does not say why", section, name, published, ours)
		}
		if same != "" && (published || ours) {
			t.Errorf("%s: %s has as published: %v, ours: %v, and the section calls them the same", section, name, published, ours)
		}
	}
	if said, _ := out["same"].(string); said != same {
		t.Errorf("%s: says %q, want %q", section, said, same)
	}
}

// checkPage checks a page's links and its numbers.
func checkPage(t *testing.T, name, text string, files []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?:href|src)="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		file, anchor, _ := strings.Cut(m[1], "#")
		if file != "" && !slices.Contains(files, file) {
			t.Errorf("%s: links to %q, which is not there", name, m[1])
		}
		if file == "" && !strings.Contains(text, `id="`+anchor+`"`) {
			t.Errorf("%s: no anchor %q", name, anchor)
		}
	}
	for _, cell := range regexp.MustCompile(`<td[^>]*>([^<]*)</td>`).FindAllStringSubmatch(text, -1) {
		if c := cell[1]; c == "" || strings.Contains(c, "NaN") || strings.Contains(c, "Inf") {
			t.Errorf("%s: a cell %q", name, c)
		}
	}
	for _, never := range []string{"<script", "http:", "https:", "ZgotmplZ", "%!"} {
		if strings.Contains(text, never) {
			t.Errorf("%s: %q on the page", name, never)
		}
	}
}

// TestRefuses: an unknown paper, no folder, a folder of something else, before any work is done.
func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for says, args := range map[string][]string{
		`"hrb": not one of`: {"-o", dir, "hrb"}, "give -o DIR": {}, `"notes.txt"`: {"-force", "-o", dir},
		"missing.glb": {"-models", "missing.glb", "-o", filepath.Join(dir, "new"), "ebm"},
	} {
		if err := run(t.Context(), args); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v, want %q", args, err, says)
		}
	}
}

// TestInterrupted: a run that ends early keeps what has been made, and says where it ended.
func TestInterrupted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "papers")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// Once bones are fitted to the examples, figure 2 is there.
	err := run(progress.On(ctx, writer(func(p []byte) {
		if strings.Contains(string(p), "helper bones, 20 iterations") {
			cancel()
		}
	})), []string{"-quick", "-o", dir, "hbr"})
	if err == nil {
		t.Skip("this machine tells no stage, so short they are")
	}
	text, err := os.ReadFile(filepath.Join(dir, "data.json"))
	if err != nil {
		t.Fatal(err)
	}
	var data struct {
		Stopped string
		Papers  []struct{ Sections []struct{ Name string } }
	}
	if err := json.Unmarshal(text, &data); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(data.Stopped, "HBR, ") || len(data.Papers) != 1 || len(data.Papers[0].Sections) < 2 {
		t.Errorf("kept %+v", data)
	}
}

// writer is an io.Writer that calls a function.
type writer func(p []byte)

func (w writer) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}

// TestPrinted: the papers' numbers are whole.
func TestPrinted(t *testing.T) {
	if len(printed.ALNS.Table3) != 7 || len(printed.ALNS.Table4) != 5 || len(printed.RTER.Table1) != 9 ||
		len(printed.SBS.Table2) != 3 || len(printed.HBR.Section62) != 2 || len(printed.HBR.Figure6) != 2 {
		t.Errorf("%+v", printed)
	}
	for _, r := range printed.ALNS.Table3 {
		if len(r.Direct) != 3 || len(r.Blend) != 3 || !(r.Ratio["dqs"] > 0.9 && r.Ratio["dib"] < 1.3) {
			t.Errorf("%+v", r)
		}
	}
}
