package files

import "sync"

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

// Get returns the last report.
func (p *Progress) Get() (step string, share float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.step, p.share
}
