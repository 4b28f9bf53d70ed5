package command

import (
	"context"
	"os"
)

// infoCommand says what a file holds.
type infoCommand struct{ printer }

func (c *infoCommand) run(_ context.Context, args []string) error {
	m, err := load(args[0])
	if err != nil {
		return err
	}
	info := m.Describe()
	return c.print(info, func() { info.WriteText(os.Stdout) })
}
