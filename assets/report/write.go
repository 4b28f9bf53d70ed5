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
	// PageFile is the page of the folder that people open first.
	PageFile = "index.html"
	dataFile = "data.json"
)

// Write writes the report's folder and returns the page's path. It replaces a folder that is empty and, where the
// folder says so, an earlier report, see [Folder.Check]. The folder is written whole or not at all: after an error or a
// cancelled context the old one is still there. Write fills in Format, Version and Files.
func Write(ctx context.Context, folder Folder, r *Report) (page string, err error) {
	r.Format, r.Version = Format, FormatVersion
	err = folder.Write(ctx, r.fill)
	return filepath.Join(folder.Path, PageFile), err
}

func (r *Report) fill(f *Files) error {
	for _, p := range r.Pictures {
		if err := f.Add(p.File, func(w io.Writer) error { return png.Encode(w, p.Image) }); err != nil {
			return err
		}
	}
	for _, c := range slices.Concat(r.overTime(), r.sweepCharts()) {
		for _, name := range []string{c.name + ".svg", c.name + ".png"} {
			if err := f.Add(name, func(w io.Writer) error { return chart.Write(w, name, c.chart) }); err != nil {
				return err
			}
		}
	}
	if err := f.Add(PageFile, func(w io.Writer) error { return r.page(w) }); err != nil {
		return err
	}
	return f.AddData(r, &r.Files)
}

// Files are the files of a folder that is being written, see [Folder.Write].
type Files struct {
	ctx   context.Context
	dir   string
	names []string
}

// AddData writes data.json, the last of the files. It first sets names, a field of v, to the names of all.
func (f *Files) AddData(v any, names *[]string) error {
	*names = append(slices.Clone(f.names), dataFile)
	return f.Add(dataFile, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", " ")
		return enc.Encode(v)
	})
}

// Add writes one file and notes its name. It panics where the folder has the file already, which is a caller's bug.
func (f *Files) Add(name string, write func(io.Writer) error) error {
	if err := f.ctx.Err(); err != nil {
		return err
	}
	if filepath.Base(name) != name || slices.Contains(f.names, name) {
		panic(fmt.Sprintf("report: %q is not one new file of the folder", name))
	}
	f.names = append(f.names, name)
	var content bytes.Buffer
	if err := write(progress.Writer(f.ctx, &content)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	file, err := os.Create(filepath.Join(f.dir, name))
	if err != nil {
		return fault.OnFile(name, err)
	}
	_, err = file.Write(content.Bytes())
	return fault.OnFile(name, errors.Join(err, file.Sync(), file.Close()))
}
