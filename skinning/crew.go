package skinning

import (
	"sync"
	"sync/atomic"

	"skinlab/skinning/simd"
)

// blockVertices is the smallest share of a skin that a worker takes: a whole number of [scannedVertices], so that
// groups do not depend on the number of workers. Large skins are shared by up to four times as many at a time.
const blockVertices = 1024

// aloneVertices is below which a skin is posed by the caller alone: a sleeping worker takes 20 to 50 us to wake up, and
// at 3 ns a vertex 8,000 take 24.
const aloneVertices = 8192

// crew poses one stream at a time on the caller's goroutine and a fixed number of helpers. Blocks are handed out by a
// counter: a helper that wakes up late finds none, and nobody waits for it.
type crew struct {
	job
	size    int          // vertices of a block
	left    atomic.Int64 // blocks that nobody has taken; a block is taken by who brings it to block, if that is not negative
	done    sync.WaitGroup
	failure atomic.Pointer[failure] // the first of a job
	wake    chan struct{}
	helpers int
}

// job is what a frame asks of the crew. It is written before left and read by who has taken a block, so never at once.
type job struct {
	stream Stream
	method Method
	frame  *Frame
	level  simd.Level
}

// newCrew starts the helpers of a crew of a size; close ends them.
func newCrew(workers int) *crew {
	c := &crew{helpers: workers - 1, wake: make(chan struct{}, workers)}
	for range c.helpers {
		go c.help(c.wake) // the channel itself: close forgets the field
	}
	return c
}

func (c *crew) close() {
	if c.wake != nil {
		close(c.wake)
		c.wake = nil
	}
}

func (c *crew) help(wake <-chan struct{}) {
	for range wake {
		c.work()
	}
}

// failure is a panic on its way to the caller's goroutine.
type failure struct{ value any }

// work poses blocks until none is left.
func (c *crew) work() {
	for c.blocks() {
	}
}

// blocks poses blocks until none is left, or until one has panicked: then it tells that there may be more. Wherever
// that was, it is the caller who panics, once nobody works any longer: on a helper's goroutine it would end the
// program.
func (c *crew) blocks() (more bool) {
	defer func() {
		if value := recover(); value != nil {
			c.failure.CompareAndSwap(nil, &failure{value})
			c.done.Done()
			more = true
		}
	}()
	for b := c.left.Add(-1); b >= 0; b = c.left.Add(-1) {
		lo := int(b) * c.size
		s := c.stream.Slice(lo, min(lo+c.size, len(c.stream.Rest)))
		c.frame.poseStream(&s, c.method, c.level)
		c.done.Done()
	}
	return false
}

// pose runs a job, and panics if that does. It allocates nothing.
func (c *crew) pose(j job) {
	n := len(j.stream.Rest)
	if c.helpers == 0 || n < aloneVertices {
		j.frame.poseStream(&j.stream, j.method, j.level)
		return
	}
	c.job = j
	// Eight blocks a worker even out their speeds; more would only cost.
	c.size = blockVertices * max(1, min(4, n/(8*(c.helpers+1)*blockVertices)))
	blocks := (n + c.size - 1) / c.size
	c.done.Add(blocks)
	c.left.Store(int64(blocks))
	for range min(c.helpers, blocks-1) {
		select {
		case c.wake <- struct{}{}:
		default: // enough are on their way
		}
	}
	c.work()
	c.done.Wait()
	c.job = job{} // keep nothing of the caller's alive
	if f := c.failure.Swap(nil); f != nil {
		panic(f.value)
	}
}
