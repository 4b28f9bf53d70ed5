//go:build !amd64

package simd

// Split is never called: the only level here is Scalar.
func Split(d *Drive, groups []SplitGroup, scaled bool) { panic("simd: Split: amd64 only") }

// BlendDual is never called: the only level here is Scalar.
func BlendDual(d *Drive, groups []BlendGroup, scaled bool) { panic("simd: BlendDual: amd64 only") }

// BlendMean is never called: the only level here is Scalar.
func BlendMean(d *Drive, groups []BlendGroup) { panic("simd: BlendMean: amd64 only") }

// BlendCenter is never called: the only level here is Scalar.
func BlendCenter(d *Drive, groups []BlendGroup, centers []CenterGroup) {
	panic("simd: BlendCenter: amd64 only")
}

// SolveProxies is never called: the only level here is Scalar.
func SolveProxies(level Level, p *Proxies) { panic("simd: SolveProxies: amd64 only") }

// PredictKeys is never called: the only level here is Scalar.
func PredictKeys(groups []KeyGroup, records []TurnRecord, gradients []Gradients, failed []uint8) {
	panic("simd: PredictKeys: amd64 only")
}
