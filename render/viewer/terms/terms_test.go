package terms

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skinlab/skinning"
)

// groups are the headings of the document, each before its first term.
var groups = [terms]string{
	EE: "Distances and volumes", CandyWrapper: "What goes wrong", Rest: "Skinning", BlendBone: "Fits", SkinPass: "Costs",
}

// sources are the papers of the direct methods, by their names on the command line. What a method does is in its own
// table, see [skinning.Method.Note].
var sources = map[string]string{
	"lbs": alns + ", equation 1", "dqs": alns + ", equation 7", "sdqs": alns + ", appendix A", "dib": alns + ", section 5",
	"sbs": sbs + ", section 4", "twist-swing": ebm + ", section 2",
	"cor": "Le, Hodgins 2016, equation 1",
}

// document returns the glossary as docs/glossary.md.
func document() string {
	var s strings.Builder
	s.WriteString(`# Glossary

After this page you know every word that the window and the tables of the command line use. Tips in the window say the
same: ` + "`go test ./render/viewer/terms -update`" + ` makes this page from their table, and a test fails when it is stale.
`)
	heading := func(title string) {
		fmt.Fprintf(&s, "\n## %s\n\n| term | meaning | unit | source |\n|---|---|---|---|\n", title)
	}
	for t, e := range table {
		if groups[t] != "" {
			heading(groups[t])
		}
		fmt.Fprintf(&s, "| %s | %s | %s | %s |\n", e.name, e.says, e.unit, e.source)
	}
	heading("Methods")
	for _, m := range skinning.Methods() {
		fmt.Fprintf(&s, "| %s | %s: %s | | %s |\n", m.Short(), m.Title(), m.Note(), sources[m.String()])
	}
	return s.String()
}

var update = flag.Bool("update", false, "write docs/glossary.md anew")

// TestDocument holds docs/glossary.md against the table.
func TestDocument(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "glossary.md")
	if *update {
		if err := os.WriteFile(path, []byte(document()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != document() {
		t.Errorf("docs/glossary.md is stale (%v): go test ./render/viewer/terms -update makes it anew", err)
	}
}

// TestTerms: every term has a name of its own and whole sentences, and no cell would break the table.
func TestTerms(t *testing.T) {
	names := map[string]bool{}
	for i, e := range table {
		if e.name == "" || names[e.name] {
			t.Errorf("term %d is called %q, as another one or not at all", i, e.name)
		}
		names[e.name] = true
		if !strings.HasSuffix(e.says, ".") || strings.Contains(e.says, "  ") {
			t.Errorf("%s: %q is no sentence", e.name, e.says)
		}
		if all := e.name + e.says + e.unit + e.source; strings.ContainsAny(all, "|\n\t") {
			t.Errorf("%s: %q would break the table", e.name, all)
		}
		if tip := Term(i).Tip(); !strings.HasPrefix(tip, e.says) || e.unit != "" && !strings.Contains(tip, e.unit) {
			t.Errorf("%s: the tip %q lacks the sentence or the unit", e.name, tip)
		}
	}
	for _, m := range skinning.Methods() {
		if sources[m.String()] == "" {
			t.Errorf("the method %v has no source", m)
		}
	}
	if groups[0] == "" {
		t.Error("the first term has no heading")
	}
}
