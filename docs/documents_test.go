// Package docs has no code. Its test holds the documents against each other and against the tree.
package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// document is a Markdown file, by its path from the root of the repository.
type document struct {
	path  string
	lines []string
}

// documents reads all of them.
func documents(t *testing.T) (all []document) {
	t.Helper()
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/fits/*.md", "lab/*.md"} {
		paths, err := filepath.Glob(filepath.Join("..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name, err := filepath.Rel("..", path)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, document{filepath.ToSlash(name), strings.Split(string(text), "\n")})
		}
	}
	if len(all) < 10 {
		t.Fatalf("%d documents: the test does not see them", len(all))
	}
	return all
}

// prose calls visit for each line that is outside of fenced blocks, with its number.
func (d *document) prose(visit func(number int, line string)) {
	fenced := false
	for i, line := range d.lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		} else if !fenced {
			visit(i+1, line)
		}
	}
}

// measured documents are written by programs, which say what they are themselves.
var measured = map[string]bool{"docs/ablation.md": true, "docs/gpu.md": true, "docs/characters.md": true}

// TestReadme holds the README to a page that a newcomer reads.
func TestReadme(t *testing.T) {
	const mostLines, mostBytes = 180, 14_000
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines > mostLines || len(text) > mostBytes {
		t.Errorf("README.md has %d lines and %d bytes, at most %d and %d are wanted: a number or a detail has a page in docs",
			lines, len(text), mostLines, mostBytes)
	}
}

// TestPages: a page of docs opens with what its reader can do after it.
func TestPages(t *testing.T) {
	for _, d := range documents(t) {
		if !strings.HasPrefix(d.path, "docs/") || measured[d.path] {
			continue
		}
		if len(d.lines) < 3 || !strings.HasPrefix(d.lines[0], "# ") || !strings.HasPrefix(d.lines[2], "After this page ") {
			t.Errorf("%s: it does not begin with a heading, an empty line and \"After this page …\"", d.path)
		}
	}
}

// TestLineWidth: no line is wider than 120 characters but rows of tables, pictures and what stands in fenced blocks.
func TestLineWidth(t *testing.T) {
	const most = 120
	for _, d := range documents(t) {
		if measured[d.path] {
			continue
		}
		d.prose(func(number int, line string) {
			if n := utf8.RuneCountInString(line); n > most && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "![") {
				t.Errorf("%s:%d: %d characters", d.path, number, n)
			}
		})
	}
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinks: each relative link leads to a file or a folder, and its anchor to a heading there.
func TestLinks(t *testing.T) {
	for _, d := range documents(t) {
		d.prose(func(number int, line string) {
			for _, found := range link.FindAllStringSubmatch(line, -1) {
				target := found[1]
				if strings.Contains(target, "://") {
					continue
				}
				file, anchor, _ := strings.Cut(target, "#")
				path := filepath.Join("..", filepath.FromSlash(d.path))
				if file != "" {
					path = filepath.Join("..", filepath.Dir(filepath.FromSlash(d.path)), filepath.FromSlash(file))
				}
				if _, err := os.Stat(path); err != nil {
					t.Errorf("%s:%d: %s leads nowhere", d.path, number, target)
				} else if anchor != "" && !anchors(t, path)[anchor] {
					t.Errorf("%s:%d: %s: no such heading", d.path, number, target)
				}
			}
		})
	}
}

// anchors returns the names by which links reach the headings of a document, as GitHub makes them.
func anchors(t *testing.T, path string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	d := document{lines: strings.Split(string(text), "\n")}
	d.prose(func(_ int, line string) {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			names[strings.Map(func(r rune) rune {
				switch {
				case r == ' ':
					return '-'
				case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
					return unicode.ToLower(r)
				}
				return -1
			}, title)] = true
		}
	})
	return names
}
