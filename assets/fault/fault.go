// Package fault words the faults of files: errors of two kinds and warnings, both with the name of the element.
package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"skinlab/skinning/messages"
)

// These are the kinds of faults of a file. Every error about a file's contents wraps one of them.
var (
	// ErrMalformed marks a file that breaks the rules of its format.
	ErrMalformed = errors.New("malformed glTF")
	// ErrUnsupported marks a file that may be right and that this reader does not read.
	ErrUnsupported = errors.New("unsupported glTF")
)

// InFile puts the file's name and the kind of fault in front of an error about its contents.
func InFile(name string, err error) error {
	var f *fault
	if errors.As(err, &f) {
		return fmt.Errorf("%s: %v: %w", name, f.kind, err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// fault is an error about a file's contents. Its text is only the reason. Callers put the names of elements in front of
// it, and [InFile] puts the kind in front of these.
type fault struct {
	kind   error // ErrMalformed or ErrUnsupported
	reason error
}

func (f *fault) Error() string   { return f.reason.Error() }
func (f *fault) Unwrap() []error { return []error{f.kind, f.reason} }

// Malformed makes an error about contents that break the format's rules.
func Malformed(format string, args ...any) error {
	return &fault{ErrMalformed, fmt.Errorf(format, args...)}
}

// Unsupported makes an error about contents that may be right and are not read.
func Unsupported(format string, args ...any) error {
	return &fault{ErrUnsupported, fmt.Errorf(format, args...)}
}

// Element names one element of the file: `mesh 3 "Body"`. Overlong names are cut.
func Element(kind string, i int, name string) string {
	if name == "" {
		return fmt.Sprintf("%s %d", kind, i)
	}
	return fmt.Sprintf("%s %d %q", kind, i, Shorten(name))
}

// Shorten cuts a text from the file to a length that an error line can hold.
func Shorten(s string) string { return messages.Shortened(s) }

// MaxNotes bounds how many warnings one file can raise.
const MaxNotes = 64

// Notes collects warnings.
type Notes struct {
	kept    []string
	dropped int
}

// Add keeps a warning while there is room. Equal warnings are kept once: many skins may use one accessor.
func (n *Notes) Add(format string, args ...any) {
	if len(n.kept) >= MaxNotes {
		n.dropped++
		return
	}
	if line := fmt.Sprintf(format, args...); !slices.Contains(n.kept, line) {
		n.kept = append(n.kept, line)
	}
}

// Lines returns the warnings, and behind them how many more there were.
func (n *Notes) Lines() []string {
	if n.dropped > 0 {
		return append(n.kept, fmt.Sprintf("%d more warnings", n.dropped))
	}
	return n.kept
}

// onFile is an error of the operating system as people read it.
type onFile struct {
	name string
	err  error
}

// OnFile puts a file's name in front of an error, which it wraps. For an error of the operating system it keeps only
// the reason, "model.glb: no such file or directory", without the failed call or the name of a temporary file. Nil
// stays nil.
func OnFile(name string, err error) error {
	if err == nil {
		return nil
	}
	return &onFile{name, err}
}

func (e *onFile) Error() string { return e.name + ": " + reason(e.err).Error() }

func (e *onFile) Unwrap() error { return e.err }

// reason returns what the operating system says, without the call and the path.
func reason(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
