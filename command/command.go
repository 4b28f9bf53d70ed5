// Package command is the command line of skinlab. Each subcommand has a file with its flags and its code.
//
// A subcommand is a struct with a field for each flag. Flags that several subcommands have are structs of package flags
// that these embed: a method or a picture's size, a clip or a pose, the file that is written, with --force and --json.
// Every run method works in one order. It checks the flags and the output first, so that mistakes are found before the
// work. Then it loads the model, works, writes the output and prints what it found, as one JSON object or as a text.
package command

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skinlab/assets"
	"skinlab/command/flags"
	"skinlab/fit"
	"skinlab/skinning/messages"
	"skinlab/skinning/progress"
	"skinlab/skinning/simd"
)

// Run runs the subcommand that the program's arguments name, and prints all there is to say but its error.
func Run(ctx context.Context, fits []*fit.Method) error {
	root, help := newRoot(fits), bufio.NewWriter(os.Stdout)
	root.SetOut(help)
	err := root.ExecuteContext(progress.On(ctx, os.Stderr))
	return cmp.Or(err, help.Flush())
}

// subcommand is flags, and what runs with them.
type subcommand interface {
	register(f *pflag.FlagSet)
	run(ctx context.Context, args []string) error
}

// row is a subcommand in a table. Its use has its name and its arguments, the first of which is a model.
type row struct {
	use, title, example string
	subcommand
}

// rows is the table of all subcommands except fit, which has its own table.
func rows(fits []*fit.Method) []row {
	return []row{
		{"view [MODEL]", "Open the viewer on a file or a built-in model", "skinlab view demo:arm --method dqs --clip twist",
			&viewCommand{fits: fits}},
		{"info MODEL", "Say what a file holds", "skinlab info character.glb --joints\nskinlab info character.glb --json",
			&infoCommand{}},
		{"deform MODEL", "Write the posed skin as OBJ: v and vn per vertex, in file order",
			"skinlab deform character.glb --method dqs --clip walk --time 0.5 -o posed.obj", &deformCommand{}},
		{"render MODEL", "Draw a picture, a series of them or a film; needs no display",
			"skinlab render demo:figure --method dib --clip twist --time 2 --size 1280x720 -o figure.png\n" +
				"skinlab render demo:figure --view right --transparent --size 7680x4320 -o poster.png\n" +
				"skinlab render demo:arm --clip twist --frames 0:90 -o frame-%04d.png\n" +
				"skinlab render demo:figure --turntable 120 -o turn.mp4", &renderCommand{}},
		{"compare MODEL", "Compare methods: errors, volumes, and pictures side by side",
			"skinlab compare demo:arm --reference dqs --methods lbs,sbs,dib --clip twist -o candy-wrapper.png",
			&compareCommand{subjectFlags: subjectFlags{fits: fits}}},
		{"advise MODEL", "Say which way of skinning suits a character, and why",
			"skinlab advise character.glb\nskinlab advise character.glb --examples --max-rms 2mm --json", &adviseCommand{fits: fits}},
		{"sweep MODEL", "Turn one joint through a range of angles: errors and volumes as curves",
			"skinlab sweep demo:arm --joint hand --axis twist --methods lbs,dqs -o twist.svg",
			&sweepCommand{subjectFlags: subjectFlags{fits: withoutClips(fits)}}},
		{"transfer BODY SEQUENCE", "Pose a model, frame by frame, to meshes of another topology: a clip more",
			"skinlab transfer body.glb capture/ --fps 25 -o moved.glb\n" +
				"skinlab transfer body.glb dancer.glb --clip dance -o moved.glb",
			&transferCommand{}},
		{"centers MODEL", "Write a copy of a file with the vertices' centres of rotation, for engines that have cor",
			"skinlab centers character.glb -o with-centers.glb", &centersCommand{}},
		{"bench [MODEL]", "Time the methods: ns per vertex, ratio to linear blending, share of the memory's speed",
			"skinlab bench --simd all --threads 1,2 --sizes 30k\nskinlab bench demo:figure --methods lbs,dqs --device all",
			&benchCommand{subjectFlags: subjectFlags{fits: fits}}},
		{"version", "Say what this program was built from, and what draws its pictures", "skinlab version", &versionCommand{}},
	}
}

// newRoot makes the command skinlab, which opens the viewer where no subcommand is named.
func newRoot(fits []*fit.Method) *cobra.Command {
	root := newCommand(row{"skinlab [view] [MODEL]",
		"See what each way of skinning does to a character, and what it costs",
		"skinlab\nskinlab character.glb\nskinlab demo:arm --method lbs --clip twist\n" +
			"skinlab compare character.glb --clip walk -o compare.png\nskinlab help render", &viewCommand{fits: fits}})
	root.Long = "skinlab plays rigged glTF files, switches their skinning live, " +
		"measures where and how much each method errs, and times it.\n" +
		"MODEL is a .glb or .gltf file, a mesh (.obj, .ply), motion capture (.bvh), or a built-in model: " +
		strings.Join(assets.BuiltIn(), ", ") + ".\n\n" +
		simd.Variable + "=scalar, avx2 or avx512 forces the form of the processor's skinning kernels; else the fastest runs."
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(flags.FlagError)
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if _, err := simd.Default(); err != nil {
			return flags.UsageError{Err: err}
		}
		return nil
	}
	for _, r := range rows(fits) {
		root.AddCommand(newCommand(r))
	}
	root.AddCommand(newFit(fits))
	addVersion(root)
	flags.AddHelp(root)
	return root
}

func newCommand(r row) *cobra.Command {
	least, most := 0, 0
	for word := range strings.FieldsSeq(r.use) {
		switch {
		case word != strings.ToUpper(word): // a command
		case word[0] == '[':
			most++
		default:
			least, most = least+1, most+1
		}
	}
	cmd := &cobra.Command{Use: r.use, Short: r.title, Example: r.example, ValidArgsFunction: flags.CompleteArguments(most)}
	if words, ok := r.subcommand.(interface{ words() []string }); ok {
		cmd.ValidArgsFunction = cobra.FixedCompletions(words.words(), cobra.ShellCompDirectiveNoFileComp)
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if err := flags.UnknownCommand(cmd, args); err != nil {
			return err
		}
		if len(args) < least || len(args) > most {
			name := strings.TrimPrefix(cmd.CommandPath(), "skinlab ")
			err := flags.Usagef("%s takes%s, not %s (see %s --help)", name, strings.TrimPrefix(cmd.Use, cmd.Name()),
				messages.Count(len(args), "argument", "arguments"), cmd.CommandPath())
			if h, ok := r.subcommand.(interface{ instead(args []string) string }); ok && len(args) > most {
				err = fmt.Errorf("%w: %s", err, h.instead(args))
			}
			return err
		}
		return nil
	}
	r.register(cmd.Flags())
	reading, reads := &flags.ReadingFlags{}, strings.Contains(r.use, "MODEL") || strings.Contains(r.use, "BODY")
	if reads {
		reading.Register(cmd.Flags())
	}
	flags.CompleteFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := flags.CheckWords(cmd.Flags()); err != nil {
			return err
		}
		ctx := cmd.Context()
		if reads {
			var err error
			if ctx, err = reading.On(ctx, args); err != nil {
				return err
			}
		}
		return r.run(ctx, args)
	}
	return cmd
}
