package passes

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// lateQueries is a GPU that answers when the test says so. Waiting for a result, nesting, and using a query whose
// result nobody has read are mistakes that it notes.
type lateQueries struct {
	made     uint32
	running  uint32
	clock    float64
	ended    []uint32 // not yet answered
	began    map[uint32]float64
	seconds  map[uint32]float64 // answered
	mistakes []string
}

func newLateQueries() *lateQueries {
	return &lateQueries{began: map[uint32]float64{}, seconds: map[uint32]float64{}}
}

func (q *lateQueries) mistake(format string, args ...any) {
	q.mistakes = append(q.mistakes, fmt.Sprintf(format, args...))
}

func (q *lateQueries) Make(queries []uint32) {
	for i := range queries {
		q.made++
		queries[i] = q.made
	}
}

func (q *lateQueries) Begin(query uint32) {
	if q.running != 0 {
		q.mistake("%d begins in %d", query, q.running)
	}
	if slices.Contains(q.ended, query) {
		q.mistake("%d begins again before it was answered", query)
	}
	delete(q.seconds, query)
	q.running = query
	q.began[query] = q.clock
}

func (q *lateQueries) End(query uint32) {
	if q.running != query {
		q.mistake("%d ends in %d", query, q.running)
	}
	q.running = 0
	q.ended = append(q.ended, query)
	q.began[query] = q.clock - q.began[query]
}

func (q *lateQueries) Available(query uint32) bool {
	_, ok := q.seconds[query]
	return ok
}

func (q *lateQueries) Seconds(query uint32) float64 {
	s, ok := q.seconds[query]
	if !ok {
		q.mistake("%d is waited for", query)
	}
	return s
}

func (q *lateQueries) Delete(queries []uint32) { q.made -= uint32(len(queries)) }

// answer answers the query that ended as the i-th of those unanswered.
func (q *lateQueries) answer(i int) {
	query := q.ended[i]
	q.ended = slices.Delete(q.ended, i, i+1)
	q.seconds[query] = q.began[query]
}

// span runs a pass that takes some seconds.
func (q *lateQueries) span(t *Timer, p Pass, seconds float64) {
	t.Begin(p)
	q.clock += seconds
	t.End(p)
}

// Results come frames late and in any order; frames are recorded in theirs, sums of their spans, and nothing is waited
// for.
func TestTimerLateAndOutOfOrder(t *testing.T) {
	q := newLateQueries()
	timer := newTimer(q, "GPU")
	q.span(timer, Skin, 1) // off: no query
	timer.Frame()
	if q.made != 0 {
		t.Fatal("queries are made while timing is off")
	}
	timer.SetTiming(TimingPasses)
	timer.Frame() // the frame in which timing was switched on counts for nothing
	for i := range 3 {
		q.span(timer, Skin, float64(1+i)) // two pictures in one frame
		q.span(timer, Shade, 10)
		q.span(timer, Skin, 0.5)
		q.span(timer, Interface, 100)
		timer.Add(Palette, 7*time.Second)
		timer.Frame()
	}
	if n := timer.Picture().Len(); n != 0 {
		t.Fatalf("%d pictures are known before an answer", n)
	}
	for len(q.ended) > 4 { // the newest frames answer first, from their ends
		q.answer(len(q.ended) - 1)
	}
	q.answer(2)
	timer.Frame()
	if n := timer.Picture().Len(); n != 0 {
		t.Fatalf("%d pictures are known while the first frame lacks an answer", n)
	}
	for len(q.ended) > 0 {
		q.answer(0)
	}
	timer.Frame()
	for _, c := range []struct {
		what string
		got  *Samples
		want []float64
	}{
		{"skin", timer.Pass(Skin), []float64{1.5, 2.5, 3.5}},
		{"shade", timer.Pass(Shade), []float64{10, 10, 10}},
		{"interface", timer.Pass(Interface), []float64{100, 100, 100}},
		{"palette", timer.Pass(Palette), []float64{7, 7, 7}},
		{"normals", timer.Pass(Normals), nil},
		{"picture", timer.Picture(), []float64{11.5, 12.5, 13.5}},
	} {
		if got := c.got.History(nil); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, expected %v", c.what, got, c.want)
		}
	}
	if len(q.mistakes) > 0 {
		t.Error(q.mistakes)
	}
	timer.Delete()
	timer.Delete()
	if q.made != 0 {
		t.Errorf("%d queries are left", q.made)
	}
}

// A GPU that answers nothing for long: frames that find the ring full are left out, and it goes on when answers come.
func TestTimerFullRing(t *testing.T) {
	q := newLateQueries()
	timer := newTimer(q, "GPU")
	timer.SetTiming(TimingPasses)
	timer.Reset()
	timer.Frame()
	const frames = 20
	for i := range frames {
		q.span(timer, Shade, float64(i+1))
		timer.Frame()
	}
	if n := timer.Missed(); n != frames-timerFrames {
		t.Errorf("%d frames are left out, expected %d", n, frames-timerFrames)
	}
	for len(q.ended) > 0 {
		q.answer(0)
	}
	timer.Frame()
	q.span(timer, Shade, 50)
	q.answer(0)
	timer.Frame()
	timer.Frame()
	if got, want := timer.Pass(Shade).History(nil), []float64{1, 2, 3, 4, 50}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
	// What is under way when the window is emptied does not come into it.
	q.span(timer, Shade, 3)
	timer.Frame()
	timer.Reset()
	for len(q.ended) > 0 {
		q.answer(0)
	}
	timer.Frame()
	timer.Frame()
	if n := timer.Pass(Shade).Len(); n != 0 {
		t.Errorf("%d samples after a reset, expected none", n)
	}
	for range timerSpans + 3 { // more spans than are timed: a caller that never ends its frame
		q.span(timer, Shade, 3)
	}
	timer.Frame()
	for len(q.ended) > 0 {
		q.answer(0)
	}
	timer.Frame()
	if n := timer.Pass(Shade).Len(); n != 0 {
		t.Errorf("a frame of too many spans is counted")
	}
	if len(q.mistakes) > 0 {
		t.Error(q.mistakes)
	}
}

// As a whole, a picture is one span and passes are none.
func TestTimerPictures(t *testing.T) {
	q := newLateQueries()
	timer := newTimer(q, "GPU")
	timer.SetTiming(TimingPicture)
	timer.Frame()
	timer.Begin(Picture)
	q.span(timer, Skin, 2)
	q.span(timer, Shade, 3)
	timer.End(Picture)
	q.span(timer, Interface, 9)
	timer.Frame()
	if len(q.ended) != 1 {
		t.Fatalf("%d queries, expected 1", len(q.ended))
	}
	q.answer(0)
	timer.Frame()
	if got := timer.Picture().History(nil); !slices.Equal(got, []float64{5}) || timer.Pass(Skin).Len() != 0 {
		t.Errorf("pictures %v, expected one of 5 s; %d skin passes, expected none", got, timer.Pass(Skin).Len())
	}
}

func TestTimerPanicsOnNesting(t *testing.T) {
	timer := newTimer(newLateQueries(), "GPU")
	timer.SetTiming(TimingPasses)
	for name, f := range map[string]func(){
		"begin in begin": func() { timer.Begin(Shade); timer.Begin(Skin) },
		"another end":    func() { timer.End(Skin) },
		"frame in begin": func() { timer.Frame() },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: expected a panic", name)
				}
			}()
			timer.inside, timer.begun = true, Shade
			f()
		}()
	}
}
