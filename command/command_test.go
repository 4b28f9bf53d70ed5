package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"skinlab/fit/methods"
	"skinlab/skinning/simd"
)

const models = "../../shared/models"

// Exit codes of the program.
const (
	exitData  = 1
	exitUsage = 2
)

// programPath is the program. Most tests run it as a process of its own, with its own exit codes, streams and signals.
var programPath string

// buildFlags are those that the program is built with.
var buildFlags []string

func TestMain(m *testing.M) {
	if _, err := os.Stat("../main.go"); err != nil { // and so `go test` keeps no result when that file changes
		panic(err)
	}
	folder, err := os.MkdirTemp("", "skinlab")
	if err != nil {
		panic(err)
	}
	programPath = filepath.Join(folder, "skinlab.exe") // Windows runs no other name
	build := slices.Concat([]string{"build", "-ldflags=-w", "-o", programPath}, buildFlags, []string{".."})
	if out, err := exec.Command("go", build...).CombinedOutput(); err != nil {
		panic(fmt.Sprintf("go build: %v: %s", err, out))
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// program prepares the program without a display.
func program(args ...string) *exec.Cmd {
	cmd := exec.Command(programPath, args...)
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "DISPLAY=") && !strings.HasPrefix(e, "WAYLAND_DISPLAY=") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	return cmd
}

// slow marks a test that takes some seconds.
func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("some seconds")
	}
}

