package passes

// Pass is a part of a frame that is timed by itself.
type Pass uint8

// The passes, in the order in which a frame runs through them.
const (
	Palette   Pass = iota // from clip to packed palette, on the CPU: always wall time
	Upload                // the palette, morph weights and the scene's block on their way to the GPU
	Proxies               // the matrices of proxy bones, where the GPU solves for them
	Skin                  // posing into a buffer; nothing where the later passes pose for themselves
	Normals               // normals from the posed surface
	Shadow                // shadow map and contact map
	Shade                 // backdrop, model, floor and what is drawn over them, with what a heat map is made of
	Resolve               // samples to pixels, and the encoding to sRGB
	Interface             // what is drawn round the picture: its caller brackets it
	passCount
	Picture = passCount // all passes of a picture as one span
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

// OnCPU reports whether the pass runs on the CPU whatever draws, so that its time is never GPU time.
func (p Pass) OnCPU() bool { return p == Palette }

// Timing is how closely a frame is timed.
type Timing uint8

// The ways of timing. On a software renderer each span ends in a glFinish, so there timing passes makes a frame a
// little slower than timing pictures does, and the sum of the passes is more than the picture takes without.
const (
	TimingOff     Timing = iota
	TimingPicture        // pictures as a whole
	TimingPasses         // each pass; a picture is their sum
)
