package fault

import (
	"errors"
	"io/fs"
	"os"
)

// onFile is an error of the operating system as people read it.
type onFile struct {
	name string
	err  error
}

// OnFile puts a file's name in front of an error, which it wraps. Of an error of the operating system it shows the
// reason alone, "model.glb: no such file or directory": neither the call that failed nor the name of a file that was to
// be renamed later. Nil stays nil.
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
