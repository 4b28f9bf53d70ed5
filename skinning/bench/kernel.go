package bench

import (
	"fmt"
	"strconv"
)

// Kernel is the form of a CPU kernel.
type Kernel struct {
	SIMD    string  `json:"simd"`    // scalar, avx2 or avx512; else the next lower that the method has
	Threads int     `json:"threads"` // workers
	SpeedUp float64 `json:"speedup"` // median of the time on the first number of threads over this
}

// form and workers write a row's kernel into a table, dashes for none.
func (k *Kernel) form() string {
	if k == nil {
		return "–"
	}
	return k.SIMD
}

func (k *Kernel) workers() (threads, speedUp string) {
	if k == nil {
		return "–", "–"
	}
	return strconv.Itoa(k.Threads), fmt.Sprintf("%.2f", k.SpeedUp)
}
