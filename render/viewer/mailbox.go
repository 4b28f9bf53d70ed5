package viewer

import (
	"sync"

	"github.com/go-gl/glfw/v3.3/glfw"
)

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

// waker wakes the loop from other goroutines, and does nothing once the window is gone.
type waker struct {
	mu   sync.Mutex
	open bool
}

func (w *waker) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open {
		glfw.PostEmptyEvent()
	}
}

func (w *waker) set(open bool) {
	w.mu.Lock()
	w.open = open
	w.mu.Unlock()
}
