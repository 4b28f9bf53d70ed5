package desk

import (
	"context"
	"sync"
)

// Job runs one thing after the other on a goroutine of its own: what starts cancels what was under way, whose result is
// then dropped. The zero value is ready. Its methods never wait.
type Job[T any] struct {
	mu      sync.Mutex
	number  int
	cancel  context.CancelFunc // nil where nothing runs
	result  T
	err     error
	arrived bool
}

// Start runs something. Wake is called from its goroutine once its result can be taken.
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

// Stop cancels what runs and forgets its result.
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

// Running reports whether something is under way.
func (j *Job[T]) Running() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.cancel != nil
}

// Take returns a result, once.
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