func skinlab(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := program(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// object runs a command with --json and decodes its one object.
func object(t *testing.T, args ...string) map[string]any {
	t.Helper()
	stdout, stderr, code := skinlab(t, append(args, "--json")...)
	if code != 0 {
		t.Fatalf("%v: exit %d: %s", args, code, stderr)
	}
	dec := json.NewDecoder(strings.NewReader(stdout))
	var o map[string]any
	if err := dec.Decode(&o); err != nil {
		t.Fatalf("%v: %v in %q", args, err, stdout)
	}
	if dec.More() {
		t.Fatalf("%v: more than one object on standard output", args)
	}
	return o
}

func abs(x float64) float64 { return max(x, -x) }

func TestExitCodes(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x")
	broken := filepath.Join(t.TempDir(), "broken.glb")
	if err := os.WriteFile(broken, []byte("glTF\x02\x00\x00\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{1, "no such file", []string{"info", "missing.glb"}},
		{1, "broken.glb", []string{"info", broken}},
		{1, "demo:", []string{"info", "demo:nobody"}},
		{1, "missing.glb", []string{"missing.glb"}},
		{1, "display", []string{"view", "demo:box"}},
		{2, "info", []string{"info"}},
		{2, "arguments", []string{"info", "demo:box", "demo:tube"}},
		{2, "--nonsense", []string{"info", "demo:box", "--nonsense"}},
		{2, "--method", []string{"deform", "demo:box", "--method", "magic", "-o", out}},
		{2, "--methods", []string{"compare", "demo:box", "--methods", "lbs,magic"}},
		{2, "-o", []string{"deform", "demo:box"}},
		{2, "-o", []string{"render", "demo:box"}},
		{2, "--size", []string{"render", "demo:box", "--size", "0x9", "-o", out}},
		{2, "--clip", []string{"render", "demo:box", "--clip", "nosuch", "-o", out}},
		{2, "--frames", []string{"compare", "demo:box", "--frames", "0"}},
		{2, "--device", []string{"bench", "demo:box", "--device", "abacus"}},
		{2, "--threads", []string{"bench", "--threads", "1,0"}},
		{2, "--simd", []string{"bench", "--simd", "mmx"}},
		{2, "--sizes", []string{"bench", "--sizes", "3x"}},
		{2, "--sizes", []string{"bench", "--sizes", "0"}},
		{2, "--sizes", []string{"bench", "--sizes", "99999M"}},
		{2, "--sizes", []string{"bench", "--sizes", "-3k,none"}},
		{2, "--sizes", []string{"bench", "--sizes", "3k", "--device", "gpu"}},
		{2, "--skinning", []string{"bench", "demo:box", "--skinning", "abacus"}},
		{2, "--instances", []string{"bench", "demo:box", "--instances", "0"}},
		{2, "--instances", []string{"bench", "demo:box", "--instances", "1,5000"}},
		{2, "--time", []string{"deform", "demo:box", "--time", "soon", "-o", out}},
		{2, "--time", []string{"deform", "demo:box", "--time", "NaN", "-o", out}},
		{2, "--poses", []string{"compare", "demo:box", "--poses", "Inf", "-o", out}},
		{2, "--time: 99 is not from 0 to 3.000", []string{"deform", "demo:box", "--time", "99", "-o", out}},
		{2, "--time: -1 is not from 0 to 3.000", []string{"render", "demo:box", "--time", "-1", "-o", out + ".png"}},
		{2, "--time: 3.1 is not from 0 to 3.000", []string{"demo:box", "--time", "3.1", "--screenshot", out + ".png"}},
		{2, "--poses: 99 is not from 0 to 3.000", []string{"compare", "demo:box", "--poses", "1,99", "-o", out + ".png"}},
		{2, ".png", []string{"compare", "demo:box", "-o", out + ".jpg"}},
		{2, ".png", []string{"render", "demo:box", "-o", out + ".jpg"}},
		{2, ".png", []string{"demo:box", "--screenshot", out + ".bmp"}},
		{2, ".glb", []string{"fit", "blend-bones", "demo:box", "-o", out + ".gltf"}},
		{2, "--subdivide", []string{"bench", "demo:box", "--subdivide", "6"}},
		{2, "--subdivide", []string{"bench", "demo:box", "--subdivide", "0,-1"}},
		{2, "--frames", []string{"view", "demo:box", "--frames", "-1"}},
		{2, "--paint", []string{"view", "demo:box", "--paint", "keys", "--heat"}},
		{2, "--frames", []string{"view", "demo:box", "--frames", "5", "--screenshot", "x.png"}},
	} {
		stdout, stderr, code := skinlab(t, c.args...)
		if code != c.code || !strings.HasPrefix(stderr, "error: ") || strings.Count(stderr, "error: ") != 1 ||
			!strings.Contains(stderr, c.says) || stdout != "" {
			t.Errorf("%v: exit %d, want %d naming %q; stdout %q, stderr %q", c.args, code, c.code, c.says, stdout, stderr)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a failed command left a file")
	}
}

func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send on Windows")
	}
	cmd := program("compare", "demo:box", "--frames", "100000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	time.Sleep(500 * time.Millisecond)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	most := time.Since(start) * time.Duration(runtime.NumCPU()) // that it can have worked before the signal
	_ = cmd.Wait()                                              // the exit code says it all
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit %d, want 130", code)
	}
	// One frame of one method takes milliseconds.
	if d := processorTime(cmd); d > most+2*time.Second {
		t.Errorf("worked for %v, %v at most before it was to stop", d, most)
	}
}

// processorTime is what a command that has ended took of the processors: that of a busy machine is hardly another.
func processorTime(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

func TestHelp(t *testing.T) {
	root := newRoot(methods.All())
	fit, _, err := root.Find([]string{"fit"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range slices.Concat(root.Commands(), fit.Commands()) {
		if c.Name() == "help" { // cobra's own
			continue
		}
		name := strings.TrimPrefix(c.CommandPath(), "skinlab ")
		stdout, stderr, code := skinlab(t, append(strings.Fields(name), "--help")...)
		if code != 0 || !strings.Contains(stdout, "Examples:\nskinlab "+name) ||
			c != fit && !strings.Contains(stdout, "--json") {
			t.Errorf("%s --help: exit %d, %q %q", name, code, stdout, stderr)
		}
	}
	for c := range leaves(root) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if strings.Contains(f.Usage, "`") { // pflag takes the quoted word for the name of the value
				t.Errorf("%s --%s: %q quotes a name", c.CommandPath(), f.Name, f.Usage)
			}
		})
	}
	stdout, stderr, code := skinlab(t, "fit")
	for _, m := range methods.All() {
		if code != 0 || !strings.Contains(stdout, m.Help) {
			t.Errorf("fit: exit %d, no %q: %q %q", code, m.Help, stdout, stderr)
		}
	}
	if stdout, _, code := skinlab(t, "completion", "bash"); code != 0 || !strings.Contains(stdout, "skinlab") {
		t.Errorf("completion bash: exit %d", code)
	}
	if stdout, _, _ := skinlab(t, "__complete", "render", "demo:box", "--method", ""); !strings.Contains(stdout, "dqs") {
		t.Errorf("--method completes to %q", stdout)
	}
	for command, takes := range map[string]bool{"compare": true, "sweep": false, "view": true} {
		if stdout, _, _ := skinlab(t, "__complete", command, "--reference", ""); strings.Contains(stdout,
			exampleReference) != takes {
			t.Errorf("%s --reference completes to %q", command, stdout)
		}
	}
	if stdout, _, _ := skinlab(t, "__complete", "sweep", "demo:arm", "--joint", ""); !strings.Contains(stdout, "forearm\n") {
		t.Errorf("sweep --joint completes to %q", stdout)
	}
	for flag, want := range map[string]string{"--clip": "stress:bend\n", "--frame": "joint:forearm\n", "--view": "front\n"} {
		if stdout, _, _ := skinlab(t, "__complete", "render", "demo:arm", flag, ""); !strings.Contains(stdout, want) {
			t.Errorf("render %s completes to %q", flag, stdout)
		}
	}
	if stdout, _, _ := skinlab(t, "__complete", "info", ""); !strings.Contains(stdout, "demo:figure") {
		t.Errorf("a model completes to %q", stdout)
	}
}

// Every hostile file gets an answer within a second of processor time and 200 MB, and the ones to be refused get exit
// 1.
func TestHostileFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(models, "hostile", "*.glb"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip(models + " is not here")
	}
	refused := []string{"animation_missing_node", "bad_json", "cyclic_skeleton", "future_version", "huge_accessor_count",
		"index_out_of_range", "joint_index_out_of_range", "nan_weights", "truncated_bin"}
	for _, file := range files {
		want := 0
		for _, r := range refused {
			if strings.HasSuffix(file, r+".glb") {
				want = 1
			}
		}
		cmd := program("info", file, "--json")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		_ = cmd.Run() // the exit code is checked below
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("%s: exit %d, want %d: %s", file, code, want, &stderr)
		}
		if want == 1 && !strings.Contains(stderr.String(), "error: "+filepath.Base(file)) {
			t.Errorf("%s: the error does not name the file: %s", file, &stderr)
		}
		if took := processorTime(cmd); took > time.Second { // takes under 0.1 s
			t.Errorf("%s: took %v", file, took)
		}
		if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && usage.Maxrss > max(200<<10, ownPeak()) { // KiB on Linux
			t.Errorf("%s: took %d KiB of memory", file, usage.Maxrss)
		}
	}
}

// A level of skinning kernels that does not exist ends every command with the reason.
func TestUnknownKernelLevel(t *testing.T) {
	cmd := program("info", "demo:box")
	cmd.Env = append(cmd.Env, simd.Variable+"=mmx")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != exitUsage ||
		!strings.Contains(string(out), "SKINLAB_SIMD=mmx: want one of [scalar avx2 avx512]") {
		t.Errorf("exit code %d, %v: %s", cmd.ProcessState.ExitCode(), err, out)
	}
}
