package command

// This file runs the commands on mutants (see mutation_test.go), each command a process of its own, and counts how
// they end. `make test-long` runs some of small files, `make mutants` many of all files.

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"skinlab/internal/longtest"
)

var (
	mutantCount = flag.Int("mutants.count", 500, "how many mutants TestMutants makes")
	mutantSeed  = flag.Uint64("mutants.seed", 1, "the seed of the mutants")
	mutantLarge = flag.Bool("mutants.large", false, "make mutants of large files too")
	mutantOnly  = flag.Int("mutants.only", -1, "make this mutant alone")
	mutantKeep  = flag.String("mutants.keep", "", "folder for the mutants that show a fault")
)

// How commands end. The first three are right.
const (
	ended    = "ok"
	warned   = "warned"
	refused  = "refused"
	faulty   = "fault" // a panic, an internal error, an end without a message, a file left behind or not readable again
	overTime = "over time"
	overSize = "over memory"
	unclear  = "bad message"
)

var outcomes = []string{ended, warned, refused, faulty, overTime, overSize, unclear}

// allowedTime is the processor time that a command may take on one core, in seconds: 5 for a file of up to 500 kB,
// and as much more as the file is larger. A transfer may take twice that: before it begins, it searches the poses of
// a whole body, which takes up to 5 seconds for every file. Mutants ask it for few frames, each of which takes its
// time.
func allowedTime(command string, size int64) float64 {
	seconds := 5 * max(1, float64(size)/500e3)
	if command == "transfer" {
		seconds *= 2
	}
	return seconds
}

// allowedSize is the memory that a command may take, in bytes.
func allowedSize(size int64) int64 { return 300e6 + 30*size }

// smallSeed is the size of files, in bytes, that `make test-long` makes mutants of.
const smallSeed = 200e3

// TestMutants: no mutant of a file makes a command fail in a way that nobody foresaw, take more time or memory than the
// file warrants, or say what nobody can act on.
func TestMutants(t *testing.T) {
	longtest.Only(t)
	if runtime.GOOS != "linux" { // limits are set by its shell, memory is measured in its units
		t.Skip("not on Linux")
	}
	seeds := mutantSeeds(t)
	first, last := 0, *mutantCount
	if *mutantOnly >= 0 {
		first, last = *mutantOnly, *mutantOnly+1
	}
	var (
		table   = map[string]map[string]int{} // by command and outcome
		shapes  = map[string]int{}            // messages with their numbers and names taken out
		slowest []string                      // share of the time allowed, and the command
		mutex   sync.Mutex
		numbers = make(chan int)
		group   sync.WaitGroup
	)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for n := range numbers {
				m := newMutant(t, seeds, n)
				m.run()
				mutex.Lock()
				for _, r := range m.runs {
					if table[r.command()] == nil {
						table[r.command()] = map[string]int{}
					}
					table[r.command()][r.outcome]++
					slowest = append(slowest, fmt.Sprintf("%4.0f %% of the time allowed: mutant %d of %s: %s",
						100*r.seconds/allowedTime(r.command(), r.size), n, m.seed.name, r.command()))
					if r.outcome == refused {
						shapes[messageShape(r.message)]++
					}
					if !slices.Contains(outcomes[:3], r.outcome) {
						t.Errorf("mutant %d of seed %d, %s: %s: %s: skinlab %s", n, *mutantSeed, m.seed.name, r.outcome, r.message,
							strings.Join(r.args, " "))
						m.keep(&r)
					}
				}
				if *mutantOnly >= 0 {
					m.keep(&m.runs[len(m.runs)-1])
				}
				mutex.Unlock()
				os.RemoveAll(m.folder)
			}
		})
	}
	begun := time.Now()
	for n := first; n < last; n++ {
		numbers <- n
	}
	close(numbers)
	group.Wait()
	t.Logf("%d mutants of seed %d in %.0f s\n%s", last-first, *mutantSeed, time.Since(begun).Seconds(),
		outcomeTable(table))
	if testing.Verbose() {
		slices.Sort(slowest)
		for _, line := range slowest[max(0, len(slowest)-20):] {
			t.Log(line)
		}
		for _, shape := range slices.Sorted(maps.Keys(shapes)) {
			t.Logf("%6d × %s", shapes[shape], shape)
		}
	}
}

