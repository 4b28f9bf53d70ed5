package flags

import (
	"bufio"
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

// Printer prints what a command found: one JSON object, or a text for people.
type Printer struct {
	JSON  bool
	Piped bool   // standard output has the command's output
	note  string // what there is to say of the output's name
}

func (p *Printer) Register(f *pflag.FlagSet) {
	f.BoolVar(&p.JSON, "json", false, "print one JSON object on standard output")
}

// Print prints v as one JSON object with --json; otherwise it calls text with a writer. It does neither if the output
// file goes to standard output. It returns the first error of standard output.
func (p *Printer) Print(v any, text func(io.Writer)) error {
	if p.note != "" {
		fmt.Fprintln(os.Stderr, p.note)
	}
	if !p.JSON {
		out := bufio.NewWriter(os.Stdout) // which keeps an error until it is flushed
		if !p.Piped {
			text(out)
		}
		return out.Flush()
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Output is the file that a command writes, and the rule for all such files: see [assets.Output].
type Output struct {
	Printer
	Flag  string // that names the file
	Path  string // "" for none
	Force bool
	again func() error // the check; nil before it
}

// Register adds -o, --force and --json.
func (o *Output) Register(f *pflag.FlagSet, usage string) {
	o.RegisterAs(f, "output", "o", usage)
}

// RegisterAs adds the flag of the file, with a shorthand letter if there is one, and --force and --json.
func (o *Output) RegisterAs(f *pflag.FlagSet, name, letter, usage string) {
	o.Flag = "--" + name
	if letter != "" {
		o.Flag = "-" + letter
	}
	f.StringVarP(&o.Path, name, letter, "", usage)
	f.BoolVar(&o.Force, "force", false, "replace a file that exists, but never one that is read")
	o.Printer.Register(f)
}

// Check checks the output file, if there is one, before the work, and makes its path absolute. Endings are those of its
// format. Reads lists the files that the command reads, as far as the command line names them. Names that are not files
// are ignored.
func (o *Output) Check(reads func() []string, endings ...string) error {
	if o.Path == "" {
		return nil
	}
	if o.Path == "-" {
		return Usagef("%s -: standard output is for deform alone: name a file, or /dev/stdout", o.Flag)
	}
	o.again = func() error { return o.Check(reads, endings...) }
	out := assets.Output{Path: o.Path, Endings: endings, Replace: o.Force, Reads: reads}
	whole, err := out.Check()
	switch {
	case errors.Is(err, assets.ErrEnding):
		return Usagef("%s: %w", o.Flag, err)
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%w: --force replaces it", err)
	case err != nil:
		return err
	}
	o.Piped = atomicfile.IsStandardOutput(whole)
	if o.Piped && o.JSON {
		return Usagef("%s %s and --json both want standard output", o.Flag, o.Path)
	}
	if filepath.Base(whole) != filepath.Base(o.Path) {
		o.note = fmt.Sprintf("note: %s has no ending: it is written as %s", o.Path, whole)
	}
	o.Path = whole
	return nil
}

// Recheck checks the file again right before it is written, so that a file that has appeared there during the work is
// not overwritten. It does nothing if there was no check.
func (o *Output) Recheck() error {
	if o.again == nil {
		return nil
	}
	return o.again()
}

// Write writes the file, which has been checked, see [atomicfile.Write].
func (o *Output) Write(write func(io.Writer) error) error {
	if err := o.Recheck(); err != nil {
		return err
	}
	return atomicfile.Write(o.Path, write)
}

// WritePicture writes a PNG file. Encoding a large picture takes seconds, so it is a stage of its own, and the file is
// written after it.
func (o *Output) WritePicture(ctx context.Context, picture image.Image) error {
	data, err := progress.Stage(ctx, "writing "+filepath.Base(o.Path), func(progress.Report) ([]byte, error) {
		var b bytes.Buffer
		err := png.Encode(progress.Writer(ctx, &b), picture)
		return b.Bytes(), err
	})
	if err != nil {
		return err
	}
	return o.Write(func(w io.Writer) error { _, err := w.Write(data); return err })
}

func ModelFiles(names ...string) (files []string) {
	for _, name := range names {
		files = append(files, assets.Files(name)...)
	}
	return files
}
