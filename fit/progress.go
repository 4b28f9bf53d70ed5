package fit

import (
	"fmt"
	"io"
	"sync"
	"time"

	"skinlab/skinning/progress"
)

// ShowProgress reports the progress of a fit on w. On a terminal it uses the last line. In a log it writes a line for
// every stage and every added joint. Note writes a line of its own during the fit. The caller calls end after the fit.
func ShowProgress(w io.Writer) (report func(Progress), note func(text string), end func()) {
	s := progress.NewStatus(w)
	var mu sync.Mutex
	report = func(p Progress) {
		mu.Lock()
		defer mu.Unlock()
		state := p.Stage
		if state == "" && p.Now.Model != nil {
			state = fmt.Sprint(p.Now.Added)
		}
		s.Show(state, p.line())
	}
	note = func(text string) {
		mu.Lock()
		defer mu.Unlock()
		s.Note(text)
	}
	return report, note, s.End
}

// BakingProgress reports on w the number of baked clips of an export, and the time. It returns the progress function
// for the export, and a function that ends the report. In a log it writes one line.
func BakingProgress(w io.Writer) (baked func(done, of int), end func()) {
	s, start := progress.NewStatus(w), time.Now()
	report, stop := steady(func(p Progress) { s.Show("baking", p.line()) })
	return func(done, of int) {
			report(Progress{Stage: fmt.Sprintf("baking clip %d of %d", done+1, of), Now: Step{Elapsed: time.Since(start)}})
		}, func() {
			stop()
			s.End()
		}
}

// line is the progress in a line for people.
func (p *Progress) line() string {
	line := fmt.Sprintf("%6.1f s", p.Now.Elapsed.Round(100*time.Millisecond).Seconds())
	if p.Stage != "" {
		line = p.Stage + "  " + line
	}
	if p.Now.Model == nil {
		return line
	}
	line = fmt.Sprintf("EE %7.3f %%  %s", p.Now.EE, line)
	switch n := p.Now.Added; n {
	case 0: // many fits add no bones
		return line
	case 1:
		return "  1 bone   " + line
	default:
		return fmt.Sprintf("%3d bones  %s", n, line)
	}
}

// reportPause is the longest time between two reports of a running fit. The solver reports after each step, which takes
// seconds on a million vertices. In between, the last state is reported again with the new time.
const reportPause = 150 * time.Millisecond

// steady returns a progress function that repeats its last report after each [reportPause], and a function that stops
// it. Calls of progress never overlap, though they come from two goroutines. None comes after stop has returned. A nil
// progress stays nil.
func steady(progress func(Progress)) (report func(Progress), stop func()) {
	if progress == nil {
		return nil, func() {}
	}
	var mu sync.Mutex
	var last Progress
	var at, told time.Time // of the last real report, zero before the first; of the last report of either kind
	report = func(p Progress) {
		mu.Lock()
		defer mu.Unlock()
		last, at = p, time.Now()
		told = at
		progress(p)
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(reportPause / 3)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case now := <-tick.C:
				mu.Lock()
				if !at.IsZero() && now.Sub(told) >= reportPause*2/3 {
					told = now
					later := last
					later.Now.Elapsed += now.Sub(at)
					progress(later)
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