// outcomeTable prints how each command ended how often.
func outcomeTable(table map[string]map[string]int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-18s", "command")
	for _, o := range outcomes {
		fmt.Fprintf(&b, "%12s", o)
	}
	all := map[string]int{}
	row := func(name string, counts map[string]int) {
		fmt.Fprintf(&b, "\n%-18s", name)
		for _, o := range outcomes {
			fmt.Fprintf(&b, "%12d", counts[o])
			all[o] += counts[o]
		}
	}
	for _, command := range slices.Sorted(maps.Keys(table)) {
		row(command, table[command])
	}
	row("all", maps.Clone(all))
	return b.String()
}

// seedFile is a file that mutants are made of.
type seedFile struct {
	name string
	data []byte
	from string // of a fitted file, the one that it was made from
}

// mutantSeeds reads the files of the test models, where they are there, and makes fitted ones.
func mutantSeeds(t *testing.T) (seeds []seedFile) {
	t.Helper()
	var paths []string
	for _, pattern := range []string{"*.gl*", "conformance/*.gl*", "hostile/*.gl*", "examples/*.glb", "sequences/*.glb"} {
		some, err := filepath.Glob(filepath.Join(models, pattern))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, some...)
	}
	add := func(path, from string) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if *mutantLarge || len(data) <= smallSeed {
			seeds = append(seeds, seedFile{filepath.Base(path), data, from})
		}
	}
	for _, path := range paths {
		add(path, "")
	}
	fits := [][]string{
		{"blend-bones", "demo:bar", "--bones", "2"}, {"enveloping", "demo:bar", "--proxies", "4"}, {"ssd", "demo:bar"},
		{"half-way", "demo:tube"}, {"helper-bones", "demo:bar", "--bones", "2"},
	}
	if small := filepath.Join(models, "hostile", "baseline.glb"); len(paths) > 0 {
		fits = append(fits, []string{"blend-bones", small, "--bones", "2"}, []string{"half-way", small, "--operator", "sdqs"},
			[]string{"enveloping", small, "--teach", "dqs", "--proxies", "3"},
			[]string{"helper-bones", small, "--teach", "dqs", "--bones", "2"})
		if fox := filepath.Join(models, "Fox.glb"); *mutantLarge {
			fits = append(fits, []string{"blend-bones", fox, "--bones", "3", "--operator", "dib"},
				[]string{"enveloping", fox, "--teach", "sdqs", "--proxies", "8"},
				[]string{"half-way", filepath.Join(models, "RobotExpressive.glb")})
		}
	}
	for i, fit := range fits {
		from, err := filepath.Abs(fit[1])
		if err != nil || strings.HasPrefix(fit[1], "demo:") {
			from = fit[1]
		}
		out := filepath.Join(t.TempDir(), fmt.Sprintf("fitted%d-%s.glb", i, fit[0]))
		if _, errs, code := skinlab(t, append(append([]string{"fit"}, fit...), "-o", out)...); code != 0 {
			t.Fatalf("fit %v: %s", fit, errs)
		}
		add(out, from)
	}
	return seeds
}

// mutant is one changed file and what the commands did with it.
type mutant struct {
	t      *testing.T
	r      *rand.Rand
	seed   seedFile
	number int
	folder string
	path   string
	size   int64
	runs   []commandRun
}

// newMutant makes mutant n: its seed and number say all about it.
func newMutant(t *testing.T, seeds []seedFile, n int) *mutant {
	m := &mutant{t: t, r: rand.New(rand.NewPCG(*mutantSeed, uint64(n))), number: n}
	m.seed = oneOf(m.r, seeds...)
	if other := oneOf(m.r, seeds...); len(other.data) < len(m.seed.data) && len(m.seed.data) > smallSeed {
		m.seed = other // large ones are rarer: they take long
	}
	folder, err := os.MkdirTemp("", "mutant")
	if err != nil {
		t.Error(err)
		return m
	}
	m.folder, m.path = folder, filepath.Join(folder, "mutant"+filepath.Ext(m.seed.name))
	data := mutate(m.r, m.seed.data)
	m.size = int64(len(data))
	if err := os.WriteFile(m.path, data, 0o666); err != nil {
		t.Error(err)
	}
	return m
}

// commandRun is a command's end.
type commandRun struct {
	args    []string
	outcome string
	message string
	seconds float64
	size    int64 // of the file
}

func (r *commandRun) command() string {
	if r.args[0] == "fit" {
		return "fit " + r.args[1]
	}
	return r.args[0]
}

// run runs some commands on the mutant: info, which shows whether it opens, and then others.
func (m *mutant) run() {
	if outcome := m.start("info", m.path); outcome != ended && outcome != warned {
		return
	}
	for range 2 {
		args := m.command()
		fits := args[0] == "fit"
		if outcome := m.start(args...); fits && (outcome == ended || outcome == warned) {
			m.check(args[len(args)-1])
		}
	}
}

