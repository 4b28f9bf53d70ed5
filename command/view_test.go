package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"skinlab/render/viewer"
	"skinlab/render/viewer/settings"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// useSettingsWith returns what the window opens with for a command line.
func useSettingsWith(t *testing.T, args ...string) (opt viewer.Options, err error) {
	t.Helper()
	var c viewCommand
	flags := pflag.NewFlagSet("view", pflag.ContinueOnError)
	c.register(flags)
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	opt.Clay = c.Clay
	return opt, c.useSettings(&opt)
}

func TestSettingsStandBelowTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("HOME", dir)
	t.Setenv("AppData", dir)
	path, err := settings.Path()
	if err != nil {
		t.Fatal(err)
	}
	s := settings.Default()
	s.Layout, s.Clay = state.Four.String(), true
	if err := s.Save(path); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   string
		layout state.Layout
		clay   bool
		kept   bool
	}{
		{"", state.Four, true, true},
		{"--layout two --clay=false", state.One, false, true}, // parseLayout sets a layout that is given
		{"--against dqs", state.One, true, true},
		{"--screenshot x.png", state.One, false, false},
		{"--screenshot x.png --no-interface", state.One, false, false},
		{"--frames 5", state.One, false, false},
	} {
		opt, err := useSettingsWith(t, strings.Fields(c.args)...)
		if err != nil || opt.Layout != c.layout || opt.Clay != c.clay || (opt.SettingsPath == path) != c.kept ||
			(opt.Settings != nil) != c.kept {
			t.Errorf("%q: layout %v, clay %v, settings at %q, error %v; expected %+v", c.args, opt.Layout, opt.Clay,
				opt.SettingsPath, err, c)
		}
	}
	if _, err := useSettingsWith(t, "--no-interface"); err == nil {
		t.Error("--no-interface without --screenshot is no error")
	}
	if err := os.WriteFile(path, []byte("{broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if opt, err := useSettingsWith(t); err != nil || opt.Notice == "" || opt.Settings == nil ||
		opt.Settings.Layout != "one" {
		t.Errorf("broken settings: %+v, %v; expected the defaults and a notice", opt, err)
	}
	if _, err := useSettingsWith(t, "--reset-settings"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("after --reset-settings %s is still there (%v)", filepath.Base(path), err)
	}
}

// TestViewOfMissingFile: with a display, the window opens on a file that is not there and stays until it is closed. The
// reason is on standard error, once, and the exit code is that of bad data.
func TestViewOfMissingFile(t *testing.T) {
	slow(t)
	for _, tool := range []string{"xvfb-run", "xdotool"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	dir := t.TempDir()
	// xvfb-run sometimes fails where it cleans up, so that the program's own exit code is printed.
	run := func(script string, args ...string) (code int, out, errs string) {
		cmd := exec.Command("xvfb-run", append([]string{"-a", "sh", "-c", script + "; echo exit $?", programPath}, args...)...)
		cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+dir, "HOME="+dir)
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); cmd.ProcessState == nil {
			t.Fatal(err)
		}
		out, last, _ := strings.Cut(stdout.String(), "exit ")
		if _, err := fmt.Sscan(last, &code); err != nil {
			code = -1
		}
		return code, out, stderr.String()
	}
	fails := func(code int, out, errs string) bool {
		return code == exitData && strings.HasPrefix(errs, "error: missing.glb: no such file") &&
			!strings.Contains(errs, "\nerror: ") && out == ""
	}
	code, out, errs := run(`"$0" missing.glb & window=$!
		xdotool search --sync --name "No model" mousemove 300 300 key ctrl+q
		wait $window`)
	if !fails(code, out, errs) {
		t.Errorf("exit %d; stdout %q, stderr %q", code, out, errs)
	}
	for _, args := range [][]string{{"--screenshot", filepath.Join(dir, "x.png")}, {"--frames", "5"}} {
		if code, out, errs := run(`"$0" missing.glb "$@"`, args...); !fails(code, out, errs) {
			t.Errorf("%v: exit %d; stdout %q, stderr %q", args, code, out, errs)
		}
	}
}

// A heat map and its reference are both seen whole, wherever the divider was left.
func TestLayoutOfAHeatMap(t *testing.T) {
	for heat, want := range map[bool]state.Layout{false: state.Split, true: state.Two} {
		c := viewCommand{heat: heat}
		if l, err := c.parseLayout(2); l != want || err != nil {
			t.Errorf("heat %v: layout %v, error %v; expected %v", heat, l, err, want)
		}
	}
}

// TestLayoutOfAFileBeside: the second picture is the other file's, and those of --against follow it.
func TestLayoutOfAFileBeside(t *testing.T) {
	var c viewCommand
	flags := pflag.NewFlagSet("view", pflag.ContinueOnError)
	c.register(flags)
	if err := flags.Parse([]string{"--beside", "other.glb", "--against", "dqs"}); err != nil {
		t.Fatal(err)
	}
	opt, err := c.options("first.glb")
	if err != nil || opt.Layout != state.Four || len(opt.Methods) != 3 || opt.Methods[2] != skinning.DQS {
		t.Errorf("%v, error %v; expected four pictures, the third by dqs", opt, err)
	}
}

// TestViewOfExamples: the window is not asked for examples that its clip does not show.
func TestViewOfExamples(t *testing.T) {
	for _, flag := range []string{"--method", "--against", "--reference"} {
		if _, stderr, code := skinlab(t, "view", "demo:arm", "--clip", "twist", flag, "examples"); code != exitUsage ||
			!strings.Contains(stderr, flag+" examples: demo:arm shows none in this clip") {
			t.Errorf("%s examples: exit %d: %s", flag, code, stderr)
		}
	}
}
