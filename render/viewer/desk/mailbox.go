package desk

import (
	"sync"
)

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
