// Package flags has the flags that several subcommands share: words, a model with its clip, pose and camera, example
// shapes, and the output file. It also has the errors about mistakes in them. A struct here is embedded by the
// subcommands that have its flags. Register adds them, Check finds mistakes before the work.
package flags

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skinlab/skinning/messages"
)

// UsageError marks a mistake in the command line.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }

func (e UsageError) Unwrap() error { return e.Err }

// GateError marks a result that misses what the command line asks of it. It has been printed.
type GateError struct{ Err error }

func (e GateError) Error() string { return e.Err.Error() }

// PrintedError is an error that has been printed already.
type PrintedError struct{ Err error }

func (e PrintedError) Error() string { return e.Err.Error() }

func (e PrintedError) Unwrap() error { return e.Err }

func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// FlagError words an error about a flag. For an unknown flag it names the nearest one of the command, and for a bad
// value the values that the flag takes.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return Usagef("%v%s (see %s --help)", err, nearestFlag(cmd, unknown), cmd.CommandPath())
	case errors.As(err, &value):
		flag := value.GetFlag()
		what := "is not " + valueOf(flag.Value.Type())
		if errors.Is(err, strconv.ErrRange) {
			what = "is too large a number"
		}
		return Usagef("--%s: %q %s", flag.Name, messages.Shortened(value.GetValue()), what)
	}
	return UsageError{err}
}

// nearestFlag proposes a flag for an unknown one. A long name after one dash is parsed as a row of letters.
func nearestFlag(cmd *cobra.Command, unknown *pflag.NotExistError) string {
	wanted := unknown.GetSpecifiedName()
	if letters := unknown.GetSpecifiedShortnames(); letters != "" {
		wanted = letters
		if len(letters) == 1 {
			return ""
		}
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := messages.Near(strings.TrimLeft(wanted, "-"), names)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean --" + near[0] + "?"
}

// valueOf says what a type of flag takes.
func valueOf(flagType string) string {
	switch flagType {
	case "int":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "intSlice":
		return "whole numbers with commas between them"
	case "stringSlice":
		return "a list with commas between its items"
	}
	panic("command: a flag of type " + flagType)
}

// UnknownCommand reports whether a word is a mistyped command: it has no ending, and there is no such file.
func UnknownCommand(cmd *cobra.Command, args []string) error {
	if cmd.HasParent() || len(args) == 0 {
		return nil
	}
	word := args[0]
	if _, err := os.Stat(word); err == nil || word == "" || filepath.Ext(word) != "" ||
		strings.ContainsAny(word, `:/\`) {
		return nil
	}
	return Usagef("%q: neither a command nor a file%s (see %s --help)", messages.Shortened(word), nearestCommand(cmd, word),
		cmd.CommandPath())
}

func nearestCommand(cmd *cobra.Command, word string) string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(names, c.Name())
		}
	}
	return messages.Nearest(word, names)
}

// AddHelp adds the command help, which refuses words that are no command.
func AddHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err) // cobra has just added it
	}
	help.Args = func(_ *cobra.Command, args []string) error {
		found, rest, _ := root.Find(args)
		if len(rest) > 0 {
			return Usagef("help: %q: no such command%s", messages.Shortened(rest[0]), nearestCommand(found, rest[0]))
		}
		return nil
	}
}
