// Package longtest marks tests that take longer than `make test` has time for. There are three levels: `go test -short`
// leaves out what [testing.Short] guards, `go test` runs all but long tests, and with SKINLAB_LONG=1 these run too.
package longtest

import (
	"os"
	"testing"
)

// On reports whether long tests run. Tests that run at every level may be larger then.
func On() bool { return os.Getenv("SKINLAB_LONG") != "" }

// Only skips a test where long tests do not run.
func Only(t testing.TB) {
	t.Helper()
	if !On() {
		t.Skip("long: make test-long")
	}
}
