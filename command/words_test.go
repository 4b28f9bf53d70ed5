package command

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"skinlab/fit/methods"
)

// replacedWords are words for things that have another name now, with that name.
var replacedWords = []struct {
	old *regexp.Regexp
	now string
}{
	{regexp.MustCompile(`\bMost (bones|proxies|limbs)\b`), "Max"},
	{regexp.MustCompile(`\bLook like\b`), "Match"},
	{regexp.MustCompile(`\boff (now|DQS|the reference)\b|^ ?off $|\bRMS off\b`), "from, now"},
	{regexp.MustCompile(`(?i)\btakes? the second( file)? away\b`), "Close second file"},
	{regexp.MustCompile(`(?i)\bload(s|ed)? (the file )?again\b`), "Reload"},
	{regexp.MustCompile(`^#%?[0d]$`), "Clip 1"},
	{regexp.MustCompile(`(?i)\ba?round (the|a swept) joint\b|\bvolume a?round\b`), "at the joint"},
	{regexp.MustCompile(`(?i)\bproxy groups?\b|\bproxy joints?\b`), "proxy bones"},
	{regexp.MustCompile(`(?i)\bblending bones?\b|\bblend joints?\b`), "blend bones"},
}

// TestWords: texts of the window, of the help and of files that are written name a thing by one word.
func TestWords(t *testing.T) {
	seen := 0
	for _, root := range []string{".", "../render/viewer", "../render/ui", "../fit", "../assets/report", "../assets/gltf",
		"../skinning"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				e, ok := n.(ast.Expr)
				if !ok {
					return true
				}
				text, ok := constantText(e)
				if !ok {
					return true
				}
				seen++
				for _, w := range replacedWords {
					if w.old.MatchString(text) {
						t.Errorf("%v: %q has an old word; it is %q now", set.Position(n.Pos()), text, w.now)
					}
				}
				return false
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 2000 {
		t.Errorf("%d texts were read: too few to be all", seen)
	}
}

// constantText returns the value of a string literal, or of literals that are joined by +.
func constantText(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, ok := constantText(e.X)
		if !ok || e.Op != token.ADD {
			return "", false
		}
		right, ok := constantText(e.Y)
		return left + right, ok
	}
	return "", false
}

// TestSlidersNameTheirFlags: the label of a fit's slider has the noun of the flag that asks for the same number, and a
// limit is called Max in the label and "at most" in the help.
func TestSlidersNameTheirFlags(t *testing.T) {
	sliders := 0
	for _, m := range methods.All() {
		for _, o := range m.Options {
			if o.Slider == nil {
				continue
			}
			sliders++
			if !strings.Contains(strings.ToLower(o.Slider.Title), strings.ReplaceAll(o.Name, "-", " ")) {
				t.Errorf("fit %s: the slider %q is the flag --%s", m.Name, o.Slider.Title, o.Name)
			}
			if limit := strings.HasSuffix(o.Help, "at most"); limit != strings.HasPrefix(o.Slider.Title, "Max ") {
				t.Errorf("fit %s --%s: the slider %q does not say what the help says: %q", m.Name, o.Name, o.Slider.Title,
					o.Help)
			}
		}
	}
	if sliders < 5 {
		t.Errorf("%d sliders", sliders)
	}
}
