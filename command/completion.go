package command

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skinlab/assets"
)

// wordsKey is the annotation of a flag that lists the words which the flag takes.
const wordsKey = "skinlab_words"

// completeWords has the shell complete a flag with words.
func completeWords(f *pflag.FlagSet, flag string, words ...string) {
	if err := f.SetAnnotation(flag, wordsKey, words); err != nil {
		panic(err) // the flag is not registered
	}
}

// completeFlags tells cobra the words of all flags of a command.
func completeFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if words, ok := f.Annotations[wordsKey]; ok {
			completeFlag(cmd, f.Name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
		}
	})
}

func completeFlag(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // the flag is not registered, or is completed already
	}
}

// completeModel completes MODEL with the built-in ones and with files.
func completeModel(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return assets.BuiltIn(), cobra.ShellCompDirectiveDefault
}

// completeJoint completes --joint with the joints of the model that was named before it.
func completeJoint(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	if len(args) > 0 {
		if m, err := assets.Open(args[0]); err == nil {
			for i := range m.Skeleton.Joints {
				names = append(names, m.Skeleton.Joints[i].Name)
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