// check reads a file again that a fit has written: it must be as good as any.
func (m *mutant) check(path string) {
	info, err := os.Stat(path)
	if err != nil {
		m.fault(faulty, "the fit left no file")
		return
	}
	m.size = max(m.size, info.Size())
	method := oneOf(m.r, directNames...)
	args := oneOf(m.r, []string{"info", path}, []string{"deform", path, "--method", method, "-o", m.out("again.obj")},
		[]string{"compare", m.path, "--clip", "0", "--frames", "2", "--methods", "lbs," + path})
	if m.start(args...) == refused && args[0] != "compare" {
		m.fault(faulty, "a file of ours is refused: "+m.runs[len(m.runs)-1].message)
	}
}

// fault changes how the last command ended.
func (m *mutant) fault(outcome, message string) {
	last := &m.runs[len(m.runs)-1]
	last.outcome, last.message = outcome, message
}

var directNames = []string{"lbs", "dqs", "sdqs", "dib", "sbs", "twist-swing", "cor"}

// out names an output; each command has its own.
func (m *mutant) out(name string) string {
	return filepath.Join(m.folder, fmt.Sprintf("%d-%s", len(m.runs), name))
}

// command chooses what is done to the mutant. Of what takes long there is less.
func (m *mutant) command() []string {
	r, path, method, other := m.r, m.path, oneOf(m.r, directNames...), oneOf(m.r, directNames[1:]...)
	clip := []string{"--clip", oneOf(r, "0", "0", "1", "stress:twist", "stress:shrug")}
	output := []string{"-o", m.out("out.glb")}
	training := oneOf(r, nil, nil, []string{"--train", "0:4"}, []string{"--train", "0:3", "--test", "0"})
	switch r.IntN(24) {
	case 0, 1:
		return append([]string{"deform", path, "--method", method, "--time", oneOf(r, "0", "0.5", "1e9"),
			"-o", m.out("out.obj")}, clip...)
	case 2:
		pose := m.write("pose.json", mutate(r, []byte(samplePose)))
		return []string{"deform", path, "--method", method, "--pose", pose, "-o", m.out("out.obj")}
	case 3:
		return append([]string{"render", path, "--method", method, "--time", "0.5", "--size", oneOf(r, "16x16", "64x48"),
			"-o", m.out("out.png")}, clip...)
	case 4, 5:
		return append([]string{"compare", path, "--methods", "lbs,dqs,sdqs,dib,sbs", "--reference", method,
			"--frames", "3"}, clip...)
	case 6:
		return append([]string{"compare", path, "--methods",
			oneOf(r, "blend-bones:2,half-way", "enveloping:3,ssd", "helper-bones:2"),
			"--frames", "2", "--reference", other}, clip...)
	case 7:
		return []string{"compare", path, "--methods", "lbs,ssd", "--reference", oneOf(r, "dqs", "examples"),
			"--frames", "2", "--heat", "--size", "64x48", oneOf(r, "-o", "--report"), m.out("out.png")}
	case 8:
		if m.seed.from != "" {
			return []string{"compare", m.seed.from, "--methods", "lbs," + path, "--frames", "3"}
		}
		return []string{"info", path, "--json"}
	case 9, 10:
		return []string{"sweep", path, "--joint", oneOf(r, "0", "1", "2"), "--axis", oneOf(r, "twist", "bend"),
			"--step", "90", "--methods", "lbs," + method, "-o", m.out("out.svg")}
	case 11:
		return []string{"bench", path, "--methods", method, "--sizes", "none"}
	case 12, 13:
		return slices.Concat([]string{"fit", "blend-bones", path, "--bones", "2", "--operator", other}, training, output)
	case 14:
		fit := oneOf(r, []string{"half-way", path, "--operator"}, []string{"mohr-gleicher", path, "--teach"})
		return slices.Concat([]string{"fit"}, fit, []string{other}, training, output)
	case 15, 16:
		fit := oneOf(r, []string{"fit", "enveloping", path, "--proxies", "3"},
			[]string{"fit", "helper-bones", path, "--bones", "2", "--lod", "1", "--suggest", "2"})
		return slices.Concat(fit, []string{"--teach", other}, training, output)
	case 17:
		return slices.Concat([]string{"fit", oneOf(r, "enveloping", "ssd", "helper-bones"), path}, output)
	case 18:
		return slices.Concat([]string{"fit", oneOf(r, "enveloping", "ssd", "helper-bones"), path, "--targets", m.targets(),
			"--clip", "0", "--times", "even"}, output)
	case 19:
		if r.IntN(2) == 0 {
			return slices.Concat([]string{"fit", "decompose", path, "--bones", "2"}, output)
		}
		return slices.Concat([]string{"fit", "decompose", path, "--bones", "2", "--targets", m.targets(), "--clip", "0",
			"--times", "even"}, output)
	case 20:
		return slices.Concat([]string{"fit", "body-model", path, "--rounds", "2", "--targets", m.targets()}, output)
	case 21:
		scans := oneOf(r, []string{"--teach", other, "--train", "0:3"}, []string{"--no-skeleton", "--limbs", "2"})
		return slices.Concat([]string{"fit", "body-model", path, "--rounds", "2"}, scans, output)
	case 22:
		body := path
		if m.seed.from != "" {
			body = oneOf(r, path, m.seed.from)
		}
		return slices.Concat([]string{"transfer", body, path, "--fps", "0.02"}, output)
	}
	return slices.Concat([]string{"fit", "ssd", path, "--teach", other}, training, output)
}

