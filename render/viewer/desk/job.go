package desk

import (
	"context"
	"sync"
)

// Job runs one task at a time on its own goroutine. A new task cancels the previous one, whose result is dropped. The
// zero value is ready to use. Its methods never wait.
type Job[T any] struct {
	mu      sync.Mutex
	number  int
	cancel  context.CancelFunc // nil if nothing runs
	result  T
	err     error
	arrived bool
}

// Start runs a task. It calls wake on the task's goroutine when the result can be taken.
func (j *Job[T]) Start(ctx context.Context, wake func(), run func(context.Context) (T, error)) {
	j.Stop()
	ctx, cancel := context.WithCancel(ctx)
	j.mu.Lock()
	j.cancel = cancel
	number := j.number
	j.mu.Unlock()
	go func() {
		defer cancel()
		result, err := run(ctx)
		j.mu.Lock()
		mine := number == j.number
		if mine {
			j.result, j.err, j.arrived, j.cancel = result, err, true, nil
		}
		j.mu.Unlock()
		if mine {
			wake()
		}
	}()
}

// Stop cancels the task and drops its result.
func (j *Job[T]) Stop() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.cancel != nil {
		j.cancel()
		j.cancel = nil
	}
	j.number++
	j.arrived = false
}

func (j *Job[T]) Running() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.cancel != nil
}

// Take returns the result once.
func (j *Job[T]) Take() (result T, err error, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.arrived {
		return result, nil, false
	}
	result, err, j.arrived = j.result, j.err, false
	var none T
	j.result = none
	return result, err, true
}

// Mailbox holds jobs from other goroutines for the window's goroutine.
type Mailbox struct {
	mu   sync.Mutex
	jobs []func()
}

// Put adds a job. Any goroutine may call it.
func (m *Mailbox) Put(job func()) {
	m.mu.Lock()
	m.jobs = append(m.jobs, job)
	m.mu.Unlock()
}

// Run runs the jobs and reports whether there were any. Without jobs it allocates nothing.
func (m *Mailbox) Run() bool {
	m.mu.Lock()
	jobs := m.jobs
	m.jobs = nil
	m.mu.Unlock()
	for _, job := range jobs {
		job()
	}
	return len(jobs) > 0
}

// Progress passes the state of a load from its goroutine to the window.
type Progress struct {
	mu    sync.Mutex
	step  string
	share float64
}

// Report sets the current step and the share of the load that is done, 0 to 1.
func (p *Progress) Report(step string, share float64) {
	p.mu.Lock()
	p.step, p.share = step, share
	p.mu.Unlock()
}

func (p *Progress) Get() (step string, share float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.step, p.share
}
