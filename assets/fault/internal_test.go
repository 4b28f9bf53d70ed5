package fault

import (
	"strings"
	"testing"

	"skinlab/skinning/parallel"
)

// TestInternal: the error names the work, what was wrong, and the line of ours, also where goroutines share the work.
func TestInternal(t *testing.T) {
	for _, workers := range []int{1, 3} {
		err := func() (err error) {
			defer func() { err = Internal("a.glb", "reading", recover()) }()
			parallel.For(workers, 8, func(_, i int) { _ = make([]int, 3)[i] })
			return nil
		}()
		for _, want := range []string{"a.glb: internal error in reading at fault/internal_test.go:", "please report",
			"index out of range"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%d workers: %v, expected %q", workers, err, want)
			}
		}
	}
}
