package command

import (
	"context"
	"os"

	"github.com/spf13/pflag"
)

// infoCommand says what a file holds.
type infoCommand struct {
	joints bool
	printer
}

func (c *infoCommand) register(f *pflag.FlagSet) {
	f.BoolVar(&c.joints, "joints", false, "list the joints with their parents; --json always does")
	c.printer.register(f)
}

func (c *infoCommand) run(ctx context.Context, args []string) error {
	m, err := load(ctx, args[0])
	if err != nil {
		return err
	}
	info := m.Describe()
	return c.print(info, func() {
		info.WriteText(os.Stdout)
		if c.joints {
			info.WriteJoints(os.Stdout)
		}
	})
}
