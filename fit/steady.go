package fit

import (
	"sync"
	"time"
)

// reportPause is the longest silence of a running fit. The solver reports between its steps, and on a million vertices
// a step takes seconds: in between, the last state is reported again with the time that has passed.
const reportPause = 150 * time.Millisecond

// steady returns a progress function that never falls silent for longer than pause, and what ends it. Later returns the
// same state when so much more time has passed. The calls of progress follow each other, from either goroutine; none
// comes after stop has returned. A nil progress stays nil.
func steady[P any](progress func(P), pause time.Duration, later func(P, time.Duration) P) (report func(P),
	stop func()) {
	if progress == nil {
		return nil, func() {}
	}
	var mu sync.Mutex
	var last P
	var at time.Time // of the last real report; zero before the first
	var told time.Time
	report = func(p P) {
		mu.Lock()
		defer mu.Unlock()
		last, at = p, time.Now()
		told = at
		progress(p)
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(pause / 3)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case now := <-tick.C:
				mu.Lock()
				if !at.IsZero() && now.Sub(told) >= pause*2/3 {
					told = now
					progress(later(last, now.Sub(at)))
				}
				mu.Unlock()
			}
		}
	})
	return report, func() {
		close(done)
		wg.Wait()
	}
}
