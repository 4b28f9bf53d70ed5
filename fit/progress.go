package fit

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// ShowProgress says on w how far a fit is: on a terminal's last line, or in a log a line for every stage and every
// added joint. The caller calls end when it is over.
func ShowProgress(w io.Writer) (progress func(Progress), end func()) {
	s := newStatusLine(w)
	return func(p Progress) {
		state := p.Stage
		if state == "" && p.Now.Model != nil {
			state = fmt.Sprint(p.Now.Added)
		}
		s.show(state, p.line())
	}, s.end
}

// BakingProgress says on w how many clips of a fitted model are baked, while that goes on, and for how long: what an
// export is to tell, and what ends it. In a log that is one line.
func BakingProgress(w io.Writer) (progress func(done, of int), end func()) {
	s, start := newStatusLine(w), time.Now()
	report, stop := steady(func(p Progress) { s.show("baking", p.line()) })
	return func(done, of int) {
			report(Progress{Stage: fmt.Sprintf("baking clip %d of %d", done+1, of), Now: Step{Elapsed: time.Since(start)}})
		}, func() {
			stop()
			s.end()
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

// statusLine says how far something is. On a terminal it is one line, written again and again; in a file or a pipe it
// would be thousands of them, so there a line is written only when the state has another name.
type statusLine struct {
	out      io.Writer
	terminal bool
	state    string
}

func newStatusLine(out io.Writer) *statusLine {
	s := &statusLine{out: out}
	if f, ok := out.(*os.File); ok {
		info, err := f.Stat()
		s.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return s
}

// statusWidth covers what an earlier, longer line has left.
const statusWidth = 70

func (s *statusLine) show(state, line string) {
	switch {
	case s.terminal:
		fmt.Fprintf(s.out, "\r%-*s", statusWidth, line)
	case state != s.state:
		fmt.Fprintln(s.out, line)
	}
	s.state = state
}

// end leaves the terminal's line as it is and goes on below it.
func (s *statusLine) end() {
	if s.terminal && s.state != "" {
		fmt.Fprintln(s.out)
	}
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
