package desk

import (
	"sync"
)

// Mailbox holds what other goroutines leave for the window's one to do.
type Mailbox struct {
	mu   sync.Mutex
	jobs []func()
}

// Put leaves a job. Any goroutine may call it.
func (m *Mailbox) Put(job func()) {
	m.mu.Lock()
	m.jobs = append(m.jobs, job)
	m.mu.Unlock()
}

// Run runs what has been left, and reports whether that was anything. It allocates nothing where there is none.
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
