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

// compile is avo's own with three passes more. One is interleave's. The others: it knows neither that VEX instructions
// clear the upper part of what they write, so that half-written registers would look as if they were live from the
// start, nor that AVX2 has no more than 16 vector registers.
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

// allocateVectors gives every virtual vector register the first physical one that none of its neighbours in the
// interference graph has, in the order of their definitions. In code without branches that order is optimal.
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
	for v, neighbours := range apart { // a definition sees who lives, who lives must see it too
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
