// Package shapefile reads shapes, which are meshes of one topology in files of their own: OBJ and PLY, and folders of
// them.
package shapefile

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skinlab/assets/fault"
	"skinlab/assets/obj"
	"skinlab/assets/ply"
	"skinlab/skinning"
)

// Is reports whether a file is a shape by its name.
func Is(path string) bool { return obj.Is(path) || ply.Is(path) }

// Read reads a file by its name's ending. Errors name the file.
func Read(path string) (*obj.Shape, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.OnFile(path, err)
	}
	defer f.Close()
	read := obj.Read
	if ply.Is(path) {
		read = ply.Read
	}
	s, err := read(f)
	if err != nil {
		return nil, fault.OnFile(path, err)
	}
	return s, nil
}

// OpenModel reads a file as a model of one rigid mesh on one node, without materials. Faces of more than three corners
// become fans of triangles. Errors name the file.
func OpenModel(path string) (*skinning.Model, error) {
	s, err := Read(path)
	if err != nil {
		return nil, err
	}
	m, err := s.Model()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	m.Name = filepath.Base(path)
	return m, nil
}

// Folder lists the shapes of a folder by name, numbers in names by value: pose2 before pose10.
func Folder(folder string) (files []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fault.OnFile(folder, err)
	}
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return compareNumbered(a.Name(), b.Name()) })
	for _, e := range entries {
		if Is(e.Name()) && !e.IsDir() {
			files = append(files, filepath.Join(folder, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no %s or %s files", folder, obj.Ending, ply.Ending)
	}
	return files, nil
}

// compareNumbered compares names in which runs of digits are numbers, of any length.
func compareNumbered(a, b string) int {
	for a != "" && b != "" {
		n, m := leadingDigits(a), leadingDigits(b)
		if n == 0 || m == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		x, y := strings.TrimLeft(a[:n], "0"), strings.TrimLeft(b[:m], "0")
		if c := cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)); c != 0 {
			return c
		}
		a, b = a[n:], b[m:]
	}
	return cmp.Compare(len(a), len(b))
}

// leadingDigits counts the digits that a name begins with.
func leadingDigits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