// samplePose is a pose file of nodes that the test models have.
const samplePose = `{"format": "skinlab pose", "version": 1, "model": "baseline.glb", "nodes": [
{"name": "joint1", "index": 1, "rotation": [0, 0, 0.6, 0.8], "translation": [0, 1, 0], "scale": [1, 2, 1]},
{"name": "joint2", "index": 2, "rotation": [0, 0.6, 0, 0.8]}],
"morphs": [{"name": "smile", "index": 0, "weight": 0.5}]}`

// write writes a file beside the mutant.
func (m *mutant) write(name string, data []byte) string {
	path := filepath.Join(m.folder, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, data, 0o666)); err != nil {
		m.t.Error(err)
	}
	return path
}

// targets makes a folder of example shapes of the mutant, the last of which is a mutant itself.
func (m *mutant) targets() string {
	shape := m.out("shape.obj")
	m.start("deform", m.path, "-o", shape)
	data, err := os.ReadFile(shape)
	if err != nil { // the mutant has no skin
		data = []byte("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
	}
	os.Remove(shape)
	m.write("targets/1.obj", data)
	m.write("targets/2.obj", data)
	return filepath.Dir(m.write("targets/3.obj", mutateText(m.r, data)))
}

// ownPeak returns the most memory that this process has had, KiB. Linux counts it for a child too, from before the
// child became another program, so that only what is above it is the child's.
func ownPeak() int64 {
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		return 0
	}
	return own.Maxrss
}

// start runs a command and judges how it ends.
func (m *mutant) start(args ...string) string {
	// The shell's limits end a command that takes twice its time or more memory than the machine has to spare: a
	// process reserves far more than it uses.
	seconds, size := allowedTime(args[0], m.size), allowedSize(m.size)
	limits := fmt.Sprintf(`ulimit -t %.0f; ulimit -v %d; exec "$0" "$@"`, 2*seconds, (16<<30+8*size)>>10)
	skinlab := program(args...)
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(60*seconds)*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", limits, skinlab.Path}, args...)...)
	cmd.Env = append(skinlab.Env, "GOMAXPROCS=1", "GOTRACEBACK=single")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	err := cmd.Run()
	run := commandRun{args: args, size: m.size}
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	run.seconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	run.outcome, run.message = judge(errs.String(), cmd.ProcessState.ExitCode(), err)
	for i, a := range args { // what stays of an output that was refused
		if i > 0 && (args[i-1] == "-o") && run.outcome == refused {
			if _, err := os.Stat(a); !errors.Is(err, fs.ErrNotExist) {
				run.outcome, run.message = faulty, "refused, and yet wrote "+a
			}
		}
	}
	switch {
	case run.seconds > seconds || ctx.Err() != nil:
		run.outcome, run.message = overTime, fmt.Sprintf("%.1f s of %.1f s", run.seconds, seconds)
	case usage != nil && usage.Maxrss<<10 > size && usage.Maxrss > ownPeak():
		run.outcome, run.message = overSize, fmt.Sprintf("%d MB of %d MB", usage.Maxrss>>10, size>>20)
	}
	m.runs = append(m.runs, run)
	return run.outcome
}

// judge says how a command ended by what it printed.
func judge(errs string, code int, err error) (outcome, message string) {
	errs = strings.TrimSpace(errs)
	at := strings.LastIndex("\n"+errs, "\nerror: ")
	switch {
	case strings.Contains(errs, "\ngoroutine "), strings.HasPrefix(errs, "panic:"),
		strings.Contains(errs, "internal error"), at < 0 && code != 0:
		if len(errs) > 1500 {
			errs = errs[:1500]
		}
		return faulty, fmt.Sprintf("%v: %s", err, errs)
	case longWarning(errs) != "":
		return unclear, "long: " + longWarning(errs)
	case code == 0 && strings.Contains("\n"+errs, "\nwarning: "):
		return warned, ""
	case code == 0:
		return ended, ""
	}
	message = errs[at:]
	if reason := badMessage(message); reason != "" {
		return unclear, reason + ": " + message
	}
	return refused, message
}

