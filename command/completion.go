package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skinlab/assets"
	"skinlab/skinning/messages"
)

// Annotations of flags: the words that complete a flag, and that it takes no others.
const (
	wordsKey = "skinlab_words"
	onlyKey  = "skinlab_only"
)

// completeWords has the shell complete a flag with words.
func completeWords(f *pflag.FlagSet, flag string, words ...string) {
	if err := f.SetAnnotation(flag, wordsKey, words); err != nil {
		panic(err) // the flag is not registered
	}
}

// takeWords has a flag take no value, or in its list no item, but words and what is its default. The shell completes
// them.
func takeWords(f *pflag.FlagSet, flag string, words ...string) {
	completeWords(f, flag, words...)
	f.Lookup(flag).Annotations[onlyKey] = []string{}
}

// checkWords finds values of flags that are none of the flag's words, and proposes the nearest.
func checkWords(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if _, only := f.Annotations[onlyKey]; !only || err != nil {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		} else if values[0] == f.DefValue {
			return
		}
		words := f.Annotations[wordsKey]
		for _, value := range values {
			if err == nil && !slices.Contains(words, value) {
				err = usagef("--%s: %q: not one of %s%s", f.Name, messages.Shortened(value), strings.Join(words, ", "),
					messages.Nearest(value, words))
			}
		}
	})
	return err
}

// completeFlags tells cobra how to complete the flags of a command.
func completeFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		complete := completeJoint
		if f.Name != "joint" {
			words, ok := f.Annotations[wordsKey]
			if !ok {
				return
			}
			complete = cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
		}
		if err := cmd.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
			panic(err) // the flag is completed already
		}
	})
}

// completeArguments completes the arguments of a command, so many at most: the first, a model, with the built-in ones
// and with files, others with files.
func completeArguments(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		switch {
		case len(args) >= most:
			return nil, cobra.ShellCompDirectiveNoFileComp
		case len(args) > 0:
			return nil, cobra.ShellCompDirectiveDefault
		}
		return assets.BuiltIn(), cobra.ShellCompDirectiveDefault
	}
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
