package command

import (
	"context"
	"fmt"
	"io"
	"os"

	"skinlab/assets"
	"skinlab/fit/papers"
	"skinlab/skinning"
	"skinlab/skinning/bench"
)

// printPaper prints the table of --paper for the models of the command line, or for built-in ones.
func (c *benchCommand) printPaper(ctx context.Context, models []string) error {
	switch c.paper {
	case "alns":
		return printTable(ctx, &c.printer, models, assets.BuiltIn(), papers.ALNSRow, papers.WriteTable,
			"milliseconds a frame, medians; X' is linear blending with blend bones fitted to X, their evaluation included")
	case "rter":
		return printTable(ctx, &c.printer, models, []string{"demo:bar", "demo:arm"}, papers.RTERRow, papers.WriteEnvelopeTable,
			"medians; trained SSD beside each figure, the evaluation of the proxy bones included")
	}
	return usagef("--paper: %q: not alns or rter", c.paper)
}

// printTable makes a row for each model and prints them under a line that says what they are.
func printTable[R any](ctx context.Context, p *printer, models, byDefault []string,
	row func(context.Context, *skinning.Model) (*R, error), write func(io.Writer, []R), what string) error {
	if len(models) == 0 {
		models = byDefault
	}
	result := struct {
		CPU  string `json:"cpu"`
		Rows []R    `json:"rows"`
	}{CPU: bench.Processor()}
	for _, name := range models {
		m, err := load(name)
		if err != nil {
			return err
		}
		r, err := row(ctx, m)
		if err != nil {
			return err
		}
		result.Rows = append(result.Rows, *r)
	}
	return p.print(&result, func() {
		fmt.Printf("%s, one thread, %s\n", result.CPU, what)
		write(os.Stdout, result.Rows)
	})
}
