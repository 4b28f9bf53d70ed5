package bench

import (
	"fmt"
	"strconv"
)

// Kernel is the form of a CPU kernel, and its speed relative to the machine's memory.
type Kernel struct {
	SIMD            string  `json:"simd"`               // scalar, avx2 or avx512; else the next lower that the method has
	Threads         int     `json:"threads"`            // workers
	SpeedUp         float64 `json:"speedup"`            // median of the time on the first number of threads over this
	BytesPerVertex  float64 `json:"bytes_per_vertex"`   // read and written, see [skinlab/kernel.Stream.Traffic]
	GBPerSecond     float64 `json:"gb_per_second"`      // of these at ns_per_vertex; 1e9 bytes
	CopyGBPerSecond float64 `json:"copy_gb_per_second"` // of copying as many bytes on as many threads; median
	ShareOfCopy     float64 `json:"share_of_copy"`      // median of the kernel's speed over the copy's
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
