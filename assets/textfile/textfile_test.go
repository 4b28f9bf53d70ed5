package textfile

import (
	"bufio"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestScanLines: all ends of lines, a mark at the beginning of lines, and an end that two reads share.
func TestScanLines(t *testing.T) {
	for text, want := range map[string][]string{
		"":                          nil,
		"a\nb\r\nc\rd":              {"a", "b", "c", "d"},
		"a\r\r\nb\n\rc\r":           {"a", "", "b", "", "c"},
		Mark + "a\n" + Mark + "b\r": {"a", "b"},
		Mark:                        {""},
		"a" + Mark + "\n":           {"a" + Mark},
	} {
		var got []string
		scan := bufio.NewScanner(iotest.OneByteReader(strings.NewReader(text)))
		for scan.Split(ScanLines); scan.Scan(); {
			got = append(got, scan.Text())
		}
		if scan.Err() != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v, expected %q", text, got, scan.Err(), want)
		}
	}
}
