// Package parallel spreads the independent parts of a fit over workers, so that the result is the same bits for any
// number of them.
package parallel

import "skinlab/skinning/parallel"

// Vertices are summed in chunks, each by one worker, and the chunks in order by one goroutine. At most maxChunks
// partial sums are kept, whatever the size of the mesh.
const (
	minChunk  = 256
	maxChunks = 64
)

func chunkSize(n int) int { return max(minChunk, (n+maxChunks-1)/maxChunks) }

// Chunks returns the number of chunks of n items.
func Chunks(n int) int { return (n + chunkSize(n) - 1) / chunkSize(n) }

// Chunk returns the items of chunk c, from lo up to hi.
func Chunk(c, n int) (lo, hi int) { return c * chunkSize(n), min((c+1)*chunkSize(n), n) }

// For is [parallel.For].
func For(workers, n int, f func(worker, i int)) { parallel.For(workers, n, f) }
