// Package parallel spreads independent work over goroutines.
package parallel

import (
	"sync"
	"sync/atomic"
)

// For runs f(·, 0) … f(·, n−1) on workers; f's first argument is the worker, for scratch memory.
func For(workers, n int, f func(worker, i int)) {
	if workers <= 1 || n <= 1 {
		for i := range n {
			f(0, i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range min(workers, n) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(w, i)
			}
		})
	}
	wg.Wait()
}
