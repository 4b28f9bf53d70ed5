package command

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"skinlab/assets"
	"skinlab/skinning"
)

// interrupted runs a command that -o tells where to write, presses Ctrl-C once it has said until, wants exit 130, and
// reads the model that it left.
func interrupted(t *testing.T, out, until string, args ...string) *skinning.Model {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send on Windows")
	}
	cmd := program(append(args, "-o", out)...)
	seen := interruptAt(t, cmd, until)
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit %d after %q, want 130", code, seen)
	}
	m, err := assets.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// interruptAt runs a command to its end, with Ctrl-C once its standard error has the text, and returns all of that. How
// it ended is in the command's state.
func interruptAt(t *testing.T, cmd *exec.Cmd, until string) string {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	seen := ""
	for buf := make([]byte, 256); !strings.Contains(seen, until); {
		n, err := stderr.Read(buf)
		if err != nil {
			t.Fatalf("%v after %q", err, seen)
		}
		seen += string(buf[:n])
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(stderr)
	_ = cmd.Wait() // the state says it all
	return seen + string(rest)
}

// Ctrl-C before there is anything to keep says so: while examples are made, and while the first frame is searched
// for. The progress names both, and the time that is left.
func TestInterruptedBeforeAModel(t *testing.T) {
	slow(t)
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send on Windows")
	}
	for _, c := range []struct {
		stage, says, ending string
		args                []string
	}{
		{"making example", "cancelled before there was a model: nothing is written\n", ".glb",
			[]string{"fit", "helper-bones", "demo:leg-smooth", "--examples", "grid"}},
		{"searching the limbs", "cancelled before a frame was posed: nothing is written\n", ".glb",
			[]string{"transfer", "demo:figure", "demo:figure"}},
		{"comparing frame", "\ncancelled\n", ".png", []string{"compare", "demo:leg-smooth", "--frames", "2000"}},
	} {
		out := filepath.Join(t.TempDir(), "out"+c.ending)
		cmd := program(append(c.args, "-o", out)...)
		cmd.Env = append(cmd.Env, "GOMAXPROCS=2") // many processors are done in a second, and nothing is told
		seen := interruptAt(t, cmd, c.stage)
		if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.HasSuffix(seen, c.says) ||
			!strings.Contains(seen, " s left\n") {
			t.Errorf("%v: exit %d after %q", c.args, code, seen)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%v: %s is written", c.args, out)
		}
	}
}

// Ctrl-C ends a fit and leaves the best model so far.
func TestInterruptedFitLeavesAFile(t *testing.T) {
	// Progress says when there is something to keep.
	m := interrupted(t, filepath.Join(t.TempDir(), "fitted.glb"), "  2 bones", "fit", "blend-bones", "demo:figure",
		"--bones", "200")
	if len(m.Added()) < 1 {
		t.Errorf("the file holds no blend bones")
	}
}

// Ctrl-C while clips are baked leaves a file with the fitted model, and says what of it is coarse, where it does not
// come too late.
func TestInterruptedBaking(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send on Windows")
	}
	for range 5 {
		out := filepath.Join(t.TempDir(), "fitted.glb")
		cmd := program("fit", "half-way", "demo:figure", "--fps", "1000", "-o", out)
		var told strings.Builder
		cmd.Stdout = &told
		seen := interruptAt(t, cmd, "baking clip")
		if code := cmd.ProcessState.ExitCode(); code != 130 {
			t.Fatalf("exit %d after %q", code, seen)
		}
		m, err := assets.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Added()) < 1 {
			t.Fatal("the file holds no blend bones")
		}
		if strings.Contains(told.String(), "are baked coarsely") {
			return
		}
	}
	t.Error("no baking was interrupted")
}

// A third Ctrl-C ends the program while it writes what the first has left, and the second has it bake coarsely: the old
// file stays, and nothing lies beside it. It may be too late: the file is whole then, and it is tried again.
func TestInterruptedThrice(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send on Windows")
	}
	folder := t.TempDir()
	out := filepath.Join(folder, "fitted.glb")
	for try := range 10 {
		if err := os.WriteFile(out, []byte("before"), 0o600); err != nil {
			t.Fatal(err)
		}
		late := !endedWriting(t, out, time.Duration(5*(try+1))*time.Millisecond)
		if late {
			if _, err := assets.Open(out); err != nil {
				t.Fatal(err)
			}
		} else if text, err := os.ReadFile(out); err != nil || string(text) != "before" {
			t.Errorf("the old file holds %d bytes, %v", len(text), err)
		}
		if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
			t.Errorf("%d files are left: %v", len(entries), err)
		}
		if !late {
			return
		}
	}
	t.Error("no third signal ended the program")
}

