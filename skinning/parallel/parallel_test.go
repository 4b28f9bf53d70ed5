package parallel

import (
	"sync/atomic"
	"testing"
)

// Every item is done once, by a worker below the number of workers, and not by more of them than there are items.
func TestFor(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 100} {
		for _, n := range []int{0, 1, 2, 1000} {
			done, least := make([]atomic.Int32, n), min(max(workers, 1), max(n, 1))
			For(workers, n, func(worker, i int) {
				done[i].Add(1)
				if worker < 0 || worker >= least {
					t.Errorf("%d workers, %d items: worker %d", workers, n, worker)
				}
			})
			for i := range done {
				if k := done[i].Load(); k != 1 {
					t.Errorf("%d workers, %d items: item %d was done %d times", workers, n, i, k)
				}
			}
		}
	}
}

// Every item is in one run, in the last and shorter one too.
func TestRuns(t *testing.T) {
	for _, n := range []int{0, 1, runLength, 3*runLength + 7} {
		done := make([]atomic.Int32, n)
		Runs(n, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				done[i].Add(1)
			}
		})
		for i := range done {
			if k := done[i].Load(); k != 1 {
				t.Fatalf("%d items: item %d is in %d runs", n, i, k)
			}
		}
	}
}

// A panic is its caller's, who may recover: on a goroutine of For's it would end the program. Nobody works any longer
// when the caller hears of it, and no item is begun long after it.
func TestForPanics(t *testing.T) {
	for _, workers := range []int{1, 4} {
		var running, begun atomic.Int32
		func() {
			defer func() {
				if v := recover(); v != "item 10" {
					t.Errorf("%d workers: %v", workers, v)
				}
				if k := running.Load(); k != 0 {
					t.Errorf("%d workers: %d items go on", workers, k)
				}
			}()
			For(workers, 1_000_000, func(_, i int) {
				begun.Add(1)
				running.Add(1)
				defer running.Add(-1)
				if i == 10 {
					panic("item 10")
				}
			})
		}()
		if k := begun.Load(); k == 1_000_000 {
			t.Errorf("%d workers: all items were begun", workers)
		}
	}
}
