package render

// Pass is a part of a frame that is timed by itself.
type Pass uint8

// The passes, in the order in which a frame runs through them.
const (
	PassPalette   Pass = iota // from clip to packed palette, on the CPU: always wall time
	PassUpload                // the palette, morph weights and the scene's block on their way to the GPU
	PassProxies               // the matrices of proxy bones, where the GPU solves for them
	PassSkin                  // posing into a buffer; nothing where the later passes pose for themselves
	PassNormals               // normals from the posed surface
	PassShadow                // shadow map and contact map
	PassShade                 // backdrop, model, floor and what is drawn over them, with what a heat map is made of
	PassResolve               // samples to pixels, and the encoding to sRGB
	PassInterface             // what is drawn round the picture: its caller brackets it
	passCount
	passPicture = passCount // the picture as one span
)

var passNames = [passCount]string{"palette", "upload", "proxies", "skin", "normals", "shadow", "shade", "resolve",
	"interface"}

// Passes returns all passes in order.
func Passes() []Pass {
	all := make([]Pass, passCount)
	for i := range all {
		all[i] = Pass(i)
	}
	return all
}

// String returns the pass's name in tables and JSON.
func (p Pass) String() string { return passNames[p] }

// OnCPU reports whether the pass runs on the CPU whatever draws, so that its time is never GPU time.
func (p Pass) OnCPU() bool { return p == PassPalette }

// Timing is how closely a frame is timed.
type Timing uint8

// The ways of timing. On a software renderer each span ends in a glFinish, so there timing passes makes a frame a
// little slower than timing pictures does, and the sum of the passes is more than the picture takes without.
const (
	TimingOff     Timing = iota
	TimingPicture        // pictures as a whole
	TimingPasses         // each pass; a picture is their sum
)
