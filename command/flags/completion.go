package flags

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skinlab/assets"
	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// Annotations of flags: the words that complete a flag, and that it takes no others.
const (
	wordsKey = "skinlab_words"
	onlyKey  = "skinlab_only"
)

// CompleteWords has the shell complete a flag with words.
func CompleteWords(f *pflag.FlagSet, flag string, words ...string) {
	if err := f.SetAnnotation(flag, wordsKey, words); err != nil {
		panic(err) // the flag is not registered
	}
}

// TakeWords lets a flag, or each item of its list, take only some words and its default. The shell completes them.
func TakeWords(f *pflag.FlagSet, flag string, words ...string) {
	CompleteWords(f, flag, words...)
	f.Lookup(flag).Annotations[onlyKey] = []string{}
}

// CheckWords returns an error for a flag whose value is not one of its words. The error proposes the nearest word.
func CheckWords(flags *pflag.FlagSet) (err error) {
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
				err = Usagef("--%s: %q: not one of %s%s", f.Name, messages.Shortened(value), strings.Join(words, ", "),
					messages.Nearest(value, words))
			}
		}
	})
	return err
}

func CompleteFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		words := f.Annotations[wordsKey]
		complete := cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
		switch {
		case f.Name == "joint":
			complete = completeModel(func(m *skinning.Model) []string { return jointNames(m, "") })
		case f.Name == "frame":
			complete = completeModel(func(m *skinning.Model) []string { return append(jointNames(m, frameJoint), frameAll) })
		case f.Name == "scene":
			complete = completeModel(func(m *skinning.Model) []string { return m.Scenes })
		case f.Name == "clip":
			complete = completeModel(clipNames)
		case words == nil:
			return
		}
		if err := cmd.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
			panic(err) // the flag is completed already
		}
	})
}

// CompleteArguments completes at most most arguments: the first with built-in models and files, others with files.
func CompleteArguments(most int) cobra.CompletionFunc {
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

// completeModel completes a flag with names of the model that was named before it.
func completeModel(names func(m *skinning.Model) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			if m, err := assets.Open(args[0]); err == nil {
				return names(m), cobra.ShellCompDirectiveNoFileComp
			}
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

func jointNames(m *skinning.Model, prefix string) (names []string) {
	for i := range m.Skeleton.Joints {
		names = append(names, prefix+m.Skeleton.Joints[i].Name)
	}
	return names
}

func clipNames(m *skinning.Model) (names []string) {
	for i := range m.Clips {
		names = append(names, m.Clips[i].Name)
	}
	return append(names, "stress:twist", "stress:bend", "stress:shrug")
}
