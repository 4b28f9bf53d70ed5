package assets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skinlab/assets/atomicfile"
	"skinlab/assets/fault"
)

// ErrEnding reports an output whose name promises another format.
var ErrEnding = errors.New("wrong ending")

// Output is a file that a person wants written. [Output.Check] has the rules for all of them, on the command line and
// in the window: files that are read are never overwritten, and existing files are replaced only if the person has
// asked for it.
type Output struct {
	Path    string          // as the person named it
	Endings []string        // of the format, with their dots, in small letters; a path without one gets the first
	Reads   func() []string // the files that are read, which must stay; see [Files]. It is called where the output exists
	Replace bool            // the person has said that an existing file may go
}

// Check returns the absolute path of the output, or an error that says why it may not be written. Call it before the
// work, and again right before [atomicfile.Write] where something may have changed. It leaves no file behind.
//
// Errors are one sentence that begins with the path. Another ending wraps [ErrEnding]. A file that exists while Replace
// is false wraps [fs.ErrExist]; the path is returned with it, so that a person can be asked. A file that is read is
// refused whatever Replace says, also under another name: links are followed and hard links compared. A path that is
// not a regular file (a pipe, /dev/stdout) has no contents to lose and may have any name. So may the file that the
// program's standard output goes to, since the user opened it for that.
func (o *Output) Check() (string, error) {
	if o.Path == "" {
		return "", errors.New("no file is named to write to")
	}
	path, err := filepath.Abs(o.Path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", o.Path, err)
	}
	info, err := existing(path)
	switch {
	case err != nil:
		return "", fault.OnFile(path, err)
	case info != nil && info.IsDir() || os.IsPathSeparator(o.Path[len(o.Path)-1]):
		return "", fmt.Errorf("%s: is a folder, expected a file", path)
	case info != nil && (!info.Mode().IsRegular() || atomicfile.SameAsOutput(info)):
		return path, nil
	}
	switch ending := filepath.Ext(path); {
	case ending == "":
		path += o.Endings[0]
		if info, err = existing(path); err != nil {
			return "", fault.OnFile(path, err)
		}
		if info != nil && info.IsDir() {
			return "", fmt.Errorf("%s: is a folder, expected a file", path)
		}
	case !slices.Contains(o.Endings, strings.ToLower(ending)):
		return "", fmt.Errorf("%s: %w: expected %s, not %q", path, ErrEnding, strings.Join(o.Endings, " or "), ending)
	}
	if info != nil {
		if err := CheckUnread(path, info, o.Reads(), "file"); err != nil {
			return "", err
		}
		if !o.Replace {
			return path, fmt.Errorf("%s: %w", path, fs.ErrExist)
		}
	}
	if err := checkFolder(path); err != nil {
		return "", err
	}
	return path, nil
}

// CheckUnread returns an error where the file at path, whose info follows links, is one of the files that are read. The
// error asks for another output of that kind, a file or a folder.
func CheckUnread(path string, info fs.FileInfo, reads []string, kind string) error {
	for _, read := range reads {
		if other, err := os.Stat(read); err == nil && os.SameFile(info, other) {
			return fmt.Errorf("%s: would replace %s, which is in use: name another %s", path, read, kind)
		}
	}
	return nil
}

// existing follows links and returns the file at a path, nil for none.
func existing(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return info, err
}

// checkFolder checks that [atomicfile.Write] can make a file in the folder of path, or of the target of a link at path.
func checkFolder(path string) error {
	folder := filepath.Dir(path)
	if info, err := existing(folder); err != nil || info == nil || !info.IsDir() {
		return fmt.Errorf("%s: there is no folder %s", path, folder)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	f, err := atomicfile.CreateBeside(path)
	if err != nil {
		return fault.OnFile(path+": nothing can be written in its folder", err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
