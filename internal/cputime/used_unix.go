//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Used returns the processor time of all threads since the process began, in the program and in the system on its
// behalf.
func Used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // with a valid argument the call cannot fail
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
