package cputime

import (
	"runtime"
	"testing"
	"time"
)

// TestOf: sleeping uses no processor, working does, on whatever goroutine. A quarter of the time on the clock, on a
// machine that may be busy.
func TestOf(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the time on the clock stands for it")
	}
	const pause = 200 * time.Millisecond
	if d := Of(func() { time.Sleep(pause) }); !(d >= 0) || !(d < pause/4) {
		t.Errorf("%v of sleep take %v", pause, d)
	}
	var clock time.Duration
	took := Of(func() {
		done := make(chan uint64)
		go func() {
			x := uint64(1)
			for range 100_000_000 {
				x = x*6364136223846793005 + 1442695040888963407
			}
			done <- x
		}()
		start := time.Now()
		<-done
		clock = time.Since(start)
	})
	if !(took > 10*time.Millisecond) { // four cycles a step: 10 ms would take 40 GHz
		t.Errorf("a hundred million steps take %v, %v on the clock", took, clock)
	}
}
