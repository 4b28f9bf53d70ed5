package fit

import (
	"fmt"
	"io"
	"time"
)

// ShowProgress says on w how far a fit is: on a terminal's last line, or in a log a line for every stage and
// every added joint. The caller calls end when it is over.
func ShowProgress(w io.Writer) (progress func(Progress), end func()) {
	s := newStatusLine(w)
	return func(p Progress) {
		state, line := p.Stage, fmt.Sprintf("%6.1f s", p.Now.Elapsed.Round(100*time.Millisecond).Seconds())
		if p.Stage != "" {
			line = p.Stage + "  " + line
		}
		if p.Now.Model != nil {
			if state == "" {
				state = fmt.Sprint(p.Now.Added)
			}
			bones := "bones"
			if p.Now.Added == 1 {
				bones = "bone "
			}
			line = fmt.Sprintf("%3d %s  EE %7.3f %%  %s", p.Now.Added, bones, p.Now.EE, line)
		}
		s.show(state, line)
	}, s.end
}

// later is the same progress after so much more time.
func later(p Progress, by time.Duration) Progress {
	p.Now.Elapsed += by
	return p
}
