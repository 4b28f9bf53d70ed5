package fault

import "fmt"

// MaxNotes bounds how many warnings one file can raise.
const MaxNotes = 64

// Notes collects warnings.
type Notes struct {
	kept    []string
	dropped int
}

func (n *Notes) Add(format string, args ...any) {
	if len(n.kept) >= MaxNotes {
		n.dropped++
		return
	}
	n.kept = append(n.kept, fmt.Sprintf(format, args...))
}

func (n *Notes) Lines() []string {
	if n.dropped > 0 {
		return append(n.kept, fmt.Sprintf("%d more warnings", n.dropped))
	}
	return n.kept
}
