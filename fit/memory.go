package fit

import (
	"fmt"
	"math"
	"runtime/debug"
)

// Holds returns an error where a fit must hold more bytes at once than the memory limit of the Go runtime. Commands set
// the limit by the size of the files that they read; the environment variable GOMEMLIMIT sets another. The window has
// none.
func Holds(bytes int) error {
	const mega = 1e6
	limit := debug.SetMemoryLimit(-1) // a negative limit only asks
	if limit == math.MaxInt64 || int64(bytes) <= limit {
		return nil
	}
	return fmt.Errorf("the fit needs about %.0f MB, of %.0f that it may take; "+
		"set GOMEMLIMIT=%dGiB in the environment to allow more", float64(bytes)/mega, float64(limit)/mega, bytes>>28+1)
}
