package report

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"skinlab/assets"
	"skinlab/assets/atomicfile"
	"skinlab/assets/fault"
)

// droppings are files that file managers leave in folders. They are removed with an old report.
var droppings = []string{".DS_Store", "Thumbs.db", "desktop.ini"}

// maxData bounds the data.json that is read back. A day of frames of every method is smaller.
const maxData = 256 << 20

// Folder is the folder of a report that a person wants written.
type Folder struct {
	Path    string   // as the person named it
	Replace bool     // the person has said that an earlier report may go
	Reads   []string // the files that are read, which must stay
}

// Check returns an error where a report cannot be written to the folder. That is so for a file, for the working
// folder, and for a folder that holds anything but an earlier report, or a file that is read. An earlier report that
// is not to be replaced is an error that wraps [fs.ErrExist]. Errors name the folder by its whole path. Callers check
// before hours of work; [Write] checks again.
func (f *Folder) Check() error {
	dir, err := filepath.Abs(f.Path)
	if err != nil {
		return fault.OnFile(dir, err)
	}
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return checkParent(dir)
	}
	if err != nil {
		return fault.OnFile(dir, err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%s: is a file, a report is a folder", dir)
	}
	if here, err := os.Stat("."); err == nil && os.SameFile(info, here) {
		return fmt.Errorf("%s: is the working folder, which cannot be replaced: name a folder in it", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fault.OnFile(dir, err)
	}
	own, report := ownFiles(dir), false
	for _, e := range entries {
		report = report || e.Name() == dataFile
		if !e.Type().IsRegular() || !slices.Contains(own, e.Name()) && !slices.Contains(droppings, e.Name()) {
			return fmt.Errorf("%s: holds %q, which is no part of a skinlab report: name a new or an empty folder", dir, e.Name())
		}
		info, err := e.Info()
		if err != nil {
			return fault.OnFile(dir, err)
		}
		if err := assets.CheckUnread(filepath.Join(dir, e.Name()), info, f.Reads, "folder"); err != nil {
			return err
		}
	}
	if report && !f.Replace {
		return fmt.Errorf("%s: holds a report: %w", dir, fs.ErrExist)
	}
	return checkParent(dir)
}

// checkParent checks that a folder can be made beside dir. A report is written there and then renamed.
func checkParent(dir string) error {
	made, err := makeBeside(dir)
	if err != nil {
		return err
	}
	return fault.OnFile(dir, os.Remove(made))
}

// ownFiles returns the files of the report in a folder, or none where it is no report.
func ownFiles(dir string) []string {
	path := filepath.Join(dir, dataFile)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxData {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var old struct {
		Format string   `json:"format"`
		Files  []string `json:"files"`
	}
	if json.Unmarshal(data, &old) != nil || old.Format != Format {
		return nil
	}
	return append(old.Files, dataFile)
}

// makeBeside makes a folder next to dir.
func makeBeside(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	made, err := atomicfile.Beside(dir, func(name string) error { return os.Mkdir(name, 0o777) })
	return made, fault.OnFile(dir, err)
}

// Write calls fill with the files of a new folder beside the folder, and then renames it to that. It replaces the
// folder whole or not at all. The old folder is removed last, and stays if anything fails before.
func (f *Folder) Write(ctx context.Context, fill func(*Files) error) (err error) {
	if err := f.Check(); err != nil {
		return err
	}
	dir := f.Path
	if target, e := filepath.EvalSymlinks(dir); e == nil {
		dir = target // a link to a folder stays a link
	}
	fresh, err := makeBeside(dir)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(fresh) }() // fails without harm after the rename
	if err := fill(&Files{ctx: ctx, dir: fresh}); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.Check(); err != nil { // the folder may have changed meanwhile
		return err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return fault.OnFile(dir, os.Rename(fresh, dir))
	}
	old, err := makeBeside(dir)
	if err != nil {
		return err
	}
	if err := os.Rename(dir, filepath.Join(old, "old")); err != nil {
		return fault.OnFile(dir, errors.Join(err, os.Remove(old)))
	}
	if err := os.Rename(fresh, dir); err != nil {
		return fault.OnFile(dir, errors.Join(err, os.Rename(filepath.Join(old, "old"), dir), os.Remove(old)))
	}
	return fault.OnFile(dir, os.RemoveAll(old))
}
