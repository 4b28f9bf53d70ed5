// Package parallel spreads independent work over goroutines.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers returns a number of workers that an option asks for: GOMAXPROCS where that is 0.
func Workers(asked int) int {
	if asked <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return asked
}

// For runs f(·, 0) … f(·, n−1) on workers; f's first argument is the worker, for scratch memory. Where a call panics,
// no further items are begun, and For itself panics once all workers are done, so that its caller can recover: a panic
// on another goroutine would end the program.
func For(workers, n int, f func(worker, i int)) {
	if workers <= 1 || n <= 1 {
		for i := range n {
			f(0, i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	var failed atomic.Pointer[failure]
	for w := range min(workers, n) {
		wg.Go(func() {
			defer func() {
				if value := recover(); value != nil {
					failed.CompareAndSwap(nil, &failure{value})
				}
			}()
			for failed.Load() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(w, i)
			}
		})
	}
	wg.Wait()
	if first := failed.Load(); first != nil {
		panic(first.value)
	}
}

// runLength is the number of items that [Runs] gives to a goroutine at a time. Posing or measuring a run of vertices in
// float64 takes some hundred microseconds.
const runLength = 1024

// Runs calls f for runs lo to hi−1 of n items, on all processors. No item may depend on another.
func Runs(n int, f func(lo, hi int)) {
	For(runtime.GOMAXPROCS(0), (n+runLength-1)/runLength, func(_, run int) {
		f(run*runLength, min((run+1)*runLength, n))
	})
}

// failure is a panic on its way to the caller's goroutine.
type failure struct{ value any }

// Items are summed in chunks, each by one worker, and the chunks in order by one goroutine: the sum is the same bits
// for any number of workers. At most maxChunks partial sums are kept, whatever the number of items.
const (
	minChunk  = 256
	maxChunks = 64
)

func chunkSize(n int) int { return max(minChunk, (n+maxChunks-1)/maxChunks) }

// Chunks returns the number of chunks of n items.
func Chunks(n int) int { return (n + chunkSize(n) - 1) / chunkSize(n) }

// Chunk returns the items of chunk c, from lo up to hi.
func Chunk(c, n int) (lo, hi int) { return c * chunkSize(n), min((c+1)*chunkSize(n), n) }
