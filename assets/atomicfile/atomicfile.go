// Package atomicfile writes files as a whole or not at all.
package atomicfile

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"skinlab/assets/fault"
)

// Write writes a file completely or not at all. It writes to a temporary file beside path, syncs it, and renames it to
// path. If write fails, the disk is full, or the program dies, the old file is still complete. An existing file keeps
// its permission bits; a new one gets 0666 under the umask. A symbolic link is followed, so that it stays a link. A
// path that is not a regular file (a pipe) is written to directly. So is the file to which the program's standard
// output goes; its present contents stay. Output of package assets decides which files may be replaced.
func Write(path string, write func(io.Writer) error) (err error) {
	path = Target(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fault.OnFile(path, err)
	case info.IsDir():
		return fmt.Errorf("%s: is a folder, expected a file", path)
	case SameAsOutput(info):
		return write(os.Stdout)
	case !info.Mode().IsRegular():
		return writeDevice(path, write)
	}
	f, err := CreateBeside(path)
	if err != nil {
		return fault.OnFile(path, err)
	}
	defer func() {
		if p := recover(); p != nil { // write panicked: leave nothing behind, and let it go on
			f.Close()
			os.Remove(f.Name())
			panic(p)
		}
		if err != nil {
			f.Close() // closing twice is harmless
			os.Remove(f.Name())
		}
	}()
	if err = write(&named{f, path}); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return fault.OnFile(path, err)
	}
	if err = f.Close(); err != nil {
		return fault.OnFile(path, err)
	}
	return Replace(f.Name(), path)
}

// Target returns the file that a write to path makes or replaces: path itself or, if it is a symbolic link, the target
// of the link.
func Target(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// Replace renames a finished file, which must be in the same folder as path, to path. If a file exists there, its
// permission bits are kept.
func Replace(finished, path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() {
		err = os.Chmod(finished, info.Mode().Perm())
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.OnFile(path, err)
	}
	return fault.OnFile(path, os.Rename(finished, path))
}

// named writes to a temporary file, and puts the name of the final file into its errors.
type named struct {
	io.Writer
	path string
}

func (n *named) Write(p []byte) (int, error) {
	done, err := n.Writer.Write(p)
	return done, fault.OnFile(n.path, err)
}

// WritePNG writes a picture to a file, replacing an old one atomically.
func WritePNG(path string, picture image.Image) error {
	return Write(path, func(w io.Writer) error { return png.Encode(w, picture) })
}

// CreateBeside creates a new file next to path, see [Beside].
func CreateBeside(path string) (f *os.File, err error) {
	_, err = Beside(path, func(name string) (err error) {
		f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		return err
	})
	return f, err
}

// mostBase is the number of bytes of a file's name that the name of its temporary file keeps. File systems allow 255
// bytes.
const mostBase = 200

// Beside calls create with a new name in the folder of path, which no other writer uses, and returns the name.
func Beside(path string, create func(name string) error) (name string, err error) {
	folder, base := filepath.Split(path)
	base = base[:min(len(base), mostBase)]
	for range 100 {
		name = filepath.Join(folder, fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32()))
		err = create(name)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return name, err
}

func writeDevice(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fault.OnFile(path, err)
	}
	return errors.Join(write(&named{f, path}), fault.OnFile(path, f.Close()))
}

// IsStandardOutput reports whether a path leads to where the program's standard output goes, as /dev/stdout does.
func IsStandardOutput(path string) bool {
	info, err := os.Stat(path)
	return err == nil && SameAsOutput(info)
}

// SameAsOutput reports whether a file is the one to which the program's standard output goes.
func SameAsOutput(info fs.FileInfo) bool {
	out, err := os.Stdout.Stat()
	return err == nil && os.SameFile(info, out)
}
