package passes

// Pass is a part of a frame that is timed by itself.
type Pass uint8

// The passes, in the order in which a frame runs through them.
const (
	Palette   Pass = iota // from a clip's time to the packed palette, on the CPU: always wall time
	Upload                // sends the palette, morph weights and the scene's block to the GPU
	Proxies               // solves for the matrices of proxy bones, if the GPU does
	Skin                  // poses into a buffer; empty if the later passes pose for themselves
	Normals               // sums normals from the posed surface, and poses the tangents of normal maps
	Shadow                // shadow map and contact map
	Shade                 // backdrop, model, floor, overlays, and the numbers of a heat map
	Resolve               // averages samples to pixels and encodes them as sRGB
	Interface             // draws what surrounds the picture; the caller begins and ends it
	passCount
	Picture = passCount // all passes of a picture, timed as one span
)

var passNames = [passCount]string{"palette", "upload", "proxies", "skin", "normals", "shadow", "shade", "resolve",
	"interface"}

// All returns all passes in order.
func All() []Pass {
	all := make([]Pass, passCount)
	for i := range all {
		all[i] = Pass(i)
	}
	return all
}

// String returns the pass's name in tables and JSON.
func (p Pass) String() string { return passNames[p] }

// OnCPU reports whether the pass always runs on the CPU. Its time is then never GPU time.
func (p Pass) OnCPU() bool { return p == Palette }

// Timing is how closely a frame is timed.
type Timing uint8

// The ways of timing. On a software renderer each span ends in a glFinish. There TimingPasses slows a frame down a
// little: the sum of its passes is more than TimingPicture measures.
const (
	TimingOff     Timing = iota
	TimingPicture        // each picture as a whole
	TimingPasses         // each pass; a picture's time is the sum of its passes
)
