package command

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skinlab/fit/methods"
)

// jargon is what no message may say: names of Go's packages and calls, of system calls, and of temporary files.
var jargon = regexp.MustCompile(`strconv\.|\b(stat|statat|lstat|open|openat|openfdat|rename|renameat|mkdir|readdirent|unlink) |\.tmp\b|` +
	`invalid syntax|out of range|parse error on line|0x[0-9a-f]{6}|goroutine|%!`)

// leaves returns all commands that do something, with the arguments that they need: files that are not there, so that
// every run ends in an error at the latest when it reads them.
func leaves(root *cobra.Command) map[*cobra.Command][]string {
	out := map[*cobra.Command][]string{}
	var add func(*cobra.Command)
	add = func(c *cobra.Command) {
		if c.HasSubCommands() && c.HasParent() {
			for _, sub := range c.Commands() {
				add(sub)
			}
			return
		}
		var args []string
		for word := range strings.FieldsSeq(c.Use) {
			if word == strings.ToUpper(word) {
				args = append(args, "missing.glb")
			}
		}
		if len(args) > 0 {
			out[c] = args
		}
	}
	add(root)
	for _, c := range root.Commands() {
		add(c)
	}
	return out
}

// TestMessagesOfFlags feeds wrong values to every flag of every command. Every run ends in an error that says what is
// wrong in plain words.
func TestMessagesOfFlags(t *testing.T) {
	slow(t)
	t.Chdir(t.TempDir())
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	values := []string{"soon", "1e999", "-99999999999999999999", "NaN", "", `a"b`, "1,x", "-1", ":", "\x1b[31m",
		strings.Repeat("x", 500)}
	names := map[string][]string{} // of every command, by its path
	for c := range leaves(newRoot(methods.All())) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && f.Name != "version" {
				names[c.CommandPath()] = append(names[c.CommandPath()], f.Name)
			}
		})
	}
	if len(names) < 15 {
		t.Fatalf("only %d commands", len(names))
	}
	for path, flags := range names {
		command := strings.Fields(path)[1:]
		for _, flag := range flags {
			for i, value := range values {
				root := newRoot(methods.All())
				cmd, _, err := root.Find(command)
				if err != nil {
					t.Fatal(err)
				}
				if i > 0 && cmd.Flags().Lookup(flag).Value.Type() == "bool" {
					break // one wrong value is as wrong as another
				}
				args := append(append(append([]string{}, command...), leaves(root)[cmd]...), "--"+flag+"="+value)
				if command := cmd.Name(); flag != "output" && (command == "deform" || command == "render" || command == "transfer") {
					args = append(args, "-o", "x")
				}
				root.SetArgs(args)
				err = root.ExecuteContext(context.Background())
				if err == nil {
					t.Errorf("%q: no error", args)
					continue
				}
				if text := err.Error(); jargon.MatchString(text) || len(text) > 1000 || strings.ContainsAny(text, "\x1b") {
					t.Errorf("%q: %s", args, text)
				}
			}
		}
	}
}

// A fit that is written nowhere says so before the work, and one that is written does not.
func TestFitSaysThatNothingIsWritten(t *testing.T) {
	args := []string{"fit", "blend-bones", "demo:bar", "--bones", "1", "--train", "0:2"}
	const says = "note: nothing will be written: -o FILE.glb keeps the fit"
	if _, stderr, code := skinlab(t, args...); code != 0 || !strings.HasPrefix(stderr, says) {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if _, stderr, code := skinlab(t, append(args, "-o", filepath.Join(t.TempDir(), "x.glb"))...); code != 0 ||
		strings.Contains(stderr, says) {
		t.Errorf("with -o: exit %d: %s", code, stderr)
	}
}

// TestMessagesOfFiles: files that cannot be read or written are named as the person named them, with the reason alone.
func TestMessagesOfFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, content := range map[string]string{"bad.glb": "glTF\x02\x00\x00\x00", "bad.gltf": "{", "bad.obj": "v 1 2 x\n",
		"bad.ply": "ply\n", "bad.json": "{}", "far.gltf": `{"asset":{"version":"2.0"},"buffers":[{"uri":"gone.bin","byteLength":4}]}`} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 240) + ".png"
	for _, line := range []string{
		"info missing.glb", "info folder", "info bad.glb", "info bad.gltf", "info bad.obj", "info bad.ply", "info far.gltf",
		"info missing/x.glb", "info bad.glb/x.glb", "info " + strings.Repeat("y", 300) + ".glb",
		"render demo:box --pose missing.json -o x.png", "render demo:box --pose bad.json -o x.png",
		"render demo:box --pose folder -o x.png", "render demo:box -o folder", "render demo:box -o bad.glb/x.png",
		"render demo:box -o " + strings.Repeat("y", 300) + ".png",
		"fit ssd demo:bar --targets missing --clip 0", "fit ssd demo:bar --targets folder --clip 0",
		"fit ssd demo:bar --targets bad.obj --clip 0", "compare demo:box --report bad.glb", "compare demo:box --report missing/x",
		"compare demo:box --report " + strings.Repeat("y", 300),
		"transfer demo:box folder -o x.glb", "transfer demo:box bad.obj -o x.glb",
		"deform demo:box -o /dev/full",
	} {
		if strings.Contains(line, "/dev/full") {
			if _, err := os.Stat("/dev/full"); err != nil {
				continue
			}
		}
		stdout, stderr, code := skinlab(t, strings.Fields(line)...)
		if code == 0 || jargon.MatchString(stderr) || !strings.HasPrefix(stderr, "error: ") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%.80s: exit %d: %q %q", line, code, stdout, stderr)
		}
	}
	// A name that is nearly as long as file systems take leaves no room for that of a temporary file.
	if _, stderr, code := skinlab(t, "render", "demo:box", "--size", "16x16", "-o", long); code != 0 &&
		!strings.Contains(stderr, "no headless OpenGL context") {
		t.Errorf("a long name: exit %d: %s", code, stderr)
	}
	if files, err := filepath.Glob(".*"); err != nil || len(files) > 0 {
		t.Errorf("%v are left, %v", files, err)
	}
}

// TestFullStandardOutput: what cannot be printed is an error of every command, in either form. A reader that leaves
// early is none to speak of: the program ends in silence.
func TestFullStandardOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, line := range []string{"info demo:box", "info demo:box --json", "version", "compare demo:box --frames 2",
		"fit ssd demo:bar", "sweep demo:box --joint bone2 --axis twist", "help", "help render", "--help", "completion bash"} {
		var errs strings.Builder
		cmd := program(strings.Fields(line)...)
		cmd.Stdout, cmd.Stderr = full, &errs
		_ = cmd.Run() // the exit code says it all
		if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(errs.String(), "error: write ") {
			t.Errorf("%s: exit %d: %q", line, code, errs.String())
		}
	}
	left, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	left.Close()
	defer out.Close()
	var errs strings.Builder
	cmd := program("info", "demo:box")
	cmd.Stdout, cmd.Stderr = out, &errs
	if err := cmd.Run(); err == nil || errs.Len() > 0 {
		t.Errorf("a broken pipe: %v: %q", err, errs.String())
	}
}