// endedWriting interrupts a fit, again once it writes, and once more after a while. It reports whether that ended the
// program.
func endedWriting(t *testing.T, out string, while time.Duration) bool {
	t.Helper()
	// A thousand keys a second of every clip take seconds to bake.
	cmd := program("fit", "blend-bones", "demo:figure", "--bones", "200", "--fps", "1000", "--force", "-o", out)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	seen := ""
	for _, until := range []string{"  2 bones", "cancelled: writing"} {
		for buf := make([]byte, 256); !strings.Contains(seen, until); {
			n, err := stderr.Read(buf)
			if err != nil {
				t.Fatalf("%v after %q", err, seen)
			}
			seen += string(buf[:n])
		}
		_ = cmd.Process.Signal(os.Interrupt) // it may have ended
	}
	time.Sleep(while)
	_ = cmd.Process.Signal(os.Interrupt)
	_, _ = io.Copy(io.Discard, stderr)
	_ = cmd.Wait() // its state says it all
	if code := cmd.ProcessState.ExitCode(); cmd.ProcessState.Exited() && code != 130 {
		t.Fatalf("exit %d", code)
	}
	return !cmd.ProcessState.Exited()
}

// Ctrl-C leaves the best model so far, whole, in place of what was there before.
func TestInterruptedEnveloping(t *testing.T) {
	slow(t)
	folder := t.TempDir()
	out := filepath.Join(folder, "fitted.glb")
	if err := os.WriteFile(out, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	m := interrupted(t, out, "leave one out: 1 of", "fit", "enveloping", "demo:arm", "--loocv",
		"--force")
	if len(m.Added()) == 0 {
		t.Errorf("the file holds no proxies")
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("%d files are left: %v", len(entries), err)
	}
}

// A place that cannot be written to is found before a fit, not after it.
func TestFitOutput(t *testing.T) {
	folder := t.TempDir()
	for out, say := range map[string]string{
		filepath.Join(folder, "none", "x.glb"): "there is no folder",
		folder:                                 "is a folder",
	} {
		for _, method := range []string{"enveloping", "blend-bones"} {
			cmd := program("fit", method, "demo:figure", "-o", out)
			text, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(text), say) || !strings.Contains(string(text), out) ||
				strings.Contains(string(text), "EE") {
				t.Errorf("%s -o %s: %v, %q", method, out, err, text)
			}
		}
	}
}

// TestStatedError: the JSON of a fit has the stated error between keys as a number, and `info` says of the file which
// fit has made it, with the same number.
func TestStatedError(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.glb")
	var fitted struct {
		AddedBones int      `json:"added_bones"`
		KeyError   *float64 `json:"error_between_keys"`
	}
	stdout, stderr, code := skinlab(t, "fit", "blend-bones", "demo:bar", "--bones", "2", "-o", out, "--json")
	if err := json.Unmarshal([]byte(stdout), &fitted); code != 0 || err != nil || fitted.KeyError == nil {
		t.Fatalf("exit %d, %v, %+v: %s", code, err, fitted, stderr)
	}
	var info struct{ Fit *skinning.FitRecord }
	stdout, _, _ = skinlab(t, "info", out, "--json")
	if err := json.Unmarshal([]byte(stdout), &info); err != nil || info.Fit == nil || info.Fit.Method != "blend-bones" ||
		info.Fit.Bones != fitted.AddedBones || info.Fit.KeyError == nil || *info.Fit.KeyError != *fitted.KeyError {
		t.Errorf("%v: info says %+v, the fit %+v", err, info.Fit, fitted)
	}
	stdout, _, _ = skinlab(t, "info", out)
	if !strings.Contains(stdout, "blend-bones, 2 blend bones, learnt from dqs, error between keys") {
		t.Errorf("info says %s", stdout)
	}
}

// TestBakedWhole: no clip of a character of 460 kB with 14 clips, exported with the default proxies, is baked coarsely.
func TestBakedWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	path := filepath.Join(models, "RobotExpressive.glb")
	if _, err := os.Stat(path); err != nil {
		t.Skip("RobotExpressive.glb is not here")
	}
	out := filepath.Join(t.TempDir(), "out.glb")
	if _, stderr, code := skinlab(t, "fit", "enveloping", path, "--teach", "dqs", "-o", out); code != 0 ||
		strings.Contains(stderr, "coarsely") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
