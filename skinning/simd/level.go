package simd

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sys/cpu"
)

// Level is a form that a kernel comes in.
type Level uint8

// The levels in rising order: a machine that has one has all before it.
const (
	Scalar Level = iota // plain Go, in package kernel
	AVX2                // AVX2 with FMA: 8 vertices in a register
	AVX512              // AVX-512 F, VL, DQ and BW: 16 vertices in a register
)

// Variable is the environment variable that forces a level: scalar, avx2 or avx512.
const Variable = "SKINLAB_SIMD"

// errLevel is wrapped by errors about a forced level.
var errLevel = errors.New("no such SIMD level")

// String returns the name as [Variable] takes it.
func (l Level) String() string {
	switch l {
	case Scalar:
		return "scalar"
	case AVX2:
		return "avx2"
	case AVX512:
		return "avx512"
	}
	return fmt.Sprintf("Level(%d)", uint8(l))
}

// Levels returns what this machine and its operating system can run, in rising order; Scalar is always among them.
func Levels() []Level { return slices.Clone(levels[:highest()+1]) }

var levels = [...]Level{Scalar, AVX2, AVX512} // never written

// Default returns the level that kernels run at: the highest, or the one that [Variable] named when the program
// started. If the named level is not available, it returns the highest, and an error with the reason. A command line
// prints the error and ends.
func Default() (Level, error) { return chosen.level, chosen.err }

var chosen = choose(os.Getenv(Variable)) // never written again

type choice struct {
	level Level
	err   error
}

// choose finds the level of a value of [Variable].
func choose(value string) choice {
	have := Levels()
	best := have[len(have)-1]
	if value == "" {
		return choice{level: best}
	}
	for _, l := range levels {
		if !strings.EqualFold(value, l.String()) {
			continue
		}
		if l > best {
			return choice{best, fmt.Errorf("%w: %s=%s: this machine has %v", errLevel, Variable, value, have)}
		}
		return choice{level: l}
	}
	return choice{best, fmt.Errorf("%w: %s=%s: want one of %v", errLevel, Variable, value, levels)}
}

// highest asks the processor; the flags are false where the operating system does not save the registers.
func highest() Level {
	x := &cpu.X86
	switch {
	case runtime.GOARCH != "amd64" || !x.HasAVX2 || !x.HasFMA:
		return Scalar
	case !x.HasAVX512F || !x.HasAVX512VL || !x.HasAVX512DQ || !x.HasAVX512BW:
		return AVX2
	}
	return AVX512
}
