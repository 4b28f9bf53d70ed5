//go:build !unix

package cputime

import "time"

var start = time.Now()

// Used returns the time on the clock since the process began, where the system has no getrusage.
func Used() time.Duration { return time.Since(start) }