// Words that name an element of a file, and the end of a sentence within a text.
var (
	element = regexp.MustCompile(`(?i)\b(JSON is invalid at byte|the whole|JSON has no|header|chunk|byte|extension|` +
		`asset|buffer|view|accessor|sampler|animation|clip|channel|key|scene|node|skin|joint|mesh|primitive|vertex|` +
		`vertices|triangle|material|texture|image|line|example|pose|shape|bone|proxy|morph|model has)`)
	sentenceEnd = regexp.MustCompile(`[.!?] +[A-Z]|\n`)
	fileName    = regexp.MustCompile(`\.(glb|gltf|obj|json)\b|targets|--[a-z]+|demo:`)
	numberText  = regexp.MustCompile(`-?\d+(\.\d+)?(e[+-]?\d+)?|"(\\"|[^"])*"`)
)

// badMessage says what a message lacks: it is one sentence of up to 300 characters that names the file and the element.
func badMessage(message string) string {
	switch {
	case len([]rune(message)) > 300:
		return "long"
	case sentenceEnd.MatchString(numberText.ReplaceAllString(message, "N")):
		return "more than a sentence"
	case !fileName.MatchString(message):
		return "no file"
	case !element.MatchString(fileName.ReplaceAllString(message, "")):
		return "no element"
	}
	return ""
}

// longWarning returns the first warning of more than 300 characters.
func longWarning(errs string) string {
	for line := range strings.Lines(errs) {
		if strings.HasPrefix(line, "warning: ") && len([]rune(line)) > 300 {
			return line
		}
	}
	return ""
}

// messageShape takes numbers, names and folders out of a message.
func messageShape(message string) string {
	return numberText.ReplaceAllString(regexp.MustCompile(`\S*/mutant\d+/`).ReplaceAllString(message, ""), "N")
}

// keep copies a mutant's folder and says how to see its fault again.
func (m *mutant) keep(r *commandRun) {
	if *mutantKeep == "" {
		return
	}
	name := fmt.Sprintf("%d-%d-%s", *mutantSeed, m.number, strings.ReplaceAll(r.outcome, " ", "-"))
	folder := filepath.Join(*mutantKeep, name)
	text := fmt.Sprintf("%s\n%s\nskinlab %s\n", m.seed.name, r.message,
		strings.ReplaceAll(strings.Join(r.args, " "), m.folder, "."))
	err := errors.Join(os.MkdirAll(folder, 0o777), os.RemoveAll(folder), os.CopyFS(folder, os.DirFS(m.folder)),
		os.WriteFile(filepath.Join(folder, "fault.txt"), []byte(text), 0o666))
	if err != nil {
		m.t.Error(err)
	}
}

// TestJudge: what TestMutants takes for a fault is one.
func TestJudge(t *testing.T) {
	long := strings.Repeat("node ", 100)
	for _, c := range []struct {
		errs string
		code int
		want string
	}{
		{"", 0, ended},
		{"warning: a.glb: skin 0: 2 joints move no vertex\n", 0, warned},
		{"progress\nerror: a.glb: malformed glTF: node 3: the node hierarchy is a cycle\n", 1, refused},
		{"panic: runtime error\n\ngoroutine 1 [running]:\n", 2, faulty},
		{"error: a.glb: internal error in reading at gltf/node.go:9, please report: index out of range\n", 1, faulty},
		{"Killed\n", 1, faulty},
		{"error: a.glb: it is wrong\n", 1, unclear},                           // no element
		{"error: node 3 is wrong\n", 1, unclear},                              // no file
		{"error: a.glb: node 3 is wrong. Mend it\n", 1, unclear},              // two sentences
		{"error: a.glb: " + long + "\n", 1, unclear},                          // long
		{"warning: a.glb: " + long + "\nother lines\n", 0, unclear},           // a long warning
		{"error: a.glb: clip \"A. B\": the model has no clips\n", 2, refused}, // a name is no sentence
	} {
		if outcome, message := judge(c.errs, c.code, nil); outcome != c.want {
			t.Errorf("%.60q, exit %d: %s (%s), expected %s", c.errs, c.code, outcome, message, c.want)
		}
	}
}
