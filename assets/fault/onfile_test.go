package fault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestOnFile(t *testing.T) {
	here := t.TempDir()
	_, open := os.Open(filepath.Join(here, "missing"))
	rename := os.Rename(filepath.Join(here, ".x.tmp"), filepath.Join(here, "x"))
	for _, err := range []error{open, rename} {
		got := OnFile("x.glb", err)
		if got.Error() != "x.glb: no such file or directory" || !errors.Is(got, fs.ErrNotExist) || !errors.Is(got, err) {
			t.Errorf("%v becomes %v", err, got)
		}
	}
	if got := OnFile("x.glb", errors.New("too long")); got.Error() != "x.glb: too long" {
		t.Error(got)
	}
	if OnFile("x.glb", nil) != nil {
		t.Error("no error becomes one")
	}
}
