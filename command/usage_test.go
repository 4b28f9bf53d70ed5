package command

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"skinlab/command/flags"
	"skinlab/fit/methods"
	"skinlab/internal/gltftest"
)

// An unknown command, flag or word of a flag is answered with the nearest that there is.
func TestNearestIsProposed(t *testing.T) {
	slow(t)
	for _, c := range []struct{ says, args string }{
		{`"comapre": neither a command nor a file; did you mean "compare"?`, "comapre demo:box"},
		{`"verison": neither a command nor a file; did you mean "version"?`, "verison"},
		{`help: "comapre": no such command; did you mean "compare"?`, "help comapre"},
		{`help: "envelopin": no such command; did you mean "enveloping"?`, "help fit envelopin"},
		{`"xyzzy": neither a command nor a file (see skinlab --help)`, "xyzzy"},
		{`did you mean "blend-bones"?`, "fit blend-bone demo:box"},
		{"unknown flag: --mehtod; did you mean --method?", "render demo:box --mehtod lbs"},
		{"did you mean --method?", "render demo:box -method lbs"},
		{"did you mean --operator?", "fit blend-bones demo:arm --operater dqs"},
		{"unknown flag: --xyzzy (see skinlab render --help)", "render demo:box --xyzzy"},
		{`--method: "lsb": not one of lbs, dqs, sdqs, dib, sbs, twist-swing, cor, fit, examples; did you mean "lbs"?`, "render demo:box --method lsb"},
		{`did you mean "dib"?`, "compare demo:box --methods lbs,dbi"},
		{`did you mean "half-way"?`, "compare demo:box --methods halfway"},
		{`did you mean "examples"?`, "compare demo:box --reference example"},
		{`did you mean "sbs"?`, "demo:box --against dqs,sbss"},
		{`did you mean "error"?`, "demo:box --page errors"},
		{`did you mean "enveloping"?`, "demo:box --fit envelopin"},
		{`did you mean "split"?`, "demo:box --layout spilt"},
		{`did you mean "turning"?`, "demo:box --paint truning"},
		{`did you mean "twist"?`, "render demo:box --clip twst -o x.png"},
		{`did you mean "front"?`, "render demo:box --view frnt -o x.png"},
		{`the nearest: ["forearm"`, "render demo:arm --frame joint:forarm -o x.png"},
		{`the nearest: ["forearm"`, "sweep demo:arm --joint forarm"},
		{`did you mean "bend"?`, "sweep demo:arm --joint hand --axis bent"},
		{`did you mean "gpu"?`, "bench --device gup"},
		{`did you mean "avx512"?`, "bench --simd avx51"},
		{`did you mean "compute"?`, "bench demo:box --skinning comptue"},
		{`did you mean "grid"?`, "fit helper-bones demo:leg --examples gird"},
		{`did you mean "lbs"?`, "transfer demo:arm demo:arm --method lb -o x.glb"},
		{`did you mean "demo:figure"?`, "info demo:figur"},
		{`did you mean "stress:bend"?`, "compare demo:figure --clip bend"},
	} {
		stdout, stderr, code := skinlab(t, strings.Fields(c.args)...)
		if code == 0 || stdout != "" || !strings.HasPrefix(stderr, "error: ") || !strings.Contains(stderr, c.says) {
			t.Errorf("%s: exit %d, expected %q: %q %q", c.args, code, c.says, stdout, stderr)
		}
	}
}

// What is near nothing proposes nothing, and the methods that a flag does take are taken.
func TestWordsAreTaken(t *testing.T) {
	root := newRoot(methods.All())
	for _, c := range []struct{ args, says string }{
		{"render --method dqs", ""}, {"render --method= ", `--method: ""`}, {"view --page error --layout two", ""},
		{"view --page=", ""}, {"bench --simd=all --device cpu", ""}, {"view --against lbs,magic", `--against: "magic"`},
		{"compare --reference examples", ""}, {"compare --methods fitted.glb", ""},
	} {
		cmd, args, err := root.Find(strings.Fields(c.args))
		if err == nil {
			err = cmd.ParseFlags(args)
			if err == nil {
				err = flags.CheckWords(cmd.Flags())
			}
		}
		if err == nil && c.says != "" || err != nil && (c.says == "" || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, expected %q", c.args, err, c.says)
		}
	}
}

// The version is told with and without a display, and where no OpenGL can be had.
func TestVersion(t *testing.T) {
	slow(t)
	for _, args := range [][]string{{"version"}, {"--version"}} {
		stdout, stderr, code := skinlab(t, args...)
		if code != 0 || stderr != "" {
			t.Errorf("%v: exit %d: %s", args, code, stderr)
		}
		for _, line := range []string{"skinlab ", "revision ", "go        go1.", "OpenGL "} {
			if !strings.Contains("\n"+stdout, "\n"+line) {
				t.Errorf("%v: no line of %q: %s", args, line, stdout)
			}
		}
		o := object(t, args...)
		gl, ok := o["gl"].(map[string]any)
		if !ok || o["version"] == "" || !strings.HasPrefix(o["go"].(string), "go1.") ||
			(gl["error"] == "") == (gl["renderer"] == "") {
			t.Errorf("%v --json: %v", args, o)
		}
	}
	cmd := program("version")
	cmd.Env = append(cmd.Env, "__EGL_VENDOR_LIBRARY_DIRS=/nowhere", "__EGL_VENDOR_LIBRARY_FILENAMES=/nowhere")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "OpenGL") {
		t.Errorf("without EGL: %v: %s", err, out)
	}
}

