package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/ir"
)

// A core takes instructions in their order and keeps about a hundred that wait for operands or for a pipe. Two runs of
// hundreds that burden different pipes thus take as long as both one after the other, although neither needs what the
// other makes, unless they come in turns.

// Marks in a function's code, which the pass takes out.
const (
	markFirst  = "interleave"
	markSecond = "with"
	markEnd    = "end of interleaving"
)

// interleave emits two runs of instructions without labels or jumps in turns, each in its own order and evenly spread.
// Neither may read what the other writes, nor the flags.
func (l *lanes) interleave(first, second func()) {
	l.asm.Comment(markFirst)
	first()
	l.asm.Comment(markSecond)
	second()
	l.asm.Comment(markEnd)
}

// interleaveMarked is the pass that puts what interleave has marked in turns.
func interleaveMarked(f *ir.Function) error {
	var out []ir.Node
	var runs [2][]ir.Node
	run := -1 // outside
	for _, n := range f.Nodes {
		mark := ""
		if c, ok := n.(*ir.Comment); ok && len(c.Lines) == 1 {
			mark = c.Lines[0]
		}
		switch {
		case mark == markFirst:
			run = 0
		case mark == markSecond:
			run = 1
		case mark == markEnd:
			out = append(out, merged(runs[0], runs[1])...)
			run, runs = -1, [2][]ir.Node{}
		case run < 0:
			out = append(out, n)
		default:
			if i, ok := n.(*ir.Instruction); !ok || i.IsBranch {
				return fmt.Errorf("%s: %v among what is interleaved", f.Name, n)
			}
			runs[run] = append(runs[run], n)
		}
	}
	f.Nodes = out
	return nil
}

// merged returns a and b in turns, after any of the result as large a part of the one as of the other.
func merged(a, b []ir.Node) []ir.Node {
	out := make([]ir.Node, 0, len(a)+len(b))
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		if j == len(b) || i < len(a) && i*len(b) <= j*len(a) {
			out = append(out, a[i])
			i++
		} else {
			out = append(out, b[j])
			j++
		}
	}
	return out
}
