// Package command is the command line of skinlab.
package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"skinlab/skinning"
	"skinlab/skinning/simd"
)

// UsageError marks a mistake in the command line.
type UsageError struct{ error }

func usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Run runs the command that the program's arguments name, and prints what it has to say but for its error.
func Run(ctx context.Context) error { return newRoot().ExecuteContext(ctx) }

// commands is the table of subcommands: use, summary, example, arguments, flags and what runs.
var commands = []struct {
	use, short, example string
	minArgs, maxArgs    int
	flags               func(*options)
	run                 func(o *options, args []string) error
}{
	{"view [MODEL]", "Open the viewer on a file or a built-in model", "skinlab view demo:arm --method dqs --clip twist",
		0, 1, (*options).viewFlags, runView},
	{"info MODEL", "Say what a file holds", "skinlab info character.glb --json",
		1, 1, nil, runInfo},
	{"deform MODEL", "Write the posed skin as OBJ: v and vn per vertex, in file order",
		"skinlab deform character.glb --method dqs --clip walk --time 0.5 -o posed.obj",
		1, 1, (*options).deformFlags, runDeform},
	{"render MODEL", "Draw a picture; needs no display",
		"skinlab render demo:figure --method dib --clip twist --time 2 --size 1280x720 -o figure.png",
		1, 1, (*options).renderFlags, runRender},
	{"compare MODEL", "Compare methods: errors, volumes, and pictures side by side",
		"skinlab compare demo:arm --reference dqs --methods lbs,sbs,dib --clip twist -o candy-wrapper.png",
		1, 1, (*options).compareFlags, runCompare},
	{"sweep MODEL", "Turn one joint through a range of angles: errors and volumes as curves",
		"skinlab sweep demo:arm --joint hand --axis twist --methods lbs,dqs -o twist.svg",
		1, 1, (*options).sweepFlags, runSweep},
	{"fit blend-bones|half-way|enveloping|ssd MODEL",
		"Fit bones to a method or to example shapes, and write a glTF that plain linear skinning plays",
		"skinlab fit blend-bones character.glb --operator dqs --bones 10 --train walk:12 -o fitted.glb\n" +
			"skinlab fit enveloping character.glb --targets shapes/ --clip exercise -o fitted.glb",
		2, 2, (*options).fitFlags, runFit},
	{"bench [MODEL]", "Time the methods: ns per vertex, ratio to linear blending, share of the memory's speed",
		"skinlab bench --simd all --threads 1,2 --sizes 30k\nskinlab bench demo:figure --methods lbs,dqs --device all",
		0, 1, (*options).benchFlags, runBench},
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "skinlab [view] [MODEL]",
		Short: "See what each way of skinning does to a character, and what it costs",
		Long: "skinlab plays rigged glTF files, switches their skinning live, measures where and how much each method errs, and times it.\n" +
			"MODEL is a .glb or .gltf file, or a built-in model: demo:box, demo:tube, demo:bar, demo:arm, demo:figure.\n\n" +
			simd.Variable + "=scalar, avx2 or avx512 forces the form of the processor's skinning kernels; else the fastest runs.",
		Example:       "skinlab\nskinlab character.glb\nskinlab demo:arm --method lbs --clip twist",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return UsageError{err} })
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if _, err := simd.Default(); err != nil {
			return UsageError{err}
		}
		return nil
	}
	for i := range commands {
		c := &commands[i]
		cmd := &cobra.Command{Use: c.use, Short: c.short, Example: c.example, Args: arguments(c.minArgs, c.maxArgs),
			ValidArgsFunction: completeModel}
		addFlags(cmd, c.flags, c.run)
		root.AddCommand(cmd)
	}
	root.Args = arguments(0, 1)
	root.ValidArgsFunction = completeModel
	addFlags(root, commands[0].flags, runView)
	return root
}

func arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return usagef("%s takes %s, not %d arguments (see %s --help)", cmd.Name(), cmd.Use, len(args), cmd.CommandPath())
		}
		return nil
	}
}

// first returns the first argument, or "" where there is none.
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

func methodNames(methods []skinning.Method) []string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.String()
	}
	return names
}

func parseMethod(flag, name string) (skinning.Method, error) {
	m, err := skinning.ParseMethod(name)
	if err != nil {
		return 0, usagef("--%s: %v", flag, err)
	}
	return m, nil
}

// clipIndex returns the clip that the flags choose; −1 is the static pose.
func (o *options) clipIndex(m *skinning.Model, byDefault int) (int, error) {
	if o.clip == "" {
		if byDefault >= len(m.Clips) {
			return -1, nil
		}
		return byDefault, nil
	}
	i, err := namedClip(m, o.clip)
	if err != nil {
		return 0, usagef("%s: --clip: %v", m.Name, err)
	}
	return i, nil
}

// report prints v as one JSON object with --json, else calls text, unless standard output has the output itself.
func (o *options) report(v any, text func()) error {
	if o.named != "" {
		fmt.Fprintln(os.Stderr, o.named)
	}
	if !o.json {
		if !o.piped {
			text()
		}
		return nil
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
