// Package command is the command line of skinlab.
package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skinlab/skinning/simd"
)

// UsageError marks a mistake in the command line.
type UsageError struct{ error }

func usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Run runs the command that the program's arguments name, and prints what it has to say but for its error.
func Run(ctx context.Context) error { return newRoot().ExecuteContext(ctx) }

// subcommand is a command's flags, and what runs with them.
type subcommand interface {
	register(f *pflag.FlagSet)
	run(ctx context.Context, args []string) error
}

// newCommand makes a subcommand that takes from least to most arguments, of which the first is a model.
func newCommand(use, short, example string, least, most int, s subcommand) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Example: example, Args: arguments(least, most),
		ValidArgsFunction: completeModel}
	s.register(cmd.Flags())
	completeFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return s.run(cmd.Context(), args) }
	return cmd
}

func newRoot() *cobra.Command {
	root := newView("skinlab [view] [MODEL]")
	root.Short = "See what each way of skinning does to a character, and what it costs"
	root.Long = "skinlab plays rigged glTF files, switches their skinning live, measures where and how much each method errs, and times it.\n" +
		"MODEL is a .glb or .gltf file, or a built-in model: demo:box, demo:tube, demo:bar, demo:arm, demo:figure.\n\n" +
		simd.Variable + "=scalar, avx2 or avx512 forces the form of the processor's skinning kernels; else the fastest runs."
	root.Example = "skinlab\nskinlab character.glb\nskinlab demo:arm --method lbs --clip twist"
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return UsageError{err} })
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if _, err := simd.Default(); err != nil {
			return UsageError{err}
		}
		return nil
	}
	root.AddCommand(newView("view [MODEL]"), newInfo(), newDeform(), newRender(), newCompare(), newSweep(), newFit(), newBench())
	return root
}

func arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			name := strings.TrimPrefix(cmd.CommandPath(), "skinlab ")
			return usagef("%s takes %s%s, not %s (see %s --help)", name, name, strings.TrimPrefix(cmd.Use, cmd.Name()),
				counted(len(args), "argument", "arguments"), cmd.CommandPath())
		}
		return nil
	}
}
