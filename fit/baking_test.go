package fit

import (
	"bytes"
	"strings"
	"testing"
)

// A log has one line of the baking, whatever it takes.
func TestBakingProgress(t *testing.T) {
	var log bytes.Buffer
	progress, end := BakingProgress(&log)
	progress(0, 3)
	progress(1, 3)
	end()
	if text := log.String(); !strings.HasPrefix(text, "baking clip 1 of 3 ") || strings.Count(text, "\n") != 1 {
		t.Errorf("%q", text)
	}
}
