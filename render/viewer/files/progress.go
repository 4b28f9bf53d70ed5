package files

import "sync"

// Progress is how far a load is, which its goroutine leaves for the window.
type Progress struct {
	mu    sync.Mutex
	step  string
	share float64
}

// Report says what is being done, and which share of the whole is.
func (p *Progress) Report(step string, share float64) {
	p.mu.Lock()
	p.step, p.share = step, share
	p.mu.Unlock()
}

// Get returns what was reported last.
func (p *Progress) Get() (step string, share float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.step, p.share
}
