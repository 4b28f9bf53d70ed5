// Package progress reports on a terminal or in a log the stage of a command, its progress, and the time left. It also
// lets a command end soon after it is cancelled.
package progress

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

// quiet is the time after which a command's stages are reported. A command that ends sooner reports nothing.
const quiet = time.Second

// brief is the time after which an inner stage is reported instead of the outer one. Writing a small picture ends
// sooner.
const brief = 500 * time.Millisecond

// pause is how often the time of a stage is written anew on a terminal.
const pause = 200 * time.Millisecond

// grace is the time for which [Stage] waits, after its context is done, for its function to end.
const grace = 100 * time.Millisecond

// Report tells how much of a stage is done. It may be called from any goroutine.
type Report func(done, of int)

// line is what a command's stages are told on.
type line struct {
	mu     sync.Mutex
	status *Status
	now    func() time.Time
	pause  time.Duration // until the line is written anew without a report
	start  time.Time     // of the command
	stages []*stage      // that run; the last is told
}

// stage is a part of a command's work.
type stage struct {
	doing    string
	start    time.Time
	done, of int
}

type key struct{}

// On makes the stages that run under a context report to out. On a terminal they use one line, which disappears when
// they end. In a log there is a line for each tenth of a stage. Nothing is written in the first second.
func On(ctx context.Context, out io.Writer) context.Context {
	return on(ctx, out, time.Now, pause)
}

func on(ctx context.Context, out io.Writer, now func() time.Time, pause time.Duration) context.Context {
	return context.WithValue(ctx, key{}, &line{status: NewStatus(out), now: now, pause: pause, start: now()})
}

// Begin begins a stage of the command that runs under a context. Doing names the work: "comparing frame". Report takes
// the progress of the stage, until end is called. Stages may nest.
func Begin(ctx context.Context, doing string) (report Report, end func()) {
	l, _ := ctx.Value(key{}).(*line)
	if l == nil {
		return func(int, int) {}, func() {}
	}
	s := &stage{doing: doing, start: l.now()}
	l.mu.Lock()
	l.stages = append(l.stages, s)
	l.mu.Unlock()
	report = func(done, of int) {
		l.mu.Lock()
		s.done, s.of = done, of
		l.mu.Unlock()
		l.tell()
	}
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(l.pause)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				l.tell()
			}
		}
	}()
	var once sync.Once
	return report, func() {
		once.Do(func() {
			close(stop)
			<-ended
			l.end(s)
		})
	}
}

// Stage runs f as a stage of the command and returns what it returns. Soon after ctx is done it returns ctx's error,
// even where f is still busy, for example with a draw call. F then continues until the program ends, and its result is
// lost. So it must not leave incomplete files on disk.
func Stage[T any](ctx context.Context, doing string, f func(Report) (T, error)) (result T, err error) {
	report, end := Begin(ctx, doing)
	defer end()
	type outcome struct {
		result T
		err    error
	}
	out := make(chan outcome, 1)
	go func() {
		var o outcome
		o.result, o.err = f(report)
		out <- o
	}()
	select {
	case o := <-out:
		return o.result, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-out:
		return o.result, o.err
	case <-time.After(grace):
		return result, ctx.Err()
	}
}

// Writer returns a writer that fails with ctx's error once ctx is done. So an encoder of a large picture ends at its
// next few kilobytes.
func Writer(ctx context.Context, to io.Writer) io.Writer { return &writer{ctx, to} }

type writer struct {
	ctx context.Context
	to  io.Writer
}

func (w *writer) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.to.Write(p)
}

// tell reports the innermost stage that has lasted longer than brief, or else the outermost.
func (l *line) tell() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if len(l.stages) == 0 || now.Sub(l.start) < quiet {
		return
	}
	s := l.stages[0]
	for _, inner := range l.stages[1:] {
		if now.Sub(inner.start) >= brief {
			s = inner
		}
	}
	l.status.Show(s.state(), s.text(now))
}

// end takes a stage away, and what the terminal shows of it.
func (l *line) end(s *stage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.stages {
		if l.stages[i] == s {
			l.stages = append(l.stages[:i], l.stages[i+1:]...)
			break
		}
	}
	if len(l.stages) == 0 {
		l.status.clear()
	}
}

// state is the same for what needs one line in a log.
func (s *stage) state() string {
	if s.of == 0 {
		return s.doing
	}
	return fmt.Sprintf("%s %d", s.doing, 10*s.done/s.of)
}

// text is the stage in a line for people. The remaining time is estimated from the share that is done.
func (s *stage) text(now time.Time) string {
	text, took := s.doing, now.Sub(s.start)
	if s.of > 0 {
		text += fmt.Sprintf(" %d of %d", s.done, s.of)
	}
	text += fmt.Sprintf("  %.1f s", took.Seconds())
	if s.done > 0 && s.done < s.of {
		left := took.Seconds() * float64(s.of-s.done) / float64(s.done)
		text += ", " + remaining(left)
	}
	return text
}

// remaining is a duration in seconds, roughly, for people.
func remaining(seconds float64) string {
	switch {
	case seconds < 1:
		return "less than 1 s left"
	case seconds < 90:
		return fmt.Sprintf("about %.0f s left", seconds)
	case seconds < 5400:
		return fmt.Sprintf("about %.0f min left", seconds/60)
	}
	return fmt.Sprintf("about %.1f h left", seconds/3600)
}
