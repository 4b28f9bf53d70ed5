package simd

import "golang.org/x/sys/cpu"

// highest asks the processor; the flags are false where the operating system does not save the registers.
func highest() Level {
	x := &cpu.X86
	switch {
	case !x.HasAVX2 || !x.HasFMA:
		return Scalar
	case !x.HasAVX512F || !x.HasAVX512VL || !x.HasAVX512DQ || !x.HasAVX512BW:
		return AVX2
	}
	return AVX512
}
