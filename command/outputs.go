package command

// This file is the command line's rule for the files that commands write.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"skinlab/assets"
	"skinlab/assets/report"
)

// checkOutput checks the file of -o, where there is one, before the work and not after it. The endings are those of its
// format, models the arguments that may be models.
func (o *options) checkOutput(models []string, endings ...string) error {
	return o.checkFile("-o", &o.output, models, endings...)
}

// checkFile checks the file of a flag and makes it the whole path that is written to, see [assets.Output].
func (o *options) checkFile(flag string, path *string, models []string, endings ...string) error {
	if *path == "" {
		return nil
	}
	if *path == "-" {
		return usagef("%s -: standard output is for deform alone: name a file, or /dev/stdout", flag)
	}
	out := assets.Output{Path: *path, Endings: endings, Replace: o.force,
		Reads: func() []string { return o.reads(models) }}
	whole, err := out.Check()
	switch {
	case errors.Is(err, assets.ErrEnding):
		return usagef("%s: %w", flag, err)
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%w: --force replaces it", err)
	case err != nil:
		return err
	}
	if o.piped = assets.IsStandardOutput(whole); o.piped && o.json {
		return usagef("%s %s and --json both want standard output", flag, *path)
	}
	if filepath.Base(whole) != filepath.Base(*path) {
		o.named = fmt.Sprintf("note: %s has no ending: it is written as %s", *path, whole)
	}
	*path = whole
	return nil
}

// reads lists the files that the command reads, as far as the command line names them. What is no file is no harm.
func (o *options) reads(models []string) (files []string) {
	for _, name := range slices.Concat(models, o.methods, []string{o.beside, o.test}) {
		files = append(files, assets.Files(name)...)
	}
	for _, folder := range []string{o.targets, o.testTargets} {
		if folder != "" {
			shapes, _ := objFiles(folder) // the fit says what is wrong with the folder
			files = append(files, shapes...)
		}
	}
	return append(files, o.pose)
}

// checkReport checks the folder of --report, where there is one, and makes it the whole path. Nothing but an earlier
// report is replaced, and that with --force alone.
func (o *options) checkReport() (err error) {
	if o.folder == "" {
		return nil
	}
	if err := report.CheckFolder(o.folder, o.force); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: --force replaces it", err)
	} else if err != nil {
		return err
	}
	if o.output != "" && sameFile(o.folder, filepath.Dir(o.output)) {
		return usagef("-o: %s: lies in the folder of --report, which holds nothing else: name another folder", o.output)
	}
	o.folder, err = filepath.Abs(o.folder)
	return err
}

// sameFile reports whether two paths lead to one file or folder.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
