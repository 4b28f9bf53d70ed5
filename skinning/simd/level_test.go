package simd

import (
	"errors"
	"testing"
)

func TestChoose(t *testing.T) {
	best := highest()
	for _, c := range []struct {
		value string
		level Level
		bad   bool
	}{
		{"", best, false},
		{"scalar", Scalar, false},
		{"SCALAR", Scalar, false},
		{"sse2", best, true},
		{"avx2", AVX2, best < AVX2},
		{"avx512", AVX512, best < AVX512},
	} {
		got := choose(c.value)
		if c.bad {
			if !errors.Is(got.err, errLevel) || got.level != best {
				t.Errorf("%q: %v, %v; want %v with an error", c.value, got.level, got.err, best)
			}
		} else if got.err != nil || got.level != c.level {
			t.Errorf("%q: %v, %v; want %v", c.value, got.level, got.err, c.level)
		}
	}
}
