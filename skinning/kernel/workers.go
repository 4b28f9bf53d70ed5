package kernel

import (
	"sync"
	"sync/atomic"

	"skinlab/skinning/simd"
)

// blockVertices is the smallest share of a skin that a worker takes: a whole number of [runVertices], so that
// groups do not depend on the number of workers. Large skins are shared by up to four times as many at a time.
const blockVertices = 1024

// singleThreadVertices is the size below which the caller poses a skin alone: a sleeping goroutine takes 20 to 50 µs to
// wake up, and at 3 ns a vertex 8,000 vertices take 24 µs.
const singleThreadVertices = 8192

// workerPool poses one stream at a time, on the caller's goroutine and on a fixed number of helper goroutines. The
// stream is cut into blocks, which a counter hands out. A helper that wakes up late finds none left, and no goroutine
// waits for it.
type workerPool struct {
	job
	size    int          // vertices of a block
	left    atomic.Int64 // blocks that are not handed out; a goroutine that counts it down to b ≥ 0 poses block b
	done    sync.WaitGroup
	failure atomic.Pointer[failure] // the first of a job
	wake    chan struct{}
	helpers int
}

// job is the work of the pool. It is written before left is set, and read only until left has been counted down, so
// that no goroutine reads it while it is written.
type job struct {
	stream  Stream
	kernel  Func
	palette *Palette
	level   simd.Level
}

// newWorkerPool starts workers − 1 helpers; close ends them.
func newWorkerPool(workers int) *workerPool {
	p := &workerPool{helpers: workers - 1, wake: make(chan struct{}, workers)}
	for range p.helpers {
		go p.help(p.wake) // the channel itself: close forgets the field
	}
	return p
}

func (p *workerPool) close() {
	if p.wake != nil {
		close(p.wake)
		p.wake = nil
	}
}

func (p *workerPool) help(wake <-chan struct{}) {
	for range wake {
		p.poseBlocks()
	}
}

// failure is a panic on its way to the caller's goroutine.
type failure struct{ value any }

// poseBlocks poses blocks until none is left.
func (p *workerPool) poseBlocks() {
	for p.poseUntilPanic() {
	}
}

// poseUntilPanic poses blocks until none is left or one has panicked, and reports whether one has. The panic is kept
// for the caller of pose, which can recover it. On the goroutine of another worker it would end the program.
func (p *workerPool) poseUntilPanic() (panicked bool) {
	defer func() {
		if value := recover(); value != nil {
			p.failure.CompareAndSwap(nil, &failure{value})
			p.done.Done()
			panicked = true
		}
	}()
	for b := p.left.Add(-1); b >= 0; b = p.left.Add(-1) {
		lo := int(b) * p.size
		s := p.stream.Slice(lo, min(lo+p.size, len(p.stream.Rest)))
		p.kernel(p.palette, s, p.level)
		p.done.Done()
	}
	return false
}

// pose poses the stream of a job, and panics where a block panics. It allocates nothing.
func (p *workerPool) pose(j job) {
	n := len(j.stream.Rest)
	if p.helpers == 0 || n < singleThreadVertices {
		j.kernel(j.palette, j.stream, j.level)
		return
	}
	p.job = j
	// Eight blocks a worker even out their speeds; more would only cost.
	p.size = blockVertices * max(1, min(4, n/(8*(p.helpers+1)*blockVertices)))
	blocks := (n + p.size - 1) / p.size
	p.done.Add(blocks)
	p.left.Store(int64(blocks))
	for range min(p.helpers, blocks-1) {
		select {
		case p.wake <- struct{}{}:
		default: // enough are on their way
		}
	}
	p.poseBlocks()
	p.done.Wait()
	p.job = job{} // keep nothing of the caller's alive
	if f := p.failure.Swap(nil); f != nil {
		panic(f.value)
	}
}
