package desk

import (
	"context"
	"errors"
	"testing"
)

// TestJob starts things before the last is done: only the newest result arrives, once.
func TestJob(t *testing.T) {
	var j Job[int]
	woken := make(chan struct{}, 10)
	wake := func() { woken <- struct{}{} }
	ended := make(chan struct{})
	j.Start(context.Background(), wake, func(ctx context.Context) (int, error) {
		<-ctx.Done()
		close(ended)
		return 1, ctx.Err()
	})
	if !j.Running() {
		t.Error("what has been started does not run")
	}
	j.Start(context.Background(), wake, func(context.Context) (int, error) { return 2, nil })
	<-ended
	<-woken
	if n, err, ok := j.Take(); n != 2 || err != nil || !ok {
		t.Errorf("took %d, %v, %v, expected 2", n, err, ok)
	}
	if _, _, ok := j.Take(); ok || j.Running() {
		t.Errorf("a result is taken twice, or runs on: %v", j.Running())
	}
	j.Start(context.Background(), wake, func(context.Context) (int, error) { return 3, errors.New("no") })
	<-woken
	j.Stop()
	if _, _, ok := j.Take(); ok {
		t.Error("a result arrives after Stop")
	}
	select {
	case <-woken:
		t.Error("a cancelled job wakes its caller")
	default:
	}
}
