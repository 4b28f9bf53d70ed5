package fit

import (
	"bytes"
	"testing"
)

// A log has a line for every state, not for every report of it; a terminal is written on in place and left below it.
func TestStatusLine(t *testing.T) {
	show := func(s *statusLine) {
		s.show("a", "a 1")
		s.show("a", "a 2")
		s.show("b", "b 3")
		s.end()
	}
	var log, terminal bytes.Buffer
	show(newStatusLine(&log))
	if log.String() != "a 1\nb 3\n" {
		t.Errorf("a log holds %q", log.String())
	}
	show(&statusLine{out: &terminal, terminal: true})
	if n := bytes.Count(terminal.Bytes(), []byte("\r")); n != 3 || terminal.Len() != 3*(1+statusWidth)+1 {
		t.Errorf("a terminal gets %d lines in %q", n, terminal.String())
	}
	var none bytes.Buffer
	newStatusLine(&none).end()
	if none.Len() != 0 {
		t.Errorf("nothing shown ends with %q", none.String())
	}
}
