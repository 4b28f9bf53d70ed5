package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"skinlab/assets"
	"skinlab/assets/atomicfile"
	"skinlab/skinning/progress"
)

// printer prints what a command found: one JSON object, or a text for people.
type printer struct {
	json  bool
	piped bool   // standard output has the command's output
	note  string // what there is to say of the output's name
}

func (p *printer) register(f *pflag.FlagSet) {
	f.BoolVar(&p.json, "json", false, "print one JSON object on standard output")
}

// print prints v as one JSON object with --json, else calls text, unless standard output has the output itself.
func (p *printer) print(v any, text func()) error {
	if p.note != "" {
		fmt.Fprintln(os.Stderr, p.note)
	}
	if !p.json {
		if !p.piped {
			text()
		}
		return nil
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// output is the file that a command writes, and the rule for all such files: see [assets.Output].
type output struct {
	printer
	flag  string // that names the file
	path  string // "" for none
	force bool
}

// register adds -o and what goes with it.
func (o *output) register(f *pflag.FlagSet, usage string) {
	o.registerAs(f, "output", "o", usage)
}

// registerAs adds the flag of the file, with a letter where it has one, --force and --json.
func (o *output) registerAs(f *pflag.FlagSet, name, letter, usage string) {
	if o.flag = "--" + name; letter != "" {
		o.flag = "-" + letter
	}
	f.StringVarP(&o.path, name, letter, "", usage)
	f.BoolVar(&o.force, "force", false, "replace a file that exists, but never one that is read")
	o.printer.register(f)
}

// check checks the file, where there is one, before the work and not after it, and makes it the whole path that is
// written to. The endings are those of its format; reads lists the files that the command reads, as far as the command
// line names them. A name that is no file does no harm.
func (o *output) check(reads func() []string, endings ...string) error {
	if o.path == "" {
		return nil
	}
	if o.path == "-" {
		return usagef("%s -: standard output is for deform alone: name a file, or /dev/stdout", o.flag)
	}
	out := assets.Output{Path: o.path, Endings: endings, Replace: o.force, Reads: reads}
	whole, err := out.Check()
	switch {
	case errors.Is(err, assets.ErrEnding):
		return usagef("%s: %w", o.flag, err)
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%w: --force replaces it", err)
	case err != nil:
		return err
	}
	if o.piped = atomicfile.IsStandardOutput(whole); o.piped && o.json {
		return usagef("%s %s and --json both want standard output", o.flag, o.path)
	}
	if filepath.Base(whole) != filepath.Base(o.path) {
		o.note = fmt.Sprintf("note: %s has no ending: it is written as %s", o.path, whole)
	}
	o.path = whole
	return nil
}

// writePicture writes a PNG file. Encoding a large picture takes seconds: it is a stage of its own, and the file is
// touched when it is over.
func writePicture(ctx context.Context, path string, picture image.Image) error {
	data, err := progress.Stage(ctx, "writing "+filepath.Base(path), func(progress.Report) ([]byte, error) {
		var b bytes.Buffer
		err := png.Encode(progress.Writer(ctx, &b), picture)
		return b.Bytes(), err
	})
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// modelFiles lists the files that models are made of.
func modelFiles(names ...string) (files []string) {
	for _, name := range names {
		files = append(files, assets.Files(name)...)
	}
	return files
}
