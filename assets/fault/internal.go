package fault

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// Internal makes an error of a recovered panic, which is a bug of ours and no fault of the file, with the place where
// it happened. It must be called by the deferred function that recovers, at the boundary of the package that does the
// work.
func Internal(name, work string, recovered any) error {
	return fmt.Errorf("%s: internal error in %s at %s, please report: %v", name, work, place(), recovered)
}

// place returns the file and line of ours that panicked. Of a panic on another goroutine it is where the work was
// shared out.
func place() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for panicked := false; ; {
		f, more := frames.Next()
		if panicked && strings.HasPrefix(f.Function, "skinlab/") && !strings.Contains(f.Function, "/parallel.") {
			folder, file := filepath.Split(f.File)
			return fmt.Sprintf("%s/%s:%d", filepath.Base(folder), file, f.Line)
		}
		panicked = panicked || f.Function == "runtime.gopanic"
		if !more {
			return "an unknown place"
		}
	}
}
