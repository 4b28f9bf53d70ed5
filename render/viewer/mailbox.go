package viewer

import "sync"

// mailbox holds what other goroutines leave for the main one to do.
type mailbox struct {
	mu   sync.Mutex
	jobs []func()
}

// later lets the main goroutine run a job soon. Any goroutine may call it.
func (a *app) later(job func()) {
	a.mail.mu.Lock()
	a.mail.jobs = append(a.mail.jobs, job)
	a.mail.mu.Unlock()
	a.waker.wake()
}

// doMail runs what has been left. It allocates nothing where there is none.
func (a *app) doMail() {
	a.mail.mu.Lock()
	jobs := a.mail.jobs
	a.mail.jobs = nil
	a.mail.mu.Unlock()
	for _, job := range jobs {
		job()
		a.wake()
	}
}
