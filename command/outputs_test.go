package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"skinlab/assets/gltf/export"
	"skinlab/assets/posefile"
	"skinlab/internal/assetstest"
)

// outputFolder is a folder of files that commands read and that must stay as they are.
type outputFolder struct {
	dir string
	had map[string]string // the contents of every file
}

// newOutputFolder writes a model, another with its buffer in a file, a pose, an example shape and a few old files, and
// links to what is read under the endings of what is written.
func newOutputFolder(t *testing.T) *outputFolder {
	t.Helper()
	f := &outputFolder{dir: t.TempDir(), had: map[string]string{}}
	if err := os.Mkdir(f.path("shapes"), 0o700); err != nil {
		t.Fatal(err)
	}
	m := assetstest.Open(t, "demo:bar")
	glb, err := export.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	f.put(t, "model.glb", string(glb))
	text, buffer := externalBuffer(t, glb, "data.bin")
	f.put(t, "model.gltf", text)
	f.put(t, "data.bin", buffer)
	if err := posefile.Write(f.path("pose.json"), m, m.NewPose()); err != nil {
		t.Fatal(err)
	}
	f.put(t, "shapes/0.obj", "v 0 0 0\n")
	for _, name := range []string{"old.glb", "old.obj", "old.png", "old.svg"} {
		f.put(t, name, "precious")
	}
	for _, link := range []struct{ name, target string }{
		{"hard.glb", "model.glb"}, {"hard.obj", "model.glb"}, {"hard.png", "model.glb"}, {"hard.svg", "model.glb"},
		{"buffer.glb", "data.bin"}, {"buffer.obj", "data.bin"}, {"buffer.png", "data.bin"}, {"buffer.svg", "data.bin"},
		{"shape.glb", "shapes/0.obj"}, {"pose.obj", "pose.json"}, {"pose.png", "pose.json"},
	} {
		if err := os.Link(f.path(link.target), f.path(link.name)); err != nil {
			t.Skip("no hard links here: ", err)
		}
	}
	for _, ending := range []string{".glb", ".obj", ".png", ".svg"} {
		if err := os.Symlink("model.glb", f.path("soft"+ending)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	f.had = f.holds(t)
	return f
}

func (f *outputFolder) path(name string) string {
	return filepath.Join(f.dir, filepath.FromSlash(name))
}

func (f *outputFolder) put(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(f.path(name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// holds reads the whole folder; of a link it reads what the link says.
func (f *outputFolder) holds(t *testing.T) map[string]string {
	t.Helper()
	now := map[string]string{}
	err := filepath.WalkDir(f.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if e.Type()&os.ModeSymlink != 0 {
			now[path], err = os.Readlink(path)
			return err
		}
		data, err := os.ReadFile(path)
		now[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return now
}

// unchanged fails where a byte of the folder has changed, and names the file.
func (f *outputFolder) unchanged(t *testing.T, args []string) {
	t.Helper()
	now := f.holds(t)
	for path, had := range f.had {
		if now[path] != had {
			t.Errorf("%q: %s held %d bytes and holds %d", args, path, len(had), len(now[path]))
		}
	}
	for path := range now {
		if _, ok := f.had[path]; !ok {
			t.Errorf("%q: %s is new", args, path)
		}
	}
}

// externalBuffer takes a GLB apart into a .gltf whose buffer is a file.
func externalBuffer(t *testing.T, glb []byte, name string) (text, buffer string) {
	t.Helper()
	size := int(glb[12]) | int(glb[13])<<8 | int(glb[14])<<16
	var doc map[string]any
	if err := json.Unmarshal(glb[20:20+size], &doc); err != nil {
		t.Fatal(err)
	}
	doc["buffers"].([]any)[0].(map[string]any)["uri"] = name
	out, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(out), string(glb[20+size+8:])
}

// writers are the commands that write a file: what comes before the model and behind it, and the endings of the output,
// its own and one that is another format's. Every one is quick.
var writers = []struct {
	command       []string
	flags         []string // the last is followed by the output
	ending, wrong string
}{
	{[]string{"deform"}, []string{"-o"}, ".obj", ".glb"},
	{[]string{"render"}, []string{"--size", "32x32", "-o"}, ".png", ".jpg"},
	{[]string{"compare"}, []string{"--methods", "lbs", "--frames", "1", "--size", "32x32", "-o"}, ".png", ".svg"},
	{[]string{"sweep"}, []string{"--methods", "lbs", "--joint", "0", "--step", "90", "-o"}, ".svg", ".gif"},
	{[]string{"fit", "blend-bones"}, []string{"--bones", "1", "--train", "0:2", "-o"}, ".glb", ".gltf"},
	{[]string{"fit", "half-way"}, []string{"--train", "0:2", "-o"}, ".glb", ".bin"},
	{[]string{"fit", "enveloping"}, []string{"--proxies", "3", "-o"}, ".glb", ".json"},
	{[]string{"fit", "ssd"}, []string{"-o"}, ".glb", ".obj"},
	{[]string{"fit", "helper-bones"}, []string{"--bones", "1", "-o"}, ".glb", ".gltf"},
	{[]string{"fit", "mohr-gleicher"}, []string{"--teach", "dqs", "--train", "0:2", "-o"}, ".glb", ".fbx"},
	{[]string{"fit", "decompose"}, []string{"--bones", "2", "-o"}, ".glb", ".gltf"},
	{[]string{"fit", "body-model"}, []string{"--limbs", "2", "--rounds", "1", "-o"}, ".glb", ".ply"},
	{[]string{"transfer"}, []string{"demo:bar", "--fps", "2", "-o"}, ".glb", ".obj"},
	{[]string{"centers"}, []string{"-o"}, ".glb", ".gltf"},
	{[]string{"view"}, []string{"--screenshot"}, ".png", ".bmp"},
}

// TestOutputs: no command writes over a file that it reads, over another without --force, or under another format's
// ending. It says so before the work, with the whole path, and no byte of any file changes.
func TestOutputs(t *testing.T) {
	slow(t)
	f := newOutputFolder(t)
	t.Chdir(f.dir)
	for _, w := range writers {
		t.Run(strings.Join(w.command, " "), func(t *testing.T) {
			for _, c := range []struct {
				model, out string
				force      bool
				code       int
				says       string
			}{
				{"model.glb", "hard" + w.ending, true, 1, "model.glb, which is in use"},
				{"model.glb", "soft" + w.ending, true, 1, "model.glb, which is in use"},
				{"soft.glb", "hard" + w.ending, true, 1, "soft.glb, which is in use"},
				{"model.glb", "hard" + strings.ToUpper(w.ending) + "/../hard" + w.ending, true, 1, "hard" + w.ending},
				{"model.gltf", "buffer" + w.ending, true, 1, "data.bin, which is in use"},
				{"model.gltf", "buffer", true, 1, "data.bin, which is in use"}, // the ending is added
				{"model.glb", "old" + w.ending, false, 1, "file already exists: --force replaces it"},
				{"model.glb", "old", false, 1, "file already exists: --force replaces it"},
				{"model.glb", "hard" + w.ending, false, 1, "model.glb, which is in use"},
				{"model.glb", "old" + w.wrong, true, 2, "wrong ending: expected " + w.ending},
				{"model.glb", "new" + w.wrong, true, 2, "wrong ending: expected " + w.ending},
				{"model.glb", "shapes", true, 1, "is a folder"},
				{"model.glb", "no/such" + w.ending, true, 1, "there is no folder"},
			} {
				args := slices.Concat(w.command, []string{c.model}, w.flags, []string{c.out})
				if c.force {
					args = append(args, "--force")
				}
				stdout, stderr, code := skinlab(t, args...)
				lines := strings.Split(strings.TrimSpace(stderr), "\n")
				last := lines[len(lines)-1]
				if code != c.code || stdout != "" || len(lines) != 1 || !strings.HasPrefix(last, "error: ") ||
					!strings.Contains(last, c.says) || !strings.Contains(last, f.dir+string(filepath.Separator)) {
					t.Errorf("%q: exit %d, expected %d and %q after the whole path; %q, %q",
						args, code, c.code, c.says, stdout, stderr)
				}
				f.unchanged(t, args)
			}
		})
	}
	t.Run("the model itself", func(t *testing.T) {
		for _, method := range []string{"blend-bones", "half-way", "enveloping", "ssd", "helper-bones", "mohr-gleicher",
			"decompose", "body-model"} {
			args := []string{"fit", method, "model.glb", "-o", "model.glb", "--force"}
			if _, stderr, code := skinlab(t, args...); code != 1 || !strings.Contains(stderr, "model.glb, which is in use") {
				t.Errorf("%q: exit %d: %s", args, code, stderr)
			}
			f.unchanged(t, args)
		}
	})
	t.Run("other files that are read", func(t *testing.T) {
		f.put(t, "fitted.glb", f.had[f.path("model.glb")])
		for _, link := range []string{"fitted.png", "fitted.svg", "out-1.glb", "out-pose-1.json"} {
			if err := os.Link("fitted.glb", link); err != nil {
				t.Fatal(err)
			}
		}
		f.had = f.holds(t)
		for _, args := range [][]string{
			{"deform", "model.glb", "--pose", "pose.json", "-o", "pose.obj"},
			{"render", "model.glb", "--pose", "pose.json", "-o", "pose.png"},
			{"view", "model.glb", "--pose", "pose.json", "--screenshot", "pose.png"},
			{"view", "model.glb", "--beside", "fitted.glb", "--screenshot", "fitted.png"},
			{"compare", "model.glb", "--methods", "lbs,fitted.glb", "-o", "fitted.png"},
			{"sweep", "model.glb", "--joint", "0", "--methods", "lbs,fitted.glb", "-o", "fitted.svg"},
			{"fit", "enveloping", "model.glb", "--targets", "shapes", "--clip", "0", "-o", "shape.glb"},
			{"fit", "ssd", "model.glb", "--targets", "shapes", "--clip", "0", "-o", "shape.glb"},
			{"fit", "ssd", "model.glb", "--test", "fitted.glb", "-o", "out-1.glb"},
			{"fit", "ssd", "model.glb", "--test-targets", "shapes", "--test-clip", "0", "-o", "shape.glb"},
			{"fit", "decompose", "model.glb", "--targets", "shapes", "-o", "shape.glb"},
			{"fit", "body-model", "model.glb", "--targets", "shapes", "-o", "shape.glb"},
			{"fit", "body-model", "model.glb", "--test-targets", "shapes", "-o", "shape.glb"},
			{"fit", "body-model", "model.glb", "--names", "fitted.glb", "-o", "out-1.glb"},
			{"fit", "body-model", "shapes", "-o", "shape.glb"},
			{"fit", "helper-bones", "fitted.glb", "--lod", "1", "-o", "out.glb"},
			{"fit", "helper-bones", "fitted.glb", "--suggest", "1", "-o", "out.glb"},
			{"transfer", "model.glb", "fitted.glb", "-o", "out-1.glb"},
			{"transfer", "model.glb", "shapes", "-o", "shape.glb"},
		} {
			args = append(args, "--force")
			if _, stderr, code := skinlab(t, args...); code != 1 || !strings.Contains(stderr, "which is in use: name another") {
				t.Errorf("%q: exit %d: %s", args, code, stderr)
			}
			f.unchanged(t, args)
		}
	})
}

// TestOutputsAreWritten: a new file is written, with the ending added where it has none, and an old one with --force.
// The report says the whole path.
func TestOutputsAreWritten(t *testing.T) {
	slow(t)
	dir := t.TempDir()
	t.Chdir(dir)
	for _, w := range writers {
		if w.command[0] == "view" || w.command[0] == "bench" {
			continue // the window has tests of its own, and a benchmark never draws the same figure twice
		}
		run := func(out string, more ...string) (stdout, stderr string) {
			t.Helper()
			args := slices.Concat(w.command, []string{"demo:bar"}, w.flags, []string{out}, more)
			stdout, stderr, code := skinlab(t, args...)
			if strings.Contains(stderr, "no headless OpenGL context") {
				t.Skip("this machine has no EGL: ", stderr)
			}
			if code != 0 {
				t.Fatalf("%q: exit %d: %s", args, code, stderr)
			}
			return stdout, stderr
		}
		t.Run(strings.Join(w.command, " "), func(t *testing.T) {
			path := filepath.Join(dir, strings.Join(w.command, "-")) + w.ending
			bare := strings.TrimSuffix(filepath.Base(path), w.ending)
			stdout, stderr := run(bare)
			note := "note: " + bare + " has no ending: it is written as " + path
			if !strings.Contains(stdout, path) || !strings.Contains(stderr, note) {
				t.Errorf("%q, %q: expected %s and %q", stdout, stderr, path, note)
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
				t.Fatal(err)
			}
			stdout, _ = run(filepath.Base(path), "--force", "--json")
			var o struct{ Output string }
			if err := json.Unmarshal([]byte(stdout), &o); err != nil || o.Output != path {
				t.Errorf("output %q, %v, expected %s", o.Output, err, path)
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
				t.Errorf("with --force it holds %d bytes, %v, expected %d as before", len(got), err, len(want))
			}
		})
	}
}

// TestStandardOutput: what goes to standard output is the output alone, also in a file that the shell has opened, after
// what stands in that.
func TestStandardOutput(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/dev/stdout is not everywhere")
	}
	path := filepath.Join(t.TempDir(), "posed.obj")
	object(t, "deform", "demo:bar", "-o", path)
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{"-", "/dev/stdout"} {
		if stdout, stderr, code := skinlab(t, "deform", "demo:bar", "-o", out); code != 0 || stdout != string(want) {
			t.Errorf("-o %s: exit %d, %d bytes, expected %d: %s", out, code, len(stdout), len(want), stderr)
		}
		if _, stderr, code := skinlab(t, "deform", "demo:bar", "-o", out, "--json"); code != 2 ||
			!strings.Contains(stderr, "both want standard output") {
			t.Errorf("-o %s --json: exit %d: %s", out, code, stderr)
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cmd := program("deform", "demo:bar", "-o", out)
		cmd.Stdout = f
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != string(before)+string(want) {
			t.Errorf("-o %s >> file: %d bytes, %v, expected %d", out, len(got), err, len(before)+len(want))
		}
	}
	_, stderr, code := skinlab(t, "fit", "ssd", "demo:bar", "-o", "-")
	if code != 2 || !strings.Contains(stderr, "/dev/stdout") {
		t.Errorf("fit -o -: exit %d: %s", code, stderr)
	}
	stdout, stderr, code := skinlab(t, "fit", "ssd", "demo:bar", "-o", "/dev/null")
	if code != 0 || !strings.Contains(stdout, "EE") {
		t.Errorf("fit -o /dev/null: exit %d: %q, %s", code, stdout, stderr)
	}
}

// TestReportOutputs: --report replaces an earlier report with --force alone, never anything else, and no report that
// holds a file that is read, whatever its name. -o does not lie in its folder.
func TestReportOutputs(t *testing.T) {
	f := newOutputFolder(t)
	t.Chdir(f.dir)
	args := func(more ...string) []string {
		return append([]string{"compare", "demo:bar", "--methods", "lbs", "--frames", "1", "--size", "32x32"}, more...)
	}
	if o := object(t, args("--report", "report")...); o["report"] != f.path("report/index.html") {
		t.Errorf("the report is at %v", o["report"])
	}
	f.had = f.holds(t)
	for says, more := range map[string][]string{
		"report: holds a report: file already exists: --force replaces it": {"--report", "report"},
		`shapes: holds "0.obj", which is no part of a skinlab report`:      {"--report", "shapes", "--force"},
		"which holds nothing else": {
			"--report", "report", "-o", "report/other.png", "--force"},
		"old.glb: is a file": {"--report", "old.glb", "--force"},
	} {
		if _, stderr, code := skinlab(t, args(more...)...); code == 0 || !strings.Contains(stderr, says) {
			t.Errorf("%q: exit %d, expected %q: %s", more, code, says, stderr)
		}
		f.unchanged(t, more)
	}
	if o := object(t, args("--report", "report", "--force")...); o["report"] != f.path("report/index.html") {
		t.Errorf("the report is at %v", o["report"])
	}
	page := f.path("report/index.html")
	glb := f.had[f.path("model.glb")]
	text, buffer := externalBuffer(t, []byte(glb), "report/index.html")
	f.put(t, "in-report.gltf", text)
	if err := os.Link(page, "linked.glb"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ content, model, methods string }{
		{glb, "report/index.html", "lbs"}, {glb, "linked.glb", "lbs"}, {glb, "model.glb", "lbs,linked.glb"},
		{buffer, "in-report.gltf", "lbs"},
	} {
		f.put(t, "report/index.html", c.content)
		f.had = f.holds(t)
		args := []string{"compare", c.model, "--methods", c.methods, "--frames", "1", "--size", "32x32", "--report", "report",
			"--force"}
		_, stderr, code := skinlab(t, args...)
		if code != 1 || !strings.HasPrefix(stderr, "error: "+page+": would replace ") ||
			!strings.Contains(stderr, "which is in use: name another folder") {
			t.Errorf("%q: exit %d: %s", args, code, stderr)
		}
		f.unchanged(t, args)
	}
}
