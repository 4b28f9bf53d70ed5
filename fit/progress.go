package fit

import (
	"fmt"
	"io"
	"sync"
	"time"

	"skinlab/skinning/progress"
)

// ShowProgress says on w how far a fit is: on a terminal's last line, or in a log a line for every stage and every
// added joint. The caller calls end when it is over.
func ShowProgress(w io.Writer) (report func(Progress), end func()) {
	s := progress.NewStatus(w)
	return func(p Progress) {
		state := p.Stage
		if state == "" && p.Now.Model != nil {
			state = fmt.Sprint(p.Now.Added)
		}
		s.Show(state, p.line())
	}, s.End
}

// BakingProgress says on w how many clips of a fitted model are baked, while that goes on, and for how long: what an
// export is to tell, and what ends it. In a log that is one line.
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
	bones := "bones"
	if p.Now.Added == 1 {
		bones = "bone "
	}
	return fmt.Sprintf("%3d %s  EE %7.3f %%  %s", p.Now.Added, bones, p.Now.EE, line)
}

// reportPause is the longest silence of a running fit. The solver reports between its steps, and on a million vertices
// a step takes seconds: in between, the last state is reported again with the time that has passed.
const reportPause = 150 * time.Millisecond

// steady returns a progress function that never falls silent for longer than [reportPause], and what ends it. The calls
// of progress follow each other, from either goroutine; none comes after stop has returned. A nil progress stays nil.
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
