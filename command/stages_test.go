package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"skinlab/fit/methods"
	"skinlab/skinning/progress"
)

// countdown is a context that is cancelled when it has been asked so many times whether it is.
type countdown struct {
	context.Context
	cancel context.CancelFunc
	mu     sync.Mutex
	asked  int
	at     int // 0 for never
}

func newCountdown(at int) *countdown {
	ctx, cancel := context.WithCancel(context.Background())
	return &countdown{Context: ctx, cancel: cancel, at: at}
}

func (c *countdown) Err() error {
	c.mu.Lock()
	c.asked++
	if c.asked == c.at {
		c.cancel()
	}
	c.mu.Unlock()
	return c.Context.Err()
}

// TestCancelInEveryStage cancels commands where they ask for it, from their first question to their last: they ask
// often enough, end with that error soon after, and leave nothing behind. That a stage which asks nothing, such as a
// draw call, is left all the same is tested in package progress.
func TestCancelInEveryStage(t *testing.T) {
	slow(t)
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	stdout := os.Stdout
	os.Stdout = null
	defer func() { os.Stdout = stdout }()
	for _, c := range []struct {
		line  string
		least int // questions of a whole run
	}{
		{"compare demo:bar --methods lbs,sbs --frames 6", 12},
		{"compare demo:bar --methods lbs --frames 2 --size 32x32 --report OUT", 90}, // 73 angles twice, by two workers
		{"compare demo:bar --methods lbs --frames 2 --size 32x32 -o OUT.png", 4},
		{"compare demo:bar --methods lbs --frames 1 --size 800x600 -o OUT.png", 12}, // within the pictures and their file
		{"sweep demo:bar --joint bone2 --methods lbs --step 10 -o OUT.svg", 36},
		{"bench --sizes 3k --methods lbs", 15},
	} {
		run := func(at int) (*countdown, string, error) {
			out := filepath.Join(t.TempDir(), "out")
			ctx := newCountdown(at)
			root := newRoot(methods.All())
			root.SetArgs(strings.Fields(strings.ReplaceAll(c.line, "OUT", out)))
			return ctx, filepath.Dir(out), root.ExecuteContext(progress.On(ctx, null))
		}
		whole, _, err := run(0)
		if err != nil && strings.Contains(err.Error(), "no headless OpenGL context") {
			continue
		}
		if err != nil || whole.asked < c.least {
			t.Errorf("%s: asked %d times, expected %d at least: %v", c.line, whole.asked, c.least, err)
			continue
		}
		for _, at := range []int{1, whole.asked / 4, whole.asked / 2, whole.asked * 3 / 4, whole.asked - 2} {
			ctx, dir, err := run(max(at, 1))
			if files, _ := os.ReadDir(dir); !errors.Is(err, context.Canceled) || len(files) > 0 || ctx.asked > at+40 {
				t.Errorf("%s, cancelled at question %d of %d: %v after %d, %d files", c.line, at, whole.asked, err, ctx.asked, len(files))
			}
		}
	}
}
