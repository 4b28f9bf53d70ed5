package command

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"skinlab/assets"
	"skinlab/assets/chart"
	"skinlab/command/flags"
	"skinlab/command/reproduce"
	"skinlab/fit/papers"
	"skinlab/skinning"
	"skinlab/skinning/bench"
	"skinlab/skinning/progress"
)

// printPaper prints the table of --paper for the models of the command line, or for built-in ones.
func (c *benchCommand) printPaper(ctx context.Context, models []string) error {
	switch c.paper {
	case "alns":
		row := func(ctx context.Context, m *skinning.Model) (*papers.TableRow, error) {
			return papers.ALNSRow(ctx, m, papers.OurFits)
		}
		return (&paperTable[papers.TableRow]{models: assets.BuiltIn(), row: row, write: papers.WriteTable,
			what: "milliseconds a frame, medians; X' is linear blending with blend bones fitted to X, their evaluation included",
		}).print(ctx, &c.Printer, models)
	case "rter":
		row := func(ctx context.Context, m *skinning.Model) (*papers.EnvelopeRow, error) {
			return papers.RTERRow(ctx, m, false)
		}
		return (&paperTable[papers.EnvelopeRow]{models: []string{"demo:bar", "demo:arm"}, row: row,
			write: papers.WriteEnvelopeTable,
			what:  "medians; trained SSD beside each figure, the evaluation of the proxy bones included; fps is frames posed a second",
		}).print(ctx, &c.Printer, models)
	case "sbs":
		return (&paperTable[papers.SphericalRow]{models: assets.BuiltIn(), row: papers.SBSRow,
			write: papers.WriteSphericalTable,
			what: "milliseconds a frame, medians, palettes and centres included; without, and in plain Go: QLERP, true " +
				"averages, and the most that they are apart",
			draw: func([]papers.SphericalRow) error { return c.drawTurns() },
		}).print(ctx, &c.Printer, models)
	case "hbr":
		return (&paperTable[papers.HelperTable]{models: []string{"demo:leg"}, row: c.helperTable,
			write: papers.WriteHelperTables, threads: "all cores",
			what: "helper bones as published, RMS over vertices and examples", draw: c.drawFigures,
		}).print(ctx, &c.Printer, models)
	}
	return flags.Usagef("--paper: %q: not alns, rter, sbs or hbr", c.paper)
}

// helperTable makes the paper's table for a model's examples. For a built-in leg these are the paper's grid.
func (c *benchCommand) helperTable(ctx context.Context, m *skinning.Model) (*papers.HelperTable, error) {
	set, err := reproduce.LegGrid(ctx, m, 1), error(nil)
	if set == nil {
		set, err = ownExamples(m)
	}
	if err != nil {
		return nil, err
	}
	end := func() {}
	defer func() { end() }()
	return papers.HBRTable(ctx, m, set, true, func(stage string) {
		end()
		_, end = progress.Begin(ctx, stage)
	})
}

// drawFigures writes figure 3 of each table to -o.
func (c *benchCommand) drawFigures(tables []papers.HelperTable) error {
	var charts []*chart.Chart
	for i := range tables {
		charts = append(charts, reproduce.HelperFigure(&tables[i]))
	}
	return c.draw(charts...)
}

// drawTurns writes SBS figure 4 to -o, and the difference of its curves.
func (c *benchCommand) drawTurns() error {
	t, qlerp, slerp := papers.TurnCurves()
	apart := make([]float64, len(t))
	for i := range t {
		apart[i] = qlerp[i] - slerp[i]
	}
	x := chart.Axis{Label: "share of the second rotation", Step: 0.1}
	return c.draw(
		&chart.Chart{Title: "Two rotations a half turn apart", X: x, Y: chart.Axis{Label: "turned, degrees"}, At: t,
			Curves: []chart.Curve{{Name: "QLERP", Values: qlerp}, {Name: "SLERP", Values: slerp}}},
		&chart.Chart{Title: "QLERP ahead of SLERP", X: x, Y: chart.Axis{Label: "degrees"}, At: t,
			Curves: []chart.Curve{{Name: "difference", Values: apart}}})
}

// draw writes charts to -o, if that is given.
func (c *benchCommand) draw(charts ...*chart.Chart) error {
	if c.Path == "" {
		return nil
	}
	return c.Write(func(w io.Writer) error { return chart.Write(w, c.Path, charts...) })
}

// paperTable is a paper's table; R is a row of it.
type paperTable[R any] struct {
	models  []string                                           // that it is made for where none is named
	row     func(context.Context, *skinning.Model) (*R, error) // measures a model
	write   func(io.Writer, []R)                               // prints the rows for people
	what    string                                             // the numbers are
	threads string                                             // "" for one
	draw    func([]R) error                                    // draws the paper's figures; nil for none
}

// print measures the models, and prints a line that explains the numbers and a row for each model.
func (t *paperTable[R]) print(ctx context.Context, p *flags.Printer, models []string) error {
	if len(models) == 0 {
		models = t.models
	}
	result := struct {
		CPU  string `json:"cpu"`
		Rows []R    `json:"rows"`
	}{CPU: bench.Processor()}
	for _, name := range models {
		m, err := flags.Load(ctx, name)
		if err != nil {
			return err
		}
		r, err := progress.Stage(ctx, "measuring "+m.Name, func(progress.Report) (*R, error) { return t.row(ctx, m) })
		if err != nil {
			return err
		}
		result.Rows = append(result.Rows, *r)
	}
	if t.draw != nil {
		if err := t.draw(result.Rows); err != nil {
			return err
		}
	}
	return p.Print(&result, func(out io.Writer) {
		fmt.Fprintf(out, "%s, %s, %s\n", result.CPU, cmp.Or(t.threads, "one thread"), t.what)
		t.write(out, result.Rows)
	})
}
