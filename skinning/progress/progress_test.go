package progress

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
)

// A log has a line for every state, not for every report of it; a terminal is written on in place and left below it.
func TestStatus(t *testing.T) {
	show := func(s *Status) {
		s.Show("a", "a 1")
		s.Show("a", "a 2")
		s.Show("b", "b 3")
		s.End()
	}
	var log, terminal bytes.Buffer
	show(NewStatus(&log))
	if log.String() != "a 1\nb 3\n" {
		t.Errorf("a log holds %q", log.String())
	}
	show(&Status{out: &terminal, terminal: true})
	if n := bytes.Count(terminal.Bytes(), []byte("\r")); n != 3 || terminal.Len() != 3*(1+statusWidth)+1 {
		t.Errorf("a terminal gets %d lines in %q", n, terminal.String())
	}
	var none bytes.Buffer
	NewStatus(&none).End()
	if none.Len() != 0 {
		t.Errorf("nothing shown ends with %q", none.String())
	}
	var cleared bytes.Buffer
	s := &Status{out: &cleared, terminal: true}
	s.Show("a", "a 1")
	s.clear()
	s.clear()
	if text := cleared.String(); !strings.HasSuffix(text, strings.Repeat(" ", statusWidth)+"\r") ||
		strings.Count(text, "\r") != 3 {
		t.Errorf("a cleared terminal holds %q", text)
	}
}

// clock is a time that a test moves.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// Nothing is said in the first second. After it every tenth of a stage has a line in a log, with what is done and how
// long is left, and a stage within another is told in its place.
func TestStages(t *testing.T) {
	var log bytes.Buffer
	c := &clock{at: time.Unix(0, 0)}
	ctx := on(context.Background(), &log, c.now, time.Hour)
	report, end := Begin(ctx, "comparing frame")
	report(1, 20)
	c.pass(900 * time.Millisecond)
	report(2, 20)
	if l := ctx.Value(key{}).(*line); l.status.state != "" {
		t.Errorf("within a second: %q", l.status.state)
	}
	c.pass(1100 * time.Millisecond)
	report(4, 20)
	report(5, 20)
	c.pass(98 * time.Second)
	report(10, 20)
	inner, done := Begin(ctx, "fitting")
	inner(0, 0)
	c.pass(600 * time.Millisecond)
	inner(0, 0)
	done()
	report(20, 20)
	end()
	end()
	want := "comparing frame 4 of 20  2.0 s, about 8 s left\ncomparing frame 10 of 20  100.0 s, about 2 min left\n" +
		"fitting  0.6 s\ncomparing frame 20 of 20  100.6 s\n"
	if log.String() != want {
		t.Errorf("the log holds\n%s, expected\n%s", &log, want)
	}
}

// A stage without a line, in a test or a library, is silent and works.
func TestStageWithoutALine(t *testing.T) {
	n, err := Stage(context.Background(), "counting", func(report Report) (int, error) {
		report(1, 2)
		return 3, errors.New("no")
	})
	if n != 3 || err == nil || err.Error() != "no" {
		t.Errorf("%d, %v", n, err)
	}
}

// A stage whose function never ends is left once its context is done; one that ends by itself is waited for.
func TestStageIsLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	forever := make(chan struct{})
	defer close(forever)
	_, err := Stage(ctx, "drawing", func(report Report) (int, error) {
		cancel()
		<-forever
		return 1, nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	n, err := Stage(ctx, "drawing", func(Report) (int, error) { return 2, ctx.Err() })
	if n != 2 && n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d, %v", n, err)
	}
}

// TestWriter: what is encoded into a writer is left within a picture.
func TestWriter(t *testing.T) {
	noise := image.NewNRGBA(image.Rect(0, 0, 400, 400)) // half a megabyte that does not compress
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(random.Uint32())
	}
	ctx, cancel := context.WithCancel(t.Context())
	wrote := 0
	err := png.Encode(Writer(ctx, writerFunc(func(p []byte) (int, error) {
		wrote += len(p)
		if wrote > 100_000 {
			cancel()
		}
		return len(p), nil
	})), noise)
	if !errors.Is(err, context.Canceled) || wrote < 100_000 || wrote > 150_000 { // PNG's encoder writes 32 KiB at once
		t.Errorf("%d bytes, %v", wrote, err)
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
