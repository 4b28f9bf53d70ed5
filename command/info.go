package command

import (
	"context"
	"io"

	"github.com/spf13/pflag"

	"skinlab/command/flags"
	"skinlab/skinning"
)

type infoCommand struct {
	joints bool
	motion flags.MotionFlags
	flags.Printer
}

func (c *infoCommand) register(f *pflag.FlagSet) {
	f.BoolVar(&c.joints, "joints", false, "list the joints with their parents; --json always does")
	c.motion.Register(f)
	c.Printer.Register(f)
}

func (c *infoCommand) run(ctx context.Context, args []string) error {
	m, err := c.motion.LoadMoved(ctx, args[0])
	if err != nil {
		return err
	}
	info := m.Describe()
	all := struct {
		skinning.Description
		Motion *flags.MotionReport `json:"motion,omitempty"`
	}{info, c.motion.Report()}
	return c.Print(all, func(out io.Writer) {
		info.WriteText(out)
		if c.joints {
			info.WriteJoints(out)
		}
	})
}
