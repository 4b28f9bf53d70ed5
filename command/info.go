package command

import (
	"context"
	"io"

	"github.com/spf13/pflag"

	"skinlab/command/flags"
)

// infoCommand says what a file holds.
type infoCommand struct {
	joints bool
	flags.Printer
}

func (c *infoCommand) register(f *pflag.FlagSet) {
	f.BoolVar(&c.joints, "joints", false, "list the joints with their parents; --json always does")
	c.Printer.Register(f)
}

func (c *infoCommand) run(ctx context.Context, args []string) error {
	m, err := flags.Load(ctx, args[0])
	if err != nil {
		return err
	}
	info := m.Describe()
	return c.Print(info, func(out io.Writer) {
		info.WriteText(out)
		if c.joints {
			info.WriteJoints(out)
		}
	})
}
