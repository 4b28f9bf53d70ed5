package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/reg"
)

// compile is avo's list of passes with three more. interleaveMarked puts marked runs of instructions in turns.
// clearUpper says that VEX instructions clear the upper part of the registers that they write: avo takes such a
// register for half written, and so for live from the start of the function. allocateVectors keeps AVX2 to 16 vector
// registers, where avo counts 32.
var compile = pass.Concat(
	pass.Verify,
	pass.FunctionPass(interleaveMarked),
	pass.FunctionPass(pass.PruneJumpToFollowingLabel),
	pass.FunctionPass(pass.PruneDanglingLabels),
	pass.FunctionPass(pass.LabelTarget),
	pass.FunctionPass(pass.CFG),
	pass.InstructionPass(pass.ZeroExtend32BitOutputs),
	pass.InstructionPass(clearUpper),
	pass.FunctionPass(pass.Liveness),
	pass.FunctionPass(allocateVectors),
	pass.FunctionPass(pass.Liveness), // without the virtual registers that have gone
	pass.FunctionPass(pass.AllocateRegisters),
	pass.FunctionPass(pass.BindRegisters),
	pass.FunctionPass(pass.VerifyAllocation),
	pass.FunctionPass(pass.EnsureBasePointerCalleeSaved),
	pass.Func(pass.IncludeTextFlagHeader),
	pass.FunctionPass(pass.PruneSelfMoves),
	pass.FunctionPass(pass.RequiredISAExtensions),
)

// clearUpper makes VEX and EVEX instructions write the whole of a vector register.
func clearUpper(i *ir.Instruction) error {
	for k, o := range i.Outputs {
		if v, ok := o.(reg.Vec); ok && strings.HasPrefix(i.Opcode, "V") {
			i.Outputs[k] = v.AsZ()
		}
	}
	if i.Opcode == "VBLENDMPS" { // not read: a mask chooses between the other two
		written := i.Outputs[0].(reg.Virtual).ID()
		i.Inputs = slices.DeleteFunc(i.Inputs, func(o operand.Op) bool {
			v, ok := o.(reg.Virtual)
			return ok && v.ID() == written
		})
	}
	return nil
}

// allocateVectors gives every virtual vector register the first physical register that none of its neighbours in the
// interference graph has, in the order of their definitions. In code without branches that order needs the fewest
// registers.
func allocateVectors(f *ir.Function) error {
	available := 32
	if strings.HasSuffix(f.Name, "AVX2") {
		available = 16
	}
	var order []reg.ID
	apart := make(map[reg.ID]map[reg.ID]bool)
	for _, i := range f.Instructions() {
		for _, d := range i.OutputRegisters() {
			if d.Kind() != reg.KindVector || !d.ID().IsVirtual() {
				continue
			}
			if apart[d.ID()] == nil {
				apart[d.ID()] = make(map[reg.ID]bool)
				order = append(order, d.ID())
			}
			for id := range i.LiveOut {
				if id.Kind() == reg.KindVector && id != d.ID() {
					apart[d.ID()][id] = true
				}
			}
		}
	}
	for v, neighbours := range apart { // a definition lists the registers that live then; each of them lists it too
		for n := range neighbours {
			if apart[n] == nil {
				return fmt.Errorf("%s: a vector register is read before it is written", f.Name)
			}
			apart[n][v] = true
		}
	}
	f.Allocation = reg.NewEmptyAllocation()
	for _, v := range order {
		var taken [32]bool
		for n := range apart[v] {
			if p, ok := f.Allocation[n]; ok {
				taken[p.Index()] = true
			}
		}
		free := 0
		for free < available && taken[free] {
			free++
		}
		if free == available {
			return fmt.Errorf("%s: more than %d vector registers live at once", f.Name, available)
		}
		f.Allocation[v] = reg.LookupPhysical(reg.KindVector, reg.Index(free), reg.S512).ID()
	}
	for _, i := range f.Instructions() {
		for _, ops := range [][]operand.Op{i.Operands, i.Inputs, i.Outputs} {
			for k := range ops {
				ops[k] = operand.ApplyAllocation(ops[k], f.Allocation)
			}
		}
	}
	return nil
}

// A core takes instructions in their order and keeps about a hundred that wait for operands or for a pipe. Two runs of
// hundreds of instructions that burden different pipes thus do not overlap, although neither needs what the other
// makes. Where their instructions come in turns, they do.

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
