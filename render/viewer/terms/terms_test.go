package terms

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skinlab/skinning"
)

var update = flag.Bool("update", false, "write docs/terms.md anew")

// TestDocument holds docs/terms.md against the table.
func TestDocument(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "terms.md")
	if *update {
		if err := os.WriteFile(path, []byte(Document()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != Document() {
		t.Errorf("docs/terms.md is stale (%v): go test ./render/viewer/terms -update makes it anew", err)
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
