package enveloping

import (
	"sync"
	"sync/atomic"
)

// Vertices are summed in chunks, each by one worker, and the chunks in order by one goroutine: sums are the same bits for any
// number of workers. At most maxChunks partial sums are kept, whatever the size of the mesh.
const (
	minChunk  = 256
	maxChunks = 64
)

func chunkSize(n int) int { return max(minChunk, (n+maxChunks-1)/maxChunks) }

func chunks(n int) int { return (n + chunkSize(n) - 1) / chunkSize(n) }

func chunk(c, n int) (lo, hi int) { return c * chunkSize(n), min((c+1)*chunkSize(n), n) }

// parallel runs f(·, 0) … f(·, n−1) on workers; f's first argument is the worker, for scratch memory.
func parallel(workers, n int, f func(worker, i int)) {
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
