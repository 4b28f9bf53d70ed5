package bench

import "fmt"

// Memory is a row's speed relative to the memory of its device.
type Memory struct {
	BytesPerVertex  float64 `json:"bytes_per_vertex"`   // read and written, see [skinlab/kernel.Stream.BytesMoved]
	GBPerSecond     float64 `json:"gb_per_second"`      // of these at ns_per_vertex; 1e9 bytes
	CopyGBPerSecond float64 `json:"copy_gb_per_second"` // of copying as many bytes in the same rounds; median
	ShareOfCopy     float64 `json:"share_of_copy"`      // median of the row's speed over the copy's
}

// NewMemory sums up rounds. Bytes is what one pose of all vertices reads and writes, seconds[i] the time of a pose in
// round i, and copied[i] the bytes per second of that round's copy.
func NewMemory(bytes float64, vertices int, seconds, copied []float64) *Memory {
	if len(seconds) != len(copied) {
		panic(fmt.Sprintf("bench: NewMemory: %d rounds with %d copies", len(seconds), len(copied)))
	}
	share := make([]float64, len(seconds))
	for i := range share {
		share[i] = bytes / seconds[i] / copied[i]
	}
	return &Memory{BytesPerVertex: bytes / float64(vertices), GBPerSecond: bytes / Median(seconds) * 1e-9,
		CopyGBPerSecond: Median(copied) * 1e-9, ShareOfCopy: Median(share)}
}

// cells writes the row's columns of a table, dashes for none.
func (m *Memory) cells() string {
	if m == nil {
		return "–\t–\t–"
	}
	return fmt.Sprintf("%.1f\t%.1f\t%.0f%%", m.GBPerSecond, m.CopyGBPerSecond, 100*m.ShareOfCopy)
}
