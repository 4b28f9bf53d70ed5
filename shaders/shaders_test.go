package shaders

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

var methods = []string{"lbs", "dqs", "sdqs", "dib", "sbs", "twistswing", "cor"}

// reads puts the file of the numbers of vertices before those of a method that reads some.
func reads(method string, names ...string) []string {
	if method == "cor" {
		return append([]string{"values.glsl"}, names...)
	}
	return names
}

// stages lists what package render compiles, as far as this package can know it: every stage file with what it is
// joined after.
func stages(t *testing.T) [][]string {
	t.Helper()
	names, err := fs.Glob(files, "*.glsl")
	if err != nil || len(names) == 0 {
		t.Fatalf("no embedded shaders: %v", err)
	}
	var out [][]string
	for _, n := range names {
		switch n {
		case "pose.vert.glsl":
			for _, m := range methods {
				out = append(out, reads(m, "attributes.glsl", m+".glsl", n))
			}
			out = append(out, []string{"secondset.glsl", "attributes.glsl", "twistswing.glsl", n})
			continue
		case "pose.comp.glsl":
			for _, m := range methods {
				out = append(out, reads(m, "storage.glsl", m+".glsl", n))
			}
			out = append(out, []string{"secondset.glsl", "storage.glsl", "twistswing.glsl", n})
			continue
		case "mesh.vert.glsl", "wire.vert.glsl", "depth.vert.glsl", "contact.vert.glsl":
			out = append(out, []string{"frombuffer.glsl", n}, []string{"fromcrowd.glsl", n})
			for _, m := range methods {
				out = append(out, reads(m, "attributes.glsl", m+".glsl", "frommethod.glsl", n))
			}
			continue
		}
		switch {
		case strings.HasSuffix(n, ".vert.glsl"), strings.HasSuffix(n, ".frag.glsl"), strings.HasSuffix(n, ".comp.glsl"):
			out = append(out, []string{n})
		}
	}
	return out
}

func TestStagesJoin(t *testing.T) {
	used := make(map[string]bool)
	for _, names := range stages(t) {
		s, err := Join(names...)
		if err != nil {
			t.Errorf("%v: %v", names, err)
			continue
		}
		if !strings.HasPrefix(s.Text, Version+"\n") {
			t.Errorf("%v: does not start with %q", names, Version)
		}
		if strings.Contains(s.Text, "#include") {
			t.Errorf("%v: an include is left", names)
		}
		if n := strings.Count(s.Text, "void main()"); n != 1 {
			t.Errorf("%v: %d main functions", names, n)
		}
		for i, f := range s.Files {
			used[f] = true
			if slices.Contains(s.Files[:i], f) {
				t.Errorf("%v: %s is expanded twice", names, f)
			}
		}
	}
	all, _ := fs.Glob(files, "*.glsl")
	for _, n := range all {
		if !used[n] {
			t.Errorf("%s is in no stage", n)
		}
	}
}

// Each method has the one function that the design promises, and none has another's.
func TestOneFunctionPerMethod(t *testing.T) {
	for _, m := range methods {
		s, err := Join(m + ".glsl")
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(s.Text, "void skinVertex("); n != 1 {
			t.Errorf("%s: skinVertex is defined %d times", m, n)
		}
	}
}

var sample = fstest.MapFS{
	"a.glsl":    {Data: []byte("a1\n#include \"b.glsl\"\na3\n  #include \"c.glsl\"\na5\n")},
	"b.glsl":    {Data: []byte("b1\n#include \"c.glsl\"\nb3")},
	"c.glsl":    {Data: []byte("c1\n")},
	"loop.glsl": {Data: []byte("#include \"loop.glsl\"\nl2\n")},
	"bad.glsl":  {Data: []byte("ok\n#include <c.glsl>\n")},
	"lost.glsl": {Data: []byte("ok\n\n#include \"nowhere.glsl\"\n")},
}

// Every line of the result is attributed to its own file and line: line "b3" is line 3 of b.glsl.
func TestLineNumbers(t *testing.T) {
	s, err := join(sample, Version, "a.glsl")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a.glsl", "b.glsl", "c.glsl"}; !slices.Equal(s.Files, want) {
		t.Fatalf("files %v, expected %v", s.Files, want)
	}
	var got []string
	for line := range strings.Lines(s.Numbered()) {
		if f := strings.Fields(line); len(f) == 2 && strings.Contains(f[0], ":") {
			name, number, _ := strings.Cut(f[0], ":")
			if want := strings.TrimSuffix(name, ".glsl") + number; f[1] != want {
				t.Errorf("line %q is numbered %s", f[1], f[0])
			}
			got = append(got, f[1])
		}
	}
	if want := []string{"a1", "b1", "c1", "b3", "a3", "a5"}; !slices.Equal(got, want) {
		t.Errorf("lines %v, expected %v", got, want)
	}
}

func TestIncludeErrors(t *testing.T) {
	if _, err := join(sample, Version, "loop.glsl"); err != nil {
		t.Errorf("an include of itself: %v, expected it once", err)
	}
	for name, at := range map[string]string{"bad.glsl": "bad.glsl:2", "lost.glsl": "lost.glsl:3",
		"none.glsl": "the caller"} {
		_, err := join(sample, Version, name)
		if !errors.Is(err, errInclude) || !strings.Contains(err.Error(), at) {
			t.Errorf("%s: error %v, expected ErrInclude at %s", name, err, at)
		}
	}
}

func TestExplain(t *testing.T) {
	s := Stage{Files: []string{"a.glsl", "b.glsl"}}
	for in, want := range map[string]string{
		"1:12(3): error: no":      "b.glsl:12: error: no",       // Mesa
		"0(7) : error C1000: no":  "a.glsl:7 : error C1000: no", // NVIDIA
		"ERROR: 1:4: no":          "ERROR: b.glsl:4: no",        // Apple
		"7:12(3): error: no":      "7:12(3): error: no",         // not one of the files
		"link failed: 3 varyings": "link failed: 3 varyings",
	} {
		if got := s.Explain(in); got != want {
			t.Errorf("%q: %q, expected %q", in, got, want)
		}
	}
}
