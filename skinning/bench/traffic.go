package bench

import "fmt"

// Traffic is how a CPU kernel stands to the machine's memory.
type Traffic struct {
	BytesPerVertex  float64 `json:"bytes_per_vertex"`   // read and written, see [skinlab/skinning.Stream.Traffic]
	GBPerSecond     float64 `json:"gb_per_second"`      // of these at ns_per_vertex; 1e9 bytes
	CopyGBPerSecond float64 `json:"copy_gb_per_second"` // what copying as many bytes reaches on as many threads, read and written; median
	ShareOfCopy     float64 `json:"share_of_copy"`      // median over the rounds of the kernel's speed over the copy's of the same round
}

// traffic sums up the rounds of a kernel that moves so many bytes a frame.
func (m *measures) traffic(bytes, vertices int) *Traffic {
	return &Traffic{
		BytesPerVertex:  float64(bytes) / float64(vertices),
		GBPerSecond:     float64(bytes) / Median(m.seconds) * 1e-9,
		CopyGBPerSecond: Median(m.copied) * 1e-9,
		ShareOfCopy:     Median(m.share),
	}
}

// cells writes the traffic of a row into a table, dashes for none.
func (t *Traffic) cells() string {
	if t == nil {
		return "–\t–\t–\t"
	}
	return fmt.Sprintf("%.1f\t%.1f\t%.0f%%\t", t.GBPerSecond, t.CopyGBPerSecond, 100*t.ShareOfCopy)
}
