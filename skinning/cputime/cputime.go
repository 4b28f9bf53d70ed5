// Package cputime says how much of the processors this process has used. Limits of time in tests are in it: a machine
// that is busy with something else, or was paused, changes the time on the clock, and this one hardly. One that is
// slower still changes it, so that a limit is to be several times what is usual.
package cputime

import "time"

// Of returns the processor time that this process uses while f runs, the sum over all its threads: also what other
// goroutines and the garbage collector do meanwhile.
func Of(f func()) time.Duration {
	before := Used()
	f()
	return Used() - before
}
