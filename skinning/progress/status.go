package progress

import (
	"fmt"
	"io"
	"os"
)

// Status reports progress. On a terminal it rewrites one line. In a file or a pipe that would be thousands of lines, so
// there it writes a line only when the name of the state changes.
type Status struct {
	out      io.Writer
	terminal bool
	state    string
}

// NewStatus makes a status on out, which is a terminal or a log.
func NewStatus(out io.Writer) *Status {
	s := &Status{out: out}
	if f, ok := out.(*os.File); ok {
		info, err := f.Stat()
		s.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return s
}

// statusWidth covers what an earlier, longer line has left.
const statusWidth = 76

// Show writes a line. Of the lines with the same state, a log gets only one.
func (s *Status) Show(state, line string) {
	switch {
	case s.terminal:
		fmt.Fprintf(s.out, "\r%-*s", statusWidth, line)
	case state != s.state:
		fmt.Fprintln(s.out, line)
	}
	s.state = state
}

// Note writes a line that stays. On a terminal the status goes on below it.
func (s *Status) Note(text string) {
	if s.terminal && s.state != "" {
		fmt.Fprintln(s.out)
	}
	fmt.Fprintln(s.out, text)
}

// End leaves the terminal's line as it is and goes on below it.
func (s *Status) End() {
	if s.terminal && s.state != "" {
		fmt.Fprintln(s.out)
	}
	s.state = ""
}

// clear takes the terminal's line away. A log keeps its lines.
func (s *Status) clear() {
	if s.terminal && s.state != "" {
		fmt.Fprintf(s.out, "\r%*s\r", statusWidth, "")
	}
	s.state = ""
}
