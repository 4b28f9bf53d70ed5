package bench

import (
	"fmt"
	"strconv"
)

// Kernel is the form of a CPU kernel, and how it stands to the machine's memory.
type Kernel struct {
	SIMD            string  `json:"simd"`               // scalar, avx2 or avx512; a method that has no such form takes the next lower
	Threads         int     `json:"threads"`            // workers
	SpeedUp         float64 `json:"speedup"`            // median over the rounds of the time on the first number of threads over this one's
	BytesPerVertex  float64 `json:"bytes_per_vertex"`   // read and written, see [skinlab/kernel.Stream.Traffic]
	GBPerSecond     float64 `json:"gb_per_second"`      // of these at ns_per_vertex; 1e9 bytes
	CopyGBPerSecond float64 `json:"copy_gb_per_second"` // what copying as many bytes reaches on as many threads, read and written; median
	ShareOfCopy     float64 `json:"share_of_copy"`      // median over the rounds of the kernel's speed over the copy's of the same round
}

// form, workers and memory write a row's kernel into a table, dashes for none.
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

func (k *Kernel) memory() string {
	if k == nil {
		return "–\t–\t–"
	}
	return fmt.Sprintf("%.1f\t%.1f\t%.0f%%", k.GBPerSecond, k.CopyGBPerSecond, 100*k.ShareOfCopy)
}
