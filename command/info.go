package command

import (
	"context"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// infoCommand says what a file holds.
type infoCommand struct{ printer }

func newInfo() *cobra.Command {
	return newCommand("info MODEL", "Say what a file holds", "skinlab info character.glb --json", 1, 1, &infoCommand{})
}

func (c *infoCommand) register(f *pflag.FlagSet) { c.printer.register(f) }

func (c *infoCommand) run(_ context.Context, args []string) error {
	m, err := load(args[0])
	if err != nil {
		return err
	}
	info := m.Describe()
	return c.print(info, func() { info.WriteText(os.Stdout) })
}