// A report names the commit that its binary was built from, and says where the source differed from it.
func TestBuildName(t *testing.T) {
	const commit, pseudo = "7716a7acb0c1d2e3", "v0.0.0-20261127225801-7716a7acb0c1"
	for _, c := range []struct{ version, revision, modified, want string }{
		{"", "", "", developmentBuild}, {"(devel)", "", "", developmentBuild}, {"v1.2.3", "", "", "v1.2.3"},
		{"(devel)", commit, "false", "commit " + commit}, {pseudo, commit, "false", "commit " + commit},
		{pseudo + "+dirty", commit, "true", "commit " + commit + ", and changes to it"},
		{"v1.2.3", commit, "false", "v1.2.3, commit " + commit},
	} {
		info := debug.BuildInfo{Main: debug.Module{Version: c.version},
			Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: c.revision}, {Key: "vcs.modified", Value: c.modified}}}
		if b := readBuild(&info); b.String() != c.want {
			t.Errorf("%+v: %q", c, b.String())
		}
	}
}

// info lists the joints with their parents: in a text where that is asked for, in JSON always; and the materials.
func TestInfoLists(t *testing.T) {
	plain, _, _ := skinlab(t, "info", "demo:arm")
	listed, _, _ := skinlab(t, "info", "demo:arm", "--joints")

	if strings.Contains(plain, "below") || !strings.HasPrefix(listed, plain) || !strings.Contains(plain, "material 0 ") {
		t.Errorf("without joints %q, with joints %q", plain, listed)
	}
	o := object(t, "info", "demo:arm")
	joints, materials := o["joint_list"].([]any), o["material_list"].([]any)
	if len(joints) != int(o["joints"].(float64)) || len(materials) != int(o["materials"].(float64)) || o["ignored"] == nil {
		t.Fatalf("%v", o)
	}
	for i, j := range joints {
		j := j.(map[string]any)
		line := fmt.Sprintf("  joint %-4d  %s", i, j["name"])
		if parent := int(j["parent"].(float64)); parent >= 0 {
			line += fmt.Sprintf(", below %d %s", parent, j["parent_name"])
			if j["parent_name"] != joints[parent].(map[string]any)["name"] {
				t.Errorf("joint %d: %v", i, j)
			}
		}
		if !strings.Contains(listed, line+"\n") {
			t.Errorf("no line %q in %s", line, listed)
		}
	}
}

// TestScenes: a scene is chosen by name or index, info lists all of them, and so does the error for another.
func TestScenes(t *testing.T) {
	b := gltftest.Beam()
	b.Set("scenes.0.name", "whole").Push("scenes", gltftest.Object{"name": "beam", "nodes": gltftest.List{0}})
	file := filepath.Join(t.TempDir(), "beam.glb")
	if err := os.WriteFile(file, b.Glb(), 0o600); err != nil {
		t.Fatal(err)
	}
	for scene, vertices := range map[string]float64{"whole": 12, "beam": 8, "1": 8} {
		o := object(t, "info", file, "--scene", scene)
		if o["vertices"] != vertices || len(o["scenes"].([]any)) != 2 {
			t.Errorf("scene %s: %v vertices, scenes %v, expected %g", scene, o["vertices"], o["scenes"], vertices)
		}
	}
	for _, args := range [][]string{{"info", file}, {"render", file, "-o", filepath.Join(t.TempDir(), "x.png")}} {
		if _, stderr, code := skinlab(t, append(args, "--scene", "other")...); code == 0 ||
			!strings.Contains(stderr, `beam.glb: scene "other": not one of ["whole" "beam"]`) {
			t.Errorf("%q: exit %d: %s", args, code, stderr)
		}
	}
	if _, stderr, code := skinlab(t, "info", "demo:box", "--scene", "0"); code == 0 ||
		!strings.Contains(stderr, "the model has no scenes") {
		t.Errorf("a model without scenes: exit %d: %s", code, stderr)
	}
}

// TestUnit: the lengths of a BVH file are in the unit of the flag.
func TestUnit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "arm.bvh")
	text := "HIERARCHY\nROOT a { OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition End Site { OFFSET 0 2 0 } }\n" +
		"MOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n0 0 0\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for unit, height := range map[string]float64{"": 0.02, "mm": 0.002, "cm": 0.02, "m": 2, "in": 0.0508, "ft": 0.6096,
		"0.5": 1} {
		args := []string{"info", file}
		if unit != "" {
			args = append(args, "--unit", unit)
		}
		if got := object(t, args...)["size"].([]any)[1].(float64); !(abs(got-height) <= 1e-6*height) {
			t.Errorf("unit %q: %g m, expected %g", unit, got, height)
		}
	}
	for _, unit := range []string{"furlong", "0", "-1", "NaN", "1e300"} {
		if _, stderr, code := skinlab(t, "info", file, "--unit", unit); code != 2 || !strings.Contains(stderr, "--unit: ") {
			t.Errorf("unit %q: exit %d: %s", unit, code, stderr)
		}
	}
}
