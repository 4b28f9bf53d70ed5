package bench

import (
	"fmt"
	"sync"
	"time"
)

// copyBlock is the number of bytes that a copy in blocks moves at a time. For copies of a megabyte and more the Go
// runtime bypasses the caches; blocks of this size stay in them.
const copyBlock = 64 << 10

// copier measures how fast the machine copies bytes. That speed is the limit for a kernel.
type copier struct {
	from, to []byte // half of the largest measure each
}

// newCopier makes arrays for measures of up to bytes, read and written together.
func newCopier(bytes int) *copier {
	c := &copier{from: make([]byte, (bytes+1)/2), to: make([]byte, (bytes+1)/2)}
	for i := range c.from {
		c.from[i] = byte(i) // untouched memory would be one page of zeros
	}
	c.once(bytes, 1, copyBlock, 1)
	return c
}

// rate returns the bytes per second of copying for about a round. Half of bytes is read and the other half is written,
// and each thread copies its own part. It tries both ways, through the caches and past them, and returns the faster.
func (c *copier) rate(bytes, threads int, round time.Duration) float64 {
	best := 0.0
	for _, block := range []int{copyBlock, len(c.from)} {
		seconds := c.once(bytes, threads, block, 1)
		count := max(1, int(round.Seconds()/2/max(seconds, 1e-9)))
		best = max(best, float64(bytes)/c.once(bytes, threads, block, count))
	}
	return best
}

// once returns the seconds of one of count copies.
func (c *copier) once(bytes, threads, block, count int) float64 {
	half := bytes / 2
	var done sync.WaitGroup
	start := time.Now()
	for i := range threads {
		lo, hi := half*i/threads, half*(i+1)/threads
		part := func() {
			for range count {
				for at := lo; at < hi; at += block {
					end := min(at+block, hi)
					copy(c.to[at:end], c.from[at:end])
				}
			}
		}
		if threads == 1 {
			part() // as a deformer of one worker does without another goroutine
			break
		}
		done.Go(part)
	}
	done.Wait()
	return time.Since(start).Seconds() / float64(count)
}

// Memory is a row's speed relative to the memory of its device.
type Memory struct {
	BytesPerVertex  float64 `json:"bytes_per_vertex"`   // read and written, see [skinlab/kernel.Stream.BytesMoved]
	GBPerSecond     float64 `json:"gb_per_second"`      // of these at ns_per_vertex; 1e9 bytes
	CopyGBPerSecond float64 `json:"copy_gb_per_second"` // of copying as many bytes in the same rounds; median
	ShareOfCopy     float64 `json:"share_of_copy"`      // median of the row's speed over the copy's
}

// NewMemory sums up rounds. Bytes is the number of bytes that one pose of all vertices reads and writes, seconds[i] the
// time of a pose in round i, and copied[i] the bytes per second of that round's copy.
func NewMemory(bytes float64, vertices int, seconds, copied []float64) *Memory {
	if len(seconds) != len(copied) {
		panic(fmt.Sprintf("bench: NewMemory: %d rounds with %d copies", len(seconds), len(copied)))
	}
	share := make([]float64, len(seconds))
	for i := range share {
		share[i] = bytes / seconds[i] / copied[i]
	}
	return &Memory{BytesPerVertex: bytes / float64(vertices), GBPerSecond: bytes / Median(seconds) * 1e-9,
		CopyGBPerSecond: Median(copied) * 1e-9, ShareOfCopy: Median(share)}
}

// cells writes the row's columns of a table, dashes for none.
func (m *Memory) cells() string {
	if m == nil {
		return "–\t–\t–"
	}
	return fmt.Sprintf("%.1f\t%.1f\t%.0f%%", m.GBPerSecond, m.CopyGBPerSecond, 100*m.ShareOfCopy)
}
