package fit

import (
	"fmt"
	"io"
	"time"
)

// baked is how far the baking of clips is.
type baked struct {
	done, of int
	elapsed  time.Duration
}

// BakingProgress says on w how many clips of a fitted model are baked, while that goes on, and for how long: what an
// export is to tell, and what ends it.
func BakingProgress(w io.Writer) (progress func(done, of int), end func()) {
	line, start := newStatusLine(w), time.Now()
	show := func(b baked) {
		line.show("baking", fmt.Sprintf("baking clip %d of %d  %6.1f s", b.done+1, b.of, b.elapsed.Seconds()))
	}
	report, stop := steady(show, reportPause, func(b baked, more time.Duration) baked {
		b.elapsed += more
		return b
	})
	return func(done, of int) { report(baked{done, of, time.Since(start)}) }, func() {
		stop()
		line.end()
	}
}
