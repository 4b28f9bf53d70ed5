package report

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"

	"skinlab/assets/chart"
	"skinlab/assets/fault"
	"skinlab/skinning/progress"
)

const (
	pageFile = "index.html"
	dataFile = "data.json"
)

// Write writes the report's folder and returns the page's path. It replaces a folder that is empty and, with replace,
// an earlier report, see [CheckFolder]. The folder is written whole or not at all: after an error or a cancelled
// context the old one is still there. Write fills in Format, Version and Files.
func Write(ctx context.Context, dir string, replace bool, r *Report) (page string, err error) {
	r.Format, r.Version, r.Files = Format, formatVersion, nil
	err = writeFolder(ctx, dir, replace, func(dir string) error { return r.fill(ctx, dir) })
	return filepath.Join(dir, pageFile), err
}

func (r *Report) fill(ctx context.Context, dir string) error {
	for _, p := range r.Pictures {
		if err := r.file(ctx, dir, p.File, func(w io.Writer) error { return png.Encode(w, p.Image) }); err != nil {
			return err
		}
	}
	for _, c := range slices.Concat(r.overTime(), r.sweepCharts()) {
		for _, name := range []string{c.name + ".svg", c.name + ".png"} {
			if err := r.file(ctx, dir, name, func(w io.Writer) error { return chart.Write(w, name, c.chart) }); err != nil {
				return err
			}
		}
	}
	if err := r.file(ctx, dir, pageFile, func(w io.Writer) error { return r.page(w) }); err != nil {
		return err
	}
	return r.file(ctx, dir, dataFile, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", " ")
		return enc.Encode(r)
	})
}

// file writes one file of the folder and notes its name.
func (r *Report) file(ctx context.Context, dir, name string, write func(io.Writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if filepath.Base(name) != name || slices.Contains(r.Files, name) {
		panic(fmt.Sprintf("report: %q is not one new file of the folder", name))
	}
	r.Files = append(r.Files, name)
	var content bytes.Buffer
	if err := write(progress.Writer(ctx, &content)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return fault.OnFile(name, err)
	}
	_, err = f.Write(content.Bytes())
	return fault.OnFile(name, errors.Join(err, f.Sync(), f.Close()))
}
