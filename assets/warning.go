package assets

import (
	"fmt"

	"skinlab/skinning/messages"
)

// maxNotes bounds how many warnings one file can raise.
const maxNotes = 64

// notes collects warnings.
type notes struct {
	kept    []string
	dropped int
}

func (n *notes) add(format string, args ...any) {
	if len(n.kept) >= maxNotes {
		n.dropped++
		return
	}
	n.kept = append(n.kept, fmt.Sprintf(format, args...))
}

func (n *notes) lines() []string {
	if n.dropped > 0 {
		return append(n.kept, fmt.Sprintf("%d more warnings", n.dropped))
	}
	return n.kept
}

// element names one element of the file: `mesh 3 "Body"`. Overlong names are cut.
func element(kind string, i int, name string) string {
	if name == "" {
		return fmt.Sprintf("%s %d", kind, i)
	}
	return fmt.Sprintf("%s %d %q", kind, i, shorten(name))
}

// shorten cuts a text from the file to a length that an error line can hold.
func shorten(s string) string { return messages.Shortened(s) }
