package files

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

type Entry struct {
	Name   string
	Folder bool
	Note   string // the size of a file, and when it was changed
}

// list returns what a dialog shows of a folder: its folders, then the files with the dialog's endings, each in the
// order of their names. It may take long on a network drive.
func (d *Dialog) list(folder string) ([]Entry, error) {
	all, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var folders, files []Entry
	for _, e := range all {
		note := ""
		if info, err := e.Info(); err == nil {
			note = info.ModTime().Format("2006-01-02  15:04")
			if !e.IsDir() {
				note = sizeOf(info.Size()) + "   " + note
			}
		}
		isFolder := e.IsDir()
		if e.Type()&os.ModeSymlink != 0 {
			target, err := os.Stat(filepath.Join(folder, e.Name()))
			isFolder = err == nil && target.IsDir()
		}
		switch {
		case isFolder:
			folders = append(folders, Entry{e.Name(), true, note})
		case d.has(e.Name()):
			files = append(files, Entry{e.Name(), false, note})
		}
	}
	return append(folders, files...), nil
}

func sizeOf(bytes int64) string {
	x := float64(bytes) / 1000
	for _, unit := range []string{"kB", "MB", "GB"} {
		if x < 999.5 {
			return fmt.Sprintf("%.1f %s", x, unit)
		}
		x /= 1000
	}
	return fmt.Sprintf("%.1f TB", x)
}

// split cuts a typed path, of base or with ~ for the user's folder, into a folder and the beginning of a name.
func split(typed, base string) (folder, name string) {
	at := len(typed)
	for at > 0 && !os.IsPathSeparator(typed[at-1]) {
		at--
	}
	return fullPath(typed[:at], base), typed[at:]
}

func fullPath(typed, base string) string {
	if rest, ok := strings.CutPrefix(typed, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(typed) {
		return filepath.Clean(typed)
	}
	return filepath.Join(base, typed)
}

// matching returns the entries whose names begin with name, in any case of letters. Hidden ones need the dot.
func matching(entries []Entry, name string) (found []Entry) {
	for _, e := range entries {
		hidden := strings.HasPrefix(e.Name, ".") && !strings.HasPrefix(name, ".")
		if !hidden && hasPrefix(e.Name, name) {
			found = append(found, e)
		}
	}
	return found
}

// hasPrefix is strings.HasPrefix in any case of letters.
func hasPrefix(s, prefix string) bool { return commonPrefix(s, prefix) == len(prefix) }

// commonPrefix returns the number of bytes of b, whole characters, with which a begins in any case of letters.
func commonPrefix(a, b string) (n int) {
	for n < len(b) {
		r, size := utf8.DecodeRuneInString(b[n:])
		other, otherSize := utf8.DecodeRuneInString(a[min(n, len(a)):])
		if size != otherSize || !strings.EqualFold(string(r), string(other)) {
			break
		}
		n += size
	}
	return n
}

// complete extends a name by what all matching entries have in common, and the only one by a separator.
func complete(name string, found []Entry) string {
	if len(found) == 0 {
		return name
	}
	common := found[0].Name
	for _, e := range found[1:] {
		common = common[:commonPrefix(e.Name, common)]
	}
	if len(found) == 1 && found[0].Folder {
		return common + string(filepath.Separator)
	}
	return common
}

// whole returns a proposed path as a whole one. A folder, as none is base, ends in a separator: it is listed.
func whole(base, proposed string) string {
	path, separator := proposed, string(filepath.Separator)
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	if proposed == "" || strings.HasSuffix(proposed, separator) {
		path = strings.TrimSuffix(path, separator) + separator
	}
	return path
}
