package metrics

import (
	"math"
	"sync/atomic"
)

// beyondScale sets the end of a colour scale of distances: at most one vertex in BeyondScale lies beyond it. Without
// that, single vertices that a method throws far away would take all colours from the rest.
const beyondScale = 1000

// Spread counts the distances of one pose's vertices from a reference, for the end of a scale. It resolves them to 3 %.
// The zero value is empty.
type Spread struct{ counts [spreadBins]uint32 }

// The bin of a distance is given by the leading bits of its square as a float32: 16 bins for each doubling of the
// square. The first bin holds distances up to [KernelRounding] of the size, the last those above about 1,000 times the
// size.
const (
	spreadShift = 19 // leaves the exponent and 4 bits of the fraction
	spreadBins  = 61 * 16
)

var spreadFirst = math.Float32bits(KernelRounding*KernelRounding) >> spreadShift

func spreadBin(square float64) int {
	if !(square > KernelRounding*KernelRounding) {
		return 0
	}
	return min(int(math.Float32bits(float32(square))>>spreadShift-spreadFirst), spreadBins-1)
}

// Add counts a squared distance, as a share of the squared size of the model.
func (s *Spread) Add(square float64) { s.counts[spreadBin(square)]++ }

// AddShared is Add for several goroutines at once.
func (s *Spread) AddShared(square float64) {
	if bin := spreadBin(square); bin > 0 {
		atomic.AddUint32(&s.counts[bin], 1)
	}
}

// Top returns the distance, as a share of the size, that at most one in [beyondScale] of a number of vertices exceeds.
// It is 0 if that distance is only rounding. Otherwise it is the upper end of a bin, up to 3 % larger.
func (s *Spread) Top(vertices int) float64 {
	left := uint32(vertices / beyondScale)
	for bin := spreadBins - 1; bin > 0; bin-- {
		if s.counts[bin] > left {
			return math.Sqrt(float64(math.Float32frombits((uint32(bin) + spreadFirst + 1) << spreadShift)))
		}
		left -= s.counts[bin]
	}
	return 0
}
