package fit

import (
	"fmt"
	"io"
	"os"
)

// statusLine says how far a fit is. On a terminal it is one line, written again and again; in a file or a pipe it would
// be thousands of them, so there a line is written only when the state has another name.
type statusLine struct {
	out      io.Writer
	terminal bool
	state    string
}

func newStatusLine(out io.Writer) *statusLine {
	s := &statusLine{out: out}
	if f, ok := out.(*os.File); ok {
		info, err := f.Stat()
		s.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return s
}

// statusWidth covers what an earlier, longer line has left.
const statusWidth = 70

func (s *statusLine) show(state, line string) {
	switch {
	case s.terminal:
		fmt.Fprintf(s.out, "\r%-*s", statusWidth, line)
	case state != s.state:
		fmt.Fprintln(s.out, line)
	}
	s.state = state
}

// end leaves the terminal's line as it is and goes on below it.
func (s *statusLine) end() {
	if s.terminal && s.state != "" {
		fmt.Fprintln(s.out)
	}
}
