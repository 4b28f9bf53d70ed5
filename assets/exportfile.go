package assets

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"skinlab/skinning"
)

// ExportFile writes a fitted model to a GLB file, replacing an old one atomically. Source is the name that the model
// which was fitted was opened by: a file, or a built-in model. See [ExportFitted]. Where ctx is done before all clips
// are baked, the error wraps its own, and the old file stays.
func ExportFile(
	ctx context.Context, path, source string, fitted *skinning.Model, opt ExportOptions,
) (report ExportReport, err error) {
	var data []byte
	var folder fs.FS
	if !strings.HasPrefix(source, demoPrefix) {
		if data, err = readModelFile(source, &progress{}); err != nil {
			return report, err
		}
		root, err := os.OpenRoot(filepath.Dir(source))
		if err != nil {
			return report, err
		}
		defer root.Close()
		folder = root.FS()
	}
	x, err := newExport(ctx, data, folder, fitted, opt) // long before a file is opened: a program that is stopped meanwhile leaves none behind
	if err != nil {
		return report, err
	}
	if opt.Ready != nil {
		if err := opt.Ready(); err != nil {
			return report, err
		}
	}
	err = WriteFileAtomic(path, func(w io.Writer) error {
		report, err = x.write(w)
		return err
	})
	return report, err
}
