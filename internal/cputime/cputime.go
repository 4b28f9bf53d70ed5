// Package cputime measures the processor time of this process. Time limits in tests use it: other load on the machine,
// or a pause of it, changes wall time a lot and processor time hardly. A slower machine changes both, so a limit should
// be several times the usual value.
package cputime

import "time"

// Of returns the processor time that this process uses while f runs, summed over all its threads. It includes the work
// of other goroutines and of the garbage collector meanwhile.
func Of(f func()) time.Duration {
	before := Used()
	f()
	return Used() - before
}
